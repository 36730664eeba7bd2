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
/** The same of a global scope. */
void ctr_global_add64(uint64_t n, const struct ctr_table *table, size_t data,
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

/** Read an instance in the application's object, as its strategy says. 0; -EINVAL: NULL. */
int ctr_object_read(const struct ctr_table *table, const void *object, void *values);

/** Read and reset one; @p last may be NULL. As above. */
int ctr_object_reset(const struct ctr_table *table, void *object, void *last);

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

/** ctr_table_get() of counter @p m of a scope with the values struct @p s and the table `s_table`. */
#define CTR_GET(s, m, at) ctr_table_get(&s##_table, at, offsetof(struct s, m))
/** ctr_table_lcore_get() of it. */
#define CTR_LCORE_GET(s, m, lcore, at) \
	ctr_table_lcore_get(&s##_table, lcore, at, offsetof(struct s, m))
/** Add to it by the function `s_add64` of its scope; the arguments are indexes and the number. */
#define CTR_ADD64(s, m, ...) s##_add64(offsetof(struct s##_data, m), __VA_ARGS__)

#endif /* CTR_ACCESS_H */
