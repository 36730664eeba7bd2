/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread at a time holds a lock, and sees all that those before it did: three add to
 * a plain number. MODEL_TICKET and MODEL_MCS choose the kind; with MODEL_TRY one of them
 * only tries.
 */
#include "model.h"

#ifndef MODEL_UPDATES
#define MODEL_UPDATES 2
#endif

#if defined(MODEL_TICKET)
static struct ctr_ticket guard;
#define TAKE() ctr_ticket_lock(&guard)
#define GIVE() ctr_ticket_unlock(&guard)
#elif defined(MODEL_MCS)
static struct ctr_mcs guard;
#define TAKE()                    \
	struct ctr_mcs_node node; \
	ctr_mcs_lock(&guard, &node)
#define GIVE() ctr_mcs_unlock(&guard, &node)
#else
static struct ctr_spin guard;
#define TAKE() ctr_spin_lock(&guard)
#define GIVE() ctr_spin_unlock(&guard)
#endif

static unsigned int number;

static void *
adder(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < MODEL_UPDATES; i++) {
		TAKE();
		number++;
		GIVE();
	}
	return NULL;
}

#ifdef MODEL_TRY
static unsigned int tried;

static void *
trier(void *arg)
{
	(void)arg;
	if (ctr_spin_trylock(&guard)) {
		number++;
		tried = 1;
		ctr_spin_unlock(&guard);
	}
	return NULL;
}
#else
#define trier adder
#define tried MODEL_UPDATES
#endif

int
main(void)
{
	pthread_t threads[3];

	threads[0] = model_start(adder, 0);
	threads[1] = model_start(adder, 0);
	threads[2] = model_start(trier, 0);
	model_join(threads[0]);
	model_join(threads[1]);
	model_join(threads[2]);
	CHECK(number == 2 * MODEL_UPDATES + tried);
	return 0;
}
