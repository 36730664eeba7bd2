/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * One update, generated and by hand, as functions of their own to look at in
 * the disassembly.
 */
#include "ep_stats.h"
#include "ep_stats_hand.h"

void path_generated(uint32_t session, uint16_t size);
void path_hand(uint32_t session, uint16_t size);
int path_init(unsigned int lcore);

void
path_generated(uint32_t session, uint16_t size)
{
	ep_stats_update_packet(session, size);
}

void
path_hand(uint32_t session, uint16_t size)
{
	hand_update_packet(session, size);
}

/* Sets the pointers, so that the compiler cannot take them for NULL. */
int
path_init(unsigned int lcore)
{
	return hand_init(lcore);
}
