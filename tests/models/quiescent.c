/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who takes an instance out of use may free it once all lcores have reported: none of them
 * uses it then. MODEL_SLEEPS has the lcore go offline and come back instead of reporting;
 * with MODEL_ASKERS two threads ask, and the second may be told what the first has found.
 */
#include "model.h"

static unsigned int live = 1;
static uint64_t instance; /* Plain: who frees it writes to it. */

static void
use(void)
{
	if (__atomic_load_n(&live, __ATOMIC_RELAXED) != 0)
		instance++;
}

static void *
worker(void *arg)
{
	(void)arg;
	model_enter(0);
	ctr_quiescent();
	use();
#ifdef MODEL_SLEEPS
	ctr_quiescent_offline();
#endif
	ctr_quiescent();
	use();
	return NULL;
}

static uint64_t
take_out(void)
{
	__atomic_store_n(&live, 0, __ATOMIC_RELAXED);
	return ctr_quiescent_start();
}

#ifdef MODEL_ASKERS
static uint64_t token;

static void *
asker(void *arg)
{
	(void)arg;
	(void)ctr_quiescent_passed(token);
	return NULL;
}
#endif

int
main(void)
{
	pthread_t thread;
#ifdef MODEL_ASKERS
	pthread_t other;
#else
	uint64_t token;
#endif

	model_lcores(1);
	thread = model_start(worker, 0);
	token = take_out();
#ifdef MODEL_ASKERS
	other = model_start(asker, 0);
#endif
	if (ctr_quiescent_passed(token))
		instance = 0;
#ifdef MODEL_ASKERS
	model_join(other);
#endif
	model_join(thread);
	CHECK(instance <= 2);
	return 0;
}
