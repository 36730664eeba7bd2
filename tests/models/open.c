/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two modules open their sets of slots while a thread registers: it has a slot in each,
 * whichever is first.
 */
#include "model.h"

static struct ctr_slots sets[2] = {
	{ .size = sizeof(uint64_t) },
	{ .size = sizeof(uint64_t) },
};

static void *
opener(void *arg)
{
	if (ctr_slots_open(&sets[(uintptr_t)arg], NULL) != 0)
		abort();
	return NULL;
}

int
main(void)
{
	pthread_t threads[2];
	unsigned int i;

	threads[0] = model_start(opener, 0);
	threads[1] = model_start(opener, 1);
	if (ctr_thread_register() != 0)
		abort();
	model_join(threads[0]);
	model_join(threads[1]);
	for (i = 0; i < 2; i++) {
		uint64_t *count = (uint64_t *)sets[i].slot[ctr_lcore_id()];

		CHECK(count != NULL);
		ctr_add64(count, 1);
		CHECK(ctr_load64(count) == 1);
	}
	return 0;
}
