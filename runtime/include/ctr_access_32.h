/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Adds to counters of 32 bits as threads without an lcore id do. As in ctr_access.h.
 */
#ifndef CTR_ACCESS_32_H
#define CTR_ACCESS_32_H

#include "ctr_common.h"

struct ctr_table;

#ifdef __cplusplus
extern "C" {
#endif

/** ctr_table_add64() of a counter of 32 bits. */
void ctr_table_add32(uint32_t at, uint32_t n, const struct ctr_table *table, size_t data,
		     size_t common) CTR_COLD;
/** The same of a global scope. */
void ctr_global_add32(uint32_t n, const struct ctr_table *table, size_t data,
		      size_t common) CTR_COLD;

#ifdef __cplusplus
}
#endif

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

/** CTR_ADD64() of one of 32 bits. */
#define CTR_ADD32(s, m, ...) s##_add32(offsetof(struct s##_data, m), __VA_ARGS__)

#endif /* CTR_ACCESS_32_H */
