/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who sees the bit of an instance sees what was made before it was set, also when another bit of
 * the same word was changed since, and whether it is tested or looked for.
 */
#include "model.h"

static struct ctr_control control = CTR_CONTROL_INITIALIZER;
static uint64_t bits[1] = { 1 };
static uint64_t made; /* Plain. */

static void *
creator(void *arg)
{
	(void)arg;
	ctr_control_lock(&control);
	made = 1;
	ctr_bit_set(bits, 1);
	ctr_control_unlock(&control);
	return NULL;
}

static void *
destroyer(void *arg)
{
	(void)arg;
	ctr_control_lock(&control);
	ctr_bit_clear(bits, 0);
	ctr_control_unlock(&control);
	return NULL;
}

int
main(void)
{
	pthread_t threads[2];

	threads[0] = model_start(creator, 0);
	threads[1] = model_start(destroyer, 0);
#ifdef MODEL_NEXT
	if (ctr_bit_next(bits, 1, 2) == 1)
#else
	if (ctr_bit(bits, 1))
#endif
		CHECK(made == 1);
	model_join(threads[0]);
	model_join(threads[1]);
	CHECK(bits[0] == 2);
	return 0;
}
