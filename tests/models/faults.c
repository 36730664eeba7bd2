/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What explore.c must report, one fault with each macro, and what it must permit: a fault that it
 * cannot see would be in a model, too. FAULT is one of the functions below.
 */
#include "explore.h"

#define CHECK(condition) \
	((condition) ? (void)0 : explore_fail(#condition, __FILE__, __LINE__))

static uint32_t a, b, ready, plain;
static uint32_t seen[4];
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

#define STORE(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#define LOAD(at) __atomic_load_n(at, __ATOMIC_RELAXED)

/* Both add to a word in two steps, each of which takes the last store. */
static void
lost_add(unsigned int number)
{
	uint32_t last = __atomic_fetch_add(&a, 0, __ATOMIC_RELAXED);

	(void)number;
	(void)__atomic_exchange_n(&a, last + 1, __ATOMIC_RELAXED);
	if (__atomic_fetch_add(&ready, 1, __ATOMIC_RELAXED) == 1)
		CHECK(__atomic_fetch_add(&a, 0, __ATOMIC_RELAXED) == 2);
}

static void
race(unsigned int number)
{
	plain += number;
}

/* A plain store and an atomic load. */
static void
mixed(unsigned int number)
{
	if (number == 0)
		plain = 1;
	else
		(void)LOAD(&plain);
}

/* In an order in which each waits for the other. */
static void
deadlock(unsigned int number)
{
	pthread_mutex_t *one = number == 0 ? &first : &second;
	pthread_mutex_t *other = number == 0 ? &second : &first;

	(void)pthread_mutex_lock(one);
	(void)pthread_mutex_lock(other);
	(void)pthread_mutex_unlock(other);
	(void)pthread_mutex_unlock(one);
}

/* For what no thread does. */
static void
waits(unsigned int number)
{
	while (number == 0 && LOAD(&ready) == 0)
		(void)sched_yield();
}

/* A loop without an end, in which a word changes all the time. */
static void
livelock(unsigned int number)
{
	while (number == 0 && LOAD(&ready) == 0)
		(void)__atomic_fetch_add(&a, 1, __ATOMIC_RELAXED);
}

/* The same that changes nothing and does not wait. */
static void
spins(unsigned int number)
{
	while (number == 0 && LOAD(&ready) == 0)
		continue;
}

/* Data without a release. */
static void
unpublished(unsigned int number)
{
	if (number == 0) {
		STORE(&a, 1);
		STORE(&ready, 1);
	} else if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) != 0) {
		CHECK(LOAD(&a) == 1);
	}
}

/* The same without an acquire, of plain data. */
static void
unacquired(unsigned int number)
{
	if (number == 0) {
		plain = 1;
		__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
	} else if (LOAD(&ready) != 0) {
		CHECK(plain == 1);
	}
}

/* Both may miss the other's store: fences that are not sequentially consistent. */
static void
overtaken(unsigned int number)
{
	STORE(number == 0 ? &a : &b, 1);
	__atomic_thread_fence(__ATOMIC_ACQ_REL);
	STORE(&seen[number], LOAD(number == 0 ? &b : &a) + 1);
	CHECK(LOAD(&seen[0]) != 1 || LOAD(&seen[1]) != 1);
}

/* None of these has a fault. */
static void
right(unsigned int number)
{
	(void)pthread_mutex_lock(&first);
	plain++;
	(void)pthread_mutex_unlock(&first);
	(void)__atomic_fetch_add(&seen[2], 1, __ATOMIC_RELAXED);
	__atomic_store_n(number == 0 ? &a : &b, 1, __ATOMIC_SEQ_CST);
	seen[number] = __atomic_load_n(number == 0 ? &b : &a, __ATOMIC_SEQ_CST) + 1;
	if (number == 0) {
		seen[3] = 1;
		__atomic_thread_fence(__ATOMIC_RELEASE);
		STORE(&ready, 1);
	} else {
		while (LOAD(&ready) == 0)
			(void)sched_yield();
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		CHECK(seen[3] == 1);
	}
}

/* The same with fences, and what both know in the end. */
static void
fenced(unsigned int number)
{
	STORE(number == 0 ? &a : &b, 1);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	seen[number] = LOAD(number == 0 ? &b : &a) + 1;
}

static void *
run(void *number)
{
	FAULT((unsigned int)(uintptr_t)number);
	return NULL;
}

int
model_main(void)
{
	void (*const all[])(unsigned int) = {
		lost_add, race, mixed, deadlock, waits, livelock, spins, unpublished, unacquired,
		overtaken, right, fenced,
	};
	pthread_t threads[2];

	(void)all;
	for (uintptr_t i = 0; i < 2; i++)
		(void)pthread_create(&threads[i], NULL, run, (void *)i);
	for (unsigned int i = 0; i < 2; i++)
		(void)pthread_join(threads[i], NULL);
	CHECK(seen[2] == 0 || (seen[2] == 2 && plain == 2));
	CHECK(seen[0] != 1 || seen[1] != 1);
	return 0;
}
