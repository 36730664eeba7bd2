/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lcores use what a control thread takes out of use again and again. Once the moment has passed,
 * nothing uses it any more: the control thread writes it without any synchronization.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr.h"
#include "../support/need.h"

#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#endif

#ifndef LIVES
#define LIVES 20000
#endif
#define WORKERS 3

static uint64_t instance[2];  /* used by workers with relaxed atomics, settled with plain accesses */
static unsigned int current; /* which of them is in use */
static bool stop;
static uint64_t given[WORKERS];

struct gate {
	pthread_t thread;
	unsigned int lcore;
	unsigned int wanted, reached;
};

static void *
work(void *arg)
{
	uint64_t *sum = arg;
	unsigned int i, round = 0;

	NEED(ctr_thread_register() == 0);
	ctr_quiescent();
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		unsigned int index = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

		for (i = 0; i < 16; i++)
			__atomic_fetch_add(&instance[index], 1, __ATOMIC_RELAXED);
		__atomic_store_n(sum, *sum + 16, __ATOMIC_RELAXED);
		if (++round % 8 == 0) {
			ctr_quiescent_offline();
			ctr_yield();
			if (round % 16 == 0)
				ctr_quiescent_online();
		}
		ctr_quiescent();
	}
	ctr_thread_unregister();
	return NULL;
}

/* Each life has its bill exactly. */
static void
lives(void)
{
	pthread_t threads[WORKERS];
	uint64_t billed = 0, sum = 0;
	unsigned int i, life;

	for (i = 0; i < WORKERS; i++)
		NEED(pthread_create(&threads[i], NULL, work, &given[i]) == 0);
	for (i = 0; i < WORKERS; i++)
		while (__atomic_load_n(&given[i], __ATOMIC_RELAXED) == 0)
			ctr_yield();
	for (life = 0; life < LIVES; life++) {
		uint64_t moment;

		__atomic_store_n(&current, (life + 1) % 2, __ATOMIC_RELEASE);
		moment = ctr_quiescent_start();
		while (!ctr_quiescent_passed(moment))
			ctr_yield();
		billed += instance[life % 2];
		instance[life % 2] = 0;
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < WORKERS; i++) {
		NEED(pthread_join(threads[i], NULL) == 0);
		sum += given[i];
	}
	billed += instance[0] + instance[1];
	NEED(billed == sum);
}

static void
reach(struct gate *gate, unsigned int step)
{
	__atomic_store_n(&gate->reached, step, __ATOMIC_RELEASE);
	while (__atomic_load_n(&gate->wanted, __ATOMIC_ACQUIRE) <= step)
		ctr_yield();
}

static void
let(struct gate *gate, unsigned int step)
{
	__atomic_store_n(&gate->wanted, step, __ATOMIC_RELEASE);
	while (__atomic_load_n(&gate->reached, __ATOMIC_ACQUIRE) < step)
		ctr_yield();
}

static struct ctr_settled told;

/* What is known of an lcore: whether it takes part, and whether it has told since a moment. */
static bool
is_known(const struct gate *gate, bool takes_part, bool settled, uint64_t moment)
{
	return ctr_quiescent_takes_part(gate->lcore) == takes_part &&
	       ctr_settled_since(&told, moment) == settled;
}

static void *
steps(void *arg)
{
	struct gate *gate = arg;

	ctr_quiescent(); /* without an id: takes no part */
	reach(gate, 1);
	NEED(ctr_thread_register() == 0);
	gate->lcore = ctr_lcore_id();
	reach(gate, 2);
	ctr_settled_begin(&told);
	ctr_quiescent();
	reach(gate, 3);
	ctr_settled_tell(&told, ctr_quiescent_now());
	ctr_quiescent();
	reach(gate, 4);
	ctr_quiescent_offline();
	reach(gate, 5);
	ctr_quiescent_online();
	reach(gate, 6);
	ctr_thread_unregister();
	reach(gate, 7);
	return NULL;
}

/* Who is waited for, step by step. */
static void
step_by_step(void)
{
	struct gate gate = { 0 };
	uint64_t moment, next;

	NEED(!ctr_quiescent_used());
	NEED(ctr_quiescent_passed(ctr_quiescent_start()));
	NEED(pthread_create(&gate.thread, NULL, steps, &gate) == 0);
	let(&gate, 1);
	NEED(!ctr_quiescent_used());
	let(&gate, 2);
	NEED(ctr_quiescent_passed(ctr_quiescent_start()));
	NEED(is_known(&gate, false, true, 2));
	let(&gate, 3);
	NEED(ctr_quiescent_used());
	moment = ctr_quiescent_start();
	NEED(!ctr_quiescent_passed(moment));
	NEED(is_known(&gate, true, false, moment));
	let(&gate, 4);
	NEED(ctr_quiescent_passed(moment));
	NEED(is_known(&gate, true, true, moment));
	next = ctr_quiescent_start();
	NEED(next > moment && !ctr_quiescent_passed(next) && ctr_quiescent_passed(moment));
	NEED(is_known(&gate, true, false, next));
	let(&gate, 5);
	NEED(is_known(&gate, false, true, next));
	NEED(ctr_quiescent_passed(next) && ctr_quiescent_passed(ctr_quiescent_start()));
	let(&gate, 6);
	NEED(is_known(&gate, true, false, next));
	moment = ctr_quiescent_start();
	NEED(!ctr_quiescent_passed(moment));
	let(&gate, 7);
	NEED(is_known(&gate, false, true, moment));
	NEED(ctr_quiescent_passed(moment));
	__atomic_store_n(&gate.wanted, 8, __ATOMIC_RELEASE);
	NEED(pthread_join(gate.thread, NULL) == 0);
	NEED(ctr_quiescent_passed(ctr_quiescent_start()) && ctr_quiescent_used());
}

static bool left;

/* What an lcore holds back is applied here. */
static void
down(const struct ctr_slots *set, void *slot, unsigned int lcore)
{
	(void)set;
	(void)slot;
	(void)lcore;
	left = ctr_quiescent_passed(ctr_quiescent_start());
}

static void *
leaves(void *arg)
{
	NEED(ctr_thread_register() == 0);
	ctr_quiescent();
	ctr_thread_unregister();
	return arg;
}

/*
 * An lcore that leaves is waited for until it holds nothing back, whether it has reported before a
 * module was made ready, or that was done again since.
 */
static void
last_of_an_lcore(void)
{
	static struct ctr_slots slots = { .size = 64, .down = down };
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		NEED(ctr_slots_open(&slots) == 0);
		left = true;
		NEED(pthread_create(&thread, NULL, leaves, NULL) == 0);
		NEED(pthread_join(thread, NULL) == 0);
		NEED(!left && ctr_quiescent_passed(ctr_quiescent_start()));
		ctr_slots_close(&slots);
	}
}

int
main(int argc, char **argv)
{
#ifdef CTR_PORT_DPDK
	NEED(rte_eal_init(argc, argv) >= 0);
#else
	(void)argc;
	(void)argv;
#endif
	step_by_step();
	last_of_an_lcore();
	lives();
	puts("ok");
	return 0;
}
