/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.1.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync shared_lock
 */
/** @file
 * Example Protocol statistics.
 *
 * Threads: updates may be called from any thread; reads, resets and
 * snapshots from any thread, preferably not a worker. ep_stats_init() comes
 * before all others, ep_stats_fini() after; neither is thread-safe.
 *
 * Strategy shared_lock (granularity module, lock spin, placement
 * beside) for global, session. One instance behind a lock that writers
 * and readers take.
 */
#ifndef EP_STATS_H
#define EP_STATS_H

#include "ctr.h"

#if CTR_ABI != 2
#error "ep_stats.h was generated for ctrgen runtime ABI 2: generate it again with the installed ctrgen, or build with the runtime that 'ctrgen runtime' names"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Number of session instances: indexes run from 0 to 999. */
#define EP_STATS_SESSION_MAX 1000u

/** Module-wide statistics. Values as read. */
struct ep_stats_global {
	/** EP packets processed. Unit: packets. */
	uint64_t total_pkts;
	/** Octets in processed EP packets. Unit: bytes. */
	uint64_t total_bytes;
	/** Sessions now established. Unit: sessions. */
	uint64_t sessions;
	/** Whether the uplink is up. */
	bool link_up;
};

/** Which items of a struct ep_stats_global were read: CTR_VALID, CTR_CONSISTENT. */
struct ep_stats_global_valid {
	uint8_t total_pkts; /**< Flags of total_pkts. */
	uint8_t total_bytes; /**< Flags of total_bytes. */
	uint8_t sessions; /**< Flags of sessions. */
	uint8_t link_up; /**< Flags of link_up. */
};

/** An EP session. Values as read. */
struct ep_stats_session {
	/** Packets of the session. Unit: packets. */
	uint64_t pkts;
	/** Octets in packets of the session. Unit: bytes. */
	uint64_t bytes;
};

/** Which items of a struct ep_stats_session were read: CTR_VALID, CTR_CONSISTENT. */
struct ep_stats_session_valid {
	uint8_t pkts; /**< Flags of pkts. */
	uint8_t bytes; /**< Flags of bytes. */
};

/** All values at one time; made by ep_stats_snapshot_create(). */
struct ep_stats_snapshot {
	uint64_t start_ns; /**< ctr_time_ns() before the first value was read. */
	uint64_t end_ns;   /**< ctr_time_ns() after the last. */
	struct ep_stats_global global;             /**< Values of the global scope. */
	struct ep_stats_global_valid global_valid; /**< Which of them were read. */
	/** All session instances, innermost index fastest. */
	struct ep_stats_session *session;
	struct ep_stats_session_valid *session_valid; /**< Which of their values were read. */
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

/** The one instance that all threads share. */
struct ep_stats_instance {
	struct ctr_spin lock; /**< Protects the instance. */
	struct ep_stats_global_data global; /**< The global scope. */
	struct ep_stats_session_data session[EP_STATS_SESSION_MAX]; /**< Every session. */
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct ep_stats_instance) == 16064, "layout of ep_stats_instance");

/**
 * Make the statistics ready. Under the DPDK port, after rte_eal_init().
 *
 * @return 0; -ENOMEM; -EALREADY when they are ready; -EPROTO when the runtime was built for
 * another number of lcores
 */
int ep_stats_init(void);

/** Free everything; all counts are gone. No thread may use the statistics. Idempotent. */
void ep_stats_fini(void);

/**
 * Apply what the calling lcore's write buffer holds, waiting for the lock.
 * Nothing is buffered under this strategy: returns at once.
 */
void ep_stats_flush(void);
/** As ep_stats_flush(), but give up when the lock is taken. */
void ep_stats_try_flush(void);
/** For every burst, empty ones too: every Nth call acts as ep_stats_try_flush(). */
void ep_stats_hint_flush(void);

/**
 * Reset all counters of all scopes that can be reset. Gauges and states stay;
 * so do counters in the application's own objects.
 *
 * @return 0; -EAGAIN when a part could not be reset consistently and was left
 */
int ep_stats_reset(void);

/**
 * Begin several reads under one synchronization: until
 * ep_stats_read_unlock() no reset comes between them, and under a strategy
 * with one lock for the module no update either. The thread must not update
 * meanwhile. May be nested.
 */
void ep_stats_read_lock(void);
/** End what ep_stats_read_lock() began. */
void ep_stats_read_unlock(void);

/**
 * Number of updates dropped for an index out of range, under `bounds: drop`, or
 * for an instance of a dynamic scope for which no memory exists yet. An update
 * of an instance that was destroyed is not noticed; the next create clears it.
 */
uint64_t ep_stats_drops(void);
/** Count @p n dropped updates; for the fast path. */
void ep_stats_drop(uint64_t n) CTR_COLD;

/** Allocate a snapshot with room for all instances. 0, -ENOMEM, or -EINVAL for NULL. */
int ep_stats_snapshot_create(struct ep_stats_snapshot **snap);
/**
 * Read everything, in one read section.
 *
 * @return 0; -EAGAIN when the counters of some instances may not belong
 *   together: their flags lack CTR_CONSISTENT
 */
int ep_stats_snapshot_read(struct ep_stats_snapshot *snap);
/** Read and reset everything; what is read is what was counted since the last reset. */
int ep_stats_snapshot_reset(struct ep_stats_snapshot *snap);
/** Free a snapshot; NULL is allowed. */
void ep_stats_snapshot_free(struct ep_stats_snapshot *snap);

/** What the module counts, for generic readers. */
extern const struct ctr_module ep_stats_module;

/**
 * Read the global scope.
 *
 * @return 0; -EINVAL for a NULL pointer
 */
int ep_stats_global_read(struct ep_stats_global *out);
/**
 * What one lcore, or CTR_NON_LCORE, has counted of the global scope; -ENOTSUP under a
 * shared strategy.
 */
int ep_stats_global_lcore_read(unsigned int lcore, struct ep_stats_global *out);
/**
 * Read and reset the global scope: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states stay as they are. *last, unless @p last is
 * NULL, becomes what was counted since the last reset.
 *
 * @return as ep_stats_global_read(); after -EAGAIN some lcores' counts were not
 *   reset and are not in *last: call again
 */
int ep_stats_global_reset(struct ep_stats_global *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int ep_stats_global_reset_all(struct ep_stats_global *last);
/** The value of global.total_pkts (packets). */
uint64_t ep_stats_get_total_pkts(void);
/** The part of one lcore in global.total_pkts (packets); 0 under a shared strategy. */
uint64_t ep_stats_lcore_get_total_pkts(unsigned int lcore);
/** The value of global.total_bytes (bytes). */
uint64_t ep_stats_get_total_bytes(void);
/** The part of one lcore in global.total_bytes (bytes); 0 under a shared strategy. */
uint64_t ep_stats_lcore_get_total_bytes(unsigned int lcore);
/** The value of global.sessions (sessions). */
uint64_t ep_stats_get_sessions(void);
/** The value of global.link_up. */
bool ep_stats_get_link_up(void);

/**
 * Read a session.
 *
 * @return 0; -EINVAL for a NULL pointer; -ERANGE
 */
int ep_stats_session_read(uint32_t session, struct ep_stats_session *out);
/** What one lcore, or CTR_NON_LCORE, has counted of a session; -ENOTSUP under a shared strategy. */
int ep_stats_session_lcore_read(unsigned int lcore, uint32_t session, struct ep_stats_session *out);
/**
 * Read and reset a session: nothing is lost, nothing counted twice.
 * Other scopes, gauges and states stay as they are. *last, unless @p last is
 * NULL, becomes what was counted since the last reset.
 *
 * @return as ep_stats_session_read(); after -EAGAIN some lcores' counts were not
 *   reset and are not in *last: call again
 */
int ep_stats_session_reset(uint32_t session, struct ep_stats_session *last);
/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int ep_stats_session_reset_all(struct ep_stats_session *last);
/** The value of session.pkts (packets); 0 for an instance that does not exist. */
uint64_t ep_stats_session_get_pkts(uint32_t session);
/** The part of one lcore in session.pkts (packets); 0 under a shared strategy. */
uint64_t ep_stats_session_lcore_get_pkts(unsigned int lcore, uint32_t session);
/** The value of session.bytes (bytes); 0 for an instance that does not exist. */
uint64_t ep_stats_session_get_bytes(uint32_t session);
/** The part of one lcore in session.bytes (bytes); 0 under a shared strategy. */
uint64_t ep_stats_session_lcore_get_bytes(unsigned int lcore, uint32_t session);

/** The one instance. */
extern struct ep_stats_instance ep_stats_shared;

/** Ask for the cache line that the next update of this session will write. */
static inline void
ep_stats_session_prefetch(uint32_t session)
{
	const struct ep_stats_instance *self = &ep_stats_shared;

	if (ctr_unlikely(session >= EP_STATS_SESSION_MAX))
		return;
	ctr_prefetch(&self->session[session]);
}

/** Add 1 to global.total_pkts (packets). */
static inline void
ep_stats_inc_total_pkts(void)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.total_pkts, 1);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add @p n to global.total_pkts (packets). */
static inline void
ep_stats_add_total_pkts(uint64_t n)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.total_pkts, n);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add 1 to global.total_bytes (bytes). */
static inline void
ep_stats_inc_total_bytes(void)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.total_bytes, 1);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add @p n to global.total_bytes (bytes). */
static inline void
ep_stats_add_total_bytes(uint64_t n)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.total_bytes, n);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add 1 to global.sessions (sessions). */
static inline void
ep_stats_inc_sessions(void)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.sessions, 1);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add @p n to global.sessions (sessions). */
static inline void
ep_stats_add_sessions(uint64_t n)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.sessions, n);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Subtract @p n from global.sessions (sessions). */
static inline void
ep_stats_sub_sessions(uint64_t n)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_sub64(&self->global.sessions, n);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Set global.sessions (sessions). */
static inline void
ep_stats_set_sessions(uint64_t v)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_store64(&self->global.sessions, v);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Set global.link_up. */
static inline void
ep_stats_set_link_up(bool v)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_store32(&self->global.link_up, v ? 1u : 0u);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add 1 to session.pkts (packets). */
static inline void
ep_stats_session_inc_pkts(uint32_t session)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->session[session].pkts, 1);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add @p n to session.pkts (packets). */
static inline void
ep_stats_session_add_pkts(uint32_t session, uint64_t n)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->session[session].pkts, n);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add 1 to session.bytes (bytes). */
static inline void
ep_stats_session_inc_bytes(uint32_t session)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->session[session].bytes, 1);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** Add @p n to session.bytes (bytes). */
static inline void
ep_stats_session_add_bytes(uint32_t session, uint64_t n)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->session[session].bytes, n);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/**
 * Count one packet of a session.
 *
 * Changes global.total_pkts, global.total_bytes, session.pkts,
 * session.bytes.
 */
static inline void
ep_stats_update_packet(uint32_t session, uint16_t size)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.total_pkts, 1);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, 1);
	ctr_add64(&self->session[session].bytes, size);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** @p n calls of ep_stats_update_packet() at once: arguments are sums. For batches. */
static inline void
ep_stats_run_packet(uint32_t session, uint64_t n, uint64_t size)
{
	struct ep_stats_instance *self = &ep_stats_shared;

	CTR_ASSERT(session < EP_STATS_SESSION_MAX);

	ctr_spin_lock(&ep_stats_shared.lock);
	ctr_add64(&self->global.total_pkts, n);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, n);
	ctr_add64(&self->session[session].bytes, size);
	ctr_spin_unlock(&ep_stats_shared.lock);
}

/** ep_stats_update_packet() for @p n packets, their cache lines asked for ahead. */
static inline void
ep_stats_update_packet_bulk(const uint32_t *session_v, const uint16_t *size_v, unsigned int n)
{
	unsigned int first, end, i;
	struct ep_stats_instance *self = &ep_stats_shared;

	for (first = 0; first < n; first = end) {
		uint64_t total = 0;
		uint64_t total_size = 0;

		end = n - first > CTR_BULK ? first + CTR_BULK : n;
		for (i = first; i < end; i++)
			ep_stats_session_prefetch(session_v[i]);

		ctr_spin_lock(&ep_stats_shared.lock);
		for (i = first; i < end; i++) {
			uint32_t session = session_v[i];
			uint16_t size = size_v[i];

			CTR_ASSERT(session < EP_STATS_SESSION_MAX);
			total++;
			total_size += size_v[i];
			ctr_add64(&self->session[session].pkts, 1);
			ctr_add64(&self->session[session].bytes, size);
		}
		ctr_add64(&self->global.total_pkts, total);
		ctr_add64(&self->global.total_bytes, total_size);
		ctr_spin_unlock(&ep_stats_shared.lock);
	}
}

/**
 * Updates held back on the caller's stack between ep_stats_batch_begin() and
 * ep_stats_batch_end(). Calls of an update for the same instances in a row are
 * summed up and applied as one transaction when the instance changes, before
 * another update that would change the outcome (one of them sets an item of
 * both), and at the end.
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
	b->packet.session = 0;
	b->packet.n = 0;
	b->packet.size = 0;
}

/** ep_stats_update_packet(), held back until the batch moves on or ends. */
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

/** Apply what the batch holds. It may be begun again. */
static inline void
ep_stats_batch_end(struct ep_stats_batch *b)
{
	if (b->packet.n != 0)
		ep_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
	b->packet.n = 0;
	b->packet.size = 0;
}

#ifdef __cplusplus
}
#endif

#endif /* EP_STATS_H */
