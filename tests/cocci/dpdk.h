/* SPDX-License-Identifier: BSD-3-Clause */
/* As much of DPDK as before.c needs, and what a person adds to it once the patches are applied. */
#ifdef PORTED
#include "app_stats.h"
#endif

#include <stdatomic.h>
#include <stdint.h>

#define RTE_MAX_ETHPORTS 32
#define RTE_MAX_LCORE 128

typedef struct {
	int64_t cnt;
} rte_atomic64_t;

#define rte_atomic64_init(v) ((v)->cnt = 0)
#define rte_atomic64_inc(v) __atomic_fetch_add(&(v)->cnt, 1, __ATOMIC_SEQ_CST)
#define rte_atomic64_add(v, n) __atomic_fetch_add(&(v)->cnt, n, __ATOMIC_SEQ_CST)
#define rte_atomic64_read(v) ((v)->cnt)
#define rte_atomic_fetch_add_explicit(v, n, order) atomic_fetch_add_explicit(v, n, order)
#define rte_memory_order_relaxed memory_order_relaxed

#define EACH(p) for (; p <
#define UNTIL(n) n;)

static inline unsigned int
rte_lcore_id(void)
{
	return 3;
}

#ifdef PORTED
#define START() app_stats_init()
#define OF_LCORES(member, counter) app_stats_get_##counter()
#else
#define START() 0
#define OF_LCORES(member, counter) lcore_stats[rte_lcore_id()].member
#endif
