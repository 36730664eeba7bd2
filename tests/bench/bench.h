/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * One strategy as the benchmark sees it: ways to count packets, all of the same shape.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

/** Count @p n packets. */
typedef void (*bench_count_t)(const uint32_t *session, const uint16_t *size, unsigned int n);

/** One strategy; see strategy.c. */
struct bench {
	const char *name;
	int (*init)(void);     /**< Make generated and hand-written statistics ready. */
	bench_count_t hand;    /**< The pattern written by hand, one call a packet. */
	bench_count_t single;  /**< The generated update, one call a packet. */
	bench_count_t batch;   /**< The generated batch, begun and ended for each burst of 32. */
	bench_count_t bulk;    /**< The generated bulk call, for each burst of 32. */
	uint64_t (*counted)(void); /**< Packets counted by the generated code. */
};

/** Packets in a burst. */
#define BURST 32

extern const struct bench *const benches[];

#endif /* BENCH_H */
