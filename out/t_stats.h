/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from t.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build t.yaml
 */
/** @file
 * T.
 *
 * Threads: updates may be called from any thread; reads, resets and snapshots from any thread,
 * preferably not a worker. t_stats_init() comes before all others, t_stats_fini() after;
 * neither is thread-safe. Updates before and after change nothing, and are in t_stats_late().
 * Strategy shared_unsync for global. One instance, plain adds; concurrent writers lose counts.
 * The baseline.
 */
#ifndef T_STATS_H
#define T_STATS_H

#include "ctr_begin.h"
#include "ctr_access.h"
#include "ctr_bits.h"
#include "ctr_debug.h"
#include "ctr_quiescent.h"
#include "ctr_values.h"

#if CTR_ABI != 12
#error "t_stats.h was generated for ctrgen runtime ABI 12: generate it again with the installed ctrgen, or build with the runtime that 'ctrgen runtime' names"
#endif
CTR_BEGIN_DECLS
/** @cond INTERNAL */
extern const struct ctr_module_state t_stats_state;
extern const struct ctr_snapshots t_stats_snapshots;
extern const struct ctr_table t_stats_global_table;
extern struct ctr_flag t_stats_ready; /* Whether the module is initialised; for updates. */
extern struct ctr_line64 t_stats_dropped_updates, t_stats_late_updates;
void t_stats_note_drop(uint64_t n) CTR_COLD;
void t_stats_note_late(uint64_t n) CTR_COLD;
/** @endcond */
/** The descriptor of the module, for generic readers. */
extern const struct ctr_module t_stats_module;
/** Initialise, under the DPDK port after rte_eal_init(). Returns as ctr_module_init(). */
static inline int t_stats_init(void) { return ctr_module_init(&t_stats_state); }
/** Free everything, including all counts. No thread may use the statistics. Idempotent. */
static inline void t_stats_fini(void) { ctr_module_fini(&t_stats_state); }
/** Apply what the calling lcore buffers, waiting for locks; nothing under this strategy. */
static inline void t_stats_flush(void) { ctr_module_flush(&t_stats_state, CTR_FLUSH); }
/** As t_stats_flush(), but return at once if a lock is taken. */
static inline void t_stats_try_flush(void) { ctr_module_flush(&t_stats_state, CTR_TRY_FLUSH); }
/** End a burst, even an empty one: reports a quiescent state. See ctr_module_burst_end(). */
static inline void t_stats_burst_end(void) { ctr_module_burst_end(&t_stats_state); }
/** Synonyms of t_stats_burst_end(). @{ */
static inline void t_stats_hint_flush(void) { t_stats_burst_end(); }
static inline void t_stats_quiescent(void) { t_stats_burst_end(); } /** @} */
/** Nothing to do under this strategy. Any thread, between two updates. */
static inline void t_stats_poll(void) { ctr_module_poll(&t_stats_state); }
/** Reset the counters of all scopes, but embedded ones. Returns as ctr_module_reset(). */
static inline int t_stats_reset(void) { return ctr_module_reset(&t_stats_state); }
/** Begin and end a read section of several reads, without resets: ctr_module_read_lock(). @{ */
void t_stats_read_lock(void);
void t_stats_read_unlock(void); /** @} */
/** Number of updates dropped for an index out of range, under `bounds: drop`. */
static inline uint64_t t_stats_drops(void) { return ctr_load64(&t_stats_dropped_updates.word); }
/** Number of updates that changed nothing; not a count of misuse. See ctr_module_note(). */
static inline uint64_t t_stats_late(void) { return ctr_load64(&t_stats_late_updates.word); }

/** Module-wide statistics. Values as read. */
struct t_stats_global {
	uint64_t a; /**< A. [packets] */
	uint64_t g; /**< G. [packets] */
};
/** Flags of the items of a struct t_stats_global: CTR_VALID, CTR_CONSISTENT. */
struct t_stats_global_valid { /** Flags. @{ */ uint8_t a, g; /** @} */ };
/** All values of one read section; allocated by t_stats_snapshot_create(). */
struct t_stats_snapshot {
	uint64_t start_ns; /**< ctr_time_ns() before the first value was read. */
	uint64_t end_ns; /**< ctr_time_ns() after the last. */
	struct t_stats_global global; /**< Values of the global scope. */
	struct t_stats_global_valid global_valid; /**< Flags of these values. */
};
/** @cond INTERNAL */
/* `_data`: an instance; `_instance`: all; `_common`: once for all lcores; `_base`: at a reset. */
struct t_stats_global_data { uint64_t a, g; } CTR_ALIGNED(16);
struct t_stats_instance {
	struct t_stats_global_data global; /**< The global scope. */
} CTR_CACHE_ALIGNED;
CTR_STATIC_ASSERT(sizeof(struct t_stats_instance) == 64, "layout of t_stats_instance");
/** @endcond */
/** Allocate a snapshot; read, or read and reset, everything; free it. See ctr_access.h. @{ */
static inline int t_stats_snapshot_create(struct t_stats_snapshot **snap)
{ return ctr_snapshot_create(&t_stats_snapshots, snap); }
static inline int t_stats_snapshot_read(struct t_stats_snapshot *snap)
{ return ctr_snapshot_read(&t_stats_snapshots, snap, false); }
static inline int t_stats_snapshot_reset(struct t_stats_snapshot *snap)
{ return ctr_snapshot_read(&t_stats_snapshots, snap, true); }
static inline void t_stats_snapshot_free(struct t_stats_snapshot *snap)
{ ctr_snapshot_free(&t_stats_snapshots, snap); }
/** @} */
/** Read the global scope, or an lcore's part; read and reset it, or all: ctr_table_read(). @{ */
static inline int t_stats_global_read(struct t_stats_global *out)
{ return ctr_table_read(&t_stats_global_table, 0, 0, out); }
static inline int t_stats_global_lcore_read(unsigned int lcore, struct t_stats_global *out)
{ return ctr_table_lcore_read(&t_stats_global_table, lcore, 0, out); }
static inline int t_stats_global_reset(struct t_stats_global *last)
{ return ctr_table_reset(&t_stats_global_table, 0, 0, last); }
static inline int t_stats_global_reset_all(struct t_stats_global *last)
{ return ctr_table_reset_all(&t_stats_global_table, last); }
/** @} */
/** The instance that all threads share. */
extern struct t_stats_instance t_stats_shared;

/** Items of the global scope: write, read, read the part of one lcore. @{ */
static inline void t_stats_global_add64(size_t member, uint64_t n)
{
	CTR_DEBUG_UPDATE(t_stats_read_unlock, "shared_unsync", 0);
	struct t_stats_instance *self = &t_stats_shared;

	if (ctr_unlikely(!t_stats_ready.set)) {
		t_stats_note_late(1);
		return;
	}
	CTR_MEMBER(uint64_t, self->global, member) += n;
}
static inline void t_stats_add_a(uint64_t n) { CTR_ADD64(t_stats_global, a, n); }
static inline void t_stats_inc_a(void) { t_stats_add_a(1); }
static inline uint64_t t_stats_get_a(void) { return CTR_GET(t_stats_global, a, 0); }
static inline uint64_t t_stats_lcore_get_a(unsigned int lcore)
{ return CTR_LCORE_GET(t_stats_global, a, lcore, 0); }
static inline uint64_t t_stats_get_g(void) { return ctr_table_value(&t_stats_global_table, 0, 0); }
static inline void t_stats_add_g(uint64_t n)
{
	CTR_DEBUG_UPDATE(t_stats_read_unlock, "shared_unsync", 0);
	struct t_stats_instance *self = &t_stats_shared;

	if (ctr_unlikely(!t_stats_ready.set)) {
		t_stats_note_late(1);
		return;
	}
	self->global.g += n;
}
static inline void t_stats_inc_g(void) { t_stats_add_g(1); }
static inline void t_stats_sub_g(uint64_t n)
{
	CTR_DEBUG_UPDATE(t_stats_read_unlock, "shared_unsync", 0);
	struct t_stats_instance *self = &t_stats_shared;

	if (ctr_unlikely(!t_stats_ready.set)) {
		t_stats_note_late(1);
		return;
	}
	self->global.g -= n;
}
static inline void t_stats_set_g(uint64_t v)
{
	CTR_DEBUG_UPDATE(t_stats_read_unlock, "shared_unsync", 0);
	struct t_stats_instance *self = &t_stats_shared;

	if (ctr_unlikely(!t_stats_ready.set)) {
		t_stats_note_late(1);
		return;
	}
	self->global.g = v;
}
/** @} */
/** Updates. `_run_` stands for @p n calls, and `_bulk` makes one for each of @p n packets. @{ */
static inline void t_stats_run_u(uint64_t n, uint64_t n_arg)
{
	CTR_DEBUG_UPDATE(t_stats_read_unlock, "shared_unsync", 0);
	struct t_stats_instance *self = &t_stats_shared;

	if (ctr_unlikely(!t_stats_ready.set)) {
		t_stats_note_late(n);
		return;
	}
	self->global.a += n_arg;
	(void)n;
}
/** Count one u. Changes global.a. */
static inline void t_stats_update_u(uint16_t n_arg) { t_stats_run_u(1, n_arg); }
static inline void t_stats_update_u_bulk(const uint16_t *n_arg_v, unsigned int n)
{
	uint64_t total_n_arg = 0;
	struct t_stats_instance *self = &t_stats_shared;

	if (ctr_unlikely(!t_stats_ready.set)) {
		for (size_t i = 0; i < n; i++)
			t_stats_update_u(n_arg_v[i]);
		return;
	}
	CTR_DEBUG_UPDATE(t_stats_read_unlock, "shared_unsync", 0);
	for (size_t i = 0; i < n; i++) {
		total_n_arg += n_arg_v[i];
	}
	self->global.a += total_n_arg;
}
/** @} */
/** Pending updates on the caller's stack. Calls of an update for the same instances are summed
 * up, and applied as one transaction when the instance changes, before an update that sets one
 * of their items, and at the end. Observations, and updates of objects of the caller, are
 * applied at once. */
struct t_stats_batch {
	struct { uint64_t n, n_arg; } u; /**< Its run. */
};
/** Begin a batch; an update in it; apply all that is pending. @{ */
static inline void t_stats_batch_begin(struct t_stats_batch *b) { memset(b, 0, sizeof(*b)); }
static inline void t_stats_batch_u(struct t_stats_batch *b, uint16_t n_arg)
{
	b->u.n++;
	b->u.n_arg += n_arg;
}
static inline void t_stats_batch_end(struct t_stats_batch *b)
{
	if (b->u.n != 0)
		t_stats_run_u(b->u.n, b->u.n_arg);
	memset(b, 0, sizeof(*b));
}
/** @} */
CTR_END_DECLS
#endif /* T_STATS_H */
