/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who ends something reads what an lcore held back of it once that has told: reports that apply
 * nothing, such as those of other modules, are not enough. MODEL_SLEEPS has the lcore apply it and
 * go offline; with MODEL_LEAVES its id goes out of use.
 */
#include "model.h"

static struct ctr_drain_tokens told;
static unsigned int live = 1;
static uint64_t applied; /* Plain: who ends it reads it. */
static uint64_t held;    /* The lcore's. */

static void
apply(void)
{
	if (held != 0)
		applied += held;
	held = 0;
}

static void *
worker(void *arg)
{
	uint64_t now;

	(void)arg;
	model_enter(0);
	ctr_drain_join(&told);
	ctr_quiescent();
	if (__atomic_load_n(&live, __ATOMIC_RELAXED) != 0)
		held++;
	ctr_quiescent();
	now = ctr_quiescent_now();
	apply();
#if defined(MODEL_SLEEPS)
	(void)now;
	ctr_quiescent_offline();
#elif defined(MODEL_LEAVES)
	(void)now;
	ctr_drain_leave(&told, 0);
#else
	ctr_drain_report(&told, now);
	ctr_quiescent();
#endif
	return NULL;
}

int
main(void)
{
	pthread_t thread;
	uint64_t token;

	model_lcores(1);
	thread = model_start(worker, 0);
	__atomic_store_n(&live, 0, __ATOMIC_RELAXED);
	token = ctr_quiescent_start();
	if (ctr_quiescent_passed(token) && ctr_drained_since(&told, token))
		applied = 0;
	model_join(thread);
	CHECK(held == 0 && applied <= 1);
	return 0;
}
