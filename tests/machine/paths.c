/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * One update, generated and by hand, as functions of their own to look at in
 * the disassembly. With NO_HAND the strategy has no pattern by hand.
 */
#include "ep_stats.h"
#ifndef NO_HAND
#include "ep_stats_hand.h"
#endif

void path_generated(uint32_t session, uint16_t size);
void path_hand(uint32_t session, uint16_t size);
int path_init(unsigned int lcore);

void
path_generated(uint32_t session, uint16_t size)
{
	ep_stats_update_packet(session, size);
}

#ifndef NO_HAND
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
#endif
