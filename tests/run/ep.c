/* SPDX-License-Identifier: BSD-3-Clause */
#include "ep.h"

void
ep_sums_add(struct ep_sums *to, const struct ep_sums *from)
{
	unsigned int i;

	to->total_pkts += from->total_pkts;
	to->total_bytes += from->total_bytes;
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		to->session[i].pkts += from->session[i].pkts;
		to->session[i].bytes += from->session[i].bytes;
	}
}

void
ep_sums_add_snapshot(struct ep_sums *to, const struct ep_stats_snapshot *from)
{
	unsigned int i;

	to->total_pkts += from->global.total_pkts;
	to->total_bytes += from->global.total_bytes;
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		to->session[i].pkts += from->session[i].pkts;
		to->session[i].bytes += from->session[i].bytes;
	}
}

void
ep_sums_read(struct ep_sums *out, bool torn)
{
	struct ep_stats_global global;
	unsigned int i;
	int rc;

	rc = ep_stats_global_read(&global);
	CHECK(rc == 0 || (torn && rc == -EAGAIN), "global_read gives %d", rc);
	out->total_pkts = global.total_pkts;
	out->total_bytes = global.total_bytes;
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		rc = ep_stats_session_read(i, &out->session[i]);
		CHECK(rc == 0 || (torn && rc == -EAGAIN), "session_read gives %d", rc);
	}
}

void
ep_sums_check(const struct ep_sums *got, const struct ep_sums *wanted, const char *when)
{
	int64_t pkts = (int64_t)(wanted->total_pkts - got->total_pkts);
	int64_t bytes = (int64_t)(wanted->total_bytes - got->total_bytes);
	int64_t session_pkts = 0, session_bytes = 0;
	unsigned int i, wrong = 0, first = 0;

	for (i = EP_STATS_SESSION_MAX; i-- > 0;) {
		session_pkts += (int64_t)(wanted->session[i].pkts - got->session[i].pkts);
		session_bytes += (int64_t)(wanted->session[i].bytes - got->session[i].bytes);
		if (wanted->session[i].pkts != got->session[i].pkts ||
		    wanted->session[i].bytes != got->session[i].bytes) {
			first = i;
			wrong++;
		}
	}
	CHECK(pkts == 0 && bytes == 0 && wrong == 0,
	      "%s: lost %" PRId64 " of %" PRIu64 " packets and %" PRId64 " of %" PRIu64
	      " octets; in %u sessions, session %u the first, lost %" PRId64 " packets and %" PRId64
	      " octets (less than 0: too many)", when, pkts, wanted->total_pkts, bytes,
	      wanted->total_bytes, wrong, first, session_pkts, session_bytes);
}
