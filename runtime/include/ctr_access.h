/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Library functions that generated headers call: reads, resets and lifecycle of instances, keys,
 * snapshots, and the module as a whole. They work on the tables of any module (ctr_table.h).
 *
 * `at` is the position of an instance; if it is out of range, functions return -ERANGE, getters 0.
 * `values` and `last` are value structs of the scope. MT-safe between the module's `_init()` and
 * `_fini()`. Reads do not block, except for the control lock under constant resets; resets take
 * that lock. */
#ifndef CTR_ACCESS_H
#define CTR_ACCESS_H

#include "ctr_common.h"
#include "ctr_word.h"

struct ctr_module_state;
struct ctr_snapshots;
struct ctr_table;

/** Kinds of flush. */
enum ctr_flush {
	CTR_FLUSH,     /**< `_flush()`: all pending updates; waits for locks. */
	CTR_TRY_FLUSH, /**< `_try_flush()`: does not wait for locks. */
	CTR_BURST_END  /**< `_burst_end()`: updates that are due. */
};

CTR_C_BEGIN

/** Read an instance in a view; `_read()` uses `table->view`. 0; -EINVAL: @p values is NULL, or no
 * such view; -ERANGE; -ENOENT; -EAGAIN: its counters may not be mutually consistent. */
int ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/** Read the contribution of one lcore, or of CTR_NON_LCORE, to an instance since the start; where
 * resets are per lcore, since the last reset. As ctr_table_read(); -ENOTSUP: lcores share words. */
int ctr_table_lcore_read(const struct ctr_table *table, unsigned int lcore, uint32_t at,
			 void *values);

/** Read and reset an instance in a view; *@p last, unless NULL, receives the values from before. No
 * update is lost or counted twice, unless the strategy loses updates. Resets counters and peaks,
 * not gauges, states or other scopes. As ctr_table_read(); -ENOMEM: nothing is reset; -EAGAIN: each
 * counter was reset exactly, but reads may return -EAGAIN until a reset returns 0. */
int ctr_table_reset(const struct ctr_table *table, unsigned int view, uint32_t at, void *last);

/** Read and reset every instance; @p last is an array by position, or NULL. 0; -ENOMEM; -EAGAIN. */
int ctr_table_reset_all(const struct ctr_table *table, void *last);

/** Add @p n to a counter of an instance, or of a global scope, from a thread without an lcore id,
 * or count a late update. Offsets: @p data of its word in an element, @p common of its wide word in
 * the common part. @{ */
void ctr_table_add64(uint32_t at, uint64_t n, const struct ctr_table *table, size_t data,
		     size_t common) CTR_COLD;
void ctr_table_add32(uint32_t at, uint32_t n, const struct ctr_table *table, size_t data,
		     size_t common) CTR_COLD;
void ctr_global_add64(uint64_t n, const struct ctr_table *table, size_t data,
		      size_t common) CTR_COLD;
void ctr_global_add32(uint32_t n, const struct ctr_table *table, size_t data,
		      size_t common) CTR_COLD;
/** @} */

/** The counter at offset @p value of the value struct, in the default view; 0: no instance. */
uint64_t ctr_table_get(const struct ctr_table *table, uint32_t at, size_t value);

/** Contribution of one lcore, or CTR_NON_LCORE, to a counter; 0 if not available. */
uint64_t ctr_table_lcore_get(const struct ctr_table *table, unsigned int lcore, uint32_t at,
			     size_t value);

/** Read an instance embedded in @p object, with its strategy. 0; -EINVAL: NULL. */
int ctr_object_read(const struct ctr_table *table, const void *object, void *values);

/** Read and reset an embedded instance; @p last may be NULL. As ctr_object_read(). */
int ctr_object_reset(const struct ctr_table *table, void *object, void *last);

/* ---- gauges, peaks and states ---- */

/** A gauge, a peak or a state, as in the value struct; 0: no instance. @p word is its number in
 * `values` of the table, continued in `beside`. */
uint64_t ctr_table_value(const struct ctr_table *table, uint32_t at, unsigned int word);

/** Copy a state that is wider than a word to @p out. 0; -EINVAL: NULL; -ERANGE; -ENOENT. */
int ctr_table_cell_get(const struct ctr_table *table, uint32_t at, unsigned int word, void *out);

/** Set it from @p value; with @p text a string, truncated between characters. 0; -EINVAL: NULL;
 * -ERANGE; -ENODEV; -ENOENT. */
int ctr_table_cell_set(const struct ctr_table *table, uint32_t at, unsigned int word,
		       const void *value, bool text);

/* ---- keys ---- */

/** Set the key of an instance; NULL removes it. Control threads only; blocks for the control lock.
 * Readers see the former or the new key. 0; -EINVAL: an invalid value of a part; -EEXIST: another
 * instance of the same parent has the key; -ERANGE; -ENOMEM; -ENOENT; -ENODEV: not initialised. */
int ctr_table_key_set(const struct ctr_table *table, uint32_t at, const void *key);

/** Copy the key of an instance to @p key. 0; -EINVAL: NULL; -ERANGE; -ENOENT: it has none. */
int ctr_table_key_get(const struct ctr_table *table, uint32_t at, void *key);

/** Find the instance with a key inside the outer instance that begins at position @p first; stores
 * its index to *@p index. 0; -EINVAL: NULL, or as ctr_keys_set(); -ERANGE; -ENOENT. */
int ctr_table_key_find(const struct ctr_table *table, uint32_t first, const void *key,
		       uint32_t *index);

/* ---- lifecycle of instances; create, alloc, destroy and trim take the control lock ---- */

/** Create the instance at a position, with all counters 0. 0; -ERANGE; -ENODEV: the module is not
 * initialised; -ENOENT: no outer instance; -EEXIST; -EBUSY: the former generation is not reclaimed,
 * or the index is reserved; -ENOMEM. */
int ctr_life_create(const struct ctr_table *table, uint32_t at);

/** Create an instance at the lowest free index of the outer instance that begins at position
 * @p first; stores it to *@p index. As ctr_life_create(); -EINVAL: NULL; -ENOSPC: none is free. */
int ctr_life_alloc(const struct ctr_table *table, uint32_t first, uint32_t *index);

/** Reserve the lowest free index for ctr_life_open(): its counters are 0, updates count, readers do
 * not find it. For scopes outside dynamic scopes. 0; -ENOSPC: none is free; -ENODEV; -ENOMEM. */
int ctr_life_reserve(const struct ctr_table *table, uint32_t *index);

/** Create the instance at a reserved index, with its counts. 0; -ENOENT: not reserved. */
int ctr_life_open(const struct ctr_table *table, uint32_t at);

/** A number that changes with each end of the instance at @p at; the control lock is taken. */
uint64_t ctr_life_token(const struct ctr_table *table, uint32_t at);

/** Receives the final counts of inner instances that are destroyed with their outer instance. */
struct ctr_life_ops {
	const void *ops; /**< The generated struct of functions; NULL: discard the counts. */
	void *user;      /**< Passed on to them. */
};

/** Retire an instance: readers do not find it any more. Reclaim it, so that its index can be used
 * again, once every reporting lcore has reported since. With @p ops all instances inside it are
 * destroyed too, innermost first, and @p ops receives their final counts; without, none may exist.
 * With @p last NULL the final counts are discarded, and the next creation may reclaim it. 0:
 * reclaimed, final counts delivered; -EINPROGRESS: retired, call again; -ERANGE; -ENOENT; -EBUSY:
 * instances inside it exist, or their final counts were not collected. */
int ctr_life_destroy(const struct ctr_table *table, uint32_t at, void *last,
		     const struct ctr_life_ops *ops);

/** Whether the instance at a position exists. Any thread; takes no lock. */
bool ctr_life_exists(const struct ctr_table *table, uint32_t at);

/** Number of existing instances. Any thread; takes no lock. */
uint32_t ctr_life_instances(const struct ctr_table *table);

/** Number of creations that failed with -ENOSPC or -ENOMEM since `_init()`. Likewise. */
uint64_t ctr_life_refused(const struct ctr_table *table);

/** First existing instance from position @p at on, or `max`. Any thread; takes no lock. */
uint32_t ctr_life_next(const struct ctr_table *table, uint32_t at);

/** Free the memory of reclaimed instances, chunk by chunk. No thread without an lcore id may hold
 * their indexes. 0: nothing left to free; -EINPROGRESS: call again; -ENOTSUP: no lcore reported. */
int ctr_life_trim(const struct ctr_table *table);

/** Abort if the calling lcore has reported since the instance was destroyed. */
void ctr_life_check(const struct ctr_table *table, uint32_t at, const char *file, int line,
		    const char *function);

/* ---- functions of a descriptor, by indexes (ctr_module.h) ---- */

/** As the members of struct ctr_scope with these names; `restore` is `adopt`. @{ */
int ctr_index_read(const struct ctr_table *table, unsigned int view, const uint32_t *index,
		   void *values);
int ctr_index_lcore_read(const struct ctr_table *table, unsigned int lcore, const uint32_t *index,
			 void *values);
int ctr_index_reset(const struct ctr_table *table, unsigned int view, const uint32_t *index,
		    void *last);
int ctr_index_create(const struct ctr_table *table, const uint32_t *index);
int ctr_index_restore(const struct ctr_table *table, const uint32_t *index, const void *values);
void ctr_index_tear(const struct ctr_table *table, const uint32_t *index);
/** @} */

/** Read @p n instances from position @p at on, in a read section of the calling thread. @p rc
 * receives the result of ctr_table_read() for each. */
void ctr_table_rows(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc);

/** As `_device_set()` and `_provider_set()` of a scope with external items. @{ */
int ctr_table_device_set(const struct ctr_table *table, uint32_t index, uint16_t device);
void ctr_table_provider_set(const struct ctr_table *table, void (*call)(void), void *ctx);
/** @} */

/* ---- snapshots ---- */

/** Allocate a snapshot, with room for all static instances; stores it to the pointer at @p snap. 0;
 * -ENOMEM; -EINVAL: NULL. */
int ctr_snapshot_create(const struct ctr_snapshots *snapshots, void *snap);

/** Read all scopes in one read section; with @p reset also reset them. 0; -EAGAIN: some instances
 * may be inconsistent, and lack the flag CTR_CONSISTENT; -ENOMEM: no value was read or reset;
 * -EINVAL: NULL. */
int ctr_snapshot_read(const struct ctr_snapshots *snapshots, void *snap, bool reset);

/** Free a snapshot; NULL is allowed. */
void ctr_snapshot_free(const struct ctr_snapshots *snapshots, void *snap);

/* ---- the module as a whole ---- */

/** Initialise a module. Not MT-safe; call it first. 0; -ENOMEM; -EALREADY; -EPROTO as of
 * ctr_port_check(); -EAGAIN or an error of pthread_create(): no control thread. */
int ctr_module_init(const struct ctr_module_state *module);

/** Free everything. No thread may use the module any more. Idempotent. */
void ctr_module_fini(const struct ctr_module_state *module);

/** Apply the pending updates of the calling lcore. */
void ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how);

/** End a burst: call it after each burst, even if empty, and before the first one. Updates become
 * visible to readers after a bounded number of calls (docs/strategies.md). Reports a quiescent
 * state: the lcore holds no instance index obtained earlier. Before it sleeps, an lcore calls
 * `_flush()` and then ctr_quiescent_offline(). */
void ctr_module_burst_end(const struct ctr_module_state *module);

/** As `_poll()`: drain the rings of all lcores. Blocks for the control lock. */
void ctr_module_poll(const struct ctr_module_state *module);

/** Reset all counters of all scopes that can be reset, except embedded ones. 0; -EAGAIN: some reads
 * were not mutually consistent, but each counter was reset exactly. */
int ctr_module_reset(const struct ctr_module_state *module);

/** Begin a read section, until ctr_module_read_unlock(). It blocks resets, and updates under a lock
 * of the whole module. The calling thread must not update in it. May be nested. */
void ctr_module_read_lock(const struct ctr_module_state *module);

/** As `_read_unlock()`: end a read section. */
void ctr_module_read_unlock(const struct ctr_module_state *module);

/** Count updates that were dropped for an index out of range, or that came late: before `_init()`
 * or after `_fini()`, or for an instance that does not exist. `_fini()` sets the number to 0. */
void ctr_module_note(struct ctr_padded64 *count, uint64_t n) CTR_COLD;

CTR_C_END

/* The same from an update. Copies in registers keep moves for the call off the fast path. */

/** ctr_table_add64() in an update. */
static inline void
ctr_update_elsewhere64(uint32_t at, uint64_t n, const struct ctr_table *table, size_t data,
		       size_t common)
{
	__asm__("" : "+r"(at), "+r"(n));
	ctr_table_add64(at, n, table, data, common);
}

/** ctr_global_add64() in an update. */
static inline void
ctr_update_elsewhere_global64(uint64_t n, const struct ctr_table *table, size_t data,
			      size_t common)
{
	__asm__("" : "+r"(n));
	ctr_global_add64(n, table, data, common);
}

/** ctr_table_get() of counter @p m of a scope with the values struct @p s and table `s_table`. */
#define CTR_GET(s, m, at) ctr_table_get(&s##_table, at, offsetof(struct s, m))
/** ctr_table_lcore_get() of it. */
#define CTR_LCORE_GET(s, m, lcore, at) \
	ctr_table_lcore_get(&s##_table, lcore, at, offsetof(struct s, m))
/** Add to it with the function `s_add64` of its scope; the arguments are indexes and the amount. */
#define CTR_ADD64(s, m, ...) s##_add64(offsetof(struct s##_data, m), __VA_ARGS__)
/** CTR_ADD64() for a counter of 32 bits. */
#define CTR_ADD32(s, m, ...) s##_add32(offsetof(struct s##_data, m), __VA_ARGS__)

/** ctr_table_add32() in an update. */
static inline void
ctr_update_elsewhere32(uint32_t at, uint32_t n, const struct ctr_table *table, size_t data,
		       size_t common)
{
	__asm__("" : "+r"(at), "+r"(n));
	ctr_table_add32(at, n, table, data, common);
}

/** ctr_global_add32() in an update. */
static inline void
ctr_update_elsewhere_global32(uint32_t n, const struct ctr_table *table, size_t data,
			      size_t common)
{
	__asm__("" : "+r"(n));
	ctr_global_add32(n, table, data, common);
}

#endif /* CTR_ACCESS_H */
