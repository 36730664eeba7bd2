/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of one pattern; `job` counts packets of one size of instance 0. */
#ifndef CHECKS_H
#define CHECKS_H

#include "turns.h"

/** Read all the while: print `reads NAME reads torn p50 p99.9`, the latter cycles of a burst. */
void check_reads(const struct job *job, double ms);

/** Reset so many times: print `resets NAME counted seen` where there is a reset, in packets. */
void check_resets(const struct job *job, uint32_t resets);

#endif /* CHECKS_H */
