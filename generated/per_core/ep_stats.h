/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync per_core
 */
/** @file
 * Example Protocol statistics.
 *
 * Threads: any thread may update, read, reset and take snapshots; workers should only update.
 * ep_stats_init() comes first, ep_stats_fini() last; neither is thread-safe. ep_stats_late()
 * counts updates before and after, which change nothing.
 * Strategy per_core for global, session. One shard per lcore; its owner adds, readers sum.
 */
#ifndef EP_STATS_H
#define EP_STATS_H

#include "ctr_begin.h"
#include "ctr_access.h"
#include "ctr_bits.h"
#include "ctr_debug.h"
#include "ctr_quiescent.h"
#include "ctr_slots.h"
#include "ctr_values.h"

#if CTR_ABI != 12
#error "ep_stats.h was generated for ctrgen runtime ABI 12: generate it again with the installed ctrgen, or build with the runtime that 'ctrgen runtime' names"
#endif
CTR_BEGIN_DECLS
/** @cond INTERNAL */
extern const struct ctr_module_state ep_stats_state;
extern const struct ctr_snapshots ep_stats_snapshots;
extern const struct ctr_table ep_stats_global_table, ep_stats_session_table;
extern struct ctr_flag ep_stats_ready; /* Whether the module is initialised; for updates. */
extern struct ctr_padded64 ep_stats_dropped_updates, ep_stats_late_updates;
void ep_stats_note_drop(uint64_t n) CTR_COLD;
void ep_stats_note_late(uint64_t n) CTR_COLD;
/** @endcond */
/** The descriptor of the module, for generic readers. */
extern const struct ctr_module ep_stats_module;
/** Initialise; on DPDK after rte_eal_init(). Returns as ctr_module_init(). */
static inline int ep_stats_init(void) { return ctr_module_init(&ep_stats_state); }
/** Free everything, including all counts. No thread may use the statistics. Idempotent. */
static inline void ep_stats_fini(void) { ctr_module_fini(&ep_stats_state); }
/** Apply the pending updates of the calling lcore: none under this strategy. */
static inline void ep_stats_flush(void) { ctr_module_flush(&ep_stats_state, CTR_FLUSH); }
/** As ep_stats_flush(), but return at once if a lock is taken. */
static inline void ep_stats_try_flush(void) { ctr_module_flush(&ep_stats_state, CTR_TRY_FLUSH); }
/** End a burst, even an empty one: reports a quiescent state. See ctr_module_burst_end(). */
static inline void ep_stats_burst_end(void) { ctr_module_burst_end(&ep_stats_state); }
/** Synonyms of ep_stats_burst_end(). @{ */
static inline void ep_stats_hint_flush(void) { ep_stats_burst_end(); }
static inline void ep_stats_quiescent(void) { ep_stats_burst_end(); } /** @} */
/** No effect under this strategy. Any thread, between two updates. */
static inline void ep_stats_poll(void) { ctr_module_poll(&ep_stats_state); }
/** Reset the counters of all scopes except embedded ones. Returns as ctr_module_reset(). */
static inline int ep_stats_reset(void) { return ctr_module_reset(&ep_stats_state); }
/** Begin and end a read section of several reads, without resets: ctr_module_read_lock(). @{ */
void ep_stats_read_lock(void);
void ep_stats_read_unlock(void); /** @} */
/** Number of updates dropped for an index out of range, under `bounds: drop`. */
static inline uint64_t ep_stats_drops(void) { return ctr_load64(&ep_stats_dropped_updates.word); }
/** Number of late updates, which changed nothing; not a count of misuse. See ctr_module_note(). */
static inline uint64_t ep_stats_late(void) { return ctr_load64(&ep_stats_late_updates.word); }
/** Number of session instances: indexes run from 0 to 999. */
#define EP_STATS_SESSION_MAX 1000u

/** Module-wide statistics. Values as read. */
struct ep_stats_global {
	uint64_t total_pkts; /**< EP packets processed. [packets] */
	uint64_t total_bytes; /**< Octets in processed EP packets. [bytes] */
	uint64_t sessions; /**< Sessions now established. [sessions] */
	bool link_up; /**< Whether the uplink is up. */
};
/** Flags of the items of a struct ep_stats_global: CTR_VALID, CTR_CONSISTENT. */
struct ep_stats_global_valid {
	/** Flags. @{ */ uint8_t total_pkts, total_bytes, sessions, link_up; /** @} */
};
/** An EP session. Values as read. */
struct ep_stats_session {
	uint64_t pkts; /**< Packets of the session. [packets] */
	uint64_t bytes; /**< Octets in packets of the session. [bytes] */
};
/** Flags of the items of a struct ep_stats_session: CTR_VALID, CTR_CONSISTENT. */
struct ep_stats_session_valid { /** Flags. @{ */ uint8_t pkts, bytes; /** @} */ };
/** All values of one read section; allocated by ep_stats_snapshot_create(). */
struct ep_stats_snapshot {
	uint64_t start_ns; /**< ctr_time_ns() before the first value was read. */
	uint64_t end_ns; /**< ctr_time_ns() after the last value was read. */
	struct ep_stats_global global; /**< Values of the global scope. */
	struct ep_stats_global_valid global_valid; /**< Flags of these values. */
	struct ep_stats_session *session; /**< All session instances, innermost index fastest. */
	struct ep_stats_session_valid *session_valid; /**< Flags of these values. */
};
/** @cond INTERNAL */
/* `_data`: an instance; `_instance`: a shard; `_common`: shared items; `_base`: baselines. */
struct ep_stats_global_data { uint64_t total_pkts, total_bytes; } CTR_ALIGNED(16);
struct ep_stats_session_data { uint64_t pkts, bytes; } CTR_ALIGNED(16);
struct ep_stats_instance {
	struct ep_stats_global_data global; /**< The global scope. */
	struct ep_stats_session_data session[EP_STATS_SESSION_MAX]; /**< Every session. */
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct ep_stats_instance) == 16064, "layout of ep_stats_instance");
struct ep_stats_global_common { uint64_t sessions; uint32_t link_up; };
extern struct ep_stats_common {
	struct ep_stats_global_common global; /**< The global scope. */
} CTR_CACHE_ALIGNED ep_stats_common;
void ep_stats_packet_non_lcore(uint32_t session, uint64_t n, uint64_t size) CTR_COLD;
/** @endcond */
/** Allocate a snapshot; read, or read and reset, everything; free it. See ctr_access.h. @{ */
static inline int ep_stats_snapshot_create(struct ep_stats_snapshot **snap)
{ return ctr_snapshot_create(&ep_stats_snapshots, snap); }
static inline int ep_stats_snapshot_read(struct ep_stats_snapshot *snap)
{ return ctr_snapshot_read(&ep_stats_snapshots, snap, false); }
static inline int ep_stats_snapshot_reset(struct ep_stats_snapshot *snap)
{ return ctr_snapshot_read(&ep_stats_snapshots, snap, true); }
static inline void ep_stats_snapshot_free(struct ep_stats_snapshot *snap)
{ ctr_snapshot_free(&ep_stats_snapshots, snap); }
/** @} */
/** Read the global scope, or an lcore's values; read and reset it, or all: ctr_table_read(). @{ */
static inline int ep_stats_global_read(struct ep_stats_global *out)
{ return ctr_table_read(&ep_stats_global_table, 0, 0, out); }
static inline int ep_stats_global_lcore_read(unsigned int lcore, struct ep_stats_global *out)
{ return ctr_table_lcore_read(&ep_stats_global_table, lcore, 0, out); }
static inline int ep_stats_global_reset(struct ep_stats_global *last)
{ return ctr_table_reset(&ep_stats_global_table, 0, 0, last); }
static inline int ep_stats_global_reset_all(struct ep_stats_global *last)
{ return ctr_table_reset_all(&ep_stats_global_table, last); }
/** @} */
/** Read a session, or an lcore's values; read and reset it, or all: ctr_table_read(). @{ */
static inline int ep_stats_session_read(uint32_t session, struct ep_stats_session *out)
{ return ctr_table_read(&ep_stats_session_table, 0, session, out); }
static inline int
ep_stats_session_lcore_read(unsigned int lcore, uint32_t session, struct ep_stats_session *out)
{ return ctr_table_lcore_read(&ep_stats_session_table, lcore, session, out); }
static inline int ep_stats_session_reset(uint32_t session, struct ep_stats_session *last)
{ return ctr_table_reset(&ep_stats_session_table, 0, session, last); }
/** @p last: NULL, or an array of EP_STATS_SESSION_MAX, by position. */
static inline int ep_stats_session_reset_all(struct ep_stats_session *last)
{ return ctr_table_reset_all(&ep_stats_session_table, last); }
/** @} */
extern struct ctr_slots ep_stats_slots; /**< The shards by lcore id. */
/** The calling thread's pointer to its shard; NULL: not found yet. */
extern CTR_THREAD_LOCAL void *ep_stats_mine;
/** The calling lcore's shard; NULL if not initialised, not found yet, or without an lcore id. */
static inline struct ep_stats_instance *ep_stats_self(void)
{ return (struct ep_stats_instance *)ctr_slots_mine(&ep_stats_slots, &ep_stats_mine); }
/** Prefetch the cache line that the next update of this session will write. */
static inline void ep_stats_session_prefetch(uint32_t session)
{
	const struct ep_stats_instance *self = ep_stats_self();

	if (ctr_likely(self != NULL && session < EP_STATS_SESSION_MAX))
		ctr_prefetch(&self->session[session]);
}
/** Items of the global scope: write, read, read one lcore's values. @{ */
static inline void ep_stats_global_add64(size_t member, uint64_t n)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "per_core", CTR_DEBUG_NESTS_X86_64 | CTR_DEBUG_OWN);
	struct ep_stats_instance *self = ep_stats_self();

	if (ctr_unlikely(self == NULL)) {
		ctr_update_elsewhere_global64(n, &ep_stats_global_table, member, 0);
		return;
	}
	ctr_add64(&CTR_MEMBER(uint64_t, self->global, member), n);
}
static inline void ep_stats_add_total_pkts(uint64_t n)
{ CTR_ADD64(ep_stats_global, total_pkts, n); }
static inline void ep_stats_inc_total_pkts(void) { ep_stats_add_total_pkts(1); }
static inline uint64_t ep_stats_get_total_pkts(void)
{ return CTR_GET(ep_stats_global, total_pkts, 0); }
static inline uint64_t ep_stats_lcore_get_total_pkts(unsigned int lcore)
{ return CTR_LCORE_GET(ep_stats_global, total_pkts, lcore, 0); }
static inline void ep_stats_add_total_bytes(uint64_t n)
{ CTR_ADD64(ep_stats_global, total_bytes, n); }
static inline void ep_stats_inc_total_bytes(void) { ep_stats_add_total_bytes(1); }
static inline uint64_t ep_stats_get_total_bytes(void)
{ return CTR_GET(ep_stats_global, total_bytes, 0); }
static inline uint64_t ep_stats_lcore_get_total_bytes(unsigned int lcore)
{ return CTR_LCORE_GET(ep_stats_global, total_bytes, lcore, 0); }
static inline uint64_t ep_stats_get_sessions(void)
{ return ctr_table_value(&ep_stats_global_table, 0, 0); }
static inline void ep_stats_add_sessions(uint64_t n)
{ ctr_ready_add64(&ep_stats_ready, ep_stats_note_late, &ep_stats_common.global.sessions, n); }
static inline void ep_stats_inc_sessions(void) { ep_stats_add_sessions(1); }
static inline void ep_stats_sub_sessions(uint64_t n)
{ ctr_ready_sub64(&ep_stats_ready, ep_stats_note_late, &ep_stats_common.global.sessions, n); }
static inline void ep_stats_set_sessions(uint64_t v)
{ ctr_ready_set64(&ep_stats_ready, ep_stats_note_late, &ep_stats_common.global.sessions, v); }
static inline bool ep_stats_get_link_up(void)
{ return (bool)ctr_table_value(&ep_stats_global_table, 0, 1); }
static inline void ep_stats_set_link_up(bool v)
{ ctr_ready_set32(&ep_stats_ready, ep_stats_note_late, &ep_stats_common.global.link_up,
		(uint32_t)v); }
/** @} */
/** Items of a session: write, read, read one lcore's values; 0 if it does not exist. @{ */
static inline void ep_stats_session_add64(size_t member, uint32_t session, uint64_t n)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "per_core", CTR_DEBUG_NESTS_X86_64 | CTR_DEBUG_OWN);
	struct ep_stats_instance *self = ep_stats_self();

	if (ctr_unlikely(self == NULL)) {
		ctr_update_elsewhere64(session, n, &ep_stats_session_table, member, 0);
		return;
	}
	CTR_ASSERT(session < EP_STATS_SESSION_MAX);
	ctr_add64(&CTR_MEMBER(uint64_t, self->session[session], member), n);
}
static inline void ep_stats_session_add_pkts(uint32_t session, uint64_t n)
{ CTR_ADD64(ep_stats_session, pkts, session, n); }
static inline void ep_stats_session_inc_pkts(uint32_t session)
{ ep_stats_session_add_pkts(session, 1); }
static inline uint64_t ep_stats_session_get_pkts(uint32_t session)
{ return CTR_GET(ep_stats_session, pkts, session); }
static inline uint64_t ep_stats_session_lcore_get_pkts(unsigned int lcore, uint32_t session)
{ return CTR_LCORE_GET(ep_stats_session, pkts, lcore, session); }
static inline void ep_stats_session_add_bytes(uint32_t session, uint64_t n)
{ CTR_ADD64(ep_stats_session, bytes, session, n); }
static inline void ep_stats_session_inc_bytes(uint32_t session)
{ ep_stats_session_add_bytes(session, 1); }
static inline uint64_t ep_stats_session_get_bytes(uint32_t session)
{ return CTR_GET(ep_stats_session, bytes, session); }
static inline uint64_t ep_stats_session_lcore_get_bytes(unsigned int lcore, uint32_t session)
{ return CTR_LCORE_GET(ep_stats_session, bytes, lcore, session); }
/** @} */
/** Updates. `_run_` counts as @p n calls; `_bulk` makes one call for each of @p n packets. @{ */
static inline void ep_stats_run_packet(uint32_t session, uint64_t n, uint64_t size)
{
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "per_core", CTR_DEBUG_NESTS_X86_64 | CTR_DEBUG_OWN);
	struct ep_stats_instance *self = ep_stats_self();

	if (ctr_unlikely(self == NULL)) {
		ep_stats_packet_non_lcore(session, n, size);
		return;
	}
	CTR_ASSERT(session < EP_STATS_SESSION_MAX);
	ctr_add64(&self->global.total_pkts, n);
	ctr_add64(&self->global.total_bytes, size);
	ctr_add64(&self->session[session].pkts, n);
	ctr_add64(&self->session[session].bytes, size);
}
/** Count one packet of a session. Changes global.total_pkts, global.total_bytes, session.pkts,
 * session.bytes. */
static inline void ep_stats_update_packet(uint32_t session, uint16_t size)
{ ep_stats_run_packet(session, 1, size); }
static inline void
ep_stats_update_packet_bulk(const uint32_t *session_v, const uint16_t *size_v, unsigned int n)
{
	uint64_t total = 0, total_size = 0;
	struct ep_stats_instance *self = ep_stats_self();

	if (ctr_unlikely(self == NULL)) {
		for (size_t i = 0; i < n; i++)
			ep_stats_update_packet(session_v[i], size_v[i]);
		return;
	}
	CTR_DEBUG_UPDATE(ep_stats_read_unlock, "per_core", CTR_DEBUG_NESTS_X86_64 | CTR_DEBUG_OWN);
	for (size_t i = 0; i < n; i++) {
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
}
/** @} */
/** Pending updates on the caller's stack. Calls of an update for the same instances are summed
 * up, and applied as one transaction when the instance changes, before an update that sets one
 * of their items, and at the end. Observations, and updates of objects of the caller, are
 * applied at once. */
struct ep_stats_batch {
	struct { uint32_t session; uint64_t n, size; } packet; /**< Pending. */
};
/** Begin a batch; an update in it; apply all that is pending. @{ */
static inline void ep_stats_batch_begin(struct ep_stats_batch *b) { memset(b, 0, sizeof(*b)); }
static inline void ep_stats_batch_packet(struct ep_stats_batch *b, uint32_t session, uint16_t size)
{
	if (session != b->packet.session) {
		if (b->packet.n != 0)
			ep_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
		b->packet.size = b->packet.n = 0;
		b->packet.session = session;
	}
	b->packet.n++;
	b->packet.size += size;
}
static inline void ep_stats_batch_end(struct ep_stats_batch *b)
{
	if (b->packet.n != 0)
		ep_stats_run_packet(b->packet.session, b->packet.n, b->packet.size);
	memset(b, 0, sizeof(*b));
}
/** @} */
CTR_END_DECLS
#endif /* EP_STATS_H */
