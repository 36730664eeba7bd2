/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Observations of peaks, as functions of their own whose instructions are counted.
 */
#include "pea_stats.h"

void greatest(uint64_t value);
void
greatest(uint64_t value)
{
	pea_stats_observe_burst(value);
}

void least(uint64_t value);
void
least(uint64_t value)
{
	pea_stats_observe_gap(value);
}
