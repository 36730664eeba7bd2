/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a thread's pointer to its slot. Two threads count by their pointers, leave, and come
 * back, each perhaps with the lcore id of the other; or (MODEL_CLOSED) the set is closed and opened
 * again while a thread keeps its id. A pointer is that of the thread's id in the open set, or NULL.
 */
#include "model.h"

struct slot {
	uint64_t count;
};

static struct ctr_slots slots = { .size = sizeof(struct slot) };
/* By thread: explore.c has thread-local variables of all threads at one address. */
static void *mine[2];
static uint32_t step;

static uint64_t
sum(void)
{
	uint64_t counted = 0;
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &slots)
		counted += ctr_load64(&((struct slot *)slots.slot[lcore])->count);
	return counted;
}

static void
count(void **pointer)
{
	void *slot = __atomic_load_n(pointer, __ATOMIC_RELAXED);

	if (slot == NULL)
		slot = ctr_slots_claim(&slots, pointer);
	CHECK(slot != NULL && slot == slots.slot[ctr_lcore_id()]);
	ctr_add64(&((struct slot *)slot)->count, 1);
}

#ifdef MODEL_CLOSED
static void *
worker(void *arg)
{
	void **pointer = &mine[(uintptr_t)arg];

	if (ctr_thread_register() != 0)
		abort();
	count(pointer);
	__atomic_store_n(&step, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) != 2)
		sched_yield();
	count(pointer);
	ctr_thread_unregister();
	CHECK(*pointer == NULL);
	return NULL;
}
#else
static void *
worker(void *arg)
{
	void **pointer = &mine[(uintptr_t)arg];
	unsigned int n;

	for (n = 0; n < 2; n++) {
		if (ctr_thread_register() != 0)
			abort();
		count(pointer);
		ctr_thread_unregister();
		CHECK(*pointer == NULL);
	}
	return NULL;
}
#endif

int
main(void)
{
	pthread_t threads[2];

	if (ctr_slots_open(&slots, NULL) != 0)
		abort();
	threads[0] = model_start(worker, 0);
#ifdef MODEL_CLOSED
	while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) != 1)
		sched_yield();
	CHECK(sum() == 1);
	ctr_slots_close(&slots);
	if (ctr_slots_open(&slots, NULL) != 0)
		abort();
	__atomic_store_n(&step, 2, __ATOMIC_RELEASE);
	model_join(threads[0]);
	CHECK(sum() == 1);
#else
	(void)step;
	threads[1] = model_start(worker, 1);
	model_join(threads[0]);
	model_join(threads[1]);
	CHECK(sum() == 4);
#endif
	return 0;
}
