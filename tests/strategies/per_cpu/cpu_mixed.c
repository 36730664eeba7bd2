/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A file of a program that updates, to be compiled in another way than the others.
 */
#include "ep_stats.h"

void count_one(void);

void
count_one(void)
{
	ep_stats_update_packet(1, 1);
}
