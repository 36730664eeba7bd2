/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The benchmark harness: what the generated part and the fixed part say to each other.
 *
 * `ctrgen build` generates one `struct ctr_bench` for a schema: the same packets
 * counted in several ways. src/bench/ measures the ways on DPDK lcores; `ctrgen
 * bench` drives it. Not for applications.
 */
#ifndef CTR_BENCH_H
#define CTR_BENCH_H

#include "ctr.h"

/** Packets handled at once, as rte_eth_rx_burst() is mostly called. */
#define CTR_BENCH_BURST 32u
/** Most different index parameters that the updates of a schema may take. */
#define CTR_BENCH_INDEXES 16u

/** The calculation for a packet is longer than the least by 0 to this, at random. */
#define CTR_BENCH_VARIES 7u

/** Packets to count, as arrays of equal length: the arguments of the updates. */
struct ctr_bench_traffic {
	uint32_t count; /**< How many; a power of two, at least CTR_BENCH_BURST. */
	uint32_t *flow; /**< Flow of a packet, from 0. */
	uint32_t *index[CTR_BENCH_INDEXES]; /**< By number of the index parameter. */
	bool *flag;     /**< Arguments of type bool. */
	uint8_t *u8;    /**< Arguments of type uint8_t. */
	uint16_t *u16;  /**< Arguments of type uint16_t. */
	uint32_t *u32;  /**< Arguments of type uint32_t. */
	uint64_t *u64;  /**< Arguments of type uint64_t. */
	int32_t *i32;   /**< Arguments of type int32_t. */
};

/** What the application does for a packet beside counting it. One per worker. */
struct ctr_bench_work {
	bool busy;           /**< Whether there is anything to do. */
	uint64_t state[4];   /**< State of the calculation. */
	uint32_t iterations; /**< Its least length for a packet. */
	uint32_t lines;      /**< Cache lines written for a packet. */
	uint32_t at;         /**< Next of them. */
	uint32_t mask;       /**< Number of lines in @ref memory, less one. */
	uint8_t *memory;     /**< What is written. */
};

/** Handle packets @p at to @p at + @p n - 1: the application's work, then counting. */
typedef void (*ctr_bench_way_t)(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n,
		struct ctr_bench_work *work);

/** A way of counting; the way `none` does not count. */
struct ctr_bench_way {
	const char *name;   /**< none, single, items, batch, bulk, hand, floor or atomic. */
	ctr_bench_way_t run; /**< What it does. */
};

/** Which of the arrays an operation takes its amount from. */
enum ctr_bench_amount {
	CTR_BENCH_CONSTANT, /**< None. */
	CTR_BENCH_BOOL,
	CTR_BENCH_U8,
	CTR_BENCH_U16,
	CTR_BENCH_U32,
	CTR_BENCH_U64,
	CTR_BENCH_I32
};

/** What each packet adds to a counter. */
struct ctr_bench_effect {
	unsigned int scope;          /**< Number in the module's descriptor. */
	unsigned int item;           /**< Number in the scope's descriptor. */
	enum ctr_bench_amount from;  /**< Where the amount is. */
	uint64_t amount;             /**< The amount, if constant. */
};

/** The generated part. */
struct ctr_bench {
	const struct ctr_module *module;        /**< What counts. */
	const struct ctr_bench_way *ways;       /**< The ways, ended by a NULL name. */
	const struct ctr_bench_effect *effects; /**< What a packet adds to counters. */
	unsigned int num_effects;               /**< Length of @ref effects. */
	const uint32_t *limits;   /**< By index parameter: it runs from 0 to one less. */
	const uint32_t *strides;  /**< By index parameter: (flow / stride) % limit is its value. */
	unsigned int num_indexes; /**< Length of @ref limits and @ref strides. */
	int (*create)(void);      /**< Make every instance of dynamic scopes exist: 0, -errno. */
	int (*hand_init)(unsigned int lcore); /**< Make the pattern by hand ready: 0, -ENOMEM. */
	void (*hand_flush)(void); /**< As the module's _flush(), of the pattern by hand. */
};

/** The schema's; defined by generated code. */
extern const struct ctr_bench ctr_bench;

/** The part of ctr_bench_domain() that takes time. */
void ctr_bench_toil(struct ctr_bench_work *work);

/**
 * What an application does for a packet beside counting it. The compiler keeps no
 * word of memory in a register across it, as across the code of an application.
 */
static inline void
ctr_bench_domain(struct ctr_bench_work *work)
{
	if (ctr_unlikely(work->busy))
		ctr_bench_toil(work);
	__asm__ volatile("" : : : "memory");
}

#endif /* CTR_BENCH_H */
