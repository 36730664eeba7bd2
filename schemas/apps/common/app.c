/* SPDX-License-Identifier: BSD-3-Clause */
/** @file The part of app.h that is the same everywhere. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ctr.h>

#include "app.h"

#define MAX_THREADS 16

/** Arguments of a thread. */
struct app_thread {
	pthread_t id;
	void (*work)(void *);
	void *arg;
};

static unsigned int errors;
static unsigned int waiting;	/* threads that are not ready yet; atomic */
static unsigned int running;	/* threads that are not done yet; atomic */

static void *
thread_main(void *arg)
{
	struct app_thread *self = arg;

	app_must(ctr_thread_register(), "ctr_thread_register");
	__atomic_fetch_sub(&waiting, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&waiting, __ATOMIC_RELAXED) != 0)
		ctr_yield();

	self->work(self->arg);

	ctr_thread_unregister();
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

void
app_run(void (*work)(void *), void *arg, size_t arg_size, unsigned int count,
		void (*control)(void))
{
	struct app_thread threads[MAX_THREADS];
	unsigned int i;

	if (count > MAX_THREADS)
		app_must(-E2BIG, "app_run");

	waiting = count;
	running = count;
	for (i = 0; i < count; i++) {
		threads[i].work = work;
		threads[i].arg = (char *)arg + i * arg_size;
		app_must(-pthread_create(&threads[i].id, NULL, thread_main, &threads[i]),
				"pthread_create");
	}
	do {
		control();
	} while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) != 0);
	for (i = 0; i < count; i++)
		pthread_join(threads[i].id, NULL);
}

void
app_must(int rc, const char *what)
{
	if (rc < 0) {
		fprintf(stderr, "%s: %s\n", what, strerror(-rc));
		exit(EXIT_FAILURE);
	}
}

bool
app_read(int rc, const char *what)
{
	if (rc != -EAGAIN)
		app_must(rc, what);
	return rc == 0;
}

void
app_check(const char *what, uint32_t index, uint64_t stats, uint64_t truth)
{
	if (stats == truth)
		return;
	printf("WRONG: %s %" PRIu32 " is %" PRIu64 ", not %" PRIu64 "\n", what, index, stats,
			truth);
	errors++;
}

int
app_verdict(void)
{
	if (errors == 0)
		printf("\nEvery count is right.\n");
	else
		printf("\n%u counts are wrong.\n", errors);
	return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
