/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The benchmark harness, not for applications: `ctrgen build` generates a `struct ctr_bench`, the
 * same packets counted in several ways; src/parts/bench/ measures these, and `ctrgen bench` drives
 * it. */
#ifndef CTR_BENCH_H
#define CTR_BENCH_H

#include "ctr.h"

/** Packets handled at once, the usual burst of rte_eth_rx_burst(). */
#define CTR_BENCH_BURST 32u
/** Maximum number of different index parameters of the updates of a schema. */
#define CTR_BENCH_INDEXES 16u

/** Packets to count, as arrays of equal length: the arguments of the updates. */
struct ctr_bench_traffic {
	uint32_t count; /**< Number of packets; a power of two, at least CTR_BENCH_BURST. */
	uint32_t *index[CTR_BENCH_INDEXES]; /**< By number of the index parameter. */
	bool *flag;     /**< Arguments of type bool. */
	uint8_t *u8;    /**< Arguments of type uint8_t. */
	uint16_t *u16;  /**< Arguments of type uint16_t. */
	uint32_t *u32;  /**< Arguments of type uint32_t. */
	uint64_t *u64;  /**< Arguments of type uint64_t. */
	int32_t *i32;   /**< Arguments of type int32_t. */
};

/** The work of the application for a packet, without counting it. One per worker. */
struct ctr_bench_work {
	uint32_t iterations; /**< Its length for a packet; 0: there is nothing to do. */
	uint64_t state[4];   /**< State of the calculation. */
};

/** Handle packets @p at to @p at + @p n - 1: the application's work, then counting. */
typedef void (*ctr_bench_call_t)(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n,
		struct ctr_bench_work *work);

/** A way of counting; the way `none` does not count. */
struct ctr_bench_call {
	const char *name;    /**< none, single, batch, bulk, free, quota or hand. */
	ctr_bench_call_t run; /**< What it does. */
};

/** The array with the amounts of an operation. */
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
	unsigned int more;           /**< How many items behind it may have it instead: buckets. */
	enum ctr_bench_amount from;  /**< Where the amount is. */
	uint64_t amount;             /**< The amount, if constant. */
	uint32_t every;              /**< One packet in so many adds it. */
};

/** The generated part. */
struct ctr_bench {
	const struct ctr_module *module;        /**< The module under test. */
	const struct ctr_bench_call *ways;       /**< The ways, ended by a NULL name. */
	const struct ctr_bench_effect *effects; /**< What a packet adds to counters. */
	unsigned int num_effects;               /**< Length of @ref effects. */
	const uint32_t *limits;   /**< By index parameter: it runs from 0 to one less. */
	const uint32_t *strides;  /**< By index parameter: (flow / stride) % limit is its value. */
	unsigned int num_indexes; /**< Length of @ref limits and @ref strides. */
	int (*snapshot)(void);    /**< Read everything by the module's snapshot: 0 or -errno. */
	int (*create)(void);      /**< Create dynamic instances, grant quotas: 0 or -errno. */
	void (*poll)(void);       /**< Apply what lcores sent; NULL: they send nothing. */
	int (*hand_init)(unsigned int lcore); /**< Initialise the pattern by hand: 0 or -ENOMEM. */
};

/** The generated part of the schema. */
extern const struct ctr_bench ctr_bench;

/** The work itself; for ctr_bench_domain(). */
void ctr_bench_spin(struct ctr_bench_work *work);

/** The work of the application for a packet, without counting it. It is a compiler barrier: no word
 * of memory stays in a register across it, as with real code. */
static inline void
ctr_bench_domain(struct ctr_bench_work *work)
{
	if (ctr_unlikely(work->iterations != 0))
		ctr_bench_spin(work);
	__asm__ volatile("" : : : "memory");
}

#endif /* CTR_BENCH_H */
