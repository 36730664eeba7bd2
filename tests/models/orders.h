/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Runs all executions of a small program with the product's own headers, as C11 permits them: each
 * order of the steps of its writers, and each value that a reader's load may return.
 *
 * The atomic builtins are replaced. A location is a list of stores in its modification order; each
 * has what is seen with it (a view: a place in the list of each location). A thread has such a view
 * of its own, one that its next acquire fence takes over, and that of its last release fence: the
 * view semantics of release and acquire, without stores that overtake earlier loads (Kang and
 * others, "A promising semantics for relaxed-memory concurrency", POPL 2017).
 *
 * Writers are run in turns: one gives way before it changes what others change too, by a
 * read-modify-write, and before a load with acquire. Its plain stores are to words that no other
 * writer stores to at the time, so their order among those of others is seen by nobody. Readers,
 * which write nothing, are run after the writers, and may load what was there at any time: that is
 * all that they could load meanwhile. Read-modify-writes take the last store, of which there is one
 * order; so does a writer's load of what it is about to exchange, as an older value only makes it
 * try again.
 */
#ifndef ORDERS_H
#define ORDERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#ifndef ORDERS_LOCATIONS
#define ORDERS_LOCATIONS 8
#endif
#define ORDERS_STORES 32
#define ORDERS_THREADS 6
#define ORDERS_CHOICES 256

/** For each location, how many of its first stores are too old. */
struct orders_view {
	uint8_t at[ORDERS_LOCATIONS];
};

struct orders_location {
	const void *word;
	unsigned int size, num;
	uint64_t value[ORDERS_STORES];
	struct orders_view seen[ORDERS_STORES]; /* With that store, by who acquires. */
};

struct orders_thread {
	struct orders_view now, acquired, released;
	void (*run)(unsigned int);
	unsigned int number;
	bool writes, done;
	ucontext_t context;
	char stack[16384];
};

static struct {
	struct orders_location location[ORDERS_LOCATIONS];
	unsigned int num_locations, num_threads, current;
	struct orders_thread thread[ORDERS_THREADS];
	ucontext_t scheduler;
	unsigned int choice[ORDERS_CHOICES], of[ORDERS_CHOICES], depth, length;
	uint64_t executions;
} orders;

/** One of @p n ways to go on; each is taken in some execution. */
static inline unsigned int
orders_pick(unsigned int n)
{
	if (n == 1)
		return 0;
	if (orders.depth == orders.length) {
		if (orders.length == ORDERS_CHOICES)
			abort();
		orders.choice[orders.length] = 0;
		orders.of[orders.length++] = n;
	}
	return orders.choice[orders.depth++];
}

static inline void
orders_join(struct orders_view *view, const struct orders_view *other)
{
	for (unsigned int i = 0; i < ORDERS_LOCATIONS; i++)
		if (other->at[i] > view->at[i])
			view->at[i] = other->at[i];
}

static inline struct orders_thread *
orders_me(void)
{
	return &orders.thread[orders.current];
}

static inline unsigned int
orders_find(const void *word, unsigned int size)
{
	struct orders_location *new;
	unsigned int i;

	for (i = 0; i < orders.num_locations; i++)
		if (orders.location[i].word == word)
			return i;
	if (i == ORDERS_LOCATIONS)
		abort();
	new = &orders.location[orders.num_locations++];
	memset(new, 0, sizeof(*new));
	new->word = word;
	new->size = size;
	new->num = 1;
	memcpy(&new->value[0], word, size); /* What main() left there. */
	return i;
}

/** Let another writer take a step. */
static inline void
orders_step(void)
{
	if (orders_me()->writes)
		(void)swapcontext(&orders_me()->context, &orders.scheduler);
}

static inline bool
orders_acquires(int order)
{
	return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static inline bool
orders_releases(int order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* Take store `n` of location `x` as what was loaded. */
static inline uint64_t
orders_seen(unsigned int x, unsigned int n, int order)
{
	struct orders_location *at = &orders.location[x];
	struct orders_thread *me = orders_me();

	me->now.at[x] = (uint8_t)n;
	orders_join(&me->acquired, &me->now);
	orders_join(&me->acquired, &at->seen[n]);
	if (orders_acquires(order))
		orders_join(&me->now, &at->seen[n]);
	return at->value[n];
}

static inline uint64_t
orders_load(const void *word, unsigned int size, int order)
{
	unsigned int x = orders_find(word, size), oldest = orders_me()->now.at[x];
	unsigned int num;

	if (orders_acquires(order))
		orders_step();
	num = orders.location[x].num;
	return orders_seen(x, orders_me()->writes ? num - 1 : oldest + orders_pick(num - oldest), order);
}

/* Append a store; with `base`, it is of a read-modify-write of the last one. */
static inline void
orders_append(unsigned int x, uint64_t value, int order, bool base)
{
	struct orders_location *at = &orders.location[x];
	struct orders_thread *me = orders_me();
	unsigned int n = at->num++;

	if (n == ORDERS_STORES)
		abort();
	at->value[n] = value;
	me->now.at[x] = (uint8_t)n;
	orders_join(&me->acquired, &me->now);
	at->seen[n] = orders_releases(order) ? me->now : me->released;
	at->seen[n].at[x] = (uint8_t)n;
	if (base)
		orders_join(&at->seen[n], &at->seen[n - 1]);
}

static inline uint64_t
orders_cut(uint64_t value, unsigned int size)
{
	return value & (UINT64_MAX >> (64 - 8 * size));
}

static inline void
orders_store(void *word, unsigned int size, uint64_t value, int order)
{
	unsigned int x = orders_find(word, size);

	orders_append(x, orders_cut(value, size), order, false);
	value = orders_cut(value, size);
	memcpy(word, &value, size); /* For plain loads of its only writer. */
}

static inline uint64_t
orders_add(void *word, unsigned int size, uint64_t n, int order)
{
	unsigned int x = orders_find(word, size);
	uint64_t old;

	orders_step();
	old = orders_seen(x, orders.location[x].num - 1, order);
	orders_append(x, orders_cut(old + n, size), order, true);
	return old;
}

static inline bool
orders_exchange(void *word, unsigned int size, void *expected, uint64_t value, int order)
{
	unsigned int x = orders_find(word, size);
	uint64_t old, wanted = 0;

	orders_step();
	memcpy(&wanted, expected, size);
	old = orders.location[x].value[orders.location[x].num - 1];
	if (old != wanted) {
		(void)orders_seen(x, orders.location[x].num - 1, __ATOMIC_RELAXED);
		memcpy(expected, &old, size);
		return false;
	}
	(void)orders_seen(x, orders.location[x].num - 1, order);
	orders_append(x, orders_cut(value, size), order, true);
	return true;
}

static inline void
orders_fence(int order)
{
	struct orders_thread *me = orders_me();

	if (orders_acquires(order))
		orders_join(&me->now, &me->acquired);
	if (orders_releases(order))
		me->released = me->now;
}

/** From here on the calling thread sees the last store of each location. */
static inline void
orders_latest(void)
{
	for (unsigned int i = 0; i < orders.num_locations; i++)
		orders_me()->now.at[i] = (uint8_t)(orders.location[i].num - 1);
}

#define __atomic_load_n(at, order) ((__typeof__(*(at)))orders_load(at, sizeof(*(at)), order))
#define __atomic_store_n(at, value, order) orders_store(at, sizeof(*(at)), (uint64_t)(value), order)
#define __atomic_fetch_add(at, n, order) orders_add(at, sizeof(*(at)), (uint64_t)(n), order)
#define __atomic_fetch_sub(at, n, order) orders_add(at, sizeof(*(at)), -(uint64_t)(n), order)
#define __atomic_exchange_n(at, value, order) (abort(), *(at))
#define __atomic_compare_exchange_n(at, expected, value, weak, order, otherwise) \
	orders_exchange(at, sizeof(*(at)), expected, (uint64_t)(value), order)
#define __atomic_thread_fence(order) orders_fence(order)

/** Fail with what has been chosen so far. */
#define CHECK(condition)                                                                    \
	do {                                                                                \
		if (!(condition)) {                                                         \
			fprintf(stderr, "%s:%d: %s, execution %llu\n", __FILE__, __LINE__, \
				#condition, (unsigned long long)orders.executions);        \
			exit(1);                                                            \
		}                                                                           \
	} while (0)

/** A thread of the next execution; @p run of its number. A writer, or one that only reads. */
static inline void
orders_thread(void (*run)(unsigned int), bool writes)
{
	struct orders_thread *thread = &orders.thread[orders.num_threads];

	memset(thread, 0, offsetof(struct orders_thread, context));
	thread->run = run;
	thread->number = orders.num_threads++;
	thread->writes = writes;
}

static inline void
orders_entry(void)
{
	struct orders_thread *me = orders_me();

	me->run(me->number);
	me->done = true;
	(void)swapcontext(&me->context, &orders.scheduler);
}

/** Run the threads once: writers in turns, then readers one after the other. */
static inline void
orders_run(void)
{
	unsigned int ready[ORDERS_THREADS], num, i;

	for (i = 0; i < orders.num_threads; i++) {
		struct orders_thread *thread = &orders.thread[i];

		(void)getcontext(&thread->context);
		thread->context.uc_stack.ss_sp = thread->stack;
		thread->context.uc_stack.ss_size = sizeof(thread->stack);
		makecontext(&thread->context, orders_entry, 0);
	}
	for (;;) {
		num = 0;
		for (i = 0; i < orders.num_threads; i++)
			if (orders.thread[i].writes && !orders.thread[i].done)
				ready[num++] = i;
		for (i = 0; num == 0 && i < orders.num_threads; i++)
			if (!orders.thread[i].done) {
				ready[num++] = i;
				break;
			}
		if (num == 0)
			return;
		orders.current = ready[orders_pick(num)];
		(void)swapcontext(&orders.scheduler, &orders_me()->context);
	}
}

/** Begin the next execution; false if there is none. */
static inline bool
orders_next(void)
{
	while (orders.executions > 0 && orders.length > 0 &&
	       ++orders.choice[orders.length - 1] == orders.of[orders.length - 1])
		orders.length--;
	if (orders.executions > 0 && orders.length == 0)
		return false;
	orders.executions++;
	orders.depth = 0;
	orders.num_locations = 0;
	orders.num_threads = 0;
	return true;
}

#endif /* ORDERS_H */
