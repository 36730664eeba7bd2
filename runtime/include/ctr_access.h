/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The library behind the functions of generated headers: reads, resets and lifetimes of instances,
 * keys, snapshots, and the module as a whole, from the tables of any module (ctr_table.h).
 *
 * `at` is the position of an instance; all check it, and return -ERANGE, or 0. `values` and `last`
 * are value structs of the scope. Any thread between the module's `_init()` and `_fini()`. Reads do
 * not wait, except for the control lock where resets follow each other without end; resets take it.
 */
#ifndef CTR_ACCESS_H
#define CTR_ACCESS_H

#include "ctr_common.h"

struct ctr_table;

#ifdef __cplusplus
extern "C" {
#endif

/** Read an instance as a view has it; `table->view` is that of `_read()`. 0; -EINVAL: @p values is
 * NULL, or there is no such view; -ERANGE; -ENOENT; -EAGAIN: its counters may not belong
 * together. */
int ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/**
 * Read the part of one lcore, or of CTR_NON_LCORE, in an instance: since its creation if the lcore
 * reports and the former instance had a grace period, else since the start; where resets are of
 * each lcore, since its last reset. As ctr_table_read(); -ENOTSUP: lcores have no part of their
 * own.
 */
int ctr_table_lcore_read(const struct ctr_table *table, unsigned int lcore, uint32_t at,
			 void *values);

/**
 * Read and reset an instance in a view; *@p last, unless NULL, is what it counted. Nothing is lost
 * or counted twice, unless the strategy loses updates. Other scopes, gauges and states are not
 * reset; peaks are. As ctr_table_read(); -ENOMEM: nothing is reset; after -EAGAIN each counter was
 * reset exactly, and reads may return -EAGAIN until a reset returns 0.
 */
int ctr_table_reset(const struct ctr_table *table, unsigned int view, uint32_t at, void *last);

/** Read and reset every instance; @p last is an array of all instances, or NULL. */
int ctr_table_reset_all(const struct ctr_table *table, void *last);

/** Add @p n to a counter of an instance as a thread without an lcore id does, or count a late
 * update. @p data is the offset of its word in an element, @p common that of its wide word in
 * the common part. */
void ctr_table_add64(uint32_t at, uint64_t n, const struct ctr_table *table, size_t data,
		     size_t common) CTR_COLD;
/** The same of a global scope. */
void ctr_global_add64(uint64_t n, const struct ctr_table *table, size_t data,
		      size_t common) CTR_COLD;

/** The counter at offset @p value of the value struct of an instance, in the default view; 0 where
 * that does not exist. */
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

/** ctr_table_get() of member @p m of struct @p values, the values of a scope with @p table. */
#define CTR_GET(table, values, m, at) ctr_table_get(&table, at, offsetof(struct values, m))
/** ctr_table_lcore_get() of it. */
#define CTR_LCORE_GET(table, values, m, lcore, at) \
	ctr_table_lcore_get(&table, lcore, at, offsetof(struct values, m))

#endif /* CTR_ACCESS_H */
