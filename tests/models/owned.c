/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread at a time has the lock of an owner: two visit it, while the owner adds, ends and has a
 * successor who repairs the lock. With MODEL_DIES the owner ends with the lock, which is free in
 * the end all the same.
 */
#include "model.h"

static struct ctr_biased guard;
static unsigned int number;

static void *
owners(void *arg)
{
	(void)arg;
	ctr_biased_lock(&guard);
	number++;
	ctr_biased_unlock(&guard);
#ifdef MODEL_DIES
	ctr_biased_lock(&guard);
	number++;
#endif
	ctr_biased_recover(&guard);
#ifndef MODEL_DIES
	ctr_biased_lock(&guard);
	number++;
	ctr_biased_unlock(&guard);
#endif
	return NULL;
}

static void *
nonowner(void *arg)
{
	(void)arg;
	ctr_biased_lock_nonowner(&guard);
	number++;
	ctr_biased_unlock_nonowner(&guard);
	return NULL;
}

int
main(void)
{
	pthread_t threads[3];

	threads[0] = model_start(owners, 0);
	threads[1] = model_start(nonowner, 0);
	threads[2] = model_start(nonowner, 0);
	model_join(threads[0]);
	model_join(threads[1]);
	model_join(threads[2]);
	CHECK(number == 4);
	CHECK(guard.held == 0 && guard.nonowner == 0);
	return 0;
}
