/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Two updates in a row of instances that have to be looked up.
 */
#include "flows_stats.h"

void path_two(uint32_t one, uint32_t other, uint16_t size);

void
path_two(uint32_t one, uint32_t other, uint16_t size)
{
	flows_stats_update_packet(one, size);
	flows_stats_update_packet(other, size);
}
