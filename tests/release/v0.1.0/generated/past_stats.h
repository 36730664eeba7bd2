/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from schema.yaml by ctrgen 0.1.0. Do not edit; change the schema and run
 *   ctrgen build schema.yaml
 */
/** @file
 * Statistics of a release that is past.
 *
 * Threads: updates may be called from any thread; reads, resets and
 * snapshots from any thread, preferably not a worker. past_stats_init() comes
 * before all others, past_stats_fini() after; neither is thread-safe.
 *
 * Strategy per_core for global, session, flow. One instance per lcore;
 * its owner adds, readers sum.
 */
#ifndef PAST_STATS_H
#define PAST_STATS_H

#include "ctr.h"

#if CTR_ABI != 2
#error "past_stats.h was generated for ctrgen runtime ABI 2: generate it again with the installed ctrgen, or build with the runtime that 'ctrgen runtime' names"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Number of session instances: indexes run from 0 to 99. */
#define PAST_STATS_SESSION_MAX 100u
/** Number of flow instances: indexes run from 0 to 49. */
#define PAST_STATS_FLOW_MAX 50u

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

/** All values of one read section; allocated by past_stats_snapshot_create(). */
struct past_stats_snapshot {
	uint64_t start_ns; /**< ctr_time_ns() before the first value was read. */
	uint64_t end_ns;   /**< ctr_time_ns() after the last. */
	struct past_stats_global global;             /**< Values of the global scope. */
	struct past_stats_global_valid global_valid; /**< Flags of these values. */
	/** All session instances, innermost index fastest. */
	struct past_stats_session *session;
	struct past_stats_session_valid *session_valid; /**< Flags of these values. */
	/** All flow instances, innermost index fastest. */
	struct past_stats_flow *flow;
	struct past_stats_flow_valid *flow_valid; /**< Flags of these values. */
};

/** Storage of the global scope of one lcore. */
struct past_stats_global_data {
	uint64_t total_pkts; /**< global.total_pkts (packets) */
	uint64_t total_bytes; /**< global.total_bytes (bytes) */
} CTR_ALIGNED(16);
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_data) == 16, "layout of past_stats_global_data");

/** Counts of the global scope at its last reset; written by resets only. */
struct past_stats_global_offset {
	uint64_t total_pkts; /**< global.total_pkts (packets) */
	uint64_t total_bytes; /**< global.total_bytes (bytes) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_offset) == 16,
		"layout of past_stats_global_offset");

/** Storage of a session of one lcore. */
struct past_stats_session_data {
	uint64_t pkts; /**< session.pkts (packets) */
	uint64_t bytes; /**< session.bytes (bytes) */
} CTR_ALIGNED(16);
CTR_STATIC_ASSERT(sizeof(struct past_stats_session_data) == 16,
		"layout of past_stats_session_data");

/** Counts of a session at its last reset; written by resets only. */
struct past_stats_session_offset {
	uint64_t pkts; /**< session.pkts (packets) */
	uint64_t bytes; /**< session.bytes (bytes) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_session_offset) == 16,
		"layout of past_stats_session_offset");

/** Storage of a flow of one lcore. */
struct past_stats_flow_data {
	uint64_t hits; /**< flow.hits (packets) */
} CTR_ALIGNED(8);
CTR_STATIC_ASSERT(sizeof(struct past_stats_flow_data) == 8, "layout of past_stats_flow_data");

/** Counts of a flow at its last reset; written by resets only. */
struct past_stats_flow_offset {
	uint64_t hits; /**< flow.hits (packets) */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_flow_offset) == 8, "layout of past_stats_flow_offset");

/** Memory for 64 flow instances. */
struct past_stats_flow_chunk {
	struct past_stats_flow_data data[64]; /**< Written by updates. */
	struct past_stats_flow_offset offset[64]; /**< Written by resets. */
};

/** The counts of one lcore. */
struct past_stats_instance {
	struct past_stats_global_data global; /**< The global scope. */
	struct past_stats_session_data session[PAST_STATS_SESSION_MAX]; /**< Every session. */
	struct past_stats_flow_chunk *flow[1]; /**< NULL if no flow was created. */
	/** Its counts at the last reset. */
	CTR_CACHE_ALIGNED struct past_stats_global_offset global_offset;
	/** Its counts at the last reset. */
	struct past_stats_session_offset session_offset[PAST_STATS_SESSION_MAX];
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct past_stats_instance) == 3328, "layout of past_stats_instance");

/** The common part of the global scope. */
struct past_stats_global_common {
	uint64_t sessions; /**< global.sessions (sessions) */
	uint32_t link_up; /**< global.link_up */
	uint32_t phase; /**< global.phase */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_global_common) == 16,
		"layout of past_stats_global_common");

/** The common part of a flow instance. */
struct past_stats_flow_common {
	uint32_t live; /**< Sequence count: odd after its destruction, 0 before its creation. */
};
CTR_STATIC_ASSERT(sizeof(struct past_stats_flow_common) == 4, "layout of past_stats_flow_common");

/** Memory for the common part of 64 flow instances. */
struct past_stats_flow_common_chunk {
	struct past_stats_flow_common at[64]; /**< One for each. */
};

/** The common part: items that exist once, for all lcores together. */
struct past_stats_common {
	struct past_stats_global_common global; /**< The global scope. */
	struct past_stats_flow_common_chunk *flow[1]; /**< NULL if no flow was created. */
} CTR_CACHE_ALIGNED;

/** The common part of the module. */
extern struct past_stats_common past_stats_common;

/**
 * Initialise the statistics. Under the DPDK port, call it after rte_eal_init().
 *
 * @return 0; -ENOMEM; -EALREADY if they are initialised; -EPROTO if the runtime was built for
 * another number of lcores
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
/** Call after every burst, even if empty: every Nth call acts as past_stats_try_flush(). */
void past_stats_hint_flush(void);

/**
 * Reset all counters of all scopes that can be reset. Gauges, states and counters
 * in the application's own objects are not reset.
 *
 * @return 0; -EAGAIN if a part could not be reset consistently and was not reset
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

/**
 * Number of updates dropped for an index out of range, under `bounds: drop`, or
 * for an instance of a dynamic scope for which no memory exists yet. An update
 * of a destroyed instance is not detected; the next create discards it.
 */
uint64_t past_stats_drops(void);
/** Count @p n dropped updates; for the fast path. */
void past_stats_drop(uint64_t n) CTR_COLD;

/** Allocate a snapshot with room for all instances. 0, -ENOMEM, or -EINVAL for NULL. */
int past_stats_snapshot_create(struct past_stats_snapshot **snap);
/**
 * Read everything, in one read section.
 *
 * @return 0; -EAGAIN if the counters of some instances may not belong
 *   together: their flags lack CTR_CONSISTENT
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
 * Read the part of one lcore, or of CTR_NON_LCORE, in the global scope; -ENOTSUP under a
 * shared strategy.
 */
int past_stats_global_lcore_read(unsigned int lcore, struct past_stats_global *out);
/**
 * Read and reset the global scope: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_global_read(); after -EAGAIN some lcores' counts were not
 *   reset and are not in *last: call again
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
 * Read the part of one lcore, or of CTR_NON_LCORE, in a session; -ENOTSUP under a shared
 * strategy.
 */
int past_stats_session_lcore_read(unsigned int lcore, uint32_t session,
		struct past_stats_session *out);
/**
 * Read and reset a session: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_session_read(); after -EAGAIN some lcores' counts were not
 *   reset and are not in *last: call again
 */
int past_stats_session_reset(uint32_t session, struct past_stats_session *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int past_stats_session_reset_all(struct past_stats_session *last);

/**
 * Create a flow with all counters at 0, while workers update others.
 *
 * @return 0; -ERANGE; -EEXIST; -ENOMEM
 */
int past_stats_flow_create(uint32_t flow);
/** Destroy a flow; its memory is reused for the next. 0, -ERANGE or -ENOENT. */
int past_stats_flow_destroy(uint32_t flow);
/** Whether a flow exists. */
bool past_stats_flow_exists(uint32_t flow);
/**
 * Read a flow.
 *
 * @return 0; -EINVAL for a NULL pointer; -ERANGE; -ENOENT
 */
int past_stats_flow_read(uint32_t flow, struct past_stats_flow *out);
/** Read the part of one lcore, or of CTR_NON_LCORE, in a flow; -ENOTSUP under a shared strategy. */
int past_stats_flow_lcore_read(unsigned int lcore, uint32_t flow, struct past_stats_flow *out);
/**
 * Read and reset a flow: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as past_stats_flow_read(); after -EAGAIN some lcores' counts were not
 *   reset and are not in *last: call again
 */
int past_stats_flow_reset(uint32_t flow, struct past_stats_flow *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int past_stats_flow_reset_all(struct past_stats_flow *last);

/** @cond INTERNAL */
/* Out-of-line variants of updates, for threads without an lcore id. */
void past_stats_packet_non_lcore(uint32_t session, uint64_t n, uint64_t size) CTR_COLD;
void past_stats_hit_non_lcore(uint32_t flow, uint64_t n) CTR_COLD;
/** @endcond */

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
	struct past_stats_flow_chunk *chunk = ctr_load_acquire(&self->flow[at / 64]);

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

/** Items of a flow in the common part; NULL if its chunk does not exist. */
static inline struct past_stats_flow_common *
past_stats_flow_find_common(uint32_t flow)
{
	const uint32_t at = flow;
	struct past_stats_flow_common_chunk *chunk =
		ctr_load_acquire(&past_stats_common.flow[at / 64]);

	return ctr_likely(chunk != NULL) ? &chunk->at[at % 64] : NULL;
}

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
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		self = past_stats_non_lcore();
		CTR_ASSERT(session < PAST_STATS_SESSION_MAX);
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, self->session[session], member), n);
		return;
	}
	CTR_ASSERT(session < PAST_STATS_SESSION_MAX);
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
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		self = past_stats_non_lcore();
		CTR_ASSERT(flow < PAST_STATS_FLOW_MAX);
		struct past_stats_flow_data *flow_data = past_stats_flow_find(self, flow);

		if (ctr_unlikely(flow_data == NULL)) {
			past_stats_drop(1);
			return;
		}
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, (*flow_data), member), n);
		return;
	}
	CTR_ASSERT(flow < PAST_STATS_FLOW_MAX);
	struct past_stats_flow_data *flow_data = past_stats_flow_find(self, flow);

	if (ctr_unlikely(flow_data == NULL)) {
		past_stats_drop(1);
		return;
	}
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

/**
 * Count one packet of a session.
 *
 * Changes global.total_pkts, global.total_bytes, session.pkts,
 * session.bytes.
 */
static inline void
past_stats_update_packet(uint32_t session, uint16_t size)
{
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_packet_non_lcore(session, 1, size);
		return;
	}
	CTR_ASSERT(session < PAST_STATS_SESSION_MAX);
	ctr_add64(&self->global.total_pkts, 1);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, 1);
	ctr_add64(&self->session[session].bytes, size);
}

/** A run of @p n calls of past_stats_update_packet(); the arguments are sums. For batches. */
static inline void
past_stats_run_packet(uint32_t session, uint64_t n, uint64_t size)
{
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_packet_non_lcore(session, n, size);
		return;
	}
	CTR_ASSERT(session < PAST_STATS_SESSION_MAX);
	ctr_add64(&self->global.total_pkts, n);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, n);
	ctr_add64(&self->session[session].bytes, size);
}

/** past_stats_update_packet() for @p n packets, with prefetch of their cache lines. */
static inline void
past_stats_update_packet_bulk(const uint32_t *session_v, const uint16_t *size_v, unsigned int n)
{
	unsigned int first, end, i;
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		for (i = 0; i < n; i++)
			past_stats_update_packet(session_v[i], size_v[i]);
		return;
	}
	for (first = 0; first < n; first = end) {
		uint64_t total = 0, total_size = 0;

		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++)
			past_stats_session_prefetch(session_v[i]);
		for (i = first; i < end; i++) {
			uint32_t session = session_v[i];
			uint16_t size = size_v[i];

			CTR_ASSERT(session < PAST_STATS_SESSION_MAX);
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
 * Count a packet of a flow.
 *
 * Changes flow.hits.
 */
static inline void
past_stats_update_hit(uint32_t flow)
{
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_hit_non_lcore(flow, 1);
		return;
	}
	CTR_ASSERT(flow < PAST_STATS_FLOW_MAX);
	struct past_stats_flow_data *flow_data = past_stats_flow_find(self, flow);

	if (ctr_unlikely(flow_data == NULL)) {
		past_stats_drop(1);
		return;
	}
	ctr_add64(&flow_data->hits, 1);
}

/** A run of @p n calls of past_stats_update_hit(); the arguments are sums. For batches. */
static inline void
past_stats_run_hit(uint32_t flow, uint64_t n)
{
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		past_stats_hit_non_lcore(flow, n);
		return;
	}
	CTR_ASSERT(flow < PAST_STATS_FLOW_MAX);
	struct past_stats_flow_data *flow_data = past_stats_flow_find(self, flow);

	if (ctr_unlikely(flow_data == NULL)) {
		past_stats_drop(n);
		return;
	}
	ctr_add64(&flow_data->hits, n);
}

/** past_stats_update_hit() for @p n packets, with prefetch of their cache lines. */
static inline void
past_stats_update_hit_bulk(const uint32_t *flow_v, unsigned int n)
{
	unsigned int first, end, i;
	struct past_stats_instance *self = past_stats_self();

	if (ctr_unlikely(self == NULL)) {
		for (i = 0; i < n; i++)
			past_stats_update_hit(flow_v[i]);
		return;
	}
	for (first = 0; first < n; first = end) {
		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++)
			past_stats_flow_prefetch(flow_v[i]);
		for (i = first; i < end; i++) {
			uint32_t flow = flow_v[i];

			CTR_ASSERT(flow < PAST_STATS_FLOW_MAX);
			struct past_stats_flow_data *flow_data = past_stats_flow_find(self, flow);

			if (ctr_unlikely(flow_data == NULL)) {
				past_stats_drop(1);
				continue;
			}
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
#endif

#endif /* PAST_STATS_H */
