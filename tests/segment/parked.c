/* SPDX-License-Identifier: BSD-3-Clause */
/* A reset that meets an update in its middle: what that view says then, and the one of the next
 * process; the file is in the current folder. Under a sequence counter.
 */
#include "ctr.h"
#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "ho_stats.h"
#include "../run/harness.h"

#define PATH "app.seg"

static const struct ctr_module *const modules[] = { &ho_stats_module };

static int
view(enum ho_stats_view which, uint64_t kept)
{
	struct ho_stats_global values;
	const int rc = ho_stats_global_view_read(which, &values);

	EQUAL(values.kept, kept);
	return rc;
}

/* Count one packet of which a reset in a view takes the first counter alone. */
static void
tear(enum ho_stats_view which)
{
	struct ho_stats_instance *self =
		(struct ho_stats_instance *)ctr_slots_get(&ho_stats_slots, ctr_lcore_id());
	struct ho_stats_global last;

	ctr_seq_update_begin(&self->ctr_seq);
	ctr_add64(&self->global.kept, 1);
	EQUAL(ho_stats_global_view_reset(which, &last), -EAGAIN);
	EQUAL(last.kept, 1);
	ctr_add32(&self->global.narrow, 1);
	ctr_seq_update_end(&self->ctr_seq);
}

/* What was torn, and ends with a reset that is 0: the one after the next. */
static void
mend(enum ho_stats_view which)
{
	EQUAL(view(which, 0), -EAGAIN);
	EQUAL(ho_stats_global_view_reset(which, NULL), -EAGAIN);
	EQUAL(view(which, 0), 0);
	EQUAL(ho_stats_global_view_reset(which, NULL), 0);
}

TEST(torn)
{
	struct ctr_segment_former former = { .path = PATH };
	struct ctr_segment_options options = { .path = PATH, .views = true };
	struct ctr_segment_reader *reader;
	const struct ctr_segment_scope *scope;
	struct ctr_segment_info info;
	struct ctr_segment *segment;
	struct ho_stats_global values;

	EQUAL(ho_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	tear(HO_STATS_VIEW_BILLING);
	EQUAL(view(HO_STATS_VIEW_RAW, 1), 0);
	EQUAL(view(HO_STATS_VIEW_DEFAULT, 1), 0);
	mend(HO_STATS_VIEW_BILLING);

	ho_stats_fini();
	EQUAL(ho_stats_init(), 0);
	tear(HO_STATS_VIEW_BILLING);
	EQUAL(ctr_segment_create(&segment, modules, 1, &options), 0);
	EQUAL(ctr_segment_open(&reader, PATH), 0);
	scope = ctr_segment_find_scope(reader, "ho", "global");
	EQUAL(ctr_segment_read(reader, scope, 0, &values, &info), 0);
	EQUAL(info.flags, CTR_SEGMENT_EXISTS | CTR_SEGMENT_TORN);
	ctr_segment_leave(reader);
	EQUAL(ctr_segment_final(segment), 0);
	ctr_segment_close(segment);
	ho_stats_fini();

	options.former = &former;
	EQUAL(ho_stats_init(), 0);
	EQUAL(ctr_segment_create(&segment, modules, 1, &options), 0);
	EQUAL(former.error, 0);
	EQUAL(view(HO_STATS_VIEW_RAW, 1), 0);
	EQUAL(view(HO_STATS_VIEW_DEFAULT, 1), -EAGAIN); /* a record does not say which view it was */
	mend(HO_STATS_VIEW_BILLING);
	ctr_segment_close(segment);
	ho_stats_fini();
}
