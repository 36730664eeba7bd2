/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instance ends and its index is used again beside an lcore that updates it and reports:
 * the final count is exact, and the next life gets nothing of it. With MODEL_LATE nothing
 * follows it, and an update that comes after the end is in the count of those. With MODEL_LEAVES
 * the lcore goes out of use instead of reporting, while another thread has the buffers' lock; with
 * MODEL_OTHER its next reports are of another module.
 */
#include "things.h"

/* The application's own table. */
static unsigned int published = 1;
#ifdef MODEL_LATE
static unsigned int online;
#endif
static uint64_t counted;

static void
burst(void)
{
	if (__atomic_load_n(&published, __ATOMIC_RELAXED) != 0) {
		things_stats_update_event(0);
		counted++;
	}
}

#ifdef MODEL_LEAVES
static void *
holder(void *arg)
{
	(void)arg;
	ctr_wb_lock(&things_stats_pool);
	ctr_wb_unlock(&things_stats_pool);
	return NULL;
}
#endif

static void *
worker(void *arg)
{
	(void)arg;
	model_enter(0);
	things_stats_quiescent();
#ifdef MODEL_LATE
	__atomic_store_n(&online, 1, __ATOMIC_RELEASE);
	things_stats_update_event(0);
	things_stats_quiescent();
	things_stats_quiescent();
	counted = 1;
	if (__atomic_load_n(&published, __ATOMIC_ACQUIRE) == 0) {
		things_stats_update_event(0);
		counted++;
	}
	things_stats_quiescent();
#else
	burst();
#ifdef MODEL_LEAVES
	ctr_thread_unregister();
#elif defined(MODEL_OTHER)
	ctr_quiescent();
	ctr_quiescent();
	things_stats_quiescent();
	things_stats_quiescent();
#else
	things_stats_quiescent();
	burst();
	things_stats_quiescent();
	things_stats_quiescent();
#endif
#endif
	return NULL;
}

int
main(void)
{
	struct things_stats_thing last;
	struct things_stats_thing next;
	pthread_t thread;
	bool ended;

	model_things(1);
	thread = model_start(worker, 0);
#ifdef MODEL_LATE
	(void)burst;
	(void)next;
	while (__atomic_load_n(&online, __ATOMIC_ACQUIRE) == 0)
		ctr_spin_wait(&(uint32_t){ 0 });
	ended = model_end(&last);
	__atomic_store_n(&published, !ended, __ATOMIC_RELEASE);
	model_join(thread);
	if (ended)
		CHECK(last.events == 1 && things_stats_late() == counted - 1);
#else
#ifdef MODEL_LEAVES
	pthread_t second = model_start(holder, 0);
#endif
	__atomic_store_n(&published, 0, __ATOMIC_RELAXED);
	ended = model_end(&last);
	if (ended)
		CHECK(things_stats_thing_create(0) == 0);
	model_join(thread);
#ifdef MODEL_LEAVES
	model_join(second);
#endif
	if (ended) {
		CHECK(last.events == counted && things_stats_late() == 0);
		CHECK(things_stats_thing_read(0, &next) == 0 && next.events == 0);
	}
#endif
	return 0;
}
