/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The lock whose owner inherits the priority of those that wait: each test makes the order of
 * events itself, and waits for what the kernel says of a thread rather than for time to pass.
 *
 * Option: SECONDS after which a test ends that sleeps for ever.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ctr.h"
#include "harness.h"

#define PRIORITY 10
#define WAITERS 3
#define SKIPPED 77
#define CASE(name) \
	TEST_BETWEEN(name, (void)alarm((unsigned int)option("SECONDS", 20)), (void)alarm(0))

static struct ctr_pi lock;
static unsigned int number; /* the lock protects it */

static uint32_t
self(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

static uint32_t
owner(void)
{
	return __atomic_load_n(&lock.owner, __ATOMIC_RELAXED);
}

/* A thread sleeps for the lock: the kernel has marked it. */
static void
until_wanted(void)
{
	while (owner() >> 31 == 0)
		usleep(100);
}

static void
add(unsigned int times)
{
	while (times-- > 0) {
		ctr_pi_lock(&lock);
		EQUAL((owner() & 0x3fffffff), self());
		number++;
		ctr_pi_unlock(&lock);
	}
}

static void *
adder(void *arg)
{
	add(1);
	return arg;
}

/* Those that sleep get the lock one after another, and it is free in the end. */
static void
hand_over(void)
{
	pthread_t threads[WAITERS];
	unsigned int i;

	ctr_pi_lock(&lock);
	for (i = 0; i < WAITERS; i++)
		EQUAL(pthread_create(&threads[i], NULL, adder, NULL), 0);
	until_wanted();
	number++;
	ctr_pi_unlock(&lock);
	for (i = 0; i < WAITERS; i++)
		EQUAL(pthread_join(threads[i], NULL), 0);
	EQUAL(number, WAITERS + 1);
	EQUAL(owner(), 0);
}

CASE(sleepers)
{
	hand_over();
}

static void *
ends_with_it(void *arg)
{
	ctr_pi_lock(&lock);
	if (arg != NULL)
		until_wanted();
	number++;
	return NULL;
}

/* A lock whose owner has ended goes to the next, whether or not that one slept by then. */
CASE(ended)
{
	pthread_t thread;

	run_thread(ends_with_it, NULL);
	add(2);
	EQUAL(owner(), 0);
	EQUAL(pthread_create(&thread, NULL, ends_with_it, &lock), 0);
	while (owner() == 0)
		usleep(100);
	add(2);
	EQUAL(pthread_join(thread, NULL), 0);
	EQUAL(owner(), 0);
	EQUAL(number, 6);
}

/* The child is another thread; what the forking thread held is its own. */
CASE(forked)
{
	pid_t child;

	add(1);
	ctr_pi_lock(&lock);
	child = fork_off();
	if (child == 0) {
		ctr_pi_unlock(&lock);
		EQUAL(owner(), 0);
		add(2);
		number = 0;
		hand_over();
		_exit(0);
	}
	ended_well(child);
	ctr_pi_unlock(&lock);
	EQUAL(owner(), 0);
}

static uint32_t waiter;

static void *
wants(void *arg)
{
	struct sched_param real = { .sched_priority = PRIORITY };

	(void)arg;
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &real) != 0)
		_exit(SKIPPED);
	__atomic_store_n(&waiter, self(), __ATOMIC_RELEASE);
	add(1);
	return NULL;
}

/* State and priority of a thread, as /proc/PID/stat has them: proc(5). */
static int
priority(uint32_t thread, char *state)
{
	char path[64], line[512];
	int at = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/self/task/%u/stat", thread);
	file = fopen(path, "r");
	CHECK(file != NULL && fgets(line, sizeof(line), file) != NULL, "no %s", path);
	(void)fclose(file);
	EQUAL(sscanf(strrchr(line, ')'), ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
		     "%*d %*d %d", state, &at), 2);
	return at;
}

/* While a real-time thread waits on the owner's core, the owner runs, with its priority. */
CASE(inherited)
{
	pthread_t thread;
	cpu_set_t core;
	char state = 0;
	int before = priority(self(), &state);

	CPU_ZERO(&core);
	CPU_SET(sched_getcpu(), &core);
	EQUAL(pthread_setaffinity_np(pthread_self(), sizeof(core), &core), 0);
	ctr_pi_lock(&lock);
	EQUAL(pthread_create(&thread, NULL, wants, NULL), 0);
	while (__atomic_load_n(&waiter, __ATOMIC_ACQUIRE) == 0 ||
	       (priority(waiter, &state), state != 'S'))
		usleep(100);
	EQUAL(owner(), (self() | 0x80000000));
	EQUAL(priority(self(), &state), -1 - PRIORITY);
	EQUAL(number, 0);
	ctr_pi_unlock(&lock);
	/* It has run before this thread, whose priority is its own again. */
	EQUAL(__atomic_load_n(&number, __ATOMIC_RELAXED), 1);
	EQUAL(priority(self(), &state), before);
	EQUAL(pthread_join(thread, NULL), 0);
	EQUAL(owner(), 0);
}
