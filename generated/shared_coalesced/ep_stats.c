/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync shared_coalesced
 */
#include <stdlib.h>

#include "ep_stats.h"

CTR_PORT_GUARD(ep_stats);

static struct ctr_control ep_stats_control = CTR_CONTROL_INITIALIZER;
struct ctr_flag ep_stats_ready;
static struct ctr_line64 ep_stats_dropped_updates;
static struct ctr_line64 ep_stats_late_updates;
static uint64_t *ep_stats_global_discontinuity_ns;
static uint64_t *ep_stats_session_discontinuity_ns;

static struct ctr_periods ep_stats_global_periods;
static struct ctr_periods ep_stats_session_periods;

struct ep_stats_instance ep_stats_shared;

/* Add what an lcore holds of the global scope to the shared instance. */
static void
ep_stats_global_evict(struct ep_stats_global_held *held)
{
	struct ep_stats_global_data *of = &ep_stats_shared.global;

	ctr_held_apply64(&of->total_pkts, &held->delta.total_pkts);
	ctr_held_apply64(&of->total_bytes, &held->delta.total_bytes);
	/* A child of fork() finds no delta of one element beside the address of another. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
}

/* Add what an lcore holds of a session to the shared instance. */
static void
ep_stats_session_evict(struct ep_stats_session_held *held)
{
	struct ep_stats_session_data *of = (struct ep_stats_session_data *)held->head.of;

	ctr_held_apply64(&of->pkts, &held->delta.pkts);
	ctr_held_apply64(&of->bytes, &held->delta.bytes);
	/* A child of fork() finds no delta of one element beside the address of another. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
}

struct ep_stats_session_held *
ep_stats_session_swap(struct ep_stats_held *cache, struct ep_stats_session_held *held,
		struct ep_stats_session_data *of)
{
	/* Its line is here by the time it is evicted. */
	ctr_prefetch(of);
	if (held->head.of == NULL)
		ctr_held_join(&cache->ctr_line, &held->head);
	else
		ep_stats_session_evict(held);
	held->head.of = of;
	return held;
}

/* Empty the places that have been in use for longest, `most` at most. */
static void
ep_stats_apply(struct ep_stats_held *cache, uint32_t most)
{
	struct ctr_held *held;

	while (most-- != 0 && (held = ctr_held_first(&cache->ctr_line)) != NULL) {
		ep_stats_session_evict((struct ep_stats_session_held *)(void *)held);
		held->of = NULL;
	}
}

/* Apply all that an lcore holds. */
static void
ep_stats_settle_up(struct ep_stats_held *cache)
{
	ep_stats_apply(cache, UINT32_MAX);
	ep_stats_global_evict(&cache->global);
}

/* The same by and by: 256 calls apply what is held before them. */
static void
ep_stats_hint(struct ep_stats_held *cache)
{
	ep_stats_apply(cache, 1);
	if (++cache->ctr_line.hints < 256)
		return;
	cache->ctr_line.hints = 0;
	ep_stats_global_evict(&cache->global);
}

/* A thread leaves, or is gone, and may have ended in the middle of an update: the line may lack the
 * place that it was about to use.
 */
static void
ep_stats_leave(void *slot, unsigned int lcore)
{
	struct ep_stats_held *cache = (struct ep_stats_held *)slot;

	(void)lcore;
	ep_stats_global_evict(&cache->global);
	for (uint32_t i = 0; i < 256; i++) {
		if (cache->session[i].head.of != NULL)
			ep_stats_session_evict(&cache->session[i]);
		cache->session[i].head.of = NULL;
	}
	cache->ctr_line.first = 0;
	cache->ctr_line.last = 0;
}

struct ctr_slots ep_stats_slots = {
	.size = sizeof(struct ep_stats_held),
	.adopt = ep_stats_leave,
	.down = ep_stats_leave,
};

void
ep_stats_packet_non_lcore(uint32_t session, uint64_t n, uint64_t size)
{
	if (ctr_unlikely(!ep_stats_ready.set)) {
		ep_stats_note_late(n);
		return;
	}
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);
	ctr_atomic_add64(&self->global.total_pkts, n);
	ctr_atomic_add64(&self->global.total_bytes, size);
	ctr_atomic_add64(&self->session[session].pkts, n);
	ctr_atomic_add64(&self->session[session].bytes, size);
}

static const struct ctr_item ep_stats_global_items[] = {
	CTR_COUNTER_ITEM(ep_stats_global, total_pkts, 64, "packets", "EP packets processed."),
	CTR_COUNTER_ITEM(ep_stats_global, total_bytes, 64, "bytes",
			"Octets in processed EP packets."),
	CTR_GAUGE_ITEM(ep_stats_global, sessions, 64, 0u, UINT64_C(9223372036854775807),
			"sessions", "Sessions now established."),
	CTR_STATE_ITEM(ep_stats_global, link_up, CTR_BOOL, "", "Whether the uplink is up."),
};

/* Where the counters of 64 bits are. */
static const struct ctr_field ep_stats_global_fields64[] = {
	CTR_FIELD(ep_stats_global, ep_stats_global_data, ep_stats_global_data, total_pkts),
	CTR_FIELD(ep_stats_global, ep_stats_global_data, ep_stats_global_data, total_bytes),
};

/* Read the data of an instance: its counters, and the gauges and states
 * in it. */
static void
ep_stats_global_collect(struct ep_stats_instance *self, struct ep_stats_global *out)
{
	struct ep_stats_global_data *data = &self->global;

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &ep_stats_global_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_load64(word);
	}
	out->sessions = ctr_latch(ctr_load64(&data->sessions), 0, 9223372036854775807u);
	out->link_up = ctr_load32(&data->link_up) != 0;
}

/* Take the counts of the only copy, for a new period; and read its gauges and states. */
static void
ep_stats_global_take(struct ep_stats_instance *self, struct ep_stats_global *out)
{
	struct ep_stats_global_data *data = &self->global;

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &ep_stats_global_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_exchange64(word);
	}
	out->sessions = ctr_latch(ctr_load64(&data->sessions), 0, 9223372036854775807u);
	out->link_up = ctr_load32(&data->link_up) != 0;
}

/* Read an instance. */
static int
ep_stats_global_fetch(struct ep_stats_global *out, struct ctr_reading *reading)
{
	int rc = 0;

	ctr_reading_at(reading, ctr_period(&ep_stats_global_periods, 0));
	do {
		memset(out, 0, sizeof(*out));
		ep_stats_global_collect(&ep_stats_shared, out);
	} while (ctr_reading_again(reading));
	return rc;
}

/* Begin a new period of an instance; *out is what it counted in the former one. The
 * control lock is taken. Takes every count, also if they may not belong together (-EAGAIN).
 */
static int
ep_stats_global_renew(struct ep_stats_global *out, struct ctr_reading *reading)
{
	uint32_t *period = ctr_period(&ep_stats_global_periods, 0);
	int rc = 0;

	(void)reading;
	memset(out, 0, sizeof(*out));
	ctr_period_begin(period);
	ep_stats_global_take(&ep_stats_shared, out);
	ctr_period_end(period);
	return rc;
}

int
ep_stats_global_read(struct ep_stats_global *out)
{
	struct ctr_reading reading;

	if (out == NULL)
		return -EINVAL;
	ctr_reading_begin(&reading, &ep_stats_control);
	return ep_stats_global_fetch(out, &reading);
}

int
ep_stats_global_lcore_read(unsigned int lcore, struct ep_stats_global *out)
{
	(void)lcore;
	(void)out;
	return -ENOTSUP;
}

int
ep_stats_global_reset(struct ep_stats_global *last)
{
	struct ep_stats_global counted;
	struct ctr_reading reading;
	int rc;

	if (ctr_slots_own(&ep_stats_slots) != NULL) {
		ep_stats_settle_up(ep_stats_cache());
	}
	ctr_reading_begin(&reading, &ep_stats_control);
	ctr_control_lock(&ep_stats_control);
	rc = ep_stats_global_renew(last != NULL ? last : &counted, &reading);
	ctr_control_mark(&ep_stats_global_discontinuity_ns, 0);
	ctr_control_unlock(&ep_stats_control);
	return rc;
}

int
ep_stats_global_reset_all(struct ep_stats_global *last)
{
	return ep_stats_global_reset(last);
}

/* What the word at offset `member` of the data in one copy holds. */
static uint64_t
ep_stats_global_word64(struct ep_stats_instance *self, size_t member)
{
	struct ep_stats_global_data *data = &self->global;

	return ctr_load64(&CTR_MEMBER(uint64_t, *data, member));
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
ep_stats_global_get64(size_t member)
{
	struct ctr_reading reading;
	uint64_t sum = 0;

	ctr_reading_begin(&reading, &ep_stats_control);
	ctr_reading_at(&reading, ctr_period(&ep_stats_global_periods, 0));
	do {
		sum = ep_stats_global_word64(&ep_stats_shared, member);
	} while (ctr_reading_again(&reading));
	return sum;
}

/* Define the getters of a counter. */
#define EP_STATS_GLOBAL_GETTERS64(ITEM)                                            \
	uint64_t                                                                   \
	ep_stats_get_##ITEM(void)                                                  \
	{                                                                          \
		const size_t member = offsetof(struct ep_stats_global_data, ITEM); \
                                                                                   \
		return ep_stats_global_get64(member);                              \
	}                                                                          \
	uint64_t                                                                   \
	ep_stats_lcore_get_##ITEM(unsigned int lcore)                              \
	{                                                                          \
		(void)lcore;                                                       \
		return 0;                                                          \
	}

EP_STATS_GLOBAL_GETTERS64(total_pkts)
EP_STATS_GLOBAL_GETTERS64(total_bytes)

uint64_t
ep_stats_get_sessions(void)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	{
		struct ep_stats_global_data *data = &self->global;

		return ctr_latch(ctr_load64(&data->sessions), 0, 9223372036854775807u);
	}
}

bool
ep_stats_get_link_up(void)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	{
		struct ep_stats_global_data *data = &self->global;

		return ctr_load32(&data->link_up) != 0;
	}
}

static const struct ctr_item ep_stats_session_items[] = {
	CTR_COUNTER_ITEM(ep_stats_session, pkts, 64, "packets", "Packets of the session."),
	CTR_COUNTER_ITEM(ep_stats_session, bytes, 64, "bytes", "Octets in packets of the session."),
};

/* Where the counters of 64 bits are. */
static const struct ctr_field ep_stats_session_fields64[] = {
	CTR_FIELD(ep_stats_session, ep_stats_session_data, ep_stats_session_data, pkts),
	CTR_FIELD(ep_stats_session, ep_stats_session_data, ep_stats_session_data, bytes),
};

/* Read the data of an instance: its counters, and the gauges and states
 * in it. */
static void
ep_stats_session_collect(struct ep_stats_instance *self, uint32_t session,
		struct ep_stats_session *out)
{
	struct ep_stats_session_data *data = &self->session[session];

	out->pkts = ctr_load64(&data->pkts);
	out->bytes = ctr_load64(&data->bytes);
}

/* Take the counts of the only copy, for a new period; and read its gauges and states. */
static void
ep_stats_session_take(struct ep_stats_instance *self, uint32_t session,
		struct ep_stats_session *out)
{
	struct ep_stats_session_data *data = &self->session[session];

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &ep_stats_session_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_exchange64(word);
	}
}

/* Read an instance. */
static int
ep_stats_session_fetch(uint32_t session, struct ep_stats_session *out, struct ctr_reading *reading)
{
	int rc = 0;

	ctr_reading_at(reading, ctr_period(&ep_stats_session_periods, session));
	do {
		memset(out, 0, sizeof(*out));
		ep_stats_session_collect(&ep_stats_shared, session, out);
	} while (ctr_reading_again(reading));
	return rc;
}

/* Begin a new period of an instance; *out is what it counted in the former one. The
 * control lock is taken. Takes every count, also if they may not belong together (-EAGAIN).
 */
static int
ep_stats_session_renew(uint32_t session, struct ep_stats_session *out, struct ctr_reading *reading)
{
	uint32_t *period = ctr_period(&ep_stats_session_periods, session);
	int rc = 0;

	(void)reading;
	memset(out, 0, sizeof(*out));
	ctr_period_begin(period);
	ep_stats_session_take(&ep_stats_shared, session, out);
	ctr_period_end(period);
	return rc;
}

int
ep_stats_session_read(uint32_t session, struct ep_stats_session *out)
{
	struct ctr_reading reading;

	if (out == NULL)
		return -EINVAL;
	if (session >= EP_STATS_SESSION_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &ep_stats_control);
	return ep_stats_session_fetch(session, out, &reading);
}

int
ep_stats_session_lcore_read(unsigned int lcore, uint32_t session, struct ep_stats_session *out)
{
	(void)lcore;
	(void)session;
	(void)out;
	return -ENOTSUP;
}

int
ep_stats_session_reset(uint32_t session, struct ep_stats_session *last)
{
	struct ep_stats_session counted;
	struct ctr_reading reading;
	int rc;

	if (session >= EP_STATS_SESSION_MAX)
		return -ERANGE;
	if (ctr_slots_own(&ep_stats_slots) != NULL) {
		ep_stats_settle_up(ep_stats_cache());
	}
	ctr_reading_begin(&reading, &ep_stats_control);
	ctr_control_lock(&ep_stats_control);
	rc = ep_stats_session_renew(session, last != NULL ? last : &counted, &reading);
	ctr_control_mark(&ep_stats_session_discontinuity_ns, session);
	ctr_control_unlock(&ep_stats_control);
	return rc;
}

int
ep_stats_session_reset_all(struct ep_stats_session *last)
{
	struct ep_stats_session counted;
	struct ctr_reading reading;
	int rc = 0;
	uint32_t i;

	ctr_reading_begin(&reading, &ep_stats_control);
	ep_stats_read_lock();
	for (i = 0; i < 1000u; i = i + 1) {
		if (ep_stats_session_renew(i, last != NULL ? &last[i] : &counted, &reading) != 0)
			rc = -EAGAIN;
		ctr_control_mark(&ep_stats_session_discontinuity_ns, i);
	}
	ep_stats_read_unlock();
	return rc;
}

/* What the word at offset `member` of the data in one copy holds. */
static uint64_t
ep_stats_session_word64(struct ep_stats_instance *self, uint32_t session, size_t member)
{
	struct ep_stats_session_data *data = &self->session[session];

	return ctr_load64(&CTR_MEMBER(uint64_t, *data, member));
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
ep_stats_session_get64(uint32_t session, size_t member)
{
	struct ctr_reading reading;
	uint64_t sum = 0;

	if (session >= EP_STATS_SESSION_MAX)
		return 0;
	ctr_reading_begin(&reading, &ep_stats_control);
	ctr_reading_at(&reading, ctr_period(&ep_stats_session_periods, session));
	do {
		sum = ep_stats_session_word64(&ep_stats_shared, session, member);
	} while (ctr_reading_again(&reading));
	return sum;
}

/* Define the getters of a counter. */
#define EP_STATS_SESSION_GETTERS64(ITEM)                                            \
	uint64_t                                                                    \
	ep_stats_session_get_##ITEM(uint32_t session)                               \
	{                                                                           \
		const size_t member = offsetof(struct ep_stats_session_data, ITEM); \
                                                                                    \
		return ep_stats_session_get64(session, member);                     \
	}                                                                           \
	uint64_t                                                                    \
	ep_stats_session_lcore_get_##ITEM(unsigned int lcore, uint32_t session)     \
	{                                                                           \
		(void)lcore;                                                        \
		(void)session;                                                      \
		return 0;                                                           \
	}

EP_STATS_SESSION_GETTERS64(pkts)
EP_STATS_SESSION_GETTERS64(bytes)

/* Begin anew: no count, no instance. Memory is the caller's concern. */
static void
ep_stats_anew(void)
{
	memset(&ep_stats_shared, 0, sizeof(ep_stats_shared));
	ctr_store64(&ep_stats_dropped_updates.word, 0);
	ctr_store64(&ep_stats_late_updates.word, 0);
}

static struct ctr_fork ep_stats_fork = {
	.anew = ep_stats_anew,
};

int
ep_stats_init(void)
{
	int rc;

	if (ep_stats_ready.set)
		return -EALREADY;
	rc = ctr_port_check(CTR_PORT_ALONE);
	if (rc == 0)
		rc = ctr_slots_open(&ep_stats_slots);
	ep_stats_ready.since_ns = ctr_time_ns();
	ep_stats_ready.set = rc == 0;
	if (rc == 0)
		ctr_fork_watch(&ep_stats_fork);
	return rc;
}

void
ep_stats_fini(void)
{
	ep_stats_ready.set = false;
	ctr_fork_unwatch(&ep_stats_fork);
	ctr_slots_close(&ep_stats_slots);
	ep_stats_anew();
}

void
ep_stats_flush(void)
{
	if (ctr_slots_own(&ep_stats_slots) != NULL) {
		ep_stats_settle_up(ep_stats_cache());
	}
}

void
ep_stats_try_flush(void)
{
	if (ctr_slots_own(&ep_stats_slots) != NULL) {
		ep_stats_settle_up(ep_stats_cache());
	}
}

void
ep_stats_burst_end(void)
{
	if (ctr_slots_own(&ep_stats_slots) != NULL) {
		ep_stats_hint(ep_stats_cache());
	}
	ctr_quiescent();
}

void
ep_stats_poll(void)
{
}

void
ep_stats_read_lock(void)
{
	ctr_control_section_begin(&ep_stats_control, ep_stats_read_unlock);
	if (ctr_slots_own(&ep_stats_slots) != NULL) {
		ep_stats_settle_up(ep_stats_cache());
	}
}

void
ep_stats_read_unlock(void)
{
	ctr_control_section_end(&ep_stats_control);
}

uint64_t
ep_stats_drops(void)
{
	return ctr_load64(&ep_stats_dropped_updates.word);
}

void
ep_stats_note_drop(uint64_t n)
{
	ctr_atomic_add64(&ep_stats_dropped_updates.word, n);
}

uint64_t
ep_stats_late(void)
{
	return ctr_load64(&ep_stats_late_updates.word);
}

void
ep_stats_note_late(uint64_t n)
{
	ctr_atomic_add64(&ep_stats_late_updates.word, n);
}

int
ep_stats_reset(void)
{
	int rc = 0;

	ep_stats_read_lock();
	if (ep_stats_global_reset_all(NULL) != 0)
		rc = -EAGAIN;
	if (ep_stats_session_reset_all(NULL) != 0)
		rc = -EAGAIN;
	ep_stats_read_unlock();
	return rc;
}

int
ep_stats_snapshot_create(struct ep_stats_snapshot **snap)
{
	struct ep_stats_snapshot *created;

	if (snap == NULL)
		return -EINVAL;
	created = (struct ep_stats_snapshot *)calloc(1, sizeof(*created));
	if (created == NULL)
		return -ENOMEM;
	created->session = (struct ep_stats_session *)calloc(1000u, sizeof(*created->session));
	created->session_valid = (struct ep_stats_session_valid *)calloc(1000u,
			sizeof(*created->session_valid));
	if (created->session == NULL || created->session_valid == NULL) {
		ep_stats_snapshot_free(created);
		return -ENOMEM;
	}
	*snap = created;
	return 0;
}

void
ep_stats_snapshot_free(struct ep_stats_snapshot *snap)
{
	if (snap == NULL)
		return;
	free(snap->session);
	free(snap->session_valid);
	free(snap);
}

static int
ep_stats_global_snapshot_read(struct ep_stats_snapshot *snap, struct ctr_reading *reading)
{
	int rc = ep_stats_global_fetch(&snap->global, reading);

	ctr_items_valid(ep_stats_global_items, 4, &snap->global_valid, false);
	return rc;
}

static int
ep_stats_global_snapshot_reset(struct ep_stats_snapshot *snap, struct ctr_reading *reading)
{
	int rc = ep_stats_global_renew(&snap->global, reading);

	ctr_items_valid(ep_stats_global_items, 4, &snap->global_valid, false);
	ctr_control_mark(&ep_stats_global_discontinuity_ns, 0);
	return rc;
}

static int
ep_stats_session_snapshot_read(struct ep_stats_snapshot *snap, struct ctr_reading *reading)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 1000u; i = i + 1) {
		int rc = ep_stats_session_fetch(i, &snap->session[i], reading);

		ctr_items_valid(ep_stats_session_items, 2, &snap->session_valid[i], false);
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

static int
ep_stats_session_snapshot_reset(struct ep_stats_snapshot *snap, struct ctr_reading *reading)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 1000u; i = i + 1) {
		int rc = ep_stats_session_renew(i, &snap->session[i], reading);

		ctr_items_valid(ep_stats_session_items, 2, &snap->session_valid[i], false);
		ctr_control_mark(&ep_stats_session_discontinuity_ns, i);
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

int
ep_stats_snapshot_read(struct ep_stats_snapshot *snap)
{
	struct ctr_reading reading;
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	ctr_reading_begin(&reading, &ep_stats_control);
	ep_stats_read_lock();
	snap->start_ns = ctr_time_ns();
	if (ep_stats_global_snapshot_read(snap, &reading) != 0)
		rc = -EAGAIN;
	if (ep_stats_session_snapshot_read(snap, &reading) != 0)
		rc = -EAGAIN;
	snap->end_ns = ctr_time_ns();
	ep_stats_read_unlock();
	return rc;
}

int
ep_stats_snapshot_reset(struct ep_stats_snapshot *snap)
{
	struct ctr_reading reading;
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	ctr_reading_begin(&reading, &ep_stats_control);
	ep_stats_read_lock();
	ctr_control_lock(&ep_stats_control);
	snap->start_ns = ctr_time_ns();
	if (ep_stats_global_snapshot_reset(snap, &reading) != 0)
		rc = -EAGAIN;
	if (ep_stats_session_snapshot_reset(snap, &reading) != 0)
		rc = -EAGAIN;
	snap->end_ns = ctr_time_ns();
	ctr_control_unlock(&ep_stats_control);
	ep_stats_read_unlock();
	return rc;
}

static int
ep_stats_global_read_at(const uint32_t *index, void *value)
{
	(void)index;
	return ep_stats_global_read((struct ep_stats_global *)value);
}

static int
ep_stats_global_reset_at(const uint32_t *index, void *value)
{
	(void)index;
	return ep_stats_global_reset((struct ep_stats_global *)value);
}

/* Add what was counted elsewhere, and set gauges and states to what they were there. */
static int
ep_stats_global_adopt(const struct ep_stats_global *last)
{
	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &ep_stats_global_fields64[i];
		uint64_t n;

		memcpy(&n, (const char *)last + field->value, sizeof(n));
		ep_stats_global_add64(field->data, n);
	}
	ep_stats_set_sessions(last->sessions);
	ep_stats_set_link_up(last->link_up);
	return 0;
}

static int
ep_stats_global_adopt_at(const uint32_t *index, const void *value)
{
	(void)index;
	return ep_stats_global_adopt((const struct ep_stats_global *)value);
}

static const char *const ep_stats_session_index_names[] = { "session" };
static const uint32_t ep_stats_session_index_maxima[] = { 1000u };

static int
ep_stats_session_read_at(const uint32_t *index, void *value)
{
	return ep_stats_session_read(index[0], (struct ep_stats_session *)value);
}

static int
ep_stats_session_reset_at(const uint32_t *index, void *value)
{
	return ep_stats_session_reset(index[0], (struct ep_stats_session *)value);
}

/* Add what was counted elsewhere, and set gauges and states to what they were there. */
static int
ep_stats_session_adopt(uint32_t session, const struct ep_stats_session *last)
{
	if (session >= EP_STATS_SESSION_MAX)
		return -ERANGE;
	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &ep_stats_session_fields64[i];
		uint64_t n;

		memcpy(&n, (const char *)last + field->value, sizeof(n));
		ep_stats_session_add64(session, field->data, n);
	}
	return 0;
}

static int
ep_stats_session_adopt_at(const uint32_t *index, const void *value)
{
	return ep_stats_session_adopt(index[0], (const struct ep_stats_session *)value);
}

static const struct ctr_item ep_stats_health_items[] = {
	CTR_HEALTH_ITEM(0, "late_updates", CTR_COUNTER, UINT64_MAX, "updates",
			"Updates without effect: before the start, after the end, of no instance."),
};

static int
ep_stats_health(const uint32_t *index, void *out)
{
	uint64_t *value = (uint64_t *)out;

	(void)index;
	value[0] = ep_stats_late();
	return 0;
}

static const struct ctr_scope ep_stats_scopes[] = {
	{
		.name = "global",
		.description = "Module-wide statistics.",
		.strategy = "shared_coalesced",
		.storage = CTR_STATIC,
		.consistent = false,
		.items = ep_stats_global_items,
		.num_items = 4,
		.value_size = sizeof(struct ep_stats_global),
		.read = ep_stats_global_read_at,
		.reset = ep_stats_global_reset_at,
		.adopt = ep_stats_global_adopt_at,
		.discontinuity_ns = &ep_stats_global_discontinuity_ns,
	},
	{
		.name = "session",
		.description = "An EP session.",
		.strategy = "shared_coalesced",
		.storage = CTR_STATIC,
		.consistent = false,
		.num_indexes = 1,
		.index_names = ep_stats_session_index_names,
		.index_maxima = ep_stats_session_index_maxima,
		.items = ep_stats_session_items,
		.num_items = 2,
		.value_size = sizeof(struct ep_stats_session),
		.read = ep_stats_session_read_at,
		.reset = ep_stats_session_reset_at,
		.adopt = ep_stats_session_adopt_at,
		.discontinuity_ns = &ep_stats_session_discontinuity_ns,
	},
	CTR_HEALTH_SCOPE(ep_stats_health_items, 1, ep_stats_health),
};

const struct ctr_module ep_stats_module = {
	.abi = CTR_ABI,
	.name = "ep",
	.description = "Example Protocol statistics.",
	.scopes = ep_stats_scopes,
	.num_scopes = 2,
	.init = ep_stats_init,
	.fini = ep_stats_fini,
	.reset = ep_stats_reset,
	.flush = ep_stats_flush,
	.read_lock = ep_stats_read_lock,
	.read_unlock = ep_stats_read_unlock,
	.drops = ep_stats_drops,
	.ready = &ep_stats_ready.set,
	.began_ns = &ep_stats_ready.since_ns,
	.num_health = 1,
};
