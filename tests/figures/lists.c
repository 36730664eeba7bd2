/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Updates of several instances, as fast.c has those of one. They have loops: all of their
 * instructions count.
 */
#include "li_stats.h"

void all_update_list_of_4(const uint32_t *session, uint32_t num, uint16_t size);
void
all_update_list_of_4(const uint32_t *session, uint32_t num, uint16_t size)
{
	li_stats_update_packet(session, num, size);
}

void hot_update_two(uint32_t source, uint32_t target, uint16_t size);
void
hot_update_two(uint32_t source, uint32_t target, uint16_t size)
{
	li_stats_update_both(source, target, size);
}
