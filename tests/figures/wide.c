/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * As fast.c, of the wide schema.
 */
#include "big_stats.h"

void hot_update_u99(uint32_t s9, uint16_t size);
void hot_inc_c499(void);
void hot_s9_add_c49(uint32_t s9, uint64_t n);

void
hot_update_u99(uint32_t s9, uint16_t size)
{
	big_stats_update_u99(s9, size);
}

void
hot_inc_c499(void)
{
	big_stats_inc_c499();
}

void
hot_s9_add_c49(uint32_t s9, uint64_t n)
{
	big_stats_s9_add_c49(s9, n);
}
