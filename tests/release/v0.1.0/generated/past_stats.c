/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from schema.yaml by ctrgen 0.1.0. Do not edit; change the schema and run
 *   ctrgen build schema.yaml
 */
#include <stdlib.h>

#include "past_stats.h"

static struct ctr_control past_stats_control = CTR_CONTROL_INITIALIZER;
static bool past_stats_ready;
static uint64_t past_stats_dropped;
struct past_stats_common past_stats_common;
static uint64_t *past_stats_global_discontinuity_ns;
static uint64_t *past_stats_session_discontinuity_ns;
static uint64_t *past_stats_flow_discontinuity_ns;

/* Allocate, in a new per-lcore instance, the chunks that the module has already. */
static int
past_stats_flow_grow(struct past_stats_flow_chunk **chunk, unsigned int lcore)
{
	unsigned int i;

	for (i = 0; i < 1; i++) {
		struct past_stats_flow_chunk *memory;

		if (ctr_load_acquire(&past_stats_common.flow[i]) == NULL ||
		    ctr_load_acquire(&chunk[i]) != NULL)
			continue;
		memory = (struct past_stats_flow_chunk *)ctr_alloc(sizeof(*memory), lcore);
		if (memory == NULL)
			return -ENOMEM;
		ctr_store_release(&chunk[i], memory);
	}
	return 0;
}

static void
past_stats_flow_shrink(struct past_stats_flow_chunk **chunk)
{
	unsigned int i;

	for (i = 0; i < 1; i++) {
		ctr_free(chunk[i]);
		ctr_store_release(&chunk[i], (struct past_stats_flow_chunk *)NULL);
	}
}

/* Allocate the chunks of existing instances for a new lcore. */
static int
past_stats_up(void *slot, unsigned int lcore)
{
	struct past_stats_instance *self = (struct past_stats_instance *)slot;
	int rc = 0;

	if (rc == 0)
		rc = past_stats_flow_grow(self->flow, lcore);
	return rc;
}

static void
past_stats_drop_chunks(void *slot)
{
	struct past_stats_instance *self = (struct past_stats_instance *)slot;

	past_stats_flow_shrink(self->flow);
}

struct ctr_slots past_stats_slots = {
	.size = sizeof(struct past_stats_instance),
	.non_lcore = true,
	.up = past_stats_up,
	.drop = past_stats_drop_chunks,
};

/* The instance of one lcore, or NULL. */
static struct past_stats_instance *
past_stats_slot(unsigned int lcore)
{
	return (struct past_stats_instance *)ctr_slots_get(&past_stats_slots, lcore);
}

void
past_stats_packet_non_lcore(uint32_t session, uint64_t n, uint64_t size)
{
	struct past_stats_instance *self = past_stats_non_lcore();

	CTR_ASSERT(session < PAST_STATS_SESSION_MAX);
	ctr_atomic_add64(&self->global.total_pkts, n);
	ctr_atomic_add64(&self->global.total_bytes, size);
	ctr_atomic_add64(&self->session[session].pkts, n);
	ctr_atomic_add64(&self->session[session].bytes, size);
}

void
past_stats_hit_non_lcore(uint32_t flow, uint64_t n)
{
	struct past_stats_instance *self = past_stats_non_lcore();

	CTR_ASSERT(flow < PAST_STATS_FLOW_MAX);
	struct past_stats_flow_data *flow_data = past_stats_flow_find(self, flow);

	if (ctr_unlikely(flow_data == NULL)) {
		past_stats_drop(n);
		return;
	}
	ctr_atomic_add64(&flow_data->hits, n);
}

static const struct ctr_label past_stats_global_phase_labels[] = {
	{ "idle", 1 },
	{ "running", 2 },
};

static const struct ctr_item past_stats_global_items[] = {
	CTR_COUNTER_ITEM(past_stats_global, total_pkts, 64, "packets", "Packets processed."),
	CTR_COUNTER_ITEM(past_stats_global, total_bytes, 64, "bytes",
			"Octets in processed packets."),
	CTR_GAUGE_ITEM(past_stats_global, sessions, 64, 0u, UINT64_C(9223372036854775807),
			"sessions", "Sessions now established."),
	CTR_STATE_ITEM(past_stats_global, link_up, CTR_BOOL, "", "Whether the uplink is up."),
	CTR_ENUM_ITEM(past_stats_global, phase, past_stats_global_phase_labels, 2, "",
			"What the program does now."),
};

/* Where the counters of 64 bits are. */
static const struct ctr_field past_stats_global_fields64[] = {
	CTR_FIELD(past_stats_global, past_stats_global_data, past_stats_global_offset, total_pkts),
	CTR_FIELD(past_stats_global, past_stats_global_data, past_stats_global_offset, total_bytes),
};

/* Add the counters of one copy to *out, and read its gauges and states. */
static int
past_stats_global_collect(struct past_stats_instance *self, struct past_stats_global *out)
{
	struct past_stats_global_data *data = &self->global;
	struct past_stats_global_offset *offset = &self->global_offset;

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_global_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *base = &CTR_MEMBER(uint64_t, *offset, field->offset);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value += ctr_since64(word, base);
	}
	return 0;
}

/* Reset one copy and add its counts to *last; the control lock is taken. */
static int
past_stats_global_reset_copy(struct past_stats_instance *self, struct past_stats_global *last)
{
	struct past_stats_global_data *data = &self->global;
	struct past_stats_global_offset *offset = &self->global_offset;

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_global_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *base = &CTR_MEMBER(uint64_t, *offset, field->offset);
		uint64_t *value = &CTR_MEMBER(uint64_t, *last, field->value);

		*value += ctr_rebase64(base, ctr_load64(word));
	}
	return 0;
}

int
past_stats_global_read(struct past_stats_global *out)
{
	unsigned int lcore;
	struct past_stats_global_common *common;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	memset(out, 0, sizeof(*out));
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		if (past_stats_global_collect(self, out) != 0)
			rc = -EAGAIN;
	}
	common = &past_stats_common.global;
	out->sessions = ctr_latch(ctr_load64(&common->sessions), 0, 9223372036854775807u);
	out->link_up = ctr_load32(&common->link_up) != 0;
	out->phase = (enum past_stats_global_phase)ctr_load32(&common->phase);
	return rc;
}

int
past_stats_global_lcore_read(unsigned int lcore, struct past_stats_global *out)
{
	struct past_stats_instance *self;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	memset(out, 0, sizeof(*out));
	self = past_stats_slot(lcore);
	return self != NULL ? past_stats_global_collect(self, out) : 0;
}

int
past_stats_global_reset(struct past_stats_global *last)
{
	unsigned int lcore;
	struct past_stats_global counted;
	int rc = 0;

	memset(&counted, 0, sizeof(counted));
	ctr_control_lock(&past_stats_control);
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		if (past_stats_global_reset_copy(self, &counted) != 0)
			rc = -EAGAIN;
	}
	if (last != NULL) {
		/* Gauges and states are not reset; *last has their present values. */
		(void)past_stats_global_read(last);
		for (unsigned int i = 0; i < 2; i++) {
			const struct ctr_field *field = &past_stats_global_fields64[i];
			uint64_t *value = &CTR_MEMBER(uint64_t, *last, field->value);

			*value = CTR_MEMBER(uint64_t, counted, field->value);
		}
	}
	ctr_control_mark(&past_stats_global_discontinuity_ns, 0);
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_global_reset_all(struct past_stats_global *last)
{
	return past_stats_global_reset(last);
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_global_lcore_get64(unsigned int lcore, size_t member, size_t base)
{
	struct past_stats_instance *self = past_stats_slot(lcore);

	if (self == NULL)
		return 0;
	{
		struct past_stats_global_data *data = &self->global;
		struct past_stats_global_offset *offset = &self->global_offset;
		const uint64_t *word = &CTR_MEMBER(uint64_t, *data, member);
		const uint64_t *since = &CTR_MEMBER(uint64_t, *offset, base);

		return ctr_since64(word, since);
	}
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_global_get64(size_t member, size_t base)
{
	uint64_t sum = 0;
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		sum += past_stats_global_lcore_get64(lcore, member, base);
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_GLOBAL_GETTERS64(ITEM)                                            \
	uint64_t                                                                     \
	past_stats_get_##ITEM(void)                                                  \
	{                                                                            \
		const size_t member = offsetof(struct past_stats_global_data, ITEM); \
		const size_t base = offsetof(struct past_stats_global_offset, ITEM); \
                                                                                     \
		return past_stats_global_get64(member, base);                        \
	}                                                                            \
	uint64_t                                                                     \
	past_stats_lcore_get_##ITEM(unsigned int lcore)                              \
	{                                                                            \
		const size_t member = offsetof(struct past_stats_global_data, ITEM); \
		const size_t base = offsetof(struct past_stats_global_offset, ITEM); \
                                                                                     \
		return past_stats_global_lcore_get64(lcore, member, base);           \
	}

PAST_STATS_GLOBAL_GETTERS64(total_pkts)
PAST_STATS_GLOBAL_GETTERS64(total_bytes)

uint64_t
past_stats_get_sessions(void)
{
	struct past_stats_global_common *common;

	common = &past_stats_common.global;
	return ctr_latch(ctr_load64(&common->sessions), 0, 9223372036854775807u);
}

bool
past_stats_get_link_up(void)
{
	struct past_stats_global_common *common;

	common = &past_stats_common.global;
	return ctr_load32(&common->link_up) != 0;
}

enum past_stats_global_phase
past_stats_get_phase(void)
{
	struct past_stats_global_common *common;

	common = &past_stats_common.global;
	return (enum past_stats_global_phase)ctr_load32(&common->phase);
}

static const struct ctr_item past_stats_session_items[] = {
	CTR_COUNTER_ITEM(past_stats_session, pkts, 64, "packets", "Packets of the session."),
	CTR_COUNTER_ITEM(past_stats_session, bytes, 64, "bytes",
			"Octets in packets of the session."),
};

/* Where the counters of 64 bits are. */
static const struct ctr_field past_stats_session_fields64[] = {
	CTR_FIELD(past_stats_session, past_stats_session_data, past_stats_session_offset, pkts),
	CTR_FIELD(past_stats_session, past_stats_session_data, past_stats_session_offset, bytes),
};

/* Add the counters of one copy to *out, and read its gauges and states. */
static int
past_stats_session_collect(struct past_stats_instance *self, uint32_t session,
		struct past_stats_session *out)
{
	struct past_stats_session_data *data = &self->session[session];
	struct past_stats_session_offset *offset = &self->session_offset[session];

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_session_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *base = &CTR_MEMBER(uint64_t, *offset, field->offset);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value += ctr_since64(word, base);
	}
	return 0;
}

/* Reset one copy and add its counts to *last; the control lock is taken. */
static int
past_stats_session_reset_copy(struct past_stats_instance *self, uint32_t session,
		struct past_stats_session *last)
{
	struct past_stats_session_data *data = &self->session[session];
	struct past_stats_session_offset *offset = &self->session_offset[session];

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_session_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *base = &CTR_MEMBER(uint64_t, *offset, field->offset);
		uint64_t *value = &CTR_MEMBER(uint64_t, *last, field->value);

		*value += ctr_rebase64(base, ctr_load64(word));
	}
	return 0;
}

int
past_stats_session_read(uint32_t session, struct past_stats_session *out)
{
	unsigned int lcore;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	memset(out, 0, sizeof(*out));
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		if (past_stats_session_collect(self, session, out) != 0)
			rc = -EAGAIN;
	}
	return rc;
}

int
past_stats_session_lcore_read(unsigned int lcore, uint32_t session, struct past_stats_session *out)
{
	struct past_stats_instance *self;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	memset(out, 0, sizeof(*out));
	self = past_stats_slot(lcore);
	return self != NULL ? past_stats_session_collect(self, session, out) : 0;
}

int
past_stats_session_reset(uint32_t session, struct past_stats_session *last)
{
	unsigned int lcore;
	struct past_stats_session counted;
	int rc = 0;

	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	memset(&counted, 0, sizeof(counted));
	ctr_control_lock(&past_stats_control);
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		if (past_stats_session_reset_copy(self, session, &counted) != 0)
			rc = -EAGAIN;
	}
	if (last != NULL) {
		*last = counted;
	}
	ctr_control_mark(&past_stats_session_discontinuity_ns, session);
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_session_reset_all(struct past_stats_session *last)
{
	int rc = 0;
	uint32_t i;

	past_stats_read_lock();
	for (i = 0; i < 100u; i++) {
		struct past_stats_session *values = last != NULL ? &last[i] : NULL;
		int result = past_stats_session_reset(i, values);

		if (result == -EAGAIN)
			rc = -EAGAIN;
	}
	past_stats_read_unlock();
	return rc;
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_session_lcore_get64(unsigned int lcore, uint32_t session, size_t member, size_t base)
{
	struct past_stats_instance *self = past_stats_slot(lcore);

	if (self == NULL)
		return 0;
	if (session >= PAST_STATS_SESSION_MAX)
		return 0;
	{
		struct past_stats_session_data *data = &self->session[session];
		struct past_stats_session_offset *offset = &self->session_offset[session];
		const uint64_t *word = &CTR_MEMBER(uint64_t, *data, member);
		const uint64_t *since = &CTR_MEMBER(uint64_t, *offset, base);

		return ctr_since64(word, since);
	}
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_session_get64(uint32_t session, size_t member, size_t base)
{
	uint64_t sum = 0;
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		sum += past_stats_session_lcore_get64(lcore, session, member, base);
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_SESSION_GETTERS64(ITEM)                                            \
	uint64_t                                                                      \
	past_stats_session_get_##ITEM(uint32_t session)                               \
	{                                                                             \
		const size_t member = offsetof(struct past_stats_session_data, ITEM); \
		const size_t base = offsetof(struct past_stats_session_offset, ITEM); \
                                                                                      \
		return past_stats_session_get64(session, member, base);               \
	}                                                                             \
	uint64_t                                                                      \
	past_stats_session_lcore_get_##ITEM(unsigned int lcore, uint32_t session)     \
	{                                                                             \
		const size_t member = offsetof(struct past_stats_session_data, ITEM); \
		const size_t base = offsetof(struct past_stats_session_offset, ITEM); \
                                                                                      \
		return past_stats_session_lcore_get64(lcore, session, member, base);  \
	}

PAST_STATS_SESSION_GETTERS64(pkts)
PAST_STATS_SESSION_GETTERS64(bytes)

static const struct ctr_item past_stats_flow_items[] = {
	CTR_COUNTER_ITEM(past_stats_flow, hits, 64, "packets", "Packets of the flow."),
};

bool
past_stats_flow_exists(uint32_t flow)
{
	struct past_stats_flow_common *common;

	if (flow >= PAST_STATS_FLOW_MAX)
		return false;
	common = past_stats_flow_find_common(flow);
	return common != NULL && ctr_seq_lives(ctr_seq_read_begin(&common->live));
}

/* Position of the first existing instance from `at` on; 50 if there is none. */
static uint32_t
past_stats_flow_next(uint32_t at)
{
	uint64_t i = at;

	while (i < 50u) {
		struct past_stats_flow_common_chunk *chunk =
			ctr_load_acquire(&past_stats_common.flow[i / 64]);

		if (chunk == NULL)
			i += 64 - i % 64;
		else if (ctr_seq_lives(ctr_seq_read_begin(&chunk->at[i % 64].live)))
			return (uint32_t)i;
		else
			i++;
	}
	return 50u;
}

/* Where the counters of 64 bits are. */
static const struct ctr_field past_stats_flow_fields64[] = {
	CTR_FIELD(past_stats_flow, past_stats_flow_data, past_stats_flow_offset, hits),
};

/* Add the counters of one copy to *out, and read its gauges and states. */
static int
past_stats_flow_collect(struct past_stats_instance *self, uint32_t flow,
		struct past_stats_flow *out)
{
	const uint32_t at = flow;
	struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);
	struct past_stats_flow_data *data;
	struct past_stats_flow_offset *offset;

	if (chunk == NULL)
		return 0;
	data = &chunk->data[at % 64];
	offset = &chunk->offset[at % 64];

	for (unsigned int i = 0; i < 1; i++) {
		const struct ctr_field *field = &past_stats_flow_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *base = &CTR_MEMBER(uint64_t, *offset, field->offset);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value += ctr_since64(word, base);
	}
	return 0;
}

/* Reset one copy and add its counts to *last; the control lock is taken. */
static int
past_stats_flow_reset_copy(struct past_stats_instance *self, uint32_t flow,
		struct past_stats_flow *last)
{
	const uint32_t at = flow;
	struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);
	struct past_stats_flow_data *data;
	struct past_stats_flow_offset *offset;

	if (chunk == NULL)
		return 0;
	data = &chunk->data[at % 64];
	offset = &chunk->offset[at % 64];

	for (unsigned int i = 0; i < 1; i++) {
		const struct ctr_field *field = &past_stats_flow_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *base = &CTR_MEMBER(uint64_t, *offset, field->offset);
		uint64_t *value = &CTR_MEMBER(uint64_t, *last, field->value);

		*value += ctr_rebase64(base, ctr_load64(word));
	}
	return 0;
}

/* Allocate the chunks for position `at`, in the common part and in every copy; all or
 * none. The common part is published last: a thread that sees it sees the copies too.
 */
static int
past_stats_flow_provide(uint32_t at)
{
	struct past_stats_flow_common_chunk *common;
	struct past_stats_flow_chunk *chunk[CTR_SLOTS];
	unsigned int lcore;
	int rc = 0;

	if (ctr_load_acquire(&past_stats_common.flow[at / 64]) != NULL)
		return 0;
	common = (struct past_stats_flow_common_chunk *)ctr_alloc(sizeof(*common), CTR_NON_LCORE);
	if (common == NULL)
		return -ENOMEM;
	/* An lcore that comes into use waits, and then allocates what the common part has. */
	ctr_slots_lock();
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		chunk[lcore] = (struct past_stats_flow_chunk *)ctr_alloc(sizeof(*chunk[lcore]),
				lcore);
		if (chunk[lcore] == NULL)
			rc = -ENOMEM;
	}
	if (rc == 0) {
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			ctr_store_release(&past_stats_slot(lcore)->flow[at / 64], chunk[lcore]);
		ctr_store_release(&past_stats_common.flow[at / 64], common);
	} else {
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			ctr_free(chunk[lcore]);
		ctr_free(common);
	}
	ctr_slots_unlock();
	return rc;
}

/* Start at 0: discard the counts of the former instance at this index. */
static void
past_stats_flow_clear(uint32_t flow)
{
	struct past_stats_flow former;
	unsigned int lcore;

	memset(&former, 0, sizeof(former));
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		(void)past_stats_flow_reset_copy(self, flow, &former);
	}
}

int
past_stats_flow_create(uint32_t flow)
{
	int rc;

	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	ctr_control_lock(&past_stats_control);
	rc = past_stats_flow_exists(flow) ? -EEXIST : past_stats_flow_provide(flow);
	if (rc == 0) {
		uint32_t *live = &past_stats_flow_find_common(flow)->live;

		if (*live == 0)
			ctr_seq_write_begin(live);
		past_stats_flow_clear(flow);
		ctr_seq_write_end(live);
		ctr_control_mark(&past_stats_flow_discontinuity_ns, flow);
	}
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_flow_destroy(uint32_t flow)
{
	int rc = 0;

	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	ctr_control_lock(&past_stats_control);
	if (past_stats_flow_exists(flow))
		ctr_seq_write_begin(&past_stats_flow_find_common(flow)->live);
	else
		rc = -ENOENT;
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_flow_read(uint32_t flow, struct past_stats_flow *out)
{
	unsigned int lcore;
	struct past_stats_flow_common *common;
	uint32_t live;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	if (!past_stats_flow_exists(flow))
		return -ENOENT;
	common = past_stats_flow_find_common(flow);
	live = ctr_seq_read_begin(&common->live);
	memset(out, 0, sizeof(*out));
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		if (past_stats_flow_collect(self, flow, out) != 0)
			rc = -EAGAIN;
	}
	if (ctr_seq_read_retry(&common->live, live)) {
		memset(out, 0, sizeof(*out));
		return -ENOENT;
	}
	return rc;
}

int
past_stats_flow_lcore_read(unsigned int lcore, uint32_t flow, struct past_stats_flow *out)
{
	struct past_stats_instance *self;
	struct past_stats_flow_common *common;
	uint32_t live;
	int rc;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	if (!past_stats_flow_exists(flow))
		return -ENOENT;
	common = past_stats_flow_find_common(flow);
	live = ctr_seq_read_begin(&common->live);
	memset(out, 0, sizeof(*out));
	self = past_stats_slot(lcore);
	rc = self != NULL ? past_stats_flow_collect(self, flow, out) : 0;
	if (ctr_seq_read_retry(&common->live, live)) {
		memset(out, 0, sizeof(*out));
		return -ENOENT;
	}
	return rc;
}

int
past_stats_flow_reset(uint32_t flow, struct past_stats_flow *last)
{
	unsigned int lcore;
	struct past_stats_flow counted;
	int rc = 0;

	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	if (!past_stats_flow_exists(flow))
		return -ENOENT;
	memset(&counted, 0, sizeof(counted));
	ctr_control_lock(&past_stats_control);
	/* It may have been destroyed before the lock was taken. */
	if (!past_stats_flow_exists(flow)) {
		ctr_control_unlock(&past_stats_control);
		return -ENOENT;
	}
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_instance *self = past_stats_slot(lcore);

		if (past_stats_flow_reset_copy(self, flow, &counted) != 0)
			rc = -EAGAIN;
	}
	if (last != NULL) {
		*last = counted;
	}
	ctr_control_mark(&past_stats_flow_discontinuity_ns, flow);
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_flow_reset_all(struct past_stats_flow *last)
{
	int rc = 0;
	uint32_t i;

	past_stats_read_lock();
	for (i = 0; i < 50u; i++) {
		struct past_stats_flow *values = last != NULL ? &last[i] : NULL;
		int result = past_stats_flow_reset(i, values);

		if (result == -EAGAIN)
			rc = -EAGAIN;
		if (result == -ENOENT && values != NULL)
			memset(values, 0, sizeof(*values));
	}
	past_stats_read_unlock();
	return rc;
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_flow_lcore_get64(unsigned int lcore, uint32_t flow, size_t member, size_t base)
{
	struct past_stats_instance *self = past_stats_slot(lcore);

	if (self == NULL)
		return 0;
	if (flow >= PAST_STATS_FLOW_MAX)
		return 0;
	if (!past_stats_flow_exists(flow))
		return 0;
	{
		const uint32_t at = flow;
		struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);
		struct past_stats_flow_data *data;
		struct past_stats_flow_offset *offset;

		if (chunk == NULL)
			return 0;
		data = &chunk->data[at % 64];
		offset = &chunk->offset[at % 64];
		const uint64_t *word = &CTR_MEMBER(uint64_t, *data, member);
		const uint64_t *since = &CTR_MEMBER(uint64_t, *offset, base);

		return ctr_since64(word, since);
	}
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_flow_get64(uint32_t flow, size_t member, size_t base)
{
	uint64_t sum = 0;
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		sum += past_stats_flow_lcore_get64(lcore, flow, member, base);
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_FLOW_GETTERS64(ITEM)                                            \
	uint64_t                                                                   \
	past_stats_flow_get_##ITEM(uint32_t flow)                                  \
	{                                                                          \
		const size_t member = offsetof(struct past_stats_flow_data, ITEM); \
		const size_t base = offsetof(struct past_stats_flow_offset, ITEM); \
                                                                                   \
		return past_stats_flow_get64(flow, member, base);                  \
	}                                                                          \
	uint64_t                                                                   \
	past_stats_flow_lcore_get_##ITEM(unsigned int lcore, uint32_t flow)        \
	{                                                                          \
		const size_t member = offsetof(struct past_stats_flow_data, ITEM); \
		const size_t base = offsetof(struct past_stats_flow_offset, ITEM); \
                                                                                   \
		return past_stats_flow_lcore_get64(lcore, flow, member, base);     \
	}

PAST_STATS_FLOW_GETTERS64(hits)

int
past_stats_init(void)
{
	int rc = 0;

	if (past_stats_ready)
		return -EALREADY;
	if (rc == 0)
		rc = ctr_slots_open(&past_stats_slots);
	past_stats_ready = rc == 0;
	return rc;
}

void
past_stats_fini(void)
{
	ctr_slots_close(&past_stats_slots);
	for (unsigned int i = 0; i < 1; i++)
		ctr_free(past_stats_common.flow[i]);
	memset(&past_stats_common, 0, sizeof(past_stats_common));
	__atomic_store_n(&past_stats_dropped, 0, __ATOMIC_RELAXED);
	past_stats_ready = false;
}

void
past_stats_flush(void)
{
}

void
past_stats_try_flush(void)
{
}

void
past_stats_hint_flush(void)
{
}

void
past_stats_read_lock(void)
{
	ctr_control_lock(&past_stats_control);
}

void
past_stats_read_unlock(void)
{
	ctr_control_unlock(&past_stats_control);
}

uint64_t
past_stats_drops(void)
{
	return ctr_load64(&past_stats_dropped);
}

void
past_stats_drop(uint64_t n)
{
	ctr_atomic_add64(&past_stats_dropped, n);
}

int
past_stats_reset(void)
{
	int rc = 0;

	past_stats_read_lock();
	if (past_stats_global_reset_all(NULL) != 0)
		rc = -EAGAIN;
	if (past_stats_session_reset_all(NULL) != 0)
		rc = -EAGAIN;
	if (past_stats_flow_reset_all(NULL) != 0)
		rc = -EAGAIN;
	past_stats_read_unlock();
	return rc;
}

int
past_stats_snapshot_create(struct past_stats_snapshot **snap)
{
	struct past_stats_snapshot *created;

	if (snap == NULL)
		return -EINVAL;
	created = (struct past_stats_snapshot *)calloc(1, sizeof(*created));
	if (created == NULL)
		return -ENOMEM;
	created->session = (struct past_stats_session *)calloc(100u, sizeof(*created->session));
	created->session_valid = (struct past_stats_session_valid *)calloc(100u,
			sizeof(*created->session_valid));
	if (created->session == NULL || created->session_valid == NULL) {
		past_stats_snapshot_free(created);
		return -ENOMEM;
	}
	created->flow = (struct past_stats_flow *)calloc(50u, sizeof(*created->flow));
	created->flow_valid = (struct past_stats_flow_valid *)calloc(50u,
			sizeof(*created->flow_valid));
	if (created->flow == NULL || created->flow_valid == NULL) {
		past_stats_snapshot_free(created);
		return -ENOMEM;
	}
	*snap = created;
	return 0;
}

void
past_stats_snapshot_free(struct past_stats_snapshot *snap)
{
	if (snap == NULL)
		return;
	free(snap->session);
	free(snap->session_valid);
	free(snap->flow);
	free(snap->flow_valid);
	free(snap);
}

static int
past_stats_global_snapshot_read(struct past_stats_snapshot *snap)
{
	struct past_stats_global *value = &snap->global;
	struct past_stats_global_valid *valid = &snap->global_valid;
	int rc;

	rc = past_stats_global_read(value);
	ctr_items_valid(past_stats_global_items, 5, valid, false);
	return rc;
}

static int
past_stats_global_snapshot_reset(struct past_stats_snapshot *snap)
{
	struct past_stats_global *value = &snap->global;
	struct past_stats_global_valid *valid = &snap->global_valid;
	int rc;

	rc = past_stats_global_reset(value);
	ctr_items_valid(past_stats_global_items, 5, valid, false);
	return rc;
}

static int
past_stats_session_snapshot_read(struct past_stats_snapshot *snap)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 100u; i++) {
		struct past_stats_session *value = &snap->session[i];
		struct past_stats_session_valid *valid = &snap->session_valid[i];
		int rc = past_stats_session_read(i, value);

		memset(valid, 0, sizeof(*valid));
		if (rc == -EAGAIN)
			worst = rc;
		ctr_items_valid(past_stats_session_items, 2, valid, false);
	}
	return worst;
}

static int
past_stats_session_snapshot_reset(struct past_stats_snapshot *snap)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 100u; i++) {
		struct past_stats_session *value = &snap->session[i];
		struct past_stats_session_valid *valid = &snap->session_valid[i];
		int rc = past_stats_session_reset(i, value);

		memset(valid, 0, sizeof(*valid));
		if (rc == -EAGAIN)
			worst = rc;
		ctr_items_valid(past_stats_session_items, 2, valid, false);
	}
	return worst;
}

static int
past_stats_flow_snapshot_read(struct past_stats_snapshot *snap)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 50u; i++) {
		struct past_stats_flow *value = &snap->flow[i];
		struct past_stats_flow_valid *valid = &snap->flow_valid[i];
		int rc = past_stats_flow_read(i, value);

		memset(valid, 0, sizeof(*valid));
		if (rc == -EAGAIN)
			worst = rc;
		if (rc == -ENOENT) {
			memset(value, 0, sizeof(*value));
			continue;
		}
		ctr_items_valid(past_stats_flow_items, 1, valid, false);
	}
	return worst;
}

static int
past_stats_flow_snapshot_reset(struct past_stats_snapshot *snap)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 50u; i++) {
		struct past_stats_flow *value = &snap->flow[i];
		struct past_stats_flow_valid *valid = &snap->flow_valid[i];
		int rc = past_stats_flow_reset(i, value);

		memset(valid, 0, sizeof(*valid));
		if (rc == -EAGAIN)
			worst = rc;
		if (rc == -ENOENT) {
			memset(value, 0, sizeof(*value));
			continue;
		}
		ctr_items_valid(past_stats_flow_items, 1, valid, false);
	}
	return worst;
}

int
past_stats_snapshot_read(struct past_stats_snapshot *snap)
{
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	past_stats_read_lock();
	snap->start_ns = ctr_time_ns();
	if (past_stats_global_snapshot_read(snap) != 0)
		rc = -EAGAIN;
	if (past_stats_session_snapshot_read(snap) != 0)
		rc = -EAGAIN;
	if (past_stats_flow_snapshot_read(snap) != 0)
		rc = -EAGAIN;
	snap->end_ns = ctr_time_ns();
	past_stats_read_unlock();
	return rc;
}

int
past_stats_snapshot_reset(struct past_stats_snapshot *snap)
{
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	past_stats_read_lock();
	snap->start_ns = ctr_time_ns();
	if (past_stats_global_snapshot_reset(snap) != 0)
		rc = -EAGAIN;
	if (past_stats_session_snapshot_reset(snap) != 0)
		rc = -EAGAIN;
	if (past_stats_flow_snapshot_reset(snap) != 0)
		rc = -EAGAIN;
	snap->end_ns = ctr_time_ns();
	past_stats_read_unlock();
	return rc;
}

static int
past_stats_global_read_at(const uint32_t *index, void *value)
{
	(void)index;
	return past_stats_global_read((struct past_stats_global *)value);
}

static int
past_stats_global_reset_at(const uint32_t *index, void *value)
{
	(void)index;
	return past_stats_global_reset((struct past_stats_global *)value);
}

static const char *const past_stats_session_index_names[] = { "session" };
static const uint32_t past_stats_session_index_maxima[] = { 100u };

static int
past_stats_session_read_at(const uint32_t *index, void *value)
{
	return past_stats_session_read(index[0], (struct past_stats_session *)value);
}

static int
past_stats_session_reset_at(const uint32_t *index, void *value)
{
	return past_stats_session_reset(index[0], (struct past_stats_session *)value);
}

static const char *const past_stats_flow_index_names[] = { "flow" };
static const uint32_t past_stats_flow_index_maxima[] = { 50u };

static int
past_stats_flow_read_at(const uint32_t *index, void *value)
{
	return past_stats_flow_read(index[0], (struct past_stats_flow *)value);
}

static int
past_stats_flow_reset_at(const uint32_t *index, void *value)
{
	return past_stats_flow_reset(index[0], (struct past_stats_flow *)value);
}

static const struct ctr_scope past_stats_scopes[] = {
	{
		.name = "global",
		.description = "Module-wide statistics.",
		.strategy = "per_core",
		.storage = CTR_STATIC,
		.consistent = false,
		.items = past_stats_global_items,
		.num_items = 5,
		.value_size = sizeof(struct past_stats_global),
		.read = past_stats_global_read_at,
		.reset = past_stats_global_reset_at,
		.discontinuity_ns = &past_stats_global_discontinuity_ns,
	},
	{
		.name = "session",
		.description = "A session.",
		.strategy = "per_core",
		.storage = CTR_STATIC,
		.consistent = false,
		.num_indexes = 1,
		.index_names = past_stats_session_index_names,
		.index_maxima = past_stats_session_index_maxima,
		.items = past_stats_session_items,
		.num_items = 2,
		.value_size = sizeof(struct past_stats_session),
		.read = past_stats_session_read_at,
		.reset = past_stats_session_reset_at,
		.discontinuity_ns = &past_stats_session_discontinuity_ns,
	},
	{
		.name = "flow",
		.description = "A flow, which comes and goes.",
		.strategy = "per_core",
		.storage = CTR_DYNAMIC,
		.consistent = false,
		.num_indexes = 1,
		.index_names = past_stats_flow_index_names,
		.index_maxima = past_stats_flow_index_maxima,
		.items = past_stats_flow_items,
		.num_items = 1,
		.value_size = sizeof(struct past_stats_flow),
		.read = past_stats_flow_read_at,
		.reset = past_stats_flow_reset_at,
		.next = past_stats_flow_next,
		.discontinuity_ns = &past_stats_flow_discontinuity_ns,
	},
};

const struct ctr_module past_stats_module = {
	.abi = CTR_ABI,
	.name = "past",
	.description = "Statistics of a release that is past.",
	.scopes = past_stats_scopes,
	.num_scopes = 3,
	.init = past_stats_init,
	.fini = past_stats_fini,
	.reset = past_stats_reset,
	.flush = past_stats_flush,
	.read_lock = past_stats_read_lock,
	.read_unlock = past_stats_read_unlock,
	.drops = past_stats_drops,
};
