/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns of threads that count by one pattern. */
#ifndef TURNS_H
#define TURNS_H

#include "peers.h"

/** Cycles that a burst may take to be told from longer ones. */
#define BINS 524288u

/** What threads do in a turn. */
struct job {
	const struct peer *peer;
	bool timed;              /**< Each burst for itself: turn_bursts. One thread. */
	const uint32_t *instance;
	const uint16_t *bytes;
	uint32_t mask;           /**< Packets of these arrays, a power of two, less one. */
};

/** What came of it. */
struct turn {
	uint64_t packets;
	uint64_t cycles; /**< From the first beginning to the last end, by the TSC. */
};

/** Bursts of the last timed turn, by cycles. */
extern uint32_t turn_bursts[BINS];

/** Start the threads: 0 or -errno. `begin` is called on each. */
int turns_init(void (*begin)(unsigned int thread));

/** So many threads count from now on. */
void turn_begin(const struct job *job, unsigned int threads);

/** Until now. */
struct turn turn_end(void);

/** A turn of so many milliseconds, in which a pattern that polls does. */
struct turn turn_for(const struct job *job, unsigned int threads, double ms);

/** Sleep. */
void nap(double ms);

#endif /* TURNS_H */
