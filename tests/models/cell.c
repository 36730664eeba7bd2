/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A state wider than a word, set by two threads: a reader gets one of the values whole.
 */
#include "model.h"

#ifdef MODEL_GENMC
/* All sizes of this model are whole words. */
#define memcpy(to, from, size) \
	((void)(size), (void)(*(uint64_t *)(void *)(to) = *(const uint64_t *)(const void *)(from)))
#endif
#include "ctr_cell.c"

#define ROOM (2 * sizeof(uint64_t))

static uint32_t seq;
static uint64_t words[2];

static void *
setter(void *arg)
{
	uint64_t value[2] = { (uintptr_t)arg, (uintptr_t)arg };

	ctr_cell_set(&seq, words, value, sizeof(value), ROOM);
	return NULL;
}

int
main(void)
{
	pthread_t threads[2];
	uint64_t value[2];

	threads[0] = model_start(setter, 1);
	threads[1] = model_start(setter, 2);
	ctr_cell_get(&seq, words, value, ROOM);
	CHECK(value[0] == value[1]);
	model_join(threads[0]);
	model_join(threads[1]);
	ctr_cell_get(&seq, words, value, ROOM);
	CHECK(value[0] == value[1] && value[0] != 0);
	return 0;
}
