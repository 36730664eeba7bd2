/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two words shared by all threads: amounts that are whole numbers are added atomically to the one,
 * all others by compare and exchange to a double.
 */
#include <errno.h>

#include "peers.h"

struct counter {
	double fraction;
	uint64_t whole;
	uint64_t more[10]; /* description, labels, exemplar */
};

static struct counter (*counters)[2];

static int
init(uint32_t instances)
{
	counters = (struct counter(*)[2])PEER_ARRAY(struct counter, (size_t)2 * instances);
	return counters != NULL ? 0 : -ENOMEM;
}

static inline void
add(struct counter *counter, double n)
{
	const uint64_t whole = (uint64_t)n;
	double old, sum;

	if (ctr_likely((double)whole == n)) {
		__atomic_fetch_add(&counter->whole, whole, __ATOMIC_SEQ_CST);
		return;
	}
	__atomic_load(&counter->fraction, &old, __ATOMIC_SEQ_CST);
	do {
		sum = old + n;
	} while (!__atomic_compare_exchange(&counter->fraction, &old, &sum, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	(void)thread;
	__atomic_fetch_add(&counters[instance][0].whole, 1, __ATOMIC_SEQ_CST);
	add(&counters[instance][1], bytes);
}

PEER_BURST(update, (void)0)

static uint64_t
value(const struct counter *counter)
{
	double fraction;

	__atomic_load(&counter->fraction, &fraction, __ATOMIC_SEQ_CST);
	return __atomic_load_n(&counter->whole, __ATOMIC_SEQ_CST) + (uint64_t)fraction;
}

static void
read_now(uint32_t instance, struct pair *now)
{
	now->packets = value(&counters[instance][0]);
	now->bytes = value(&counters[instance][1]);
}

PEER(prometheus_go, .name = "prometheus_go", .init = init, .burst = burst, .read = read_now,
     .bytes = 2 * sizeof(struct counter));
