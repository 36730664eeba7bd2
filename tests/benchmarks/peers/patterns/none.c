/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing is counted: what the loop itself takes. */
#include "peers.h"

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	(void)thread;
	__asm__ volatile("" : : "r"(instance), "r"((uint32_t)bytes));
}

PEER_BURST(update, (void)0)

PEER(none, .name = "none", .burst = burst);
