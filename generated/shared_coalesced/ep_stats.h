/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync shared_coalesced
 */
/** @file
 * Example Protocol statistics.
 *
 * Threads: updates may be called from any thread; reads, resets and
 * snapshots from any thread, preferably not a worker. ep_stats_init() comes
 * before all others, ep_stats_fini() after; neither is thread-safe. Updates before and after
 * change nothing, and are in ep_stats_late().
 *
 * Strategy shared_coalesced (entries 256, hints 256, pad none, ways 1)
 * for global, session. One instance; each lcore sums up what it adds to
 * a few elements, and applies it atomically.
 */
#ifndef EP_STATS_H
#define EP_STATS_H

#include "ctr.h"
#include "ctr_coalesced.h"

#if CTR_ABI != 9
#error "ep_stats.h was generated for ctrgen runtime ABI 9: generate it again with the installed ctrgen, or build with the runtime that 'ctrgen runtime' names"
#endif

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** Number of session instances: indexes run from 0 to 999. */
#define EP_STATS_SESSION_MAX 1000u

/** Module-wide statistics. Values as read. */
struct ep_stats_global {
	uint64_t total_pkts; /**< EP packets processed. Unit: packets. */
	uint64_t total_bytes; /**< Octets in processed EP packets. Unit: bytes. */
	uint64_t sessions; /**< Sessions now established. Unit: sessions. */
	bool link_up; /**< Whether the uplink is up. */
};

/** Flags of the items of a struct ep_stats_global: CTR_VALID, CTR_CONSISTENT. */
struct ep_stats_global_valid {
	uint8_t total_pkts; /**< Flags of total_pkts. */
	uint8_t total_bytes; /**< Flags of total_bytes. */
	uint8_t sessions; /**< Flags of sessions. */
	uint8_t link_up; /**< Flags of link_up. */
};

/** An EP session. Values as read. */
struct ep_stats_session {
	uint64_t pkts; /**< Packets of the session. Unit: packets. */
	uint64_t bytes; /**< Octets in packets of the session. Unit: bytes. */
};

/** Flags of the items of a struct ep_stats_session: CTR_VALID, CTR_CONSISTENT. */
struct ep_stats_session_valid {
	uint8_t pkts; /**< Flags of pkts. */
	uint8_t bytes; /**< Flags of bytes. */
};

/** All values of one read section; allocated by ep_stats_snapshot_create(). */
struct ep_stats_snapshot {
	uint64_t start_ns; /**< ctr_time_ns() before the first value was read. */
	uint64_t end_ns;   /**< ctr_time_ns() after the last. */
	struct ep_stats_global global;             /**< Values of the global scope. */
	struct ep_stats_global_valid global_valid; /**< Flags of these values. */
	/** All session instances, innermost index fastest. */
	struct ep_stats_session *session;
	struct ep_stats_session_valid *session_valid; /**< Flags of these values. */
};

/** Storage of the global scope. */
struct ep_stats_global_data {
	uint64_t total_pkts; /**< global.total_pkts (packets) */
	uint64_t total_bytes; /**< global.total_bytes (bytes) */
	uint64_t sessions; /**< global.sessions (sessions) */
	uint32_t link_up; /**< global.link_up */
} CTR_ALIGNED(32);
CTR_STATIC_ASSERT(sizeof(struct ep_stats_global_data) == 32, "layout of ep_stats_global_data");

/** Storage of a session. */
struct ep_stats_session_data {
	uint64_t pkts; /**< session.pkts (packets) */
	uint64_t bytes; /**< session.bytes (bytes) */
} CTR_ALIGNED(16);
CTR_STATIC_ASSERT(sizeof(struct ep_stats_session_data) == 16, "layout of ep_stats_session_data");

/** The instance that all threads share. */
struct ep_stats_instance {
	struct ep_stats_global_data global; /**< The global scope. */
	struct ep_stats_session_data session[EP_STATS_SESSION_MAX]; /**< Every session. */
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct ep_stats_instance) == 16064, "layout of ep_stats_instance");

/** What an lcore holds of the global scope. */
struct ep_stats_global_held {
	struct ep_stats_global_data delta; /**< What to add to its counters. */
};
CTR_STATIC_ASSERT(sizeof(struct ep_stats_global_held) == 32, "layout of ep_stats_global_held");

/** What an lcore holds of a session. */
struct ep_stats_session_held {
	struct ctr_held head; /**< Which element it is. */
	struct ep_stats_session_data delta; /**< What to add to its counters. */
};
CTR_STATIC_ASSERT(sizeof(struct ep_stats_session_held) == 32, "layout of ep_stats_session_held");

/** What an lcore holds. */
struct ep_stats_held {
	struct ctr_held_line ctr_line; /**< The places in use. */
	struct ep_stats_global_held global; /**< Of the global scope. */
	struct ep_stats_session_held session[256]; /**< Of some session instances. */
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct ep_stats_held) == 8256, "layout of ep_stats_held");

/** @cond INTERNAL */
extern const struct ctr_module_state ep_stats_state;
extern struct ctr_flag ep_stats_ready; /* Whether the module is initialised; for updates. */
extern struct ctr_line64 ep_stats_dropped_updates;
extern struct ctr_line64 ep_stats_late_updates;
/** @endcond */

/**
 * Initialise the statistics. Under the DPDK port, call it after rte_eal_init().
 *
 * @return 0; -ENOMEM; -EALREADY if they are initialised; -EPROTO if the runtime was built for
 * another number of lcores, or as of ctr_port_check()
 */
static inline int
ep_stats_init(void)
{
	return ctr_module_init(&ep_stats_state);
}

/** Free everything, including all counts. No thread may use the statistics. Idempotent. */
static inline void
ep_stats_fini(void)
{
	ctr_module_fini(&ep_stats_state);
}

/**
 * Apply all operations in the calling lcore's write buffer, waiting for the lock.
 *
 */
static inline void
ep_stats_flush(void)
{
	ctr_module_flush(&ep_stats_state, CTR_FLUSH);
}
/** As ep_stats_flush(), but return at once if the lock is taken. */
static inline void
ep_stats_try_flush(void)
{
	ctr_module_flush(&ep_stats_state, CTR_TRY_FLUSH);
}

/**
 * End a burst: call it once after each burst, even if empty, between two updates.
 *
 * Readers see what the calling lcore counted after a bounded number of calls (docs/strategies.md).
 * Each call reports a quiescent state: the lcore keeps no index of an instance from before. An
 * instance that is destroyed is settled when every lcore that reports has done so since. Lcores
 * that have not reported yet are not waited for, so call it before the first burst, too. An lcore
 * that is going to sleep calls ep_stats_flush() and then ctr_quiescent_offline().
 */
static inline void
ep_stats_burst_end(void)
{
	ctr_module_burst_end(&ep_stats_state);
}
/** Synonym of ep_stats_burst_end(). */
static inline void
ep_stats_hint_flush(void)
{
	ep_stats_burst_end();
}
/** Synonym of ep_stats_burst_end(). */
static inline void
ep_stats_quiescent(void)
{
	ep_stats_burst_end();
}

/**
 * Nothing to do under this strategy. Any thread, not in the middle of an update.
 */
static inline void
ep_stats_poll(void)
{
	ctr_module_poll(&ep_stats_state);
}

/**
 * Reset all counters of all scopes that can be reset. Gauges, states and counters
 * in the application's own objects are not reset.
 *
 * @return 0; -EAGAIN if some counters could not be read together; each was reset exactly
 */
static inline int
ep_stats_reset(void)
{
	return ctr_module_reset(&ep_stats_state);
}

/**
 * Begin a read section of several reads: until ep_stats_read_unlock() no
 * reset happens, and under a strategy with one lock for the module no update
 * either. The calling thread must not update in a read section. May be nested.
 */
void ep_stats_read_lock(void);
/** End a read section of ep_stats_read_lock(). */
void ep_stats_read_unlock(void);

/** Number of updates dropped for an index out of range, under `bounds: drop`. */
static inline uint64_t
ep_stats_drops(void)
{
	return ctr_load64(&ep_stats_dropped_updates.word);
}
/** Count @p n dropped updates; for the fast path. */
void ep_stats_note_drop(uint64_t n) CTR_COLD;

/**
 * Number of updates that changed nothing. They came before ep_stats_init() or after
 * ep_stats_fini(), or found no instance of a dynamic scope at their index: it was
 * settled, or not created. ep_stats_fini() sets the number to 0,
 * ep_stats_init() does not. Any thread, at any time.
 *
 * It is no count of misuse: an lcore that keeps an index past its report may count in an instance
 * that is not settled yet, or in the next one. Debug builds (CTR_DEBUG) abort there.
 */
static inline uint64_t
ep_stats_late(void)
{
	return ctr_load64(&ep_stats_late_updates.word);
}
/** Count @p n such updates; for the fast path. */
void ep_stats_note_late(uint64_t n) CTR_COLD;

/** @cond INTERNAL */
extern const struct ctr_snapshots ep_stats_snapshots;
extern const struct ctr_table ep_stats_global_table;
extern const struct ctr_table ep_stats_session_table;
/** @endcond */

/** Allocate a snapshot with room for all instances. 0, -ENOMEM, or -EINVAL for NULL. */
static inline int
ep_stats_snapshot_create(struct ep_stats_snapshot **snap)
{
	void *created;
	int rc;

	if (snap == NULL)
		return -EINVAL;
	rc = ctr_snapshot_create(&ep_stats_snapshots, &created);
	if (rc == 0)
		*snap = (struct ep_stats_snapshot *)created;
	return rc;
}
/**
 * Read everything, in one read section.
 *
 * @return 0; -EAGAIN if the counters of some instances may not belong
 *   together: their flags lack CTR_CONSISTENT
 */
static inline int
ep_stats_snapshot_read(struct ep_stats_snapshot *snap)
{
	return ctr_snapshot_read(&ep_stats_snapshots, snap, false);
}
/** Read and reset everything; the values count from the last reset. */
static inline int
ep_stats_snapshot_reset(struct ep_stats_snapshot *snap)
{
	return ctr_snapshot_read(&ep_stats_snapshots, snap, true);
}
/** Free a snapshot; NULL is allowed. */
static inline void
ep_stats_snapshot_free(struct ep_stats_snapshot *snap)
{
	ctr_snapshot_free(&ep_stats_snapshots, snap);
}

/** The descriptor of the module, for generic readers. */
extern const struct ctr_module ep_stats_module;

/**
 * Read the global scope.
 *
 * @return 0; -EINVAL for a NULL pointer
 */
static inline int
ep_stats_global_read(struct ep_stats_global *out)
{
	return ctr_table_read(&ep_stats_global_table, 0, 0, out);
}
/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in the global scope, since the start;
 * -ENOTSUP where lcores have no part of their own.
 */
static inline int
ep_stats_global_lcore_read(unsigned int lcore, struct ep_stats_global *out)
{
	return ctr_table_lcore_read(&ep_stats_global_table, lcore, 0, out);
}
/**
 * Read and reset the global scope: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as ep_stats_global_read(); after -EAGAIN the counts may not belong together, but each is
 *   exact, in *last and gone from what is left. That may not belong together either, until a
 *   reset returns 0
 */
static inline int
ep_stats_global_reset(struct ep_stats_global *last)
{
	return ctr_table_reset(&ep_stats_global_table, 0, 0, last);
}
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
static inline int
ep_stats_global_reset_all(struct ep_stats_global *last)
{
	return ctr_table_reset_all(&ep_stats_global_table, last);
}
/** The value of global.sessions (sessions). */
static inline uint64_t
ep_stats_get_sessions(void)
{
	return (uint64_t)ctr_table_value(&ep_stats_global_table, 0, 0);
}
/** The value of global.link_up. */
static inline bool
ep_stats_get_link_up(void)
{
	return (bool)ctr_table_value(&ep_stats_global_table, 0, 1);
}

/**
 * Read a session.
 *
 * @return 0; -EINVAL for a NULL pointer; -ERANGE
 */
static inline int
ep_stats_session_read(uint32_t session, struct ep_stats_session *out)
{
	return ctr_table_read(&ep_stats_session_table, 0, session, out);
}
/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in a session, since the start;
 * -ENOTSUP where lcores have no part of their own.
 */
static inline int
ep_stats_session_lcore_read(unsigned int lcore, uint32_t session, struct ep_stats_session *out)
{
	return ctr_table_lcore_read(&ep_stats_session_table, lcore, session, out);
}
/**
 * Read and reset a session: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states are not reset. *last, unless @p last is
 * NULL, is set to the counts since the last reset.
 *
 * @return as ep_stats_session_read(); after -EAGAIN the counts may not belong together, but each is
 *   exact, in *last and gone from what is left. That may not belong together either, until a
 *   reset returns 0
 */
static inline int
ep_stats_session_reset(uint32_t session, struct ep_stats_session *last)
{
	return ctr_table_reset(&ep_stats_session_table, 0, session, last);
}
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
static inline int
ep_stats_session_reset_all(struct ep_stats_session *last)
{
	return ctr_table_reset_all(&ep_stats_session_table, last);
}

/** @cond INTERNAL */
/* Out-of-line variants of updates, for threads without an lcore id. */
void ep_stats_packet_non_lcore(uint32_t session, uint64_t n, uint64_t size) CTR_COLD;
/** @endcond */

/** The instance that all threads share. */
extern struct ep_stats_instance ep_stats_shared;
/** What lcores hold, by lcore id. */
extern struct ctr_slots ep_stats_slots;

/**
 * What the calling lcore holds; NULL before ep_stats_init() and after ep_stats_fini(),
 * and on a thread without an lcore id.
 */
static inline struct ep_stats_held *
ep_stats_cache(void)
{
	return (struct ep_stats_held *)ctr_slots_own(&ep_stats_slots);
}

/** The places of the caches, by scope. */
extern const struct ctr_held_scope ep_stats_places[];

/** What the calling lcore holds of a session: of @p of, at position @p at of all. */
static inline struct ep_stats_session_held *
ep_stats_session_hold(struct ep_stats_held *cache, uint32_t at, struct ep_stats_session_data *of)
{
	struct ep_stats_session_held *held = &cache->session[(at ^ (at / 256u)) % 256u];

	if (ctr_likely(held->head.of == of))
		return held;
	return (struct ep_stats_session_held *)(void *)ctr_held_swap(&ep_stats_places[0],
			&held->head, of);
}

/** Prefetch the cache line that the next update of this session will write. */
static inline void
ep_stats_session_prefetch(uint32_t session)
{
	const struct ep_stats_held *cache = ep_stats_cache();
	const uint32_t at = session;

	if (ctr_unlikely(session >= EP_STATS_SESSION_MAX))
		return;
	if (ctr_likely(cache != NULL))
		ctr_prefetch(&cache->session[(at ^ (at / 256u)) % 256u]);
}

/** Add @p n to the counter of 64 bits at offset @p member of the global scope's data. */
static inline void
ep_stats_global_add64(size_t member, uint64_t n)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	struct ep_stats_instance *self = &ep_stats_shared;
	struct ep_stats_held *cache = ep_stats_cache();

	if (ctr_unlikely(cache == NULL)) {
		if (ctr_unlikely(!ep_stats_ready.set)) {
			ep_stats_note_late(1);
			return;
		}
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, self->global, member), n);
		return;
	}

	ctr_add64(&CTR_MEMBER(uint64_t, cache->global.delta, member), n);
}

/** Add 1 to global.total_pkts (packets). */
static inline void
ep_stats_inc_total_pkts(void)
{
	ep_stats_global_add64(offsetof(struct ep_stats_global_data, total_pkts), 1);
}
/** Add @p n to global.total_pkts (packets). */
static inline void
ep_stats_add_total_pkts(uint64_t n)
{
	ep_stats_global_add64(offsetof(struct ep_stats_global_data, total_pkts), n);
}
/** The value of global.total_pkts (packets). */
static inline uint64_t
ep_stats_get_total_pkts(void)
{
	return ctr_table_get(&ep_stats_global_table, 0, offsetof(struct ep_stats_global,
			total_pkts));
}
/** The part of one lcore, or of CTR_NON_LCORE, in it; 0 where lcores have none. */
static inline uint64_t
ep_stats_lcore_get_total_pkts(unsigned int lcore)
{
	return ctr_table_lcore_get(&ep_stats_global_table, lcore, 0,
			offsetof(struct ep_stats_global, total_pkts));
}

/** Add 1 to global.total_bytes (bytes). */
static inline void
ep_stats_inc_total_bytes(void)
{
	ep_stats_global_add64(offsetof(struct ep_stats_global_data, total_bytes), 1);
}
/** Add @p n to global.total_bytes (bytes). */
static inline void
ep_stats_add_total_bytes(uint64_t n)
{
	ep_stats_global_add64(offsetof(struct ep_stats_global_data, total_bytes), n);
}
/** The value of global.total_bytes (bytes). */
static inline uint64_t
ep_stats_get_total_bytes(void)
{
	return ctr_table_get(&ep_stats_global_table, 0, offsetof(struct ep_stats_global,
			total_bytes));
}
/** The part of one lcore, or of CTR_NON_LCORE, in it; 0 where lcores have none. */
static inline uint64_t
ep_stats_lcore_get_total_bytes(unsigned int lcore)
{
	return ctr_table_lcore_get(&ep_stats_global_table, lcore, 0,
			offsetof(struct ep_stats_global, total_bytes));
}

/** Add 1 to global.sessions (sessions). */
static inline void
ep_stats_inc_sessions(void)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	if (ctr_unlikely(!ep_stats_ready.set)) {
		ep_stats_note_late(1);
		return;
	}
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_atomic_add64(&self->global.sessions, 1);
}

/** Add @p n to global.sessions (sessions). */
static inline void
ep_stats_add_sessions(uint64_t n)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	if (ctr_unlikely(!ep_stats_ready.set)) {
		ep_stats_note_late(1);
		return;
	}
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_atomic_add64(&self->global.sessions, n);
}

/** Subtract @p n from global.sessions (sessions). */
static inline void
ep_stats_sub_sessions(uint64_t n)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	if (ctr_unlikely(!ep_stats_ready.set)) {
		ep_stats_note_late(1);
		return;
	}
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_atomic_sub64(&self->global.sessions, n);
}

/** Set global.sessions (sessions). */
static inline void
ep_stats_set_sessions(uint64_t v)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	if (ctr_unlikely(!ep_stats_ready.set)) {
		ep_stats_note_late(1);
		return;
	}
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_store64(&self->global.sessions, v);
}

/** Set global.link_up. */
static inline void
ep_stats_set_link_up(bool v)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	if (ctr_unlikely(!ep_stats_ready.set)) {
		ep_stats_note_late(1);
		return;
	}
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_store32(&self->global.link_up, v ? 1u : 0u);
}

/** Add @p n to the counter of 64 bits at offset @p member of a session's data. */
static inline void
ep_stats_session_add64(uint32_t session, size_t member, uint64_t n)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	struct ep_stats_instance *self = &ep_stats_shared;
	struct ep_stats_held *cache = ep_stats_cache();
	struct ep_stats_session_held *session_held;

	if (ctr_unlikely(cache == NULL)) {
		if (ctr_unlikely(!ep_stats_ready.set)) {
			ep_stats_note_late(1);
			return;
		}
		CTR_ASSERT(session < EP_STATS_SESSION_MAX);
		ctr_atomic_add64(&CTR_MEMBER(uint64_t, self->session[session], member), n);
		return;
	}

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);
	session_held = ep_stats_session_hold(cache, session, &self->session[session]);
	ctr_add64(&CTR_MEMBER(uint64_t, session_held->delta, member), n);
}

/** Add 1 to session.pkts (packets). */
static inline void
ep_stats_session_inc_pkts(uint32_t session)
{
	ep_stats_session_add64(session, offsetof(struct ep_stats_session_data, pkts), 1);
}
/** Add @p n to session.pkts (packets). */
static inline void
ep_stats_session_add_pkts(uint32_t session, uint64_t n)
{
	ep_stats_session_add64(session, offsetof(struct ep_stats_session_data, pkts), n);
}
/** The value of session.pkts (packets); 0 for an instance that does not exist. */
static inline uint64_t
ep_stats_session_get_pkts(uint32_t session)
{
	return ctr_table_get(&ep_stats_session_table, session, offsetof(struct ep_stats_session,
			pkts));
}
/** The part of one lcore, or of CTR_NON_LCORE, in it; 0 where lcores have none. */
static inline uint64_t
ep_stats_session_lcore_get_pkts(unsigned int lcore, uint32_t session)
{
	return ctr_table_lcore_get(&ep_stats_session_table, lcore, session,
			offsetof(struct ep_stats_session, pkts));
}

/** Add 1 to session.bytes (bytes). */
static inline void
ep_stats_session_inc_bytes(uint32_t session)
{
	ep_stats_session_add64(session, offsetof(struct ep_stats_session_data, bytes), 1);
}
/** Add @p n to session.bytes (bytes). */
static inline void
ep_stats_session_add_bytes(uint32_t session, uint64_t n)
{
	ep_stats_session_add64(session, offsetof(struct ep_stats_session_data, bytes), n);
}
/** The value of session.bytes (bytes); 0 for an instance that does not exist. */
static inline uint64_t
ep_stats_session_get_bytes(uint32_t session)
{
	return ctr_table_get(&ep_stats_session_table, session, offsetof(struct ep_stats_session,
			bytes));
}
/** The part of one lcore, or of CTR_NON_LCORE, in it; 0 where lcores have none. */
static inline uint64_t
ep_stats_session_lcore_get_bytes(unsigned int lcore, uint32_t session)
{
	return ctr_table_lcore_get(&ep_stats_session_table, lcore, session,
			offsetof(struct ep_stats_session, bytes));
}

/**
 * Count one packet of a session.
 * Changes global.total_pkts, global.total_bytes, session.pkts, session.bytes.
 */
static inline void
ep_stats_update_packet(uint32_t session, uint16_t size)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	struct ep_stats_instance *self = &ep_stats_shared;
	struct ep_stats_held *cache = ep_stats_cache();
	struct ep_stats_session_held *session_held;

	if (ctr_unlikely(cache == NULL)) {
		ep_stats_packet_non_lcore(session, 1, size);
		return;
	}

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);
	session_held = ep_stats_session_hold(cache, session, &self->session[session]);
	ctr_add64(&cache->global.delta.total_pkts, 1);
	ctr_add64(&cache->global.delta.total_bytes, size);
	ctr_add64(&session_held->delta.pkts, 1);
	ctr_add64(&session_held->delta.bytes, size);
}

/** A run of @p n calls of ep_stats_update_packet(); the arguments are sums. For batches. */
static inline void
ep_stats_run_packet(uint32_t session, uint64_t n, uint64_t size)
{
	struct ep_stats_instance *self = &ep_stats_shared;
	struct ep_stats_held *cache = ep_stats_cache();
	struct ep_stats_session_held *session_held;

	if (ctr_unlikely(cache == NULL)) {
		ep_stats_packet_non_lcore(session, n, size);
		return;
	}

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);
	session_held = ep_stats_session_hold(cache, session, &self->session[session]);
	ctr_add64(&cache->global.delta.total_pkts, n);
	ctr_add64(&cache->global.delta.total_bytes, size);
	ctr_add64(&session_held->delta.pkts, n);
	ctr_add64(&session_held->delta.bytes, size);
}

/** ep_stats_update_packet() for @p n packets. */
static inline void
ep_stats_update_packet_bulk(const uint32_t *session_v, const uint16_t *size_v, unsigned int n)
{
	size_t first, end, i;
	struct ep_stats_instance *self = &ep_stats_shared;
	struct ep_stats_held *cache = ep_stats_cache();
	struct ep_stats_session_held *session_held;

	if (ctr_unlikely(cache == NULL)) {
		for (i = 0; i < n; i++)
			ep_stats_update_packet(session_v[i], size_v[i]);
		return;
	}

	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "shared_coalesced", CTR_DEBUG_OWN);
	for (first = 0; first < n; first = end) {
		uint64_t total = 0, total_size = 0;

		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++) {
			uint32_t session = session_v[i];
			uint16_t size = size_v[i];

			CTR_ASSERT(session < EP_STATS_SESSION_MAX);
			total++;
			total_size += size_v[i];
			session_held = ep_stats_session_hold(cache, session,
					&self->session[session]);
			ctr_add64(&session_held->delta.pkts, 1);
			ctr_add64(&session_held->delta.bytes, size);
		}
		ctr_add64(&cache->global.delta.total_pkts, total);
		ctr_add64(&cache->global.delta.total_bytes, total_size);
	}
}

/**
 * Pending updates on the caller's stack between ep_stats_batch_begin() and
 * ep_stats_batch_end(). Consecutive calls of an update for the same instances
 * are summed up. They are applied as one transaction when the instance changes,
 * before another update if their order matters (one of them sets an item of both),
 * and at the end.
 */
struct ep_stats_batch {
	struct {
		uint32_t session;
		uint64_t n;
		uint64_t size;
	} packet; /**< The present run of ep_stats_update_packet(). */
};

/** Begin a batch. */
static inline void
ep_stats_batch_begin(struct ep_stats_batch *b)
{
	memset(b, 0, sizeof(*b));
}

/** ep_stats_update_packet(), pending until the run or the batch ends. */
static inline void
ep_stats_batch_packet(struct ep_stats_batch *b, uint32_t session, uint16_t size)
{
	if (session != b->packet.session) {
		if (b->packet.n != 0)
			ep_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
		b->packet.n = 0;
		b->packet.size = 0;
		b->packet.session = session;
	}
	b->packet.n++;
	b->packet.size += size;
}

/** Apply all pending updates. The batch may be begun again. */
static inline void
ep_stats_batch_end(struct ep_stats_batch *b)
{
	if (b->packet.n != 0)
		ep_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
	memset(b, 0, sizeof(*b));
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif /* EP_STATS_H */
