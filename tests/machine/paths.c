/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * One update, generated and by hand, as functions of their own to look at in
 * the disassembly. HEADER and TWIN name the generated header and the pattern.
 */
#include HEADER
#define SESSIONS EP_STATS_SESSION_MAX
#include "twins/common.h"
#include TWIN

void path_generated(uint32_t session, uint16_t size);
void path_hand(uint32_t session, uint16_t size);

void
path_generated(uint32_t session, uint16_t size)
{
	ep_stats_update_packet(session, size);
}

void
path_hand(uint32_t session, uint16_t size)
{
	hand_update(session, size);
}

#ifdef HAND_PER_LCORE
/* Others may set the pointers, so the compiler cannot take them for NULL. */
struct hand_stats **path_escape(void);

struct hand_stats **
path_escape(void)
{
	return hand_lcore;
}
#endif
