/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * An update that may be refused, as fast.c has those that are not; and the same update without
 * its quota.
 */
#include "qu_stats.h"

bool hot_update_try(uint32_t session, uint16_t size);
bool
hot_update_try(uint32_t session, uint16_t size)
{
	return qu_stats_update_packet_try(session, size);
}

void hot_update_counted(uint32_t session, uint16_t size);
void
hot_update_counted(uint32_t session, uint16_t size)
{
	qu_stats_count_packet(session, size);
}

unsigned int all_update_try_bulk(const uint32_t *session, const uint16_t *size, unsigned int n,
				 bool *passed);
unsigned int
all_update_try_bulk(const uint32_t *session, const uint16_t *size, unsigned int n, bool *passed)
{
	return qu_stats_update_packet_try_bulk(session, size, n, passed);
}

bool all_batch_try(struct qu_stats_batch *b, uint32_t session, uint16_t size);
bool
all_batch_try(struct qu_stats_batch *b, uint32_t session, uint16_t size)
{
	return qu_stats_batch_packet_try(b, session, size);
}
