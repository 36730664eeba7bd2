/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from schema.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build schema.yaml
 */
#include <stdlib.h>

#include "past_stats.h"

CTR_PORT_GUARD(past_stats);

static struct ctr_control past_stats_control = CTR_CONTROL_INITIALIZER;
static bool past_stats_ready;
static struct ctr_line64 past_stats_dropped_updates;
static struct ctr_line64 past_stats_late_updates;
struct past_stats_common past_stats_common;
static uint64_t *past_stats_global_discontinuity_ns;
static uint64_t *past_stats_session_discontinuity_ns;
static uint64_t *past_stats_flow_discontinuity_ns;
static uint64_t *past_stats_drop_discontinuity_ns;

static struct ctr_periods past_stats_global_periods;
static struct ctr_periods past_stats_session_periods;
static struct ctr_periods past_stats_flow_periods;
static struct ctr_periods past_stats_drop_periods;

/* What the control side keeps of the global scope. */
struct past_stats_global_ledger {
	struct past_stats_global_base base[1]; /* At its last reset. */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_ledger) == 16,
		"layout of past_stats_global_ledger");

static struct past_stats_global_ledger past_stats_global_ledgers[1] CTR_CACHE_ALIGNED;

/* What the control side keeps of a session. */
struct past_stats_session_ledger {
	struct past_stats_session_base base[1]; /* At its last reset. */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_session_ledger) == 16,
		"layout of past_stats_session_ledger");

static struct past_stats_session_ledger past_stats_session_ledgers[100] CTR_CACHE_ALIGNED;

/* What the control side keeps of a flow. */
struct past_stats_flow_ledger {
	uint32_t life;   /* A CTR_ value: whether it exists. */
	uint32_t next;   /* The next to settle: its position + 1,
			its own of the last; 0: not in line. */
	uint64_t moment; /* When it was taken out of use. */
	struct past_stats_flow_base base[1]; /* At its last reset. */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_flow_ledger) == 24, "layout of past_stats_flow_ledger");

/* The records of 64 flow instances. */
struct past_stats_flow_ledger_chunk {
	struct past_stats_flow_ledger at[64];
	struct past_stats_flow_ledger_chunk *next; /* The next that is out of sight. */
	uint32_t number;                      /* Which one it is, then. */
};
static struct past_stats_flow_ledger_chunk *past_stats_flow_ledgers[1];
/* Those that hold nothing and are out of sight, though some may still be in there. */
static struct past_stats_flow_ledger_chunk *past_stats_flow_retired;
static struct ctr_grace past_stats_flow_grace;
/* Who reads without the control lock. */
static struct ctr_readers past_stats_flow_readers;
uint64_t past_stats_flow_live[8] CTR_CACHE_ALIGNED;
/* No instance before this position is free. */
static uint32_t past_stats_flow_first;
/* Instances that have ended, of which nobody needs the final count. */
static struct ctr_line past_stats_flow_line;

/* The record of the flow at a position; NULL if there is none: then nothing else is looked at. */
static struct past_stats_flow_ledger *
past_stats_flow_ledger_at(uint32_t at)
{
	struct past_stats_flow_ledger_chunk *chunk = ctr_readers_load(&past_stats_flow_ledgers[at / 64]);

	return chunk != NULL ? &chunk->at[at % 64] : NULL;
}

static bool
past_stats_flow_lives(const struct past_stats_flow_ledger *record)
{
	return record != NULL && ctr_load32(&record->life) == CTR_LIVES;
}

/* What the control side keeps of a drop. */
struct past_stats_drop_ledger {
	struct past_stats_drop_base base[1]; /* At its last reset. */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_drop_ledger) == 40, "layout of past_stats_drop_ledger");

static struct past_stats_drop_ledger past_stats_drop_ledgers[2] CTR_CACHE_ALIGNED;

/* Allocate, in a new per-lcore instance, the chunks that the module has already. */
static int
past_stats_flow_grow(struct past_stats_flow_chunk **chunk, unsigned int lcore)
{
	unsigned int i;

	for (i = 0; i < 1; i++) {
		struct past_stats_flow_chunk *memory;

		if (ctr_load_acquire(&past_stats_flow_ledgers[i]) == NULL ||
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
past_stats_flow_drop_chunk(struct past_stats_flow_chunk **chunk)
{
	ctr_free(*chunk);
	ctr_store_release(chunk, (struct past_stats_flow_chunk *)NULL);
}

static void
past_stats_flow_shrink(struct past_stats_flow_chunk **chunk)
{
	unsigned int i;

	for (i = 0; i < 1; i++)
		past_stats_flow_drop_chunk(&chunk[i]);
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

	ctr_atomic_add64(&self->global.total_pkts, n);
	ctr_atomic_add64(&self->global.total_bytes, size);
	ctr_atomic_add64(&self->session[session].pkts, n);
	ctr_atomic_add64(&self->session[session].bytes, size);
}

void
past_stats_expired_non_lcore(uint16_t size)
{
	struct past_stats_instance *self = past_stats_non_lcore();

	ctr_atomic_add64(&self->drop[PAST_STATS_DROP_TTL].pkts, 1);
	ctr_atomic_add64(&CTR_NTH(uint64_t, self->drop[PAST_STATS_DROP_TTL], sizes_to_64,
			past_stats_drop_sizes_bucket(size)), 1);
	ctr_atomic_add64(&self->drop[PAST_STATS_DROP_TTL].sizes_sum, size);
}

void
past_stats_hit_non_lcore(uint32_t flow, uint64_t n)
{
	struct past_stats_instance *self = past_stats_non_lcore();

	struct past_stats_flow_data *flow_data;

	if (ctr_unlikely(!ctr_bit(past_stats_flow_live, flow))) {
		past_stats_note_late(n);
		return;
	}
	flow_data = past_stats_flow_find(self, flow);
	CTR_ASSUME(flow_data != NULL);
	ctr_atomic_add64(&flow_data->hits, n);
}

void
past_stats_drop_sizes_non_lcore(uint32_t drop, uint64_t sample)
{
	struct past_stats_instance *self = past_stats_non_lcore();

	ctr_atomic_add64(&self->drop[drop].sizes_sum, sample);
	ctr_atomic_add64(&CTR_NTH(uint64_t, self->drop[drop], sizes_to_64,
			past_stats_drop_sizes_bucket(sample)), 1);
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
	CTR_FIELD(past_stats_global, past_stats_global_data, past_stats_global_base, total_pkts),
	CTR_FIELD(past_stats_global, past_stats_global_data, past_stats_global_base, total_bytes),
};

/* Read one copy of an instance: its counters, and the gauges and states
 * in it. */
static void
past_stats_global_collect(struct past_stats_instance *self, struct past_stats_global *out)
{
	struct past_stats_global_data *data = &self->global;

	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_global_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_load64(word);
	}
}

/* Add up the copies of an instance. */
static void
past_stats_global_sum(struct past_stats_global *out)
{
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_global copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_global_collect(past_stats_slot(lcore), &copy);
		for (unsigned int i = 0; i < 2; i++) {
			const struct ctr_field *field = &past_stats_global_fields64[i];
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);
			uint64_t *part = &CTR_MEMBER(uint64_t, copy, field->value);

			*value += *part;
		}
	}
}

/* Read an instance. */
static int
past_stats_global_fetch(struct past_stats_global *out, struct ctr_reading *reading)
{
	struct past_stats_global_ledger *record = &past_stats_global_ledgers[0];
	int rc = 0;

	ctr_reading_at(reading, ctr_period(&past_stats_global_periods, 0));
	do {
		memset(out, 0, sizeof(*out));
		past_stats_global_sum(out);
		for (unsigned int i = 0; i < 2; i++) {
			const struct ctr_field *field = &past_stats_global_fields64[i];
			uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

			*value -= ctr_load64(base);
		}
		{
			struct past_stats_global_common *common = &past_stats_common.global;

			out->sessions = ctr_latch(ctr_load64(&common->sessions), 0,
					9223372036854775807u);
			out->link_up = ctr_load32(&common->link_up) != 0;
			out->phase = (enum past_stats_global_phase)ctr_load32(&common->phase);
		}
	} while (ctr_reading_again(reading));
	return rc;
}

/* Begin a new period of an instance; *out is what it counted in the former one. The
 * control lock is taken. Takes every count, also if they may not belong together (-EAGAIN).
 */
static int
past_stats_global_renew(struct past_stats_global *out, struct ctr_reading *reading)
{
	uint32_t *period = ctr_period(&past_stats_global_periods, 0);
	struct past_stats_global_ledger *record = &past_stats_global_ledgers[0];
	int rc = 0;

	(void)reading;
	memset(out, 0, sizeof(*out));
	ctr_period_begin(period);
	past_stats_global_sum(out);
	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_global_fields64[i];
		uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_rebase64(base, *value);
	}
	{
		struct past_stats_global_common *common = &past_stats_common.global;

		out->sessions = ctr_latch(ctr_load64(&common->sessions), 0, 9223372036854775807u);
		out->link_up = ctr_load32(&common->link_up) != 0;
		out->phase = (enum past_stats_global_phase)ctr_load32(&common->phase);
	}
	ctr_period_end(period);
	return rc;
}

int
past_stats_global_read(struct past_stats_global *out)
{
	struct ctr_reading reading;

	if (out == NULL)
		return -EINVAL;
	ctr_reading_begin(&reading, &past_stats_control);
	return past_stats_global_fetch(out, &reading);
}

int
past_stats_global_lcore_read(unsigned int lcore, struct past_stats_global *out)
{
	struct past_stats_instance *self;
	struct ctr_reading reading;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	self = past_stats_slot(lcore);
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_global_periods, 0));
	do {
		memset(out, 0, sizeof(*out));
		if (self != NULL)
			past_stats_global_collect(self, out);
	} while (ctr_reading_again(&reading));
	return rc;
}

int
past_stats_global_reset(struct past_stats_global *last)
{
	struct past_stats_global counted;
	struct ctr_reading reading;
	int rc;

	ctr_reading_begin(&reading, &past_stats_control);
	ctr_control_lock(&past_stats_control);
	rc = past_stats_global_renew(last != NULL ? last : &counted, &reading);
	ctr_control_mark(&past_stats_global_discontinuity_ns, 0);
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_global_reset_all(struct past_stats_global *last)
{
	return past_stats_global_reset(last);
}

/* What the word at offset `member` of the data in one copy holds. */
static uint64_t
past_stats_global_word64(struct past_stats_instance *self, size_t member)
{
	struct past_stats_global_data *data = &self->global;

	return ctr_load64(&CTR_MEMBER(uint64_t, *data, member));
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_global_lcore_get64(unsigned int lcore, size_t member)
{
	struct past_stats_instance *self = past_stats_slot(lcore);
	struct ctr_reading reading;
	uint64_t sum = 0;

	if (self == NULL)
		return 0;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_global_periods, 0));
	do {
		sum = past_stats_global_word64(self, member);
	} while (ctr_reading_again(&reading));
	return sum;
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_global_get64(size_t member, size_t since)
{
	unsigned int lcore;
	struct ctr_reading reading;
	uint64_t sum = 0;

	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_global_periods, 0));
	do {
		sum = 0;
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			sum += past_stats_global_word64(past_stats_slot(lcore), member);
		sum -= ctr_load64(&CTR_MEMBER(uint64_t, past_stats_global_ledgers[0].base[0],
				since));
	} while (ctr_reading_again(&reading));
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_GLOBAL_GETTERS64(ITEM)                                            \
	uint64_t                                                                     \
	past_stats_get_##ITEM(void)                                                  \
	{                                                                            \
		const size_t member = offsetof(struct past_stats_global_data, ITEM); \
		const size_t since = offsetof(struct past_stats_global_base, ITEM);  \
                                                                                     \
		return past_stats_global_get64(member, since);                       \
	}                                                                            \
	uint64_t                                                                     \
	past_stats_lcore_get_##ITEM(unsigned int lcore)                              \
	{                                                                            \
		const size_t member = offsetof(struct past_stats_global_data, ITEM); \
                                                                                     \
		return past_stats_global_lcore_get64(lcore, member);                 \
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
	CTR_FIELD(past_stats_session, past_stats_session_data, past_stats_session_base, pkts),
	CTR_FIELD(past_stats_session, past_stats_session_data, past_stats_session_base, bytes),
};

/* Read one copy of an instance: its counters, and the gauges and states
 * in it. */
static void
past_stats_session_collect(struct past_stats_instance *self, uint32_t session,
		struct past_stats_session *out)
{
	struct past_stats_session_data *data = &self->session[session];

	out->pkts = ctr_load64(&data->pkts);
	out->bytes = ctr_load64(&data->bytes);
}

/* Add up the copies of an instance. */
static void
past_stats_session_sum(uint32_t session, struct past_stats_session *out)
{
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_session copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_session_collect(past_stats_slot(lcore), session, &copy);
		for (unsigned int i = 0; i < 2; i++) {
			const struct ctr_field *field = &past_stats_session_fields64[i];
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);
			uint64_t *part = &CTR_MEMBER(uint64_t, copy, field->value);

			*value += *part;
		}
	}
}

/* Read an instance. */
static int
past_stats_session_fetch(uint32_t session, struct past_stats_session *out,
		struct ctr_reading *reading)
{
	struct past_stats_session_ledger *record = &past_stats_session_ledgers[session];
	int rc = 0;

	ctr_reading_at(reading, ctr_period(&past_stats_session_periods, session));
	do {
		memset(out, 0, sizeof(*out));
		past_stats_session_sum(session, out);
		for (unsigned int i = 0; i < 2; i++) {
			const struct ctr_field *field = &past_stats_session_fields64[i];
			uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

			*value -= ctr_load64(base);
		}
	} while (ctr_reading_again(reading));
	return rc;
}

/* Begin a new period of an instance; *out is what it counted in the former one. The
 * control lock is taken. Takes every count, also if they may not belong together (-EAGAIN).
 */
static int
past_stats_session_renew(uint32_t session, struct past_stats_session *out,
		struct ctr_reading *reading)
{
	uint32_t *period = ctr_period(&past_stats_session_periods, session);
	struct past_stats_session_ledger *record = &past_stats_session_ledgers[session];
	int rc = 0;

	(void)reading;
	memset(out, 0, sizeof(*out));
	ctr_period_begin(period);
	past_stats_session_sum(session, out);
	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_session_fields64[i];
		uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_rebase64(base, *value);
	}
	ctr_period_end(period);
	return rc;
}

int
past_stats_session_read(uint32_t session, struct past_stats_session *out)
{
	struct ctr_reading reading;

	if (out == NULL)
		return -EINVAL;
	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &past_stats_control);
	return past_stats_session_fetch(session, out, &reading);
}

int
past_stats_session_lcore_read(unsigned int lcore, uint32_t session, struct past_stats_session *out)
{
	struct past_stats_instance *self;
	struct ctr_reading reading;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	self = past_stats_slot(lcore);
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_session_periods, session));
	do {
		memset(out, 0, sizeof(*out));
		if (self != NULL)
			past_stats_session_collect(self, session, out);
	} while (ctr_reading_again(&reading));
	return rc;
}

int
past_stats_session_reset(uint32_t session, struct past_stats_session *last)
{
	struct past_stats_session counted;
	struct ctr_reading reading;
	int rc;

	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_control_lock(&past_stats_control);
	rc = past_stats_session_renew(session, last != NULL ? last : &counted, &reading);
	ctr_control_mark(&past_stats_session_discontinuity_ns, session);
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_session_reset_all(struct past_stats_session *last)
{
	struct past_stats_session counted;
	struct ctr_reading reading;
	int rc = 0;
	uint32_t i;

	ctr_reading_begin(&reading, &past_stats_control);
	past_stats_read_lock();
	for (i = 0; i < 100u; i = i + 1) {
		if (past_stats_session_renew(i, last != NULL ? &last[i] : &counted, &reading) != 0)
			rc = -EAGAIN;
		ctr_control_mark(&past_stats_session_discontinuity_ns, i);
	}
	past_stats_read_unlock();
	return rc;
}

/* What the word at offset `member` of the data in one copy holds. */
static uint64_t
past_stats_session_word64(struct past_stats_instance *self, uint32_t session, size_t member)
{
	struct past_stats_session_data *data = &self->session[session];

	return ctr_load64(&CTR_MEMBER(uint64_t, *data, member));
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_session_lcore_get64(unsigned int lcore, uint32_t session, size_t member)
{
	struct past_stats_instance *self = past_stats_slot(lcore);
	struct ctr_reading reading;
	uint64_t sum = 0;

	if (self == NULL)
		return 0;
	if (session >= PAST_STATS_SESSION_MAX)
		return 0;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_session_periods, session));
	do {
		sum = past_stats_session_word64(self, session, member);
	} while (ctr_reading_again(&reading));
	return sum;
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_session_get64(uint32_t session, size_t member, size_t since)
{
	unsigned int lcore;
	struct ctr_reading reading;
	uint64_t sum = 0;

	if (session >= PAST_STATS_SESSION_MAX)
		return 0;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_session_periods, session));
	do {
		sum = 0;
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			sum += past_stats_session_word64(past_stats_slot(lcore), session, member);
		sum -= ctr_load64(&CTR_MEMBER(uint64_t,
				past_stats_session_ledgers[session].base[0], since));
	} while (ctr_reading_again(&reading));
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_SESSION_GETTERS64(ITEM)                                            \
	uint64_t                                                                      \
	past_stats_session_get_##ITEM(uint32_t session)                               \
	{                                                                             \
		const size_t member = offsetof(struct past_stats_session_data, ITEM); \
		const size_t since = offsetof(struct past_stats_session_base, ITEM);  \
                                                                                      \
		return past_stats_session_get64(session, member, since);              \
	}                                                                             \
	uint64_t                                                                      \
	past_stats_session_lcore_get_##ITEM(unsigned int lcore, uint32_t session)     \
	{                                                                             \
		const size_t member = offsetof(struct past_stats_session_data, ITEM); \
                                                                                      \
		return past_stats_session_lcore_get64(lcore, session, member);        \
	}

PAST_STATS_SESSION_GETTERS64(pkts)
PAST_STATS_SESSION_GETTERS64(bytes)

static const struct ctr_item past_stats_flow_items[] = {
	CTR_COUNTER_ITEM(past_stats_flow, hits, 64, "packets", "Packets of the flow."),
};

bool
past_stats_flow_exists(uint32_t flow)
{
	uint32_t phase;
	bool lives;

	if (flow >= PAST_STATS_FLOW_MAX)
		return false;
	if (!ctr_bit(past_stats_flow_live, flow))
		return false;
	phase = ctr_readers_enter(&past_stats_flow_readers);
	lives = past_stats_flow_lives(past_stats_flow_ledger_at(flow));
	ctr_readers_leave(&past_stats_flow_readers, phase);
	return lives;
}

/* As past_stats_flow_next(), for a caller that has the control lock or is among the readers. */
static uint32_t
past_stats_flow_seek(uint32_t at)
{
	const uint32_t end = 50u;

	at = ctr_bit_next(past_stats_flow_live, at, end);
	while (at < end && !past_stats_flow_lives(past_stats_flow_ledger_at(at)))
		at = ctr_bit_next(past_stats_flow_live, at + 1, end);
	return at;
}

uint32_t
past_stats_flow_next(uint32_t at)
{
	const uint32_t phase = ctr_readers_enter(&past_stats_flow_readers);

	at = past_stats_flow_seek(at);
	ctr_readers_leave(&past_stats_flow_readers, phase);
	return at;
}

/* Where the counters of 64 bits are. */
static const struct ctr_field past_stats_flow_fields64[] = {
	CTR_FIELD(past_stats_flow, past_stats_flow_data, past_stats_flow_base, hits),
};

/* Read one copy of an instance: its counters, and the gauges and states
 * in it. */
static void
past_stats_flow_collect(struct past_stats_instance *self, uint32_t flow,
		struct past_stats_flow *out)
{
	const uint32_t at = flow;
	struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);
	struct past_stats_flow_data *data;

	if (chunk == NULL)
		return;
	data = &chunk->data[at % 64];

	out->hits = ctr_load64(&data->hits);
}

/* Add up the copies of an instance. */
static void
past_stats_flow_sum(uint32_t flow, struct past_stats_flow *out)
{
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_flow copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_flow_collect(past_stats_slot(lcore), flow, &copy);
		for (unsigned int i = 0; i < 1; i++) {
			const struct ctr_field *field = &past_stats_flow_fields64[i];
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);
			uint64_t *part = &CTR_MEMBER(uint64_t, copy, field->value);

			*value += *part;
		}
	}
}

/* Read an instance. */
static int
past_stats_flow_fetch(uint32_t flow, struct past_stats_flow *out, struct ctr_reading *reading)
{
	struct past_stats_flow_ledger *record;
	int rc = 0;

	ctr_reading_at(reading, ctr_period(&past_stats_flow_periods, flow));
	do {
		memset(out, 0, sizeof(*out));
		record = past_stats_flow_ledger_at(flow);
		rc = -ENOENT;
		if (!past_stats_flow_lives(record))
			continue;
		rc = 0;
		past_stats_flow_sum(flow, out);
		for (unsigned int i = 0; i < 1; i++) {
			const struct ctr_field *field = &past_stats_flow_fields64[i];
			uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

			*value -= ctr_load64(base);
		}
	} while (ctr_reading_again(reading));
	return rc;
}

/* Begin a new period of an instance; *out is what it counted in the former one. The
 * control lock is taken. Takes every count, also if they may not belong together (-EAGAIN).
 */
static int
past_stats_flow_renew(uint32_t flow, struct past_stats_flow *out, struct ctr_reading *reading)
{
	uint32_t *period = ctr_period(&past_stats_flow_periods, flow);
	struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);
	int rc = 0;

	(void)reading;
	memset(out, 0, sizeof(*out));
	ctr_period_begin(period);
	past_stats_flow_sum(flow, out);
	for (unsigned int i = 0; i < 1; i++) {
		const struct ctr_field *field = &past_stats_flow_fields64[i];
		uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_rebase64(base, *value);
	}
	ctr_period_end(period);
	return rc;
}

/* Allocate the chunks for position `at`, in the control part, the common part and in every
 * copy; all or none. What is out of sight comes back: it lacks what copies are new since.
 */
static int
past_stats_flow_provide(uint32_t at)
{
	const uint32_t n = at / 64;
	struct past_stats_flow_ledger_chunk **link = &past_stats_flow_retired, *record;
	struct past_stats_flow_chunk *chunk[CTR_SLOTS];
	unsigned int lcore;
	int rc = 0;

	if (past_stats_flow_ledgers[n] != NULL)
		return 0;
	while (*link != NULL && (*link)->number != n)
		link = &(*link)->next;
	record = *link;
	if (record == NULL)
		record = (struct past_stats_flow_ledger_chunk *)ctr_alloc(sizeof(*record),
				CTR_NON_LCORE);
	if (record == NULL)
		return -ENOMEM;
	/* An lcore that comes into use waits, and then allocates what there are records of. */
	ctr_slots_lock();
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_flow_chunk *own = past_stats_slot(lcore)->flow[n];

		if (own == NULL)
			own = (struct past_stats_flow_chunk *)ctr_alloc(sizeof(*own), lcore);
		if (own == NULL)
			rc = -ENOMEM;
		chunk[lcore] = own;
	}
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_flow_chunk **own = &past_stats_slot(lcore)->flow[n];

		if (rc == 0)
			ctr_store_release(own, chunk[lcore]);
		else if (*own == NULL)
			ctr_free(chunk[lcore]);
	}
	if (rc == 0) {
		ctr_store_release(&past_stats_flow_ledgers[n], record);
		if (*link != NULL)
			*link = record->next;
	} else {
		if (*link == NULL)
			ctr_free(record);
	}
	ctr_slots_unlock();
	return rc;
}

/* Take all counts of a flow as those of the life that ends, to *out; all views begin anew. */
static void
past_stats_flow_settle(uint32_t flow, struct past_stats_flow *out)
{
	struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);

	memset(out, 0, sizeof(*out));
	past_stats_flow_sum(flow, out);
	for (unsigned int i = 0; i < 1; i++) {
		const struct ctr_field *field = &past_stats_flow_fields64[i];
		uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		const uint64_t sum = *value;

		*value -= *base;
		ctr_store64(base, sum);
	}
}

/* What one copy has begins at 0 as well: nobody writes to it. */
static void
past_stats_flow_wipe(struct past_stats_instance *self, uint32_t flow)
{
	struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);
	const uint32_t at = flow;
	struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);
	struct past_stats_flow_data *data;

	if (chunk == NULL)
		return;
	data = &chunk->data[at % 64];

	for (unsigned int i = 0; i < 1; i++) {
		const struct ctr_field *field = &past_stats_flow_fields64[i];
		uint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);

		uint64_t part = ctr_load64(word);

		if (part == 0)
			continue;
		part = ctr_take64(word);
		for (unsigned int v = 0; v < 1; v++) {
			uint64_t *base = &CTR_MEMBER(uint64_t, record->base[v], field->base);

			ctr_store64(base, *base - part);
		}
	}
}

/* Begin a life; its former instance is settled. */
static void
past_stats_flow_begin(uint32_t flow)
{
	const uint32_t at = flow;
	uint32_t *period = ctr_period(&past_stats_flow_periods, at);
	struct past_stats_flow late;
	const uint64_t moment = past_stats_flow_ledger_at(flow)->moment;
	unsigned int lcore;

	ctr_period_begin(period);
	past_stats_flow_settle(flow, &late);
	/* Not that of an lcore that may not have seen the former life end. */
	if (moment != 0 && ctr_quiescent_passed(moment)) {
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
			if (ctr_slots_quiet(lcore))
				past_stats_flow_wipe(past_stats_slot(lcore), flow);
		}
	}
	ctr_store32(&past_stats_flow_ledger_at(flow)->life, CTR_LIVES);
	ctr_period_end(period);
	ctr_bit_set(past_stats_flow_live, at);
	ctr_control_mark(&past_stats_flow_discontinuity_ns, at);
}

/* End a life if nothing of it is on its way any more. */
static int
past_stats_flow_end(uint32_t flow, struct past_stats_flow *last)
{
	const uint32_t at = flow;
	uint32_t *period = ctr_period(&past_stats_flow_periods, at);
	struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);

	if (!ctr_quiescent_passed(record->moment))
		return -EINPROGRESS;
	ctr_bit_clear(past_stats_flow_live, at);
	record->moment = ctr_quiescent_start();
	ctr_period_begin(period);
	past_stats_flow_settle(flow, last);
	ctr_store32(&record->life, CTR_GONE);
	ctr_period_end(period);
	if (at < past_stats_flow_first)
		past_stats_flow_first = at;
	return 0;
}

/* Get in line to be settled. */
static void
past_stats_flow_enqueue(struct past_stats_flow_ledger *record, uint32_t at)
{
	if (past_stats_flow_line.first == 0)
		past_stats_flow_line.first = at + 1;
	else
		past_stats_flow_ledger_at(past_stats_flow_line.last - 1)->next = at + 1;
	record->next = at + 1;
	past_stats_flow_line.last = at + 1;
}

/* Settle those in line, up to one that has to wait. */
static void
past_stats_flow_tidy(void)
{
	struct past_stats_flow discarded;

	while (past_stats_flow_line.first != 0) {
		const uint32_t at = past_stats_flow_line.first - 1;
		struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(at);

		/* Where somebody waits for the final count, only he settles it. */
		if (record->life == CTR_ENDING &&
		    past_stats_flow_end(at, &discarded) != 0)
			return;
		past_stats_flow_line.first = record->next != at + 1 ? record->next : 0;
		record->next = 0;
	}
}

int
past_stats_flow_create(uint32_t flow)
{
	struct past_stats_flow discarded;
	struct past_stats_flow_ledger *record;
	int rc;

	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	ctr_control_lock(&past_stats_control);
	rc = past_stats_flow_provide(flow);
	if (rc == 0) {
		record = past_stats_flow_ledger_at(flow);
		if (record->life == CTR_LIVES)
			rc = -EEXIST;
		else if (record->life != CTR_GONE &&
			 (record->life == CTR_AWAITED || past_stats_flow_end(flow,
					&discarded) != 0))
			rc = -EBUSY;
		else
			past_stats_flow_begin(flow);
	}
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_flow_alloc(uint32_t *flow)
{
	const uint32_t begin = 0, end = PAST_STATS_FLOW_MAX;
	uint32_t at;
	int rc = -ENOSPC;

	if (flow == NULL)
		return -EINVAL;
	ctr_control_lock(&past_stats_control);
	past_stats_flow_tidy();
	at = ctr_bit_free(past_stats_flow_live, past_stats_flow_first > begin ?
			past_stats_flow_first : begin, end);
	if (at < end)
		rc = past_stats_flow_create(at);
	past_stats_flow_first = at + (rc == 0);
	ctr_control_unlock(&past_stats_control);
	if (rc == 0)
		*flow = at - begin;
	return rc;
}

int
past_stats_flow_destroy(uint32_t flow, struct past_stats_flow *last)
{
	struct past_stats_flow_ledger *record;
	struct past_stats_flow final;
	int rc = 0;

	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	ctr_control_lock(&past_stats_control);
	record = past_stats_flow_ledger_at(flow);
	if (record == NULL || record->life == CTR_GONE) {
		rc = -ENOENT;
	} else {
		if (record->life == CTR_LIVES) {
			uint32_t *period = ctr_period(&past_stats_flow_periods, flow);

			ctr_period_begin(period);
			ctr_store32(&record->life, CTR_ENDING);
			ctr_period_end(period);
			record->moment = ctr_quiescent_start();
		}
		rc = past_stats_flow_end(flow, &final);
		if (rc == 0 && last != NULL)
			*last = final;
		else if (last != NULL)
			ctr_store32(&record->life, CTR_AWAITED);
		else if (rc != 0 && record->next == 0)
			past_stats_flow_enqueue(record, flow);
	}
	ctr_control_unlock(&past_stats_control);
	return rc;
}

/* Take the chunks in which nothing exists out of sight; whether there are any. */
static bool
past_stats_flow_retire(void)
{
	uint32_t n, i;

	for (n = 0; n < 1; n++) {
		const uint32_t begin = n * 64, end = begin + 64;
		struct past_stats_flow_ledger_chunk *chunk = past_stats_flow_ledgers[n];

		if (chunk == NULL || ctr_bit_next(past_stats_flow_live, begin, end) < end)
			continue;
		/* One that has ended may be in line still. */
		for (i = 0; i < 64 && chunk->at[i].next == 0; i++)
			;
		if (i < 64)
			continue;
		ctr_store_release(&past_stats_flow_ledgers[n],
				(struct past_stats_flow_ledger_chunk *)NULL);
		chunk->number = n;
		chunk->next = past_stats_flow_retired;
		past_stats_flow_retired = chunk;
	}
	if (past_stats_flow_retired == NULL)
		return false;
	ctr_grace_begin(&past_stats_flow_grace);
	return true;
}

/* Free what is out of sight; nobody is in there any more. */
static void
past_stats_flow_release(void)
{
	struct past_stats_flow_ledger_chunk *chunk;

	while ((chunk = past_stats_flow_retired) != NULL) {
		const uint32_t n = chunk->number;
		unsigned int lcore;

		ctr_slots_lock();
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			past_stats_flow_drop_chunk(&past_stats_slot(lcore)->flow[n]);
		ctr_slots_unlock();
		past_stats_flow_retired = chunk->next;
		ctr_free(chunk);
	}
}

int
past_stats_flow_trim(void)
{
	int rc = 0;

	if (!ctr_quiescent_used())
		return -ENOTSUP;
	ctr_control_lock(&past_stats_control);
	past_stats_flow_tidy();
	/* What was taken out of sight by a former call, then what else there is. */
	while (past_stats_flow_retired != NULL || past_stats_flow_retire()) {
		if (!ctr_grace_passed(&past_stats_flow_grace, &past_stats_flow_readers))
			break;
		past_stats_flow_release();
	}
	if (past_stats_flow_retired != NULL || past_stats_flow_line.first != 0)
		rc = -EINPROGRESS;
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_flow_read(uint32_t flow, struct past_stats_flow *out)
{
	struct ctr_reading reading;
	uint32_t phase;
	int rc;

	if (out == NULL)
		return -EINVAL;
	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &past_stats_control);
	phase = ctr_readers_enter(&past_stats_flow_readers);
	rc = past_stats_flow_fetch(flow, out, &reading);
	ctr_readers_leave(&past_stats_flow_readers, phase);
	return rc;
}

int
past_stats_flow_lcore_read(unsigned int lcore, uint32_t flow, struct past_stats_flow *out)
{
	struct past_stats_instance *self;
	struct ctr_reading reading;
	uint32_t phase;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	self = past_stats_slot(lcore);
	ctr_reading_begin(&reading, &past_stats_control);
	phase = ctr_readers_enter(&past_stats_flow_readers);
	ctr_reading_at(&reading, ctr_period(&past_stats_flow_periods, flow));
	do {
		memset(out, 0, sizeof(*out));
		rc = -ENOENT;
		if (!past_stats_flow_lives(past_stats_flow_ledger_at(flow)))
			continue;
		rc = 0;
		if (self != NULL)
			past_stats_flow_collect(self, flow, out);
	} while (ctr_reading_again(&reading));
	ctr_readers_leave(&past_stats_flow_readers, phase);
	return rc;
}

int
past_stats_flow_reset(uint32_t flow, struct past_stats_flow *last)
{
	struct past_stats_flow counted;
	struct ctr_reading reading;
	int rc = 0;

	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_control_lock(&past_stats_control);
	if (!past_stats_flow_lives(past_stats_flow_ledger_at(flow)))
		rc = -ENOENT;
	if (rc == 0) {
		rc = past_stats_flow_renew(flow, last != NULL ? last : &counted, &reading);
		ctr_control_mark(&past_stats_flow_discontinuity_ns, flow);
	}
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_flow_reset_all(struct past_stats_flow *last)
{
	struct past_stats_flow counted;
	struct ctr_reading reading;
	int rc = 0;
	uint32_t i;

	ctr_reading_begin(&reading, &past_stats_control);
	if (last != NULL)
		memset(last, 0, 50u * sizeof(*last));
	past_stats_read_lock();
	for (i = past_stats_flow_seek(0); i < 50u; i = past_stats_flow_seek(i + 1)) {
		if (past_stats_flow_renew(i, last != NULL ? &last[i] : &counted, &reading) != 0)
			rc = -EAGAIN;
		ctr_control_mark(&past_stats_flow_discontinuity_ns, i);
	}
	past_stats_read_unlock();
	return rc;
}

/* What the word at offset `member` of the data in one copy holds. */
static uint64_t
past_stats_flow_word64(struct past_stats_instance *self, uint32_t flow, size_t member)
{
	const uint32_t at = flow;
	struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);
	struct past_stats_flow_data *data;

	if (chunk == NULL)
		return 0;
	data = &chunk->data[at % 64];

	return ctr_load64(&CTR_MEMBER(uint64_t, *data, member));
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_flow_lcore_get64(unsigned int lcore, uint32_t flow, size_t member)
{
	struct past_stats_instance *self = past_stats_slot(lcore);
	struct ctr_reading reading;
	uint32_t phase;
	uint64_t sum = 0;

	if (self == NULL)
		return 0;
	if (flow >= PAST_STATS_FLOW_MAX)
		return 0;
	phase = ctr_readers_enter(&past_stats_flow_readers);
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_flow_periods, flow));
	do {
		struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);

		sum = 0;
		if (!past_stats_flow_lives(record))
			continue;
		sum = past_stats_flow_word64(self, flow, member);
	} while (ctr_reading_again(&reading));
	ctr_readers_leave(&past_stats_flow_readers, phase);
	return sum;
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_flow_get64(uint32_t flow, size_t member, size_t since)
{
	unsigned int lcore;
	struct ctr_reading reading;
	uint32_t phase;
	uint64_t sum = 0;

	if (flow >= PAST_STATS_FLOW_MAX)
		return 0;
	phase = ctr_readers_enter(&past_stats_flow_readers);
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_flow_periods, flow));
	do {
		struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);

		sum = 0;
		if (!past_stats_flow_lives(record))
			continue;
		sum = 0;
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			sum += past_stats_flow_word64(past_stats_slot(lcore), flow, member);
		sum -= ctr_load64(&CTR_MEMBER(uint64_t, record->base[0], since));
	} while (ctr_reading_again(&reading));
	ctr_readers_leave(&past_stats_flow_readers, phase);
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_FLOW_GETTERS64(ITEM)                                            \
	uint64_t                                                                   \
	past_stats_flow_get_##ITEM(uint32_t flow)                                  \
	{                                                                          \
		const size_t member = offsetof(struct past_stats_flow_data, ITEM); \
		const size_t since = offsetof(struct past_stats_flow_base, ITEM);  \
                                                                                   \
		return past_stats_flow_get64(flow, member, since);                 \
	}                                                                          \
	uint64_t                                                                   \
	past_stats_flow_lcore_get_##ITEM(unsigned int lcore, uint32_t flow)        \
	{                                                                          \
		const size_t member = offsetof(struct past_stats_flow_data, ITEM); \
                                                                                   \
		return past_stats_flow_lcore_get64(lcore, flow, member);           \
	}

PAST_STATS_FLOW_GETTERS64(hits)

static const struct ctr_item past_stats_drop_items[] = {
	CTR_COUNTER_ITEM(past_stats_drop, pkts, 64, "packets", "Packets dropped for the reason."),
	CTR_COUNTER_ITEM(past_stats_drop, sizes_to_64, 64, "values",
			"Octets in dropped packets. Values up to 64."),
	CTR_COUNTER_ITEM(past_stats_drop, sizes_to_512, 64, "values",
			"Octets in dropped packets. Values above 64 and up to 512."),
	CTR_COUNTER_ITEM(past_stats_drop, sizes_above_512, 64, "values",
			"Octets in dropped packets. Values above 512."),
	CTR_COUNTER_ITEM(past_stats_drop, sizes_sum, 64, "bytes",
			"Octets in dropped packets. Sum of all values."),
};

/* Where the counters of 64 bits are. */
static const struct ctr_field past_stats_drop_fields64[] = {
	CTR_FIELD(past_stats_drop, past_stats_drop_data, past_stats_drop_base, pkts),
	CTR_FIELD(past_stats_drop, past_stats_drop_data, past_stats_drop_base, sizes_to_64),
	CTR_FIELD(past_stats_drop, past_stats_drop_data, past_stats_drop_base, sizes_to_512),
	CTR_FIELD(past_stats_drop, past_stats_drop_data, past_stats_drop_base, sizes_above_512),
	CTR_FIELD(past_stats_drop, past_stats_drop_data, past_stats_drop_base, sizes_sum),
};

/* Read one copy of an instance: its counters, and the gauges and states
 * in it. */
static void
past_stats_drop_collect(struct past_stats_instance *self, uint32_t drop,
		struct past_stats_drop *out)
{
	struct past_stats_drop_data *data = &self->drop[drop];

	out->pkts = ctr_load64(&data->pkts);
	out->sizes_to_64 = ctr_load64(&data->sizes_to_64);
	out->sizes_to_512 = ctr_load64(&data->sizes_to_512);
	out->sizes_above_512 = ctr_load64(&data->sizes_above_512);
	out->sizes_sum = ctr_load64(&data->sizes_sum);
}

/* Add up the copies of an instance. */
static void
past_stats_drop_sum(uint32_t drop, struct past_stats_drop *out)
{
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots) {
		struct past_stats_drop copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_drop_collect(past_stats_slot(lcore), drop, &copy);
		for (unsigned int i = 0; i < 5; i++) {
			const struct ctr_field *field = &past_stats_drop_fields64[i];
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);
			uint64_t *part = &CTR_MEMBER(uint64_t, copy, field->value);

			*value += *part;
		}
	}
}

/* Read an instance. */
static int
past_stats_drop_fetch(uint32_t drop, struct past_stats_drop *out, struct ctr_reading *reading)
{
	struct past_stats_drop_ledger *record = &past_stats_drop_ledgers[drop];
	int rc = 0;

	ctr_reading_at(reading, ctr_period(&past_stats_drop_periods, drop));
	do {
		memset(out, 0, sizeof(*out));
		past_stats_drop_sum(drop, out);
		for (unsigned int i = 0; i < 5; i++) {
			const struct ctr_field *field = &past_stats_drop_fields64[i];
			uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
			uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

			*value -= ctr_load64(base);
		}
	} while (ctr_reading_again(reading));
	return rc;
}

/* Begin a new period of an instance; *out is what it counted in the former one. The
 * control lock is taken. Takes every count, also if they may not belong together (-EAGAIN).
 */
static int
past_stats_drop_renew(uint32_t drop, struct past_stats_drop *out, struct ctr_reading *reading)
{
	uint32_t *period = ctr_period(&past_stats_drop_periods, drop);
	struct past_stats_drop_ledger *record = &past_stats_drop_ledgers[drop];
	int rc = 0;

	(void)reading;
	memset(out, 0, sizeof(*out));
	ctr_period_begin(period);
	past_stats_drop_sum(drop, out);
	for (unsigned int i = 0; i < 5; i++) {
		const struct ctr_field *field = &past_stats_drop_fields64[i];
		uint64_t *base = &CTR_MEMBER(uint64_t, record->base[0], field->base);
		uint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);

		*value = ctr_rebase64(base, *value);
	}
	ctr_period_end(period);
	return rc;
}

int
past_stats_drop_read(uint32_t drop, struct past_stats_drop *out)
{
	struct ctr_reading reading;

	if (out == NULL)
		return -EINVAL;
	if (drop >= PAST_STATS_DROP_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &past_stats_control);
	return past_stats_drop_fetch(drop, out, &reading);
}

int
past_stats_drop_lcore_read(unsigned int lcore, uint32_t drop, struct past_stats_drop *out)
{
	struct past_stats_instance *self;
	struct ctr_reading reading;
	int rc = 0;

	if (out == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	if (drop >= PAST_STATS_DROP_MAX)
		return -ERANGE;
	self = past_stats_slot(lcore);
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_drop_periods, drop));
	do {
		memset(out, 0, sizeof(*out));
		if (self != NULL)
			past_stats_drop_collect(self, drop, out);
	} while (ctr_reading_again(&reading));
	return rc;
}

int
past_stats_drop_reset(uint32_t drop, struct past_stats_drop *last)
{
	struct past_stats_drop counted;
	struct ctr_reading reading;
	int rc;

	if (drop >= PAST_STATS_DROP_MAX)
		return -ERANGE;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_control_lock(&past_stats_control);
	rc = past_stats_drop_renew(drop, last != NULL ? last : &counted, &reading);
	ctr_control_mark(&past_stats_drop_discontinuity_ns, drop);
	ctr_control_unlock(&past_stats_control);
	return rc;
}

int
past_stats_drop_reset_all(struct past_stats_drop *last)
{
	struct past_stats_drop counted;
	struct ctr_reading reading;
	int rc = 0;
	uint32_t i;

	ctr_reading_begin(&reading, &past_stats_control);
	past_stats_read_lock();
	for (i = 0; i < 2u; i = i + 1) {
		if (past_stats_drop_renew(i, last != NULL ? &last[i] : &counted, &reading) != 0)
			rc = -EAGAIN;
		ctr_control_mark(&past_stats_drop_discontinuity_ns, i);
	}
	past_stats_read_unlock();
	return rc;
}

/* What the word at offset `member` of the data in one copy holds. */
static uint64_t
past_stats_drop_word64(struct past_stats_instance *self, uint32_t drop, size_t member)
{
	struct past_stats_drop_data *data = &self->drop[drop];

	return ctr_load64(&CTR_MEMBER(uint64_t, *data, member));
}

/* The part of one lcore in the counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_drop_lcore_get64(unsigned int lcore, uint32_t drop, size_t member)
{
	struct past_stats_instance *self = past_stats_slot(lcore);
	struct ctr_reading reading;
	uint64_t sum = 0;

	if (self == NULL)
		return 0;
	if (drop >= PAST_STATS_DROP_MAX)
		return 0;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_drop_periods, drop));
	do {
		sum = past_stats_drop_word64(self, drop, member);
	} while (ctr_reading_again(&reading));
	return sum;
}

/* The counter at offset `member` of the data. */
static CTR_COLD uint64_t
past_stats_drop_get64(uint32_t drop, size_t member, size_t since)
{
	unsigned int lcore;
	struct ctr_reading reading;
	uint64_t sum = 0;

	if (drop >= PAST_STATS_DROP_MAX)
		return 0;
	ctr_reading_begin(&reading, &past_stats_control);
	ctr_reading_at(&reading, ctr_period(&past_stats_drop_periods, drop));
	do {
		sum = 0;
		CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
			sum += past_stats_drop_word64(past_stats_slot(lcore), drop, member);
		sum -= ctr_load64(&CTR_MEMBER(uint64_t, past_stats_drop_ledgers[drop].base[0],
				since));
	} while (ctr_reading_again(&reading));
	return sum;
}

/* Define the getters of a counter. */
#define PAST_STATS_DROP_GETTERS64(ITEM)                                            \
	uint64_t                                                                   \
	past_stats_drop_get_##ITEM(uint32_t drop)                                  \
	{                                                                          \
		const size_t member = offsetof(struct past_stats_drop_data, ITEM); \
		const size_t since = offsetof(struct past_stats_drop_base, ITEM);  \
                                                                                   \
		return past_stats_drop_get64(drop, member, since);                 \
	}                                                                          \
	uint64_t                                                                   \
	past_stats_drop_lcore_get_##ITEM(unsigned int lcore, uint32_t drop)        \
	{                                                                          \
		const size_t member = offsetof(struct past_stats_drop_data, ITEM); \
                                                                                   \
		return past_stats_drop_lcore_get64(lcore, drop, member);           \
	}

PAST_STATS_DROP_GETTERS64(pkts)
PAST_STATS_DROP_GETTERS64(sizes_to_64)
PAST_STATS_DROP_GETTERS64(sizes_to_512)
PAST_STATS_DROP_GETTERS64(sizes_above_512)
PAST_STATS_DROP_GETTERS64(sizes_sum)

/* In a child of fork(): release what the other threads had, which are not in there. */
static void
past_stats_mend(void)
{
	ctr_readers_mend(&past_stats_flow_readers);
}

/* Begin anew: no count, no instance. Memory is the caller's concern. */
static void
past_stats_anew(void)
{
	memset(past_stats_flow_ledgers, 0, sizeof(past_stats_flow_ledgers));
	past_stats_flow_retired = NULL;
	memset(past_stats_flow_live, 0, sizeof(past_stats_flow_live));
	past_stats_flow_first = 0;
	memset(&past_stats_flow_line, 0, sizeof(past_stats_flow_line));
	memset(past_stats_global_ledgers, 0, sizeof(past_stats_global_ledgers));
	memset(past_stats_session_ledgers, 0, sizeof(past_stats_session_ledgers));
	memset(past_stats_drop_ledgers, 0, sizeof(past_stats_drop_ledgers));
	memset(&past_stats_common, 0, sizeof(past_stats_common));
	ctr_store64(&past_stats_dropped_updates.word, 0);
	ctr_store64(&past_stats_late_updates.word, 0);
}

static struct ctr_fork past_stats_fork = {
	.mend = past_stats_mend,
	.anew = past_stats_anew,
};

int
past_stats_init(void)
{
	int rc;

	if (past_stats_ready)
		return -EALREADY;
	rc = ctr_port_check(CTR_PORT_ALONE);
	if (rc == 0)
		rc = ctr_slots_open(&past_stats_slots);
	past_stats_ready = rc == 0;
	if (rc == 0)
		ctr_fork_watch(&past_stats_fork);
	return rc;
}

void
past_stats_fini(void)
{
	ctr_fork_unwatch(&past_stats_fork);
	ctr_slots_close(&past_stats_slots);
	for (unsigned int i = 0; i < 1; i++) {
		ctr_free(past_stats_flow_ledgers[i]);
	}
	while (past_stats_flow_retired != NULL) {
		struct past_stats_flow_ledger_chunk *chunk = past_stats_flow_retired;

		past_stats_flow_retired = chunk->next;
		ctr_free(chunk);
	}
	past_stats_anew();
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
	past_stats_quiescent();
}

void
past_stats_quiescent(void)
{
	ctr_quiescent();
}

void
past_stats_read_lock(void)
{
	ctr_control_hold(&past_stats_control);
}

void
past_stats_read_unlock(void)
{
	ctr_control_release(&past_stats_control);
}

uint64_t
past_stats_drops(void)
{
	return ctr_load64(&past_stats_dropped_updates.word);
}

void
past_stats_note_drop(uint64_t n)
{
	ctr_atomic_add64(&past_stats_dropped_updates.word, n);
}

uint64_t
past_stats_late(void)
{
	return ctr_load64(&past_stats_late_updates.word);
}

void
past_stats_note_late(uint64_t n)
{
	ctr_atomic_add64(&past_stats_late_updates.word, n);
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
	if (past_stats_drop_reset_all(NULL) != 0)
		rc = -EAGAIN;
	past_stats_read_unlock();
	return rc;
}

static void
past_stats_flow_snapshot_drop(struct past_stats_snapshot *snap)
{
	free(snap->flow);
	free(snap->flow_valid);
	free(snap->flow_index);
	snap->flow = NULL;
	snap->flow_valid = NULL;
	snap->flow_index = NULL;
	snap->num_flow = 0;
	snap->flow_room = 0;
}

/* Make room for what exists, and some more; the control lock is taken. */
static int
past_stats_flow_snapshot_room(struct past_stats_snapshot *snap)
{
	uint32_t n = 0, i;

	for (i = past_stats_flow_seek(0); i < 50u; i = past_stats_flow_seek(i + 1))
		n++;
	if (n <= snap->flow_room)
		return 0;
	n += n / 4;
	past_stats_flow_snapshot_drop(snap);
	snap->flow = (struct past_stats_flow *)calloc(n, sizeof(*snap->flow));
	snap->flow_valid = (struct past_stats_flow_valid *)calloc(n, sizeof(*snap->flow_valid));
	snap->flow_index = (uint32_t *)calloc(n, sizeof(*snap->flow_index));
	if (snap->flow == NULL || snap->flow_valid == NULL || snap->flow_index == NULL) {
		past_stats_flow_snapshot_drop(snap);
		return -ENOMEM;
	}
	snap->flow_room = n;
	return 0;
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
	created->drop = (struct past_stats_drop *)calloc(2u, sizeof(*created->drop));
	created->drop_valid = (struct past_stats_drop_valid *)calloc(2u,
			sizeof(*created->drop_valid));
	if (created->drop == NULL || created->drop_valid == NULL) {
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
	past_stats_flow_snapshot_drop(snap);
	free(snap->drop);
	free(snap->drop_valid);
	free(snap);
}

static int
past_stats_global_snapshot_read(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	int rc = past_stats_global_fetch(&snap->global, reading);

	ctr_items_valid(past_stats_global_items, 5, &snap->global_valid, false);
	return rc;
}

static int
past_stats_global_snapshot_reset(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	int rc = past_stats_global_renew(&snap->global, reading);

	ctr_items_valid(past_stats_global_items, 5, &snap->global_valid, false);
	ctr_control_mark(&past_stats_global_discontinuity_ns, 0);
	return rc;
}

/* Read an instance in a read section, where no period changes. */
static int
past_stats_session_sweep(uint32_t session, struct past_stats_instance *const *copies,
		unsigned int num, struct past_stats_session *out)
{
	struct past_stats_session_ledger *record = &past_stats_session_ledgers[session];
	struct past_stats_session sum; /* That is in registers. */
	int rc = 0;

	memset(out, 0, sizeof(*out));
	sum.pkts = 0;
	sum.bytes = 0;

	for (unsigned int n = 0; n < num; n++) {
		struct past_stats_session copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_session_collect(copies[n], session, &copy);
		sum.pkts += copy.pkts;
		sum.bytes += copy.bytes;
	}
	out->pkts = sum.pkts - ctr_load64(&record->base[0].pkts);
	out->bytes = sum.bytes - ctr_load64(&record->base[0].bytes);
	return rc;
}

static int
past_stats_session_snapshot_read(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	struct past_stats_instance *copies[CTR_SLOTS];
	struct past_stats_session_valid valid[2];
	unsigned int num = 0, lcore;
	int worst = 0;
	uint32_t i;

	(void)reading;
	ctr_items_valid(past_stats_session_items, 2, &valid[0], false);
	ctr_items_valid(past_stats_session_items, 2, &valid[1], true);
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		copies[num++] = past_stats_slot(lcore);
	for (i = 0; i < 100u; i = i + 1) {
		int rc = past_stats_session_sweep(i, copies, num, &snap->session[i]);

		snap->session_valid[i] = valid[false];
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

static int
past_stats_session_snapshot_reset(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 100u; i = i + 1) {
		int rc = past_stats_session_renew(i, &snap->session[i], reading);

		ctr_items_valid(past_stats_session_items, 2, &snap->session_valid[i], false);
		ctr_control_mark(&past_stats_session_discontinuity_ns, i);
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

/* Read an instance in a read section, where no period changes. */
static int
past_stats_flow_sweep(uint32_t flow, struct past_stats_instance *const *copies, unsigned int num,
		struct past_stats_flow *out)
{
	struct past_stats_flow_ledger *record = past_stats_flow_ledger_at(flow);
	struct past_stats_flow sum; /* That is in registers. */
	int rc = 0;

	memset(out, 0, sizeof(*out));
	sum.hits = 0;

	for (unsigned int n = 0; n < num; n++) {
		struct past_stats_flow copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_flow_collect(copies[n], flow, &copy);
		sum.hits += copy.hits;
	}
	out->hits = sum.hits - ctr_load64(&record->base[0].hits);
	return rc;
}

static int
past_stats_flow_snapshot_read(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	struct past_stats_instance *copies[CTR_SLOTS];
	struct past_stats_flow_valid valid[2];
	unsigned int num = 0, lcore;
	int worst = 0;
	uint32_t i;

	snap->num_flow = 0;
	(void)reading;
	ctr_items_valid(past_stats_flow_items, 1, &valid[0], false);
	ctr_items_valid(past_stats_flow_items, 1, &valid[1], true);
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		copies[num++] = past_stats_slot(lcore);
	for (i = past_stats_flow_seek(0); i < 50u; i = past_stats_flow_seek(i + 1)) {
		int rc = past_stats_flow_sweep(i, copies, num, &snap->flow[snap->num_flow]);

		snap->flow_valid[snap->num_flow] = valid[false];
		snap->flow_index[snap->num_flow++] = i;
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

static int
past_stats_flow_snapshot_reset(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	int worst = 0;
	uint32_t i;

	snap->num_flow = 0;
	for (i = past_stats_flow_seek(0); i < 50u; i = past_stats_flow_seek(i + 1)) {
		int rc = past_stats_flow_renew(i, &snap->flow[snap->num_flow], reading);

		ctr_items_valid(past_stats_flow_items, 1, &snap->flow_valid[snap->num_flow], false);
		snap->flow_index[snap->num_flow++] = i;
		ctr_control_mark(&past_stats_flow_discontinuity_ns, i);
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

/* Read an instance in a read section, where no period changes. */
static int
past_stats_drop_sweep(uint32_t drop, struct past_stats_instance *const *copies, unsigned int num,
		struct past_stats_drop *out)
{
	struct past_stats_drop_ledger *record = &past_stats_drop_ledgers[drop];
	struct past_stats_drop sum; /* That is in registers. */
	int rc = 0;

	memset(out, 0, sizeof(*out));
	sum.pkts = 0;
	sum.sizes_to_64 = 0;
	sum.sizes_to_512 = 0;
	sum.sizes_above_512 = 0;
	sum.sizes_sum = 0;

	for (unsigned int n = 0; n < num; n++) {
		struct past_stats_drop copy;

		memset(&copy, 0, sizeof(copy));
		past_stats_drop_collect(copies[n], drop, &copy);
		sum.pkts += copy.pkts;
		sum.sizes_to_64 += copy.sizes_to_64;
		sum.sizes_to_512 += copy.sizes_to_512;
		sum.sizes_above_512 += copy.sizes_above_512;
		sum.sizes_sum += copy.sizes_sum;
	}
	out->pkts = sum.pkts - ctr_load64(&record->base[0].pkts);
	out->sizes_to_64 = sum.sizes_to_64 - ctr_load64(&record->base[0].sizes_to_64);
	out->sizes_to_512 = sum.sizes_to_512 - ctr_load64(&record->base[0].sizes_to_512);
	out->sizes_above_512 = sum.sizes_above_512 - ctr_load64(&record->base[0].sizes_above_512);
	out->sizes_sum = sum.sizes_sum - ctr_load64(&record->base[0].sizes_sum);
	return rc;
}

static int
past_stats_drop_snapshot_read(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	struct past_stats_instance *copies[CTR_SLOTS];
	struct past_stats_drop_valid valid[2];
	unsigned int num = 0, lcore;
	int worst = 0;
	uint32_t i;

	(void)reading;
	ctr_items_valid(past_stats_drop_items, 5, &valid[0], false);
	ctr_items_valid(past_stats_drop_items, 5, &valid[1], true);
	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		copies[num++] = past_stats_slot(lcore);
	for (i = 0; i < 2u; i = i + 1) {
		int rc = past_stats_drop_sweep(i, copies, num, &snap->drop[i]);

		snap->drop_valid[i] = valid[false];
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

static int
past_stats_drop_snapshot_reset(struct past_stats_snapshot *snap, struct ctr_reading *reading)
{
	int worst = 0;
	uint32_t i;

	for (i = 0; i < 2u; i = i + 1) {
		int rc = past_stats_drop_renew(i, &snap->drop[i], reading);

		ctr_items_valid(past_stats_drop_items, 5, &snap->drop_valid[i], false);
		ctr_control_mark(&past_stats_drop_discontinuity_ns, i);
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

int
past_stats_snapshot_read(struct past_stats_snapshot *snap)
{
	struct ctr_reading reading;
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	ctr_reading_begin(&reading, &past_stats_control);
	/* What exists stays until it is read; nobody else waits for the allocation. */
	ctr_control_hold(&past_stats_control);
	if (rc == 0)
		rc = past_stats_flow_snapshot_room(snap);
	if (rc != 0) {
		ctr_control_release(&past_stats_control);
		return rc;
	}
	past_stats_read_lock();
	snap->start_ns = ctr_time_ns();
	if (past_stats_global_snapshot_read(snap, &reading) != 0)
		rc = -EAGAIN;
	if (past_stats_session_snapshot_read(snap, &reading) != 0)
		rc = -EAGAIN;
	if (past_stats_flow_snapshot_read(snap, &reading) != 0)
		rc = -EAGAIN;
	if (past_stats_drop_snapshot_read(snap, &reading) != 0)
		rc = -EAGAIN;
	snap->end_ns = ctr_time_ns();
	past_stats_read_unlock();
	ctr_control_release(&past_stats_control);
	return rc;
}

int
past_stats_snapshot_reset(struct past_stats_snapshot *snap)
{
	struct ctr_reading reading;
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	ctr_reading_begin(&reading, &past_stats_control);
	/* What exists stays until it is read; nobody else waits for the allocation. */
	ctr_control_hold(&past_stats_control);
	if (rc == 0)
		rc = past_stats_flow_snapshot_room(snap);
	if (rc != 0) {
		ctr_control_release(&past_stats_control);
		return rc;
	}
	past_stats_read_lock();
	ctr_control_lock(&past_stats_control);
	snap->start_ns = ctr_time_ns();
	if (past_stats_global_snapshot_reset(snap, &reading) != 0)
		rc = -EAGAIN;
	if (past_stats_session_snapshot_reset(snap, &reading) != 0)
		rc = -EAGAIN;
	if (past_stats_flow_snapshot_reset(snap, &reading) != 0)
		rc = -EAGAIN;
	if (past_stats_drop_snapshot_reset(snap, &reading) != 0)
		rc = -EAGAIN;
	snap->end_ns = ctr_time_ns();
	ctr_control_unlock(&past_stats_control);
	past_stats_read_unlock();
	ctr_control_release(&past_stats_control);
	return rc;
}

static const uint64_t past_stats_drop_sizes_bounds[] = {
	64,
	512,
};

const struct ctr_histogram past_stats_drop_sizes_histogram = {
	.name = "sizes",
	.unit = "bytes",
	.description = "Octets in dropped packets.",
	.bounds = past_stats_drop_sizes_bounds,
	.num_bounds = 2,
	.item = 1,
	.first = offsetof(struct past_stats_drop, sizes_to_64),
	.sum = offsetof(struct past_stats_drop, sizes_sum),
};

static const struct ctr_histogram *const past_stats_drop_histograms[] = {
	&past_stats_drop_sizes_histogram,
};

const char *const past_stats_drop_labels[PAST_STATS_DROP_MAX] = {
	"vlan",
	"ttl",
};

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

static int
past_stats_global_lcore_read_at(unsigned int lcore, const uint32_t *index, void *value)
{
	(void)index;
	return past_stats_global_lcore_read(lcore, (struct past_stats_global *)value);
}

/* Add what was counted elsewhere, and set gauges and states to what they were there. */
static int
past_stats_global_adopt(const struct past_stats_global *last)
{
	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_global_fields64[i];
		uint64_t n;

		memcpy(&n, (const char *)last + field->value, sizeof(n));
		past_stats_global_add64(field->data, n);
	}
	past_stats_set_sessions(last->sessions);
	past_stats_set_link_up(last->link_up);
	past_stats_set_phase(last->phase);
	return 0;
}

static int
past_stats_global_adopt_at(const uint32_t *index, const void *value)
{
	(void)index;
	return past_stats_global_adopt((const struct past_stats_global *)value);
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

static int
past_stats_session_lcore_read_at(unsigned int lcore, const uint32_t *index, void *value)
{
	return past_stats_session_lcore_read(lcore, index[0], (struct past_stats_session *)value);
}

static void
past_stats_session_rows_at(uint32_t at, uint32_t count, void *values, int *rc)
{
	struct past_stats_session *out = (struct past_stats_session *)values;
	struct past_stats_instance *copies[CTR_SLOTS];
	unsigned int num = 0, lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		copies[num++] = past_stats_slot(lcore);
	for (; count-- > 0; at++)
		*rc++ = past_stats_session_sweep(at, copies, num, out++);
}

/* Add what was counted elsewhere, and set gauges and states to what they were there. */
static int
past_stats_session_adopt(uint32_t session, const struct past_stats_session *last)
{
	if (session >= PAST_STATS_SESSION_MAX)
		return -ERANGE;
	for (unsigned int i = 0; i < 2; i++) {
		const struct ctr_field *field = &past_stats_session_fields64[i];
		uint64_t n;

		memcpy(&n, (const char *)last + field->value, sizeof(n));
		past_stats_session_add64(session, field->data, n);
	}
	return 0;
}

static int
past_stats_session_adopt_at(const uint32_t *index, const void *value)
{
	return past_stats_session_adopt(index[0], (const struct past_stats_session *)value);
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

static int
past_stats_flow_lcore_read_at(unsigned int lcore, const uint32_t *index, void *value)
{
	return past_stats_flow_lcore_read(lcore, index[0], (struct past_stats_flow *)value);
}

/* Add what was counted elsewhere, and set gauges and states to what they were there. */
static int
past_stats_flow_adopt(uint32_t flow, const struct past_stats_flow *last)
{
	if (flow >= PAST_STATS_FLOW_MAX)
		return -ERANGE;
	if (!ctr_bit(past_stats_flow_live, flow))
		return -ENOENT;
	for (unsigned int i = 0; i < 1; i++) {
		const struct ctr_field *field = &past_stats_flow_fields64[i];
		uint64_t n;

		memcpy(&n, (const char *)last + field->value, sizeof(n));
		past_stats_flow_add64(flow, field->data, n);
	}
	return 0;
}

static int
past_stats_flow_adopt_at(const uint32_t *index, const void *value)
{
	return past_stats_flow_adopt(index[0], (const struct past_stats_flow *)value);
}

static int
past_stats_flow_create_at(const uint32_t *index)
{
	return past_stats_flow_create(index[0]);
}

static const char *const past_stats_drop_index_names[] = { "drop" };
static const char *const *const past_stats_drop_index_labels[] = { past_stats_drop_labels };
static const uint32_t past_stats_drop_index_maxima[] = { 2u };

static int
past_stats_drop_read_at(const uint32_t *index, void *value)
{
	return past_stats_drop_read(index[0], (struct past_stats_drop *)value);
}

static int
past_stats_drop_reset_at(const uint32_t *index, void *value)
{
	return past_stats_drop_reset(index[0], (struct past_stats_drop *)value);
}

static int
past_stats_drop_lcore_read_at(unsigned int lcore, const uint32_t *index, void *value)
{
	return past_stats_drop_lcore_read(lcore, index[0], (struct past_stats_drop *)value);
}

static void
past_stats_drop_rows_at(uint32_t at, uint32_t count, void *values, int *rc)
{
	struct past_stats_drop *out = (struct past_stats_drop *)values;
	struct past_stats_instance *copies[CTR_SLOTS];
	unsigned int num = 0, lcore;

	CTR_SLOTS_FOREACH(lcore, &past_stats_slots)
		copies[num++] = past_stats_slot(lcore);
	for (; count-- > 0; at++)
		*rc++ = past_stats_drop_sweep(at, copies, num, out++);
}

/* Add what was counted elsewhere, and set gauges and states to what they were there. */
static int
past_stats_drop_adopt(uint32_t drop, const struct past_stats_drop *last)
{
	if (drop >= PAST_STATS_DROP_MAX)
		return -ERANGE;
	for (unsigned int i = 0; i < 5; i++) {
		const struct ctr_field *field = &past_stats_drop_fields64[i];
		uint64_t n;

		memcpy(&n, (const char *)last + field->value, sizeof(n));
		past_stats_drop_add64(drop, field->data, n);
	}
	return 0;
}

static int
past_stats_drop_adopt_at(const uint32_t *index, const void *value)
{
	return past_stats_drop_adopt(index[0], (const struct past_stats_drop *)value);
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
		.lcore_read = past_stats_global_lcore_read_at,
		.adopt = past_stats_global_adopt_at,
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
		.lcore_read = past_stats_session_lcore_read_at,
		.rows = past_stats_session_rows_at,
		.adopt = past_stats_session_adopt_at,
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
		.lcore_read = past_stats_flow_lcore_read_at,
		.adopt = past_stats_flow_adopt_at,
		.create = past_stats_flow_create_at,
		.next = past_stats_flow_next,
		.discontinuity_ns = &past_stats_flow_discontinuity_ns,
	},
	{
		.name = "drop",
		.description = "Packets that were dropped, by reason.",
		.strategy = "per_core",
		.storage = CTR_STATIC,
		.consistent = false,
		.num_indexes = 1,
		.index_names = past_stats_drop_index_names,
		.index_maxima = past_stats_drop_index_maxima,
		.index_labels = past_stats_drop_index_labels,
		.items = past_stats_drop_items,
		.num_items = 5,
		.histograms = past_stats_drop_histograms,
		.num_histograms = 1,
		.value_size = sizeof(struct past_stats_drop),
		.read = past_stats_drop_read_at,
		.reset = past_stats_drop_reset_at,
		.lcore_read = past_stats_drop_lcore_read_at,
		.rows = past_stats_drop_rows_at,
		.adopt = past_stats_drop_adopt_at,
		.discontinuity_ns = &past_stats_drop_discontinuity_ns,
	},
};

const struct ctr_module past_stats_module = {
	.abi = CTR_ABI,
	.name = "past",
	.description = "Statistics of a release that is past.",
	.scopes = past_stats_scopes,
	.num_scopes = 4,
	.init = past_stats_init,
	.fini = past_stats_fini,
	.reset = past_stats_reset,
	.flush = past_stats_flush,
	.read_lock = past_stats_read_lock,
	.read_unlock = past_stats_read_unlock,
	.drops = past_stats_drops,
	.ready = &past_stats_ready,
};
