/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread at a time has the lock of an owner: two visit it, while the owner adds, ends and has a
 * successor who repairs the lock. With MODEL_DIES the owner ends with the lock, which is free in
 * the end all the same.
 */
#include "model.h"

static struct ctr_owned guard;
static unsigned int number;

static void *
owners(void *arg)
{
	(void)arg;
	ctr_owned_lock(&guard);
	number++;
	ctr_owned_unlock(&guard);
#ifdef MODEL_DIES
	ctr_owned_lock(&guard);
	number++;
#endif
	ctr_owned_repair(&guard);
#ifndef MODEL_DIES
	ctr_owned_lock(&guard);
	number++;
	ctr_owned_unlock(&guard);
#endif
	return NULL;
}

static void *
visitor(void *arg)
{
	(void)arg;
	ctr_owned_visit(&guard);
	number++;
	ctr_owned_leave(&guard);
	return NULL;
}

int
main(void)
{
	pthread_t threads[3];

	threads[0] = model_start(owners, 0);
	threads[1] = model_start(visitor, 0);
	threads[2] = model_start(visitor, 0);
	model_join(threads[0]);
	model_join(threads[1]);
	model_join(threads[2]);
	CHECK(number == 4);
	CHECK(guard.held == 0 && guard.visitor == 0);
	return 0;
}
