/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Reads and resets of the scopes of any module, from their tables (ctr_table.h).
 *
 * Generated headers have typed functions around these. `at` is the position of an instance; all
 * check it, and return -ERANGE, or 0, for one that cannot be. `values` and `last` are value structs
 * of the scope. Any thread, at any time between the module's `_init()` and
 * `_fini()`. Reads wait for nobody, but for the control lock where resets follow each other without
 * end; resets take it.
 */
#ifndef CTR_ACCESS_H
#define CTR_ACCESS_H

#include "ctr_common.h"

struct ctr_table;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read an instance as a view has it.
 *
 * @param table the scope
 * @param view  number of a baseline; `table->view` for what `_read()` gives
 * @param at    its position
 * @param values where its values go
 * @return 0; -EINVAL: @p values is NULL, or there is no such view; -ERANGE; -ENOENT; -EAGAIN: its
 *   counters may not belong together
 */
int ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/** As ctr_table_read() in the default view, without what is reported or derived. */
int ctr_table_stored(const struct ctr_table *table, uint32_t at, void *values);

/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in an instance: since its creation if the lcore
 * reports and all have done so since the former one at that index was reclaimed, else since the
 * start; where resets are of each lcore, since its last reset.
 *
 * @return as ctr_table_read(); -ENOTSUP: lcores have no part of their own
 */
int ctr_table_lcore_read(const struct ctr_table *table, unsigned int lcore, uint32_t at,
			 void *values);

/**
 * Read and reset an instance in a view: nothing is lost, nothing counted twice, unless the
 * strategy loses updates. Other scopes, gauges and states are not reset; peaks are.
 *
 * @param table the scope
 * @param view  number of a baseline
 * @param at    position of the instance
 * @param last  what it counted since the last reset; or NULL
 * @return as ctr_table_read(); -ENOMEM: nothing is reset; after -EAGAIN the counters may not belong
 *   together, but each was reset exactly; reads may return -EAGAIN until a reset returns 0
 */
int ctr_table_reset(const struct ctr_table *table, unsigned int view, uint32_t at, void *last);

/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int ctr_table_reset_all(const struct ctr_table *table, void *last);

/**
 * Add to a counter of an instance as a thread without an lcore id does, or count a late update.
 *
 * @param at     position of the instance
 * @param n      what to add
 * @param table  the scope
 * @param data   offset of its word in an element of storage
 * @param common offset of its wide word in the common part, where the strategy has some; else 0
 */
void ctr_table_add64(uint32_t at, uint64_t n, const struct ctr_table *table, size_t data,
		     size_t common) CTR_COLD;
/** The same of 32 bits. */
void ctr_table_add32(uint32_t at, uint32_t n, const struct ctr_table *table, size_t data,
		     size_t common) CTR_COLD;
/** The same of a global scope. */
void ctr_global_add64(uint64_t n, const struct ctr_table *table, size_t data,
		      size_t common) CTR_COLD;
/** The same of 32 bits. */
void ctr_global_add32(uint32_t n, const struct ctr_table *table, size_t data,
		      size_t common) CTR_COLD;

/**
 * One counter of an instance, in the default view; 0 where that does not exist.
 *
 * @param table the scope
 * @param at    position of the instance
 * @param value its offset in the struct of values
 */
uint64_t ctr_table_get(const struct ctr_table *table, uint32_t at, size_t value);

/** What one lcore, or CTR_NON_LCORE, has in a counter; 0 where that cannot be told. */
uint64_t ctr_table_lcore_get(const struct ctr_table *table, unsigned int lcore, uint32_t at,
			     size_t value);

/**
 * A gauge, a peak or a state of an instance, as a value struct has it; 0 where that does not exist.
 *
 * @param table the scope
 * @param at    position of the instance
 * @param word  which of `values` of the table, or of `beside` behind these
 */
uint64_t ctr_table_value(const struct ctr_table *table, uint32_t at, unsigned int word);

/** Copy a state that is wider than a word to @p out. 0; -ENOENT. */
int ctr_table_cell_get(const struct ctr_table *table, uint32_t at, unsigned int word, void *out);

/** Set one from @p value; a string, with @p text, is cut. 0; -EINVAL: NULL; -ENODEV; -ENOENT. */
int ctr_table_cell_set(const struct ctr_table *table, uint32_t at, unsigned int word,
		       const void *value, bool text);

/**
 * Set the key of an instance; NULL removes it: managers see the rows of instances that have one.
 * For control threads; blocks for the control lock. Updates do not wait for it, and readers see the
 * former key or this one.
 *
 * @return 0; -EINVAL: a part has no such value; -EEXIST: another instance inside of the same outer
 *   one has the key; -ERANGE; -ENOMEM; -ENOENT: it does not exist; -ENODEV: the module is not
 *   initialised
 */
int ctr_table_key_set(const struct ctr_table *table, uint32_t at, const void *key);

/** Copy the key of an instance to @p key. 0; -EINVAL: NULL; -ERANGE; -ENOENT: it has none. */
int ctr_table_key_get(const struct ctr_table *table, uint32_t at, void *key);

/**
 * Find the instance with a key inside of an outer one.
 *
 * @param table the scope
 * @param first position of the first one in that; 0 for a scope with one index
 * @param key   the key
 * @param index its own index, when 0 is returned
 * @return 0; -EINVAL: NULL, or as of ctr_keys_set(); -ERANGE; -ENOENT
 */
int ctr_table_key_find(const struct ctr_table *table, uint32_t first, const void *key,
		       uint32_t *index);

/** Read an instance in the application's object, as its strategy says. 0; -EINVAL: NULL. */
int ctr_object_read(const struct ctr_table *table, const void *object, void *values);

/** Read and reset one; @p last may be NULL. As above. */
int ctr_object_reset(const struct ctr_table *table, void *object, void *last);

/**
 * Read some instances from a position on, inside a read section of the calling thread.
 *
 * @param table  the scope
 * @param at     position of the first
 * @param n      how many
 * @param values an array of @p n value structs
 * @param rc     for each what ctr_table_read() would return
 */
void ctr_table_rows(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc);

#ifdef __cplusplus
}
#endif

/* The same from an update. Copies of what it has in registers keep moves for the call out of the
 * way of an lcore. */

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

/** ctr_table_get() of member @p m of struct @p values, the values of a scope with @p table. */
#define CTR_GET(table, values, m, at) ctr_table_get(&table, at, offsetof(struct values, m))
/** ctr_table_lcore_get() of it. */
#define CTR_LCORE_GET(table, values, m, lcore, at) \
	ctr_table_lcore_get(&table, lcore, at, offsetof(struct values, m))

#endif /* CTR_ACCESS_H */
