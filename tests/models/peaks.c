/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peaks. Of a gauge: one thread changes it, another begins a new epoch; the new epoch has what
 * the gauge has at its end. MODEL_OBSERVED: two observe, one begins a new epoch; each value is in
 * one of the two epochs.
 */
#include "model.h"

#define HIGH 100

#ifdef MODEL_OBSERVED
static uint64_t most, least;

static void *
observer(void *arg)
{
	uint64_t value = (uintptr_t)arg;

	ctr_peak_highest(&most, value);
	ctr_peak_lowest(&least, value);
	return NULL;
}

int
main(void)
{
	uint64_t highest, lowest, rest;
	pthread_t threads[2];

	threads[0] = model_start(observer, 5);
	threads[1] = model_start(observer, 7);
	highest = ctr_peak_read(&most, false, 0, HIGH, true);
	lowest = ctr_peak_read(&least, true, 0, HIGH, true);
	model_join(threads[0]);
	model_join(threads[1]);
	rest = ctr_peak_read(&most, false, 0, HIGH, false);
	CHECK((highest == 7) != (rest == 7));
	CHECK(highest == 7 || highest == 5 || highest == 0);
	rest = ctr_peak_read(&least, true, 0, HIGH, false);
	CHECK((lowest == 5) != (rest == 5));
	return 0;
}
#else
static uint64_t gauge = 50, mark;

static void *
changer(void *arg)
{
	(void)arg;
#if defined(MODEL_SUB)
	ctr_mark_lowest(&mark, ctr_gauge_sub(&gauge, 10));
#elif defined(MODEL_ADD)
	ctr_mark_highest(&mark, ctr_gauge_add(&gauge, 10));
#else
	ctr_mark_highest(&mark, ctr_gauge_set(&gauge, 60));
#endif
	return NULL;
}

int
main(void)
{
	pthread_t thread;
	uint64_t last;

	/* In the former epoch there was more than what comes, so the change need not raise it. */
#ifdef MODEL_SUB
	mark = ~UINT64_C(1);
	thread = model_start(changer, 0);
	last = ctr_mark_read(&mark, &gauge, true, 0, HIGH, true);
	model_join(thread);
	CHECK(last == 1);
	CHECK(~mark == 40);
	CHECK(ctr_mark_read(&mark, &gauge, true, 0, HIGH, false) == 40);
#else
	mark = 99;
	thread = model_start(changer, 0);
	last = ctr_mark_read(&mark, &gauge, false, 0, HIGH, true);
	model_join(thread);
	CHECK(last == 99);
	CHECK(mark == 60);
	CHECK(ctr_mark_read(&mark, &gauge, false, 0, HIGH, false) == 60);
#endif
	return 0;
}
#endif
