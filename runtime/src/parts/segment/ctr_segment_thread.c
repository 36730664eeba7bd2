/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "ctr_segment_private.h"

/* The moment some milliseconds after another. */
static void
later(struct timespec *at, uint32_t ms)
{
	at->tv_sec += ms / 1000u;
	at->tv_nsec += (long)(ms % 1000u) * 1000000L;
	if (at->tv_nsec >= 1000000000L) {
		at->tv_sec++;
		at->tv_nsec -= 1000000000L;
	}
}

static void *
run_publisher(void *argument)
{
	struct ctr_segment *segment = (struct ctr_segment *)argument;
	struct timespec next;

	pthread_mutex_lock(&segment->mutex);
	while (!segment->stop) {
		(void)ctr_segment_write(segment);
		(void)clock_gettime(CLOCK_MONOTONIC, &next);
		later(&next, segment->period_ms);
		while (!segment->stop &&
		       pthread_cond_timedwait(&segment->wake, &segment->mutex, &next) == 0)
			;
	}
	pthread_mutex_unlock(&segment->mutex);
	return NULL;
}

int
ctr_segment_start(struct ctr_segment *segment, uint32_t period_ms)
{
	pthread_condattr_t clock;
	sigset_t all, former;
	int rc;

	if (segment == NULL || period_ms == 0)
		return -EINVAL;
	if (segment->pid != getpid())
		return -EPERM;
	if (segment->runs)
		return -EBUSY;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&segment->wake, &clock);
	pthread_condattr_destroy(&clock);
	segment->period_ms = period_ms;
	segment->stop = segment->final;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	rc = pthread_create(&segment->thread, NULL, run_publisher, segment);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	segment->runs = rc == 0;
	if (rc != 0)
		pthread_cond_destroy(&segment->wake);
	return -rc;
}

void
ctr_segment_stop(struct ctr_segment *segment)
{
	if (segment == NULL || !segment->runs || segment->pid != getpid())
		return;
	pthread_mutex_lock(&segment->mutex);
	segment->stop = true;
	pthread_cond_signal(&segment->wake);
	pthread_mutex_unlock(&segment->mutex);
	pthread_join(segment->thread, NULL);
	pthread_cond_destroy(&segment->wake);
	segment->runs = false;
}
