/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An lcore copies its two words when it is asked to; both change in each update, so they are equal
 * in a copy. Who has asked takes the request back at once, and writes to the place then, which
 * nobody else does. With MODEL_AGAIN it asks twice, for two places.
 */
#include "model.h"

#ifdef MODEL_AGAIN
#define TIMES 2
#else
#define TIMES 1
#endif

static struct ctr_asks asks;
static uint32_t own[2];
static uint32_t place[TIMES][2]; /* Plain: who has asked writes to it when it has no request. */

static void
report(void)
{
	uint32_t *to = ctr_asked(&asks) ? (uint32_t *)ctr_ask_accept(&asks, 0) : NULL;

	if (to == NULL)
		return;
	ctr_copy_words(to, own, sizeof(own));
	ctr_ask_answer(&asks, 0);
}

static void *
worker(void *arg)
{
	(void)arg;
	model_enter(0);
	for (unsigned int i = 0; i < 2; i++) {
		ctr_add32(&own[0], 1);
		ctr_add32(&own[1], 1);
		report();
	}
	return NULL;
}

int
main(void)
{
	struct ctr_copied copied;
	pthread_t thread;

	model_lcores(1);
	thread = model_start(worker, 0);
	for (unsigned int i = 0; i < TIMES; i++) {
		place[i][0] = 7;
		ctr_ask_begin(&asks, 0, place[i]);
		ctr_store32(&asks.open.word, 1);
		ctr_asks_wait(&asks, 0);
		if (ctr_ask_taken(&asks, 0, &copied))
			CHECK(place[i][0] == place[i][1] && place[i][0] - 1 < 2);
		place[i][0] = 8;
		place[i][1] = 9;
	}
	model_join(thread);
	CHECK(own[0] == 2 && own[1] == 2 && place[0][0] == 8 && place[0][1] == 9);
	return 0;
}
