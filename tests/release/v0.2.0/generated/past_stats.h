/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from schema.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build schema.yaml
 */
/** @file
 * Statistics of a release that is past.
 *
 * Threads: updates may be called from any thread; reads, resets and
 * snapshots from any thread, preferably not a worker. past_stats_init() comes
 * before all others, past_stats_fini() after; neither is thread-safe.
 *
 * Strategy per_core (cpus 0) for global, session, flow, drop. One
 * instance per lcore; its owner adds, readers sum.
 */
#ifndef PAST_STATS_H
#define PAST_STATS_H

#include "ctr.h"

#if CTR_ABI != 8
#error "past_stats.h was generated for ctrgen runtime ABI 8: generate it again with the installed ctrgen, or build with the runtime that 'ctrgen runtime' names"
#endif

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** Number of session instances: indexes run from 0 to 99. */
#define PAST_STATS_SESSION_MAX 100u
/** Number of flow instances: indexes run from 0 to 49. */
#define PAST_STATS_FLOW_MAX 50u
/** Number of labels of drop: indexes run from 0 to 1. */
#define PAST_STATS_DROP_MAX 2u

/** The drop: an index of drop. */
enum past_stats_drop_index {
	PAST_STATS_DROP_VLAN,
	PAST_STATS_DROP_TTL,
};

/** Their names by index, as the schema has them. */
extern const char *const past_stats_drop_labels[PAST_STATS_DROP_MAX];

/** What the program does now. */
enum past_stats_global_phase {
	PAST_STATS_GLOBAL_PHASE_IDLE = 1,
	PAST_STATS_GLOBAL_PHASE_RUNNING = 2,
};

/** Module-wide statistics. Values as read. */
struct past_stats_global {
	uint64_t total_pkts; /**< Packets processed. Unit: packets. */
	uint64_t total_bytes; /**< Octets in processed packets. Unit: bytes. */
	uint64_t sessions; /**< Sessions now established. Unit: sessions. */
	bool link_up; /**< Whether the uplink is up. */
	enum past_stats_global_phase phase; /**< What the program does now. */
};

/** Flags of the items of a struct past_stats_global: CTR_VALID, CTR_CONSISTENT. */
struct past_stats_global_valid {
	uint8_t total_pkts; /**< Flags of total_pkts. */
	uint8_t total_bytes; /**< Flags of total_bytes. */
	uint8_t sessions; /**< Flags of sessions. */
	uint8_t link_up; /**< Flags of link_up. */
	uint8_t phase; /**< Flags of phase. */
};

/** A session. Values as read. */
struct past_stats_session {
	uint64_t pkts; /**< Packets of the session. Unit: packets. */
	uint64_t bytes; /**< Octets in packets of the session. Unit: bytes. */
};

/** Flags of the items of a struct past_stats_session: CTR_VALID, CTR_CONSISTENT. */
struct past_stats_session_valid {
	uint8_t pkts; /**< Flags of pkts. */
	uint8_t bytes; /**< Flags of bytes. */
};

/** A flow, which comes and goes. Values as read. */
struct past_stats_flow {
	uint64_t hits; /**< Packets of the flow. Unit: packets. */
};

/** Flags of the items of a struct past_stats_flow: CTR_VALID, CTR_CONSISTENT. */
struct past_stats_flow_valid {
	uint8_t hits; /**< Flags of hits. */
};

/** Packets that were dropped, by reason. Values as read. */
struct past_stats_drop {
	uint64_t pkts; /**< Packets dropped for the reason. Unit: packets. */
	uint64_t sizes_to_64; /**< Octets in dropped packets. Values up to 64. Unit: values. */
	/** Octets in dropped packets. Values above 64 and up to 512. Unit: values. */
	uint64_t sizes_to_512;
	uint64_t sizes_above_512; /**< Octets in dropped packets. Values above 512. Unit: values. */
	uint64_t sizes_sum; /**< Octets in dropped packets. Sum of all values. Unit: bytes. */
};

/** Flags of the items of a struct past_stats_drop: CTR_VALID, CTR_CONSISTENT. */
struct past_stats_drop_valid {
	uint8_t pkts; /**< Flags of pkts. */
	uint8_t sizes_to_64; /**< Flags of sizes_to_64. */
	uint8_t sizes_to_512; /**< Flags of sizes_to_512. */
	uint8_t sizes_above_512; /**< Flags of sizes_above_512. */
	uint8_t sizes_sum; /**< Flags of sizes_sum. */
};

/** All values of one read section; allocated by past_stats_snapshot_create(). */
struct past_stats_snapshot {
	uint64_t start_ns; /**< ctr_time_ns() before the first value was read. */
	uint64_t end_ns;   /**< ctr_time_ns() after the last. */
	struct past_stats_global global;             /**< Values of the global scope. */
	struct past_stats_global_valid global_valid; /**< Flags of these values. */
	/** All session instances, innermost index fastest. */
	struct past_stats_session *session;
	struct past_stats_session_valid *session_valid; /**< Flags of these values. */
	struct past_stats_flow *flow;             /**< The flow instances that exist. */
	struct past_stats_flow_valid *flow_valid; /**< Flags of these values. */
	uint32_t *flow_index; /**< Their positions, ascending. */
	uint32_t num_flow;    /**< How many there are. */
	uint32_t flow_room;   /**< How many there is memory for. */
	/** All drop instances, innermost index fastest. */
	struct past_stats_drop *drop;
	struct past_stats_drop_valid *drop_valid; /**< Flags of these values. */
};

/** Storage of the global scope of one lcore. */
struct past_stats_global_data {
	uint64_t total_pkts; /**< global.total_pkts (packets) */
	uint64_t total_bytes; /**< global.total_bytes (bytes) */
} CTR_ALIGNED(16);
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_data) == 16, "layout of past_stats_global_data");

/** Counts of the global scope at a reset. */
struct past_stats_global_base {
	uint64_t total_pkts; /**< global.total_pkts (packets) */
	uint64_t total_bytes; /**< global.total_bytes (bytes) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_base) == 16, "layout of past_stats_global_base");

/** Storage of a session of one lcore. */
struct past_stats_session_data {
	uint64_t pkts; /**< session.pkts (packets) */
	uint64_t bytes; /**< session.bytes (bytes) */
} CTR_ALIGNED(16);
CTR_STATIC_ASSERT(sizeof(struct past_stats_session_data) == 16,
		"layout of past_stats_session_data");

/** Counts of a session at a reset. */
struct past_stats_session_base {
	uint64_t pkts; /**< session.pkts (packets) */
	uint64_t bytes; /**< session.bytes (bytes) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_session_base) == 16,
		"layout of past_stats_session_base");

/** Storage of a flow of one lcore. */
struct past_stats_flow_data {
	uint64_t hits; /**< flow.hits (packets) */
} CTR_ALIGNED(8);
CTR_STATIC_ASSERT(sizeof(struct past_stats_flow_data) == 8, "layout of past_stats_flow_data");

/** Counts of a flow at a reset. */
struct past_stats_flow_base {
	uint64_t hits; /**< flow.hits (packets) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_flow_base) == 8, "layout of past_stats_flow_base");

/** Memory for 64 flow instances. */
struct past_stats_flow_chunk {
	struct past_stats_flow_data data[64]; /**< Written by updates. */
};

/** Storage of a drop of one lcore. */
struct past_stats_drop_data {
	uint64_t pkts; /**< drop.pkts (packets) */
	uint64_t sizes_sum; /**< drop.sizes_sum (bytes) */
	uint64_t sizes_to_64; /**< drop.sizes_to_64 (values) */
	uint64_t sizes_to_512; /**< drop.sizes_to_512 (values) */
	uint64_t sizes_above_512; /**< drop.sizes_above_512 (values) */
} CTR_ALIGNED(64);
CTR_STATIC_ASSERT(sizeof(struct past_stats_drop_data) == 64, "layout of past_stats_drop_data");

/** Counts of a drop at a reset. */
struct past_stats_drop_base {
	uint64_t pkts; /**< drop.pkts (packets) */
	uint64_t sizes_sum; /**< drop.sizes_sum (bytes) */
	uint64_t sizes_to_64; /**< drop.sizes_to_64 (values) */
	uint64_t sizes_to_512; /**< drop.sizes_to_512 (values) */
	uint64_t sizes_above_512; /**< drop.sizes_above_512 (values) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_drop_base) == 40, "layout of past_stats_drop_base");

/** The counts of one lcore. */
struct past_stats_instance {
	struct past_stats_global_data global; /**< The global scope. */
	struct past_stats_session_data session[PAST_STATS_SESSION_MAX]; /**< Every session. */
	struct past_stats_flow_chunk *flow[1]; /**< NULL if no flow was created. */
	struct past_stats_drop_data drop[PAST_STATS_DROP_MAX]; /**< Every drop. */
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct past_stats_instance) == 1792, "layout of past_stats_instance");

/** The common part of the global scope. */
struct past_stats_global_common {
	uint64_t sessions; /**< global.sessions (sessions) */
	uint32_t link_up; /**< global.link_up */
	uint32_t phase; /**< global.phase */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_common) == 16,
		"layout of past_stats_global_common");

/** The common part: items that exist once, for all lcores together. */
struct past_stats_common {
	struct past_stats_global_common global; /**< The global scope. */
} CTR_CACHE_ALIGNED;

/** The common part of the module. */
extern struct past_stats_common past_stats_common;

/**
 * Initialise the statistics. Under the DPDK port, call it after rte_eal_init().
 *
 * @return 0; -ENOMEM; -EALREADY if they are initialised; -EPROTO if the runtime was built for
 * another number of lcores, or as of ctr_port_check()
 */
int past_stats_init(void);

/** Free everything, including all counts. No thread may use the statistics. Idempotent. */
void past_stats_fini(void);

/**
 * Apply all operations in the calling lcore's write buffer, waiting for the lock.
 * Nothing is buffered under this strategy: returns at once.
 */
void past_stats_flush(void);
/** As past_stats_flush(), but do nothing if the lock is taken. */
void past_stats_try_flush(void);
/** Call after every burst, even if empty: N calls do what past_stats_try_flush() does, the last of
 * them or each its share, and each acts as past_stats_quiescent(). */
void past_stats_hint_flush(void);

/**
 * Report that the calling lcore keeps no index of an instance from before: once a burst. What ends
 * meanwhile is settled when every lcore that reports has done so. Lcores that have not reported yet
 * are not waited for, so report before the first burst, too. One that reported and is going to
 * sleep calls ctr_quiescent_offline() after past_stats_flush().
 */
void past_stats_quiescent(void);

/**
 * Reset all counters of all scopes that can be reset. Gauges, states and counters
 * in the application's own objects are not reset.
 *
 * @return 0; -EAGAIN if some counters could not be read together; each was reset exactly
 */
int past_stats_reset(void);

/**
 * Begin a read section of several reads: until past_stats_read_unlock() no
 * reset happens, and under a strategy with one lock for the module no update
 * either. The calling thread must not update in a read section. May be nested.
 */
void past_stats_read_lock(void);
/** End a read section of past_stats_read_lock(). */
void past_stats_read_unlock(void);

/** Number of updates dropped for an index out of range, under `bounds: drop`. */
uint64_t past_stats_drops(void);
/** Count @p n dropped updates; for the fast path. */
void past_stats_note_drop(uint64_t n) CTR_COLD;

/**
 * Number of updates dropped for an instance of a dynamic scope that did not exist any
 * more, or not yet.
 */
uint64_t past_stats_late(void);
/** Count @p n such updates; for the fast path. */
void past_stats_note_late(uint64_t n) CTR_COLD;

/**
 * Allocate a snapshot; memory for instances of dynamic scopes comes when it is read, for those
 * that exist. 0, -ENOMEM, or -EINVAL for NULL.
 */
int past_stats_snapshot_create(struct past_stats_snapshot **snap);
/**
 * Read everything, in one read section: of dynamic scopes what exists, and at that cost.
 *
 * @return 0; -EAGAIN if the counters of some instances may not belong
 *   together: their flags lack CTR_CONSISTENT; -ENOMEM, and nothing is read
 */
int past_stats_snapshot_read(struct past_stats_snapshot *snap);
/** Read and reset everything; the values count from the last reset. */
int past_stats_snapshot_reset(struct past_stats_snapshot *snap);
/** Free a snapshot; NULL is allowed. */
void past_stats_snapshot_free(struct past_stats_snapshot *snap);

/** The descriptor of the module, for generic readers. */
extern const struct ctr_module past_stats_module;

/**
 * Read the global scope.
 *
 * @return 0; -EINVAL for a NULL pointer
 */
int past_stats_global_read(struct past_stats_global *out);
/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in the global scope, since the start;
 * -ENOTSUP where lcores have no part of their own.
 */
int past_stats_global_lcore_read(unsigned int lcore, struct past_stats_global *out);
/**
 * Read and reset the global scope: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_global_read(); after -EAGAIN the counts may not belong together, but each is
 *   exact, in *last and gone from what is left. That may not belong together either, until a
 *   reset returns 0
 */
int past_stats_global_reset(struct past_stats_global *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int past_stats_global_reset_all(struct past_stats_global *last);
/** The value of global.sessions (sessions). */
uint64_t past_stats_get_sessions(void);
/** The value of global.link_up. */
bool past_stats_get_link_up(void);
/** The value of global.phase. */
enum past_stats_global_phase past_stats_get_phase(void);

/**
 * Read a session.
 *
 * @return 0; -EINVAL for a NULL pointer; -ERANGE
 */
int past_stats_session_read(uint32_t session, struct past_stats_session *out);
/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in a session, since the start;
 * -ENOTSUP where lcores have no part of their own.
 */
int past_stats_session_lcore_read(unsigned int lcore, uint32_t session,
		struct past_stats_session *out);
/**
 * Read and reset a session: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_session_read(); after -EAGAIN the counts may not belong together, but each is
 *   exact, in *last and gone from what is left. That may not belong together either, until a
 *   reset returns 0
 */
int past_stats_session_reset(uint32_t session, struct past_stats_session *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int past_stats_session_reset_all(struct past_stats_session *last);

/**
 * Create a flow with all counters at 0, while workers update others.
 *
 * @return 0; -ERANGE; -EEXIST; -ENOMEM; -EBUSY if the former instance is not settled
 */
int past_stats_flow_create(uint32_t flow);
/**
 * Create a flow at the lowest index that is free and settled.
 *
 * @return 0 and the index in *flow; -EINVAL; -ERANGE; -ENOMEM; -ENOSPC if there is none
 */
int past_stats_flow_alloc(uint32_t *flow);
/**
 * Destroy a flow: it is gone for readers at once. Its index can be used again when it is
 * settled: when every lcore that reports (see past_stats_quiescent()) has done so since. *last is set
 * to its final counts since the last reset. If @p last is NULL nobody needs them, and whoever creates
 * the next instance may settle this one.
 *
 * Before the call no lcore may find the index any more in what the application looks it up in: an lcore
 * that still counts with it after its next report is in no bill, or in that of who has the index then.
 *
 * @return 0: it is settled; -EINPROGRESS: not yet, call again; -ERANGE; -ENOENT
 */
int past_stats_flow_destroy(uint32_t flow, struct past_stats_flow *last);
/**
 * Give back the memory of flow instances that are gone and settled, in pieces of 64. Nobody
 * may be updating them: every lcore reports, and no thread without an lcore id has their indexes.
 *
 * @return 0: there is nothing left to give back; -EINPROGRESS: a read or an lcore has not moved on yet, call
 *   again; -ENOTSUP: nobody has ever reported
 */
int past_stats_flow_trim(void);
/**
 * Position (row-major) of the first flow from @p at on that exists; the number of
 * possible ones if there is none.
 */
uint32_t past_stats_flow_next(uint32_t at);
/** Whether a flow exists. */
bool past_stats_flow_exists(uint32_t flow);
/**
 * Read a flow.
 *
 * @return 0; -EINVAL for a NULL pointer; -ERANGE; -ENOENT
 */
int past_stats_flow_read(uint32_t flow, struct past_stats_flow *out);
/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in a flow, since that was created, if
 * the lcore reports and all have done so since the former one at that index was settled; else since the
 * first.
 */
int past_stats_flow_lcore_read(unsigned int lcore, uint32_t flow, struct past_stats_flow *out);
/**
 * Read and reset a flow: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_flow_read(); after -EAGAIN the counts may not belong together, but each is
 *   exact, in *last and gone from what is left. That may not belong together either, until a
 *   reset returns 0
 */
int past_stats_flow_reset(uint32_t flow, struct past_stats_flow *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int past_stats_flow_reset_all(struct past_stats_flow *last);

/**
 * Read a drop.
 *
 * @return 0; -EINVAL for a NULL pointer; -ERANGE
 */
int past_stats_drop_read(uint32_t drop, struct past_stats_drop *out);
/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in a drop, since the start; -ENOTSUP
 * where lcores have no part of their own.
 */
int past_stats_drop_lcore_read(unsigned int lcore, uint32_t drop, struct past_stats_drop *out);
/**
 * Read and reset a drop: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_drop_read(); after -EAGAIN the counts may not belong together, but each is
 *   exact, in *last and gone from what is left. That may not belong together either, until a
 *   reset returns 0
 */
int past_stats_drop_reset(uint32_t drop, struct past_stats_drop *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int past_stats_drop_reset_all(struct past_stats_drop *last);

/** @cond INTERNAL */
/* Out-of-line variants of updates, for threads without an lcore id. */
void past_stats_packet_non_lcore(uint32_t session, uint64_t n, uint64_t size) CTR_COLD;
void past_stats_expired_non_lcore(uint16_t size) CTR_COLD;
void past_stats_hit_non_lcore(uint32_t flow, uint64_t n) CTR_COLD;
void past_stats_drop_sizes_non_lcore(uint32_t drop, uint64_t sample) CTR_COLD;
/** @endcond */

/** A bit for each position of a flow: whether it exists. */
extern uint64_t past_stats_flow_live[];

/** The instances by lcore id. */
extern struct ctr_slots past_stats_slots;

/** The instance shared by all threads without an lcore id. */
static inline struct past_stats_instance *
past_stats_non_lcore(void)
{
	return (struct past_stats_instance *)past_stats_slots.slot[CTR_NON_LCORE];
}

/** The calling lcore's instance; NULL on a thread without an lcore id. */
static inline struct past_stats_instance *
past_stats_self(void)
{
	unsigned int lcore = ctr_lcore_id();
	struct past_stats_instance *self;

	if (ctr_unlikely(lcore >= CTR_MAX_LCORE))
		return NULL;
	CTR_ASSERT(lcore < CTR_MAX_LCORE);
	self = (struct past_stats_instance *)past_stats_slots.slot[lcore];
	CTR_ASSUME(self != NULL);
	return self;
}

/** Storage of a flow in an instance; NULL if its chunk does not exist. */
static inline struct past_stats_flow_data *
past_stats_flow_find(const struct past_stats_instance *self, uint32_t flow)
{
	const uint32_t at = flow;
	struct past_stats_flow_chunk *chunk = ctr_load_pointer(&self->flow[at / 64]);

	return ctr_likely(chunk != NULL) ? &chunk->data[at % 64] : NULL;
}

/** Prefetch the cache line that the next update of this session will write. */
static inline void
past_stats_session_prefetch(uint32_t session)
{
	const struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(session >= PAST_STATS_SESSION_MAX))
		return;
	if (ctr_likely(self != NULL))
		ctr_prefetch(&self->session[session]);
}

/** Prefetch the cache line that the next update of this flow will write. */
static inline void
past_stats_flow_prefetch(uint32_t flow)
{
	const struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(flow >= PAST_STATS_FLOW_MAX))
		return;
	if (ctr_likely(self != NULL))
		ctr_prefetch(past_stats_flow_find(self, flow));
}

/** Prefetch the cache line that the next update of this drop will write. */
static inline void
past_stats_drop_prefetch(uint32_t drop)
{
	const struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(drop >= PAST_STATS_DROP_MAX))
		return;
	if (ctr_likely(self != NULL))
		ctr_prefetch(&self->drop[drop]);
}

/** drop.sizes (bytes): its bounds, and where a struct past_stats_drop has its buckets. */
extern const struct ctr_histogram past_stats_drop_sizes_histogram;

/** The bucket of a value in drop.sizes (bytes): how many of its bounds are below @p value. */
static inline size_t
past_stats_drop_sizes_bucket(uint64_t value)
{
	return (size_t)(value > 64) +
	       (size_t)(value > 512);
}

CTR_ASSERT_ROW(struct past_stats_drop_data, sizes_to_64, sizes_above_512, 2, 8);

/** Add @p n to the counter of 64 bits at offset @p member of the global scope's data. */
static inline void
past_stats_global_add64(size_t member, uint64_t n)
{
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		self = past_stats_non_lcore();
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, self->global, member), n);
		return;
	}
	ctr_add64(&CTR_MEMBER(uint64_t, self->global, member), n);
}

/**
 * Define the functions of a counter of the global scope.
 * past_stats_inc_ITEM() adds 1 to it, past_stats_add_ITEM() adds @p n.
 * past_stats_get_ITEM() returns its value. past_stats_lcore_get_ITEM()
 * returns the part of one lcore in it.
 */
#define PAST_STATS_GLOBAL_COUNTER64(ITEM)                                                  \
	static inline void                                                                 \
	past_stats_inc_##ITEM(void)                                                        \
	{                                                                                  \
		past_stats_global_add64(offsetof(struct past_stats_global_data, ITEM), 1); \
	}                                                                                  \
	static inline void                                                                 \
	past_stats_add_##ITEM(uint64_t n)                                                  \
	{                                                                                  \
		past_stats_global_add64(offsetof(struct past_stats_global_data, ITEM), n); \
	}                                                                                  \
	uint64_t past_stats_lcore_get_##ITEM(unsigned int lcore);                          \
	uint64_t past_stats_get_##ITEM(void)

/** global.total_pkts (packets) */
PAST_STATS_GLOBAL_COUNTER64(total_pkts);
/** global.total_bytes (bytes) */
PAST_STATS_GLOBAL_COUNTER64(total_bytes);

/** Add 1 to global.sessions (sessions). */
static inline void
past_stats_inc_sessions(void)
{
	ctr_atomic_add64(&past_stats_common.global.sessions, 1);
}

/** Add @p n to global.sessions (sessions). */
static inline void
past_stats_add_sessions(uint64_t n)
{
	ctr_atomic_add64(&past_stats_common.global.sessions, n);
}

/** Subtract @p n from global.sessions (sessions). */
static inline void
past_stats_sub_sessions(uint64_t n)
{
	ctr_atomic_sub64(&past_stats_common.global.sessions, n);
}

/** Set global.sessions (sessions). */
static inline void
past_stats_set_sessions(uint64_t v)
{
	ctr_store64(&past_stats_common.global.sessions, v);
}

/** Set global.link_up. */
static inline void
past_stats_set_link_up(bool v)
{
	ctr_store32(&past_stats_common.global.link_up, v ? 1u : 0u);
}

/** Set global.phase. */
static inline void
past_stats_set_phase(enum past_stats_global_phase v)
{
	ctr_store32(&past_stats_common.global.phase, (uint32_t)v);
}

/** Add @p n to the counter of 64 bits at offset @p member of a session's data. */
static inline void
past_stats_session_add64(uint32_t session, size_t member, uint64_t n)
{
	if (ctr_unlikely(session >= PAST_STATS_SESSION_MAX)) {
		past_stats_note_drop(1);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		self = past_stats_non_lcore();
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, self->session[session], member), n);
		return;
	}
	ctr_add64(&CTR_MEMBER(uint64_t, self->session[session], member), n);
}

/**
 * Define the functions of a counter of a session.
 * past_stats_session_inc_ITEM() adds 1 to it,
 * past_stats_session_add_ITEM() adds @p n.
 * past_stats_session_get_ITEM() returns its value, 0 for an instance
 * that does not exist. past_stats_session_lcore_get_ITEM() returns the
 * part of one lcore in it.
 */
#define PAST_STATS_SESSION_COUNTER64(ITEM)                                                        \
	static inline void                                                                        \
	past_stats_session_inc_##ITEM(uint32_t session)                                           \
	{                                                                                         \
		past_stats_session_add64(session, offsetof(struct past_stats_session_data, ITEM), \
				1);                                                               \
	}                                                                                         \
	static inline void                                                                        \
	past_stats_session_add_##ITEM(uint32_t session, uint64_t n)                               \
	{                                                                                         \
		past_stats_session_add64(session, offsetof(struct past_stats_session_data, ITEM), \
				n);                                                               \
	}                                                                                         \
	uint64_t past_stats_session_lcore_get_##ITEM(unsigned int lcore, uint32_t session);       \
	uint64_t past_stats_session_get_##ITEM(uint32_t session)

/** session.pkts (packets) */
PAST_STATS_SESSION_COUNTER64(pkts);
/** session.bytes (bytes) */
PAST_STATS_SESSION_COUNTER64(bytes);

/** Add @p n to the counter of 64 bits at offset @p member of a flow's data. */
static inline void
past_stats_flow_add64(uint32_t flow, size_t member, uint64_t n)
{
	if (ctr_unlikely(flow >= PAST_STATS_FLOW_MAX)) {
		past_stats_note_drop(1);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		self = past_stats_non_lcore();
		struct past_stats_flow_data *flow_data;

		if (ctr_unlikely(!ctr_bit(past_stats_flow_live, flow))) {
			past_stats_note_late(1);
			return;
		}
		flow_data = past_stats_flow_find(self, flow);
		CTR_ASSUME(flow_data != NULL);
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, (*flow_data), member), n);
		return;
	}
	struct past_stats_flow_data *flow_data;

	if (ctr_unlikely(!ctr_bit(past_stats_flow_live, flow))) {
		past_stats_note_late(1);
		return;
	}
	flow_data = past_stats_flow_find(self, flow);
	CTR_ASSUME(flow_data != NULL);
	ctr_add64(&CTR_MEMBER(uint64_t, (*flow_data), member), n);
}

/**
 * Define the functions of a counter of a flow.
 * past_stats_flow_inc_ITEM() adds 1 to it, past_stats_flow_add_ITEM()
 * adds @p n. past_stats_flow_get_ITEM() returns its value, 0 for an
 * instance that does not exist. past_stats_flow_lcore_get_ITEM()
 * returns the part of one lcore in it.
 */
#define PAST_STATS_FLOW_COUNTER64(ITEM)                                                      \
	static inline void                                                                   \
	past_stats_flow_inc_##ITEM(uint32_t flow)                                            \
	{                                                                                    \
		past_stats_flow_add64(flow, offsetof(struct past_stats_flow_data, ITEM), 1); \
	}                                                                                    \
	static inline void                                                                   \
	past_stats_flow_add_##ITEM(uint32_t flow, uint64_t n)                                \
	{                                                                                    \
		past_stats_flow_add64(flow, offsetof(struct past_stats_flow_data, ITEM), n); \
	}                                                                                    \
	uint64_t past_stats_flow_lcore_get_##ITEM(unsigned int lcore, uint32_t flow);        \
	uint64_t past_stats_flow_get_##ITEM(uint32_t flow)

/** flow.hits (packets) */
PAST_STATS_FLOW_COUNTER64(hits);

/** Add @p n to the counter of 64 bits at offset @p member of a drop's data. */
static inline void
past_stats_drop_add64(uint32_t drop, size_t member, uint64_t n)
{
	if (ctr_unlikely(drop >= PAST_STATS_DROP_MAX)) {
		past_stats_note_drop(1);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		self = past_stats_non_lcore();
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, self->drop[drop], member), n);
		return;
	}
	ctr_add64(&CTR_MEMBER(uint64_t, self->drop[drop], member), n);
}

/**
 * Define the functions of a counter of a drop.
 * past_stats_drop_inc_ITEM() adds 1 to it, past_stats_drop_add_ITEM()
 * adds @p n. past_stats_drop_get_ITEM() returns its value, 0 for an
 * instance that does not exist. past_stats_drop_lcore_get_ITEM()
 * returns the part of one lcore in it.
 */
#define PAST_STATS_DROP_COUNTER64(ITEM)                                                      \
	static inline void                                                                   \
	past_stats_drop_inc_##ITEM(uint32_t drop)                                            \
	{                                                                                    \
		past_stats_drop_add64(drop, offsetof(struct past_stats_drop_data, ITEM), 1); \
	}                                                                                    \
	static inline void                                                                   \
	past_stats_drop_add_##ITEM(uint32_t drop, uint64_t n)                                \
	{                                                                                    \
		past_stats_drop_add64(drop, offsetof(struct past_stats_drop_data, ITEM), n); \
	}                                                                                    \
	uint64_t past_stats_drop_lcore_get_##ITEM(unsigned int lcore, uint32_t drop);        \
	uint64_t past_stats_drop_get_##ITEM(uint32_t drop)

/** drop.pkts (packets) */
PAST_STATS_DROP_COUNTER64(pkts);

/**
 * drop.sizes (bytes): how many values each bucket took, and their sum; 0 for an instance
 * that does not exist.
 */
uint64_t past_stats_drop_get_sizes_to_64(uint32_t drop);
uint64_t past_stats_drop_get_sizes_to_512(uint32_t drop);
uint64_t past_stats_drop_get_sizes_above_512(uint32_t drop);
uint64_t past_stats_drop_get_sizes_sum(uint32_t drop);

/** The part of one lcore in them. */
uint64_t past_stats_drop_lcore_get_sizes_to_64(unsigned int lcore, uint32_t drop);
uint64_t past_stats_drop_lcore_get_sizes_to_512(unsigned int lcore, uint32_t drop);
uint64_t past_stats_drop_lcore_get_sizes_above_512(unsigned int lcore, uint32_t drop);
uint64_t past_stats_drop_lcore_get_sizes_sum(unsigned int lcore, uint32_t drop);

/** Observe @p sample in drop.sizes (bytes): its bucket goes up by 1, the sum by the value. */
static inline void
past_stats_drop_observe_sizes(uint32_t drop, uint64_t sample)
{
	if (ctr_unlikely(drop >= PAST_STATS_DROP_MAX)) {
		past_stats_note_drop(1);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_drop_sizes_non_lcore(drop, sample);
		return;
	}
	ctr_add64(&self->drop[drop].sizes_sum, sample);
	ctr_add64(&CTR_NTH(uint64_t, self->drop[drop], sizes_to_64,
			past_stats_drop_sizes_bucket(sample)), 1);
}

/**
 * Count one packet of a session.
 *
 * Changes global.total_pkts, global.total_bytes, session.pkts,
 * session.bytes.
 */
static inline void
past_stats_update_packet(uint32_t session, uint16_t size)
{
	if (ctr_unlikely(session >= PAST_STATS_SESSION_MAX)) {
		past_stats_note_drop(1);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_packet_non_lcore(session, 1, size);
		return;
	}
	ctr_add64(&self->global.total_pkts, 1);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, 1);
	ctr_add64(&self->session[session].bytes, size);
}

/** A run of @p n calls of past_stats_update_packet(); the arguments are sums. For batches. */
static inline void
past_stats_run_packet(uint32_t session, uint64_t n, uint64_t size)
{
	if (ctr_unlikely(session >= PAST_STATS_SESSION_MAX)) {
		past_stats_note_drop(n);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_packet_non_lcore(session, n, size);
		return;
	}
	ctr_add64(&self->global.total_pkts, n);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, n);
	ctr_add64(&self->session[session].bytes, size);
}

/** past_stats_update_packet() for @p n packets. */
static inline void
past_stats_update_packet_bulk(const uint32_t *session_v, const uint16_t *size_v, unsigned int n)
{
	size_t first, end, i;
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		for (i = 0; i < n; i++)
			past_stats_update_packet(session_v[i], size_v[i]);
		return;
	}
	for (first = 0; first < n; first = end) {
		uint64_t total = 0, total_size = 0;

		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++) {
			uint32_t session = session_v[i];
			uint16_t size = size_v[i];

			if (ctr_unlikely(session >= PAST_STATS_SESSION_MAX)) {
				past_stats_note_drop(1);
				continue;
			}
			total++;
			total_size += size_v[i];
			ctr_add64(&self->session[session].pkts, 1);
			ctr_add64(&self->session[session].bytes, size);
		}
		ctr_add64(&self->global.total_pkts, total);
		ctr_add64(&self->global.total_bytes, total_size);
	}
}

/**
 * Count a packet whose time to live has ended.
 *
 * Changes drop.pkts[ttl], drop.sizes[ttl].
 */
static inline void
past_stats_update_expired(uint16_t size)
{
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_expired_non_lcore(size);
		return;
	}
	ctr_add64(&self->drop[PAST_STATS_DROP_TTL].pkts, 1);
	ctr_add64(&CTR_NTH(uint64_t, self->drop[PAST_STATS_DROP_TTL], sizes_to_64,
			past_stats_drop_sizes_bucket(size)), 1);
	ctr_add64(&self->drop[PAST_STATS_DROP_TTL].sizes_sum, size);
}

/** past_stats_update_expired() for @p n packets. */
static inline void
past_stats_update_expired_bulk(const uint16_t *size_v, unsigned int n)
{
	size_t first, end, i;
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		for (i = 0; i < n; i++)
			past_stats_update_expired(size_v[i]);
		return;
	}
	for (first = 0; first < n; first = end) {
		uint64_t total = 0, total_size = 0;

		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++) {
			uint16_t size = size_v[i];

			total++;
			total_size += size_v[i];
			ctr_add64(&CTR_NTH(uint64_t, self->drop[PAST_STATS_DROP_TTL], sizes_to_64,
					past_stats_drop_sizes_bucket(size)), 1);
		}
		ctr_add64(&self->drop[PAST_STATS_DROP_TTL].pkts, total);
		ctr_add64(&self->drop[PAST_STATS_DROP_TTL].sizes_sum, total_size);
	}
}

/**
 * Count a packet of a flow.
 *
 * Changes flow.hits.
 */
static inline void
past_stats_update_hit(uint32_t flow)
{
	if (ctr_unlikely(flow >= PAST_STATS_FLOW_MAX)) {
		past_stats_note_drop(1);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_hit_non_lcore(flow, 1);
		return;
	}
	struct past_stats_flow_data *flow_data;

	if (ctr_unlikely(!ctr_bit(past_stats_flow_live, flow))) {
		past_stats_note_late(1);
		return;
	}
	flow_data = past_stats_flow_find(self, flow);
	CTR_ASSUME(flow_data != NULL);
	ctr_add64(&flow_data->hits, 1);
}

/** A run of @p n calls of past_stats_update_hit(); the arguments are sums. For batches. */
static inline void
past_stats_run_hit(uint32_t flow, uint64_t n)
{
	if (ctr_unlikely(flow >= PAST_STATS_FLOW_MAX)) {
		past_stats_note_drop(n);
		return;
	}
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_hit_non_lcore(flow, n);
		return;
	}
	struct past_stats_flow_data *flow_data;

	if (ctr_unlikely(!ctr_bit(past_stats_flow_live, flow))) {
		past_stats_note_late(n);
		return;
	}
	flow_data = past_stats_flow_find(self, flow);
	CTR_ASSUME(flow_data != NULL);
	ctr_add64(&flow_data->hits, n);
}

/** past_stats_update_hit() for @p n packets. */
static inline void
past_stats_update_hit_bulk(const uint32_t *flow_v, unsigned int n)
{
	size_t first, end, i;
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		for (i = 0; i < n; i++)
			past_stats_update_hit(flow_v[i]);
		return;
	}
	for (first = 0; first < n; first = end) {
		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++) {
			uint32_t flow = flow_v[i];

			if (ctr_unlikely(flow >= PAST_STATS_FLOW_MAX)) {
				past_stats_note_drop(1);
				continue;
			}
			struct past_stats_flow_data *flow_data;

			if (ctr_unlikely(!ctr_bit(past_stats_flow_live, flow))) {
				past_stats_note_late(1);
				continue;
			}
			flow_data = past_stats_flow_find(self, flow);
			CTR_ASSUME(flow_data != NULL);
			ctr_add64(&flow_data->hits, 1);
		}
	}
}

/**
 * Pending updates on the caller's stack between past_stats_batch_begin() and
 * past_stats_batch_end(). Consecutive calls of an update for the same instances
 * are summed up. They are applied as one transaction when the instance changes,
 * before another update if their order matters (one of them sets an item of both),
 * and at the end.
 */
struct past_stats_batch {
	struct {
		uint32_t session;
		uint64_t n;
		uint64_t size;
	} packet; /**< The present run of past_stats_update_packet(). */
	struct {
		uint32_t flow;
		uint64_t n;
	} hit; /**< The present run of past_stats_update_hit(). */
};

/** Begin a batch. */
static inline void
past_stats_batch_begin(struct past_stats_batch *b)
{
	memset(b, 0, sizeof(*b));
}

/** past_stats_update_packet(), pending until the run or the batch ends. */
static inline void
past_stats_batch_packet(struct past_stats_batch *b, uint32_t session, uint16_t size)
{
	if (session != b->packet.session) {
		if (b->packet.n != 0)
			past_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
		b->packet.n = 0;
		b->packet.size = 0;
		b->packet.session = session;
	}
	b->packet.n++;
	b->packet.size += size;
}

/** past_stats_update_expired(), applied at once: each value is observed by itself. */
static inline void
past_stats_batch_expired(struct past_stats_batch *b, uint16_t size)
{
	(void)b;
	past_stats_update_expired(size);
}

/** past_stats_update_hit(), pending until the run or the batch ends. */
static inline void
past_stats_batch_hit(struct past_stats_batch *b, uint32_t flow)
{
	if (flow != b->hit.flow) {
		if (b->hit.n != 0)
			past_stats_run_hit(b->hit.flow, b->hit.n);
		b->hit.n = 0;
		b->hit.flow = flow;
	}
	b->hit.n++;
}

/** Apply all pending updates. The batch may be begun again. */
static inline void
past_stats_batch_end(struct past_stats_batch *b)
{
	if (b->packet.n != 0)
		past_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
	if (b->hit.n != 0)
		past_stats_run_hit(b->hit.flow, b->hit.n);
	memset(b, 0, sizeof(*b));
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif /* PAST_STATS_H */
