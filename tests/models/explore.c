/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explores executions of a model (explore.h). Threads are coroutines. A thread that goes on, and a
 * load that returns the last store, are the rule; an execution has up to so many exceptions: a
 * thread is preempted in front of an access to a word that threads share, or a load returns an older store. All executions with
 * no exception are run, then all with one, two ..., until there were as many as the first argument
 * says; of a number of exceptions with which there are more, those that a fixed sequence of numbers picks.
 *
 * Memory is that of the view semantics of release, acquire and fences (Kang and others, POPL 2017)
 * without promises: each store has a view, of the stores that a thread has seen which acquires it. Stores
 * are in the order in which they are executed. A view has the clocks of threads as well, so two
 * accesses of which none happens before the other are a race if one is plain and one writes.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdarg.h>
#include <ucontext.h>

#include "explore.h"

#undef memcpy
#undef memset
#undef free

#define THREADS 5
#define LOCATIONS 200
#define STORES 8
#define MUTEXES 16
#define KEYS 2
#define CHOICES 4096
#define STACK 65536
#define HEAP 65536
#define STATIC (1 << 20)
#define NESTED 3   /* Loops that wait, one in the other. */
#define MOST 20000 /* Accesses of an execution. */

/* The clock of each thread, and for each location how many of its first stores are too old. */
struct view {
	uint16_t at[THREADS + LOCATIONS];
};

struct store {
	uint64_t value;
	struct view seen;
};

struct location {
	unsigned int size;
	uint64_t execution;
	unsigned int first, num; /* Stores; 0 if what is in memory is not known. */
	unsigned int users, changers; /* Bits of threads, of all executions. */
	bool shared;                  /* At the end of the last round. */
	struct store store[STORES];
};

enum kind { PLAIN_LOAD, PLAIN_STORE, LOAD, STORE, KINDS };

/* The last accesses to eight bytes, by thread: when, and which bytes. */
struct cell {
	uint64_t execution;
	uint8_t location[8];
	struct {
		uint16_t time[KINDS];
		uint8_t bytes[KINDS];
	} by[THREADS];
};

enum state { READY, LOCKING, JOINING, WAITING, DONE };

struct thread {
	struct view now, acquired, released;
	enum state state;
	const void *on; /* What it waits for. */
	uint64_t changes;  /* That there were when it last waited. */
	unsigned int idle; /* Waits since then, and since it loaded an older store. */
	void *(*run)(void *);
	void *arg;
	const void *value[KEYS];
	ucontext_t context;
	char local[256];
	char stack[STACK] __attribute__((aligned(64)));
};

struct mutex {
	const void *at;
	unsigned int owner; /* Its number + 1, 0 if it is free. */
	struct view seen;
};

static struct explore {
	unsigned int num_threads, current, late, num_locations, num_mutexes, num_keys;
	struct thread thread[THREADS];
	char heap[HEAP] __attribute__((aligned(4096)));
	struct view constant; /* Of SC accesses and fences. */
	struct location location[LOCATIONS];
	struct mutex mutex[MUTEXES];
	void (*leave[KEYS])(void *);
	struct cell cell[(STATIC + THREADS * (STACK + 8192) + HEAP) / 8];
	uint64_t execution, changes, steps, used, time_ns, most, random;
	unsigned int choice[CHOICES], of[CHOICES], depth, length, exceptions, allowed;
	bool at_random;
	ucontext_t scheduler;
	char local[256], *image;
} *x;

/* So that there is such a section. */
static EXPLORE_THREAD_LOCAL char none __attribute__((used));

extern char __data_start[], _end[];
extern char __start_explore_thread[], __stop_explore_thread[];

static struct thread *
me(void)
{
	return &x->thread[x->current];
}

static void
fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; execution %lu, thread %u\n", (unsigned long)x->execution, x->current);
	exit(1);
}

void
explore_fail(const char *what, const char *file, int line)
{
	fail("wrong: %s:%d: %s", file, line, what);
	abort();
}

/* ---- choices ---- */

static unsigned int
next_random(unsigned int n)
{
	x->random = x->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(x->random >> 33) % n;
}

/* One of `n` ways to go on; all but the first are exceptions, or none is. */
static unsigned int
pick(unsigned int n, bool exception)
{
	unsigned int chosen;

	if (n == 1 || (exception && x->exceptions == x->allowed))
		return 0;
	if (x->at_random)
		return exception && next_random(2u << x->execution % 5) != 0 ? 0 : next_random(n);
	if (x->depth == x->length) {
		if (x->length == CHOICES)
			fail("more than %u choices", CHOICES);
		x->choice[x->length] = 0;
		x->of[x->length++] = n;
	}
	chosen = x->choice[x->depth++];
	x->exceptions += exception && chosen != 0;
	return chosen;
}

static bool
can_run(const struct thread *thread)
{
	switch (thread->state) {
	case READY:
		return true;
	case LOCKING:
		return ((const struct mutex *)thread->on)->owner == 0;
	case JOINING:
		return ((const struct thread *)thread->on)->state == DONE;
	case WAITING:
		return thread->idle < NESTED || thread->changes != x->changes;
	default:
		return false;
	}
}

static void
switch_to(unsigned int number)
{
	struct thread *from = me();
	const size_t size = (size_t)(__stop_explore_thread - __start_explore_thread);

	if (number == x->current)
		return;
	memcpy(from->local, __start_explore_thread, size);
	memcpy(__start_explore_thread, x->thread[number].local, size);
	x->current = number;
	(void)swapcontext(&from->context, &x->thread[number].context);
}

/* Another thread goes on, or one of the others if the current one cannot. */
static void
give_way(bool exception)
{
	unsigned int ready[THREADS], n = 0, i;

	if (exception)
		ready[n++] = x->current;
	for (i = 0; i < x->num_threads; i++)
		if (i != x->current && can_run(&x->thread[i]))
			ready[n++] = i;
	if (n == 0 && can_run(me()))
		ready[n++] = x->current;
	if (n == 0)
		fail("deadlock: no thread can go on");
	switch_to(ready[pick(n, exception)]);
	me()->state = READY;
}

static void
step(void)
{
	if (++x->steps > MOST)
		fail("livelock: no end after %u accesses", MOST);
}

void
explore_wait(void)
{
	step();
	me()->state = WAITING;
	give_way(false);
	me()->idle = me()->changes == x->changes ? me()->idle + 1 : 0;
	me()->changes = x->changes;
}

static void
block(enum state state, const void *on)
{
	me()->state = state;
	me()->on = on;
	if (!can_run(me()))
		give_way(false);
	me()->state = READY;
}

/* ---- views ---- */

static void
join(struct view *view, const struct view *other)
{
	for (unsigned int i = 0; i < THREADS + x->num_locations; i++)
		if (other->at[i] > view->at[i])
			view->at[i] = other->at[i];
}

/* Without clocks: it orders no plain accesses. */
static void
join_constant(struct view *view, const struct view *other)
{
	for (unsigned int i = THREADS; i < THREADS + x->num_locations; i++)
		if (other->at[i] > view->at[i])
			view->at[i] = other->at[i];
}

static void
tick(void)
{
	me()->now.at[x->current]++;
}

static bool
acquires(int order)
{
	return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool
releases(int order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* ---- races ---- */

static struct cell *
cell_of(uintptr_t at)
{
	struct cell *cell = NULL;

	if (at - (uintptr_t)__start_explore_thread <
	    (uintptr_t)(__stop_explore_thread - __start_explore_thread))
		return NULL;
	if (at - (uintptr_t)__data_start < (uintptr_t)(_end - __data_start))
		cell = &x->cell[(at - (uintptr_t)__data_start) / 8];
	else if (at - (uintptr_t)x->thread < (uintptr_t)&x->constant - (uintptr_t)x->thread)
		cell = &x->cell[(STATIC + at - (uintptr_t)x->thread) / 8];
	if (cell != NULL && cell->execution != x->execution) {
		memset(cell->by, 0, sizeof(cell->by));
		cell->execution = x->execution;
	}
	return cell;
}

static void
note(struct cell *cell, uint8_t bytes, enum kind kind, uintptr_t at)
{
	static const char *const name[KINDS] = { "load", "store", "atomic load", "atomic store" };
	const uint16_t time = me()->now.at[x->current];

	for (unsigned int i = 0; i < x->num_threads; i++)
		for (unsigned int k = 0; i != x->current && k < KINDS; k++)
			if ((kind | k) & 1 && (kind < LOAD || k < LOAD) &&
			    cell->by[i].bytes[k] & bytes && cell->by[i].time[k] > me()->now.at[i])
				fail("race: %s of %#lx behind %s by thread %u", name[kind],
				     (unsigned long)at, name[k], i);
	if (cell->by[x->current].time[kind] != time)
		cell->by[x->current].bytes[kind] = 0;
	cell->by[x->current].time[kind] = time;
	cell->by[x->current].bytes[kind] |= bytes;
}

/* An access that is not atomic; what is known of stores to its words is no longer so after one. */
static void
plain(const void *address, size_t size, enum kind kind)
{
	uintptr_t at = (uintptr_t)address, end = at + size;

	if (x == NULL || x->num_threads == 0)
		return;
	step();
	for (uintptr_t next; at < end; at = next) {
		struct cell *cell = cell_of(at);
		unsigned int from = at % 8, to;

		next = at - from + 8;
		to = next < end ? 8 : (unsigned int)(end - (next - 8));
		if (cell == NULL)
			continue;
		note(cell, (uint8_t)((1u << to) - (1u << from)), kind, at);
		for (unsigned int i = 0; kind == PLAIN_STORE && i < to; i++)
			if (cell->location[i] != 0 && i + x->location[cell->location[i] - 1].size > from)
				x->location[cell->location[i] - 1].first = 0;
	}
}

/* ---- atomic accesses ---- */

static uint64_t
in_memory(const void *word, unsigned int size)
{
	uint64_t value = 0;

	memcpy(&value, word, size);
	return value;
}

static unsigned int
find(unsigned int size, uint8_t *number)
{
	if (*number == 0) {
		if (x->num_locations == LOCATIONS)
			fail("more than %u locations", LOCATIONS);
		*number = (uint8_t)++x->num_locations;
		x->location[*number - 1].size = size;
	}
	return *number - 1u;
}

/* Begin an access: others may come first. Returns the number of its location. */
static struct location *
reach(const void *word, unsigned int size, enum kind kind)
{
	struct cell *cell = cell_of((uintptr_t)word);
	struct location *at;

	step();
	if (cell == NULL)
		return NULL;
	at = &x->location[find(size, &cell->location[(uintptr_t)word % 8])];
	at->users |= 1u << x->current;
	at->changers |= (kind == STORE) << x->current;
	if (at->shared)
		give_way(true);
	note(cell, (uint8_t)(((1u << size) - 1) << (uintptr_t)word % 8), kind, (uintptr_t)word);
	if (at->execution != x->execution)
		at->num = at->first = 0;
	at->execution = x->execution;
	if (at->first == 0) {
		at->first = ++at->num;
		at->store[at->num % STORES].value = in_memory(word, size);
		memset(&at->store[at->num % STORES].seen, 0, sizeof(at->store[0].seen));
	}
	return at;
}

static uint16_t *
seen_by(struct view *view, const struct location *at)
{
	return &view->at[THREADS + (at - x->location)];
}

/* Take a store as what was loaded. */
static uint64_t
take(struct location *at, unsigned int number, int order)
{
	struct store *store = &at->store[number % STORES];

	*seen_by(&me()->now, at) = (uint16_t)number;
	join(&me()->acquired, &me()->now);
	join(&me()->acquired, &store->seen);
	if (acquires(order))
		join(&me()->now, &store->seen);
	if (order == __ATOMIC_SEQ_CST && *seen_by(&x->constant, at) < number)
		*seen_by(&x->constant, at) = (uint16_t)number;
	return store->value;
}

static uint64_t
load(const void *word, unsigned int size, int order)
{
	struct location *at = reach(word, size, LOAD);
	unsigned int older[STORES], n = 1, oldest;

	if (at == NULL)
		return in_memory(word, size);
	oldest = *seen_by(&me()->now, at);
	if (order == __ATOMIC_SEQ_CST && oldest < *seen_by(&x->constant, at))
		oldest = *seen_by(&x->constant, at);
	if (oldest < at->first)
		oldest = at->first;
	older[0] = at->num;
	for (unsigned int i = at->num; i-- > oldest && i + STORES > at->num;)
		if (at->store[i % STORES].value != at->store[(i + 1) % STORES].value)
			older[n++] = i;
	/* At random, there is a thread that mostly loads the oldest that it may. */
	if (x->at_random && x->current == x->late && next_random(8) != 0)
		n--;
	else
		n = pick(n, true);
	if (n != 0)
		me()->idle = 0;
	return take(at, older[n], order);
}

/* Append a store; with `change` it is of a read-modify-write. */
static void
append(struct location *at, void *word, unsigned int size, uint64_t value, int order, bool change)
{
	const struct store *last = &at->store[at->num % STORES];
	struct store *store = &at->store[(at->num + 1) % STORES];

	value &= UINT64_MAX >> (64 - 8 * size);
	x->changes += last->value != value;
	at->num++;
	store->value = value;
	*seen_by(&me()->now, at) = (uint16_t)at->num;
	store->seen = releases(order) ? me()->now : me()->released;
	*seen_by(&store->seen, at) = (uint16_t)at->num;
	if (change)
		join(&store->seen, &last->seen);
	if (at->num - at->first >= STORES)
		at->first = at->num - STORES + 1;
	if (order == __ATOMIC_SEQ_CST)
		*seen_by(&x->constant, at) = (uint16_t)at->num;
	join(&me()->acquired, &me()->now);
	if (releases(order))
		tick();
	memcpy(word, &value, size);
}

static void
store(void *word, unsigned int size, uint64_t value, int order)
{
	struct location *at = reach(word, size, STORE);

	if (at == NULL)
		memcpy(word, &value, size);
	else
		append(at, word, size, value, order, false);
}

enum change { SET, ADD, SUB, AND, OR, XOR };

static uint64_t
change(void *word, unsigned int size, enum change how, uint64_t n, int order)
{
	struct location *at = reach(word, size, STORE);
	uint64_t old = at != NULL ? take(at, at->num, order) : in_memory(word, size);
	const uint64_t to[] = { n, old + n, old - n, old & n, old | n, old ^ n };

	if (at == NULL)
		memcpy(word, &to[how], size);
	else
		append(at, word, size, to[how], order, true);
	return old;
}

static bool
exchange(void *word, unsigned int size, void *expected, uint64_t value, int order, int otherwise)
{
	struct location *at = reach(word, size, STORE);
	uint64_t wanted = in_memory(expected, size), old = in_memory(word, size);

	if (at != NULL)
		(void)take(at, at->num, old == wanted ? order : otherwise);
	if (old != wanted)
		memcpy(expected, &old, size);
	else if (at == NULL)
		memcpy(word, &value, size);
	else
		append(at, word, size, value, order, true);
	return old == wanted;
}

static void
fence(int order)
{
	if (acquires(order))
		join(&me()->now, &me()->acquired);
	if (order == __ATOMIC_SEQ_CST) {
		join_constant(&me()->now, &x->constant);
		join_constant(&x->constant, &me()->now);
	}
	if (releases(order)) {
		me()->released = me()->now;
		tick();
	}
}

/* ---- what the compiler calls ---- */

#define PLAIN(name, size, kind)              \
	void __tsan_##name(void *at);        \
	void __tsan_##name(void *at)         \
	{                                    \
		plain(at, size, kind);       \
	}
#define PLAIN_BOTH(size)                                        \
	PLAIN(read##size, size, PLAIN_LOAD)                     \
	PLAIN(write##size, size, PLAIN_STORE)                   \
	PLAIN(unaligned_read##size, size, PLAIN_LOAD)           \
	PLAIN(unaligned_write##size, size, PLAIN_STORE)
PLAIN_BOTH(1)
PLAIN_BOTH(2)
PLAIN_BOTH(4)
PLAIN_BOTH(8)
PLAIN_BOTH(16)

#define CALLED(result, name, ...)              \
	result __tsan_##name(__VA_ARGS__); \
	result __tsan_##name(__VA_ARGS__)

CALLED(void, read_range, void *at, size_t size)
{
	plain(at, size, PLAIN_LOAD);
}

CALLED(void, write_range, void *at, size_t size)
{
	plain(at, size, PLAIN_STORE);
}

CALLED(void, init, void)
{
}

CALLED(void, func_entry, void *caller)
{
	(void)caller;
}

CALLED(void, func_exit, void)
{
}

#define CHANGE(bits, name, how)                                                               \
	CALLED(uint##bits##_t, atomic##bits##_##name, uint##bits##_t *at, uint##bits##_t n, int order) \
	{                                                                                     \
		return (uint##bits##_t)change(at, bits / 8, how, n, order);                   \
	}
#define ATOMIC(bits)                                                                          \
	CALLED(uint##bits##_t, atomic##bits##_load, const uint##bits##_t *at, int order)      \
	{                                                                                     \
		return (uint##bits##_t)load(at, bits / 8, order);                             \
	}                                                                                     \
	CALLED(void, atomic##bits##_store, uint##bits##_t *at, uint##bits##_t value, int order) \
	{                                                                                     \
		store(at, bits / 8, value, order);                                            \
	}                                                                                     \
	CHANGE(bits, exchange, SET)                                                           \
	CHANGE(bits, fetch_add, ADD)                                                          \
	CHANGE(bits, fetch_sub, SUB)                                                          \
	CHANGE(bits, fetch_and, AND)                                                          \
	CHANGE(bits, fetch_or, OR)                                                            \
	CHANGE(bits, fetch_xor, XOR)                                                          \
	CALLED(int, atomic##bits##_compare_exchange_strong, void *at, void *expected,         \
	       uint##bits##_t value, int order, int otherwise)                                \
	{                                                                                     \
		return exchange(at, bits / 8, expected, value, order, otherwise);             \
	}                                                                                     \
	CALLED(int, atomic##bits##_compare_exchange_weak, void *at, void *expected,           \
	       uint##bits##_t value, int order, int otherwise)                                \
	{                                                                                     \
		return exchange(at, bits / 8, expected, value, order, otherwise);             \
	}                                                                                     \
	CALLED(uint##bits##_t, atomic##bits##_compare_exchange_val, void *at,                 \
	       uint##bits##_t expected, uint##bits##_t value, int order, int otherwise)       \
	{                                                                                     \
		(void)exchange(at, bits / 8, &expected, value, order, otherwise);             \
		return expected;                                                              \
	}
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

CALLED(void, atomic_thread_fence, int order)
{
	fence(order);
}

CALLED(void, atomic_signal_fence, int order)
{
	(void)order;
}

/* ---- what a model calls of the C library ---- */

static void
finish(void)
{
	for (unsigned int i = 0; i < x->num_keys; i++)
		if (me()->value[i] != NULL && x->leave[i] != NULL)
			x->leave[i]((void *)(uintptr_t)me()->value[i]);
	me()->state = DONE;
	x->changes++;
	if (x->current == 0)
		(void)setcontext(&x->scheduler);
	give_way(false);
}

static void
entry(void)
{
	(void)me()->run(me()->arg);
	finish();
}

static void *
run_main(void *arg)
{
	if (model_main() != 0)
		fail("wrong: main() returns an error");
	return arg;
}

int
explore_start(pthread_t *number, const void *attr, void *(*run)(void *), void *arg)
{
	struct thread *thread = &x->thread[x->num_threads];

	(void)attr;
	if (x->num_threads == THREADS)
		fail("more than %u threads", THREADS);
	memset(thread, 0, offsetof(struct thread, context));
	memcpy(thread->local, x->local, sizeof(x->local));
	if (x->num_threads != 0) {
		thread->now = me()->now;
		tick();
	}
	thread->now.at[x->num_threads] = 1;
	thread->run = run;
	thread->arg = arg;
	(void)getcontext(&thread->context);
	thread->context.uc_stack.ss_sp = thread->stack;
	thread->context.uc_stack.ss_size = STACK;
	makecontext(&thread->context, entry, 0);
	*number = x->num_threads++;
	return 0;
}

int
explore_join(pthread_t number, void **result)
{
	(void)result;
	block(JOINING, &x->thread[number]);
	join(&me()->now, &x->thread[number].now);
	return 0;
}

pthread_t
explore_self(void)
{
	return x->current;
}

static struct mutex *
mutex_of(const void *at)
{
	unsigned int i;

	for (i = 0; i < x->num_mutexes; i++)
		if (x->mutex[i].at == at)
			return &x->mutex[i];
	if (i == MUTEXES)
		fail("more than %u mutexes", MUTEXES);
	x->mutex[x->num_mutexes++].at = at;
	return &x->mutex[i];
}

int
explore_lock(pthread_mutex_t *at)
{
	struct mutex *mutex = mutex_of(at);

	step();
	give_way(true);
	while (mutex->owner != 0)
		block(LOCKING, mutex);
	mutex->owner = x->current + 1;
	join(&me()->now, &mutex->seen);
	return 0;
}

int
explore_unlock(pthread_mutex_t *at)
{
	struct mutex *mutex = mutex_of(at);

	if (mutex->owner != x->current + 1)
		fail("wrong: unlocks a mutex that it has not locked");
	mutex->seen = me()->now;
	mutex->owner = 0;
	tick();
	return 0;
}

int
explore_once(pthread_once_t *once, void (*run)(void))
{
	if (*once == PTHREAD_ONCE_INIT)
		run();
	*once = !PTHREAD_ONCE_INIT;
	return 0;
}

int
explore_key(pthread_key_t *key, void (*leave)(void *))
{
	if (x->num_keys == KEYS)
		fail("more than %u keys", KEYS);
	x->leave[x->num_keys] = leave;
	*key = x->num_keys++;
	return 0;
}

int
explore_set(pthread_key_t key, const void *value)
{
	me()->value[key] = value;
	return 0;
}

int
explore_allocate(void **memory, size_t align, size_t size)
{
	const uint64_t at = (x->used + align - 1) / align * align;

	if (at + size > HEAP)
		fail("more than %u bytes", HEAP);
	*memory = x->heap + at;
	x->used = at + size;
	return 0;
}

/* Never given out again, and written to, so an access that is not ordered is a race. */
void
explore_free(void *memory)
{
	if (memory != NULL)
		plain(memory, 8, PLAIN_STORE);
}

void *
explore_copy(void *to, const void *from, size_t size)
{
	plain(from, size, PLAIN_LOAD);
	plain(to, size, PLAIN_STORE);
	return memcpy(to, from, size);
}

void *
explore_fill(void *memory, int byte, size_t size)
{
	plain(memory, size, PLAIN_STORE);
	return memset(memory, byte, size);
}

int
explore_clock(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now->tv_sec = 0;
	now->tv_nsec = (long)(x->time_ns += 1000);
	return 0;
}

/* ---- executions ---- */

static void
run_once(void)
{
	static volatile bool done;
	pthread_t number;

	memcpy(__data_start, x->image, (size_t)(_end - __data_start));
	memcpy(__start_explore_thread, x->local, (size_t)(__stop_explore_thread - __start_explore_thread));
	memset(x->heap, 0, x->used);
	memset(&x->constant, 0, sizeof(x->constant));
	for (unsigned int i = 0; i < x->num_mutexes; i++) {
		x->mutex[i].owner = 0;
		memset(&x->mutex[i].seen, 0, sizeof(x->mutex[i].seen));
	}
	x->changes = x->steps = x->used = x->time_ns = 0;
	x->num_threads = x->current = x->num_keys = x->depth = x->exceptions = 0;
	x->execution++;
	x->late = next_random(THREADS);
	(void)explore_start(&number, NULL, run_main, NULL);
	done = false;
	(void)getcontext(&x->scheduler);
	if (!done) {
		done = true;
		(void)setcontext(&x->thread[0].context);
	}
	x->num_threads = 0;
}

/* Whether there is another execution with as many exceptions. */
static bool
next(void)
{
	while (x->length > 0 && ++x->choice[x->length - 1] == x->of[x->length - 1])
		x->length--;
	return x->length > 0;
}

/* What threads share by now. */
static void
learn(void)
{
	for (struct location *at = x->location; at < x->location + x->num_locations; at++)
		at->shared = at->changers != 0 && (at->users & (at->users - 1)) != 0;
}

int
main(int argc, char **argv)
{
	const uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	const size_t size = (size_t)(_end - __data_start);

	x = mmap(NULL, sizeof(*x), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (x == MAP_FAILED || size > STATIC)
		return 2;
	x->image = malloc(size);
	memcpy(x->image, __data_start, size);
	memcpy(x->local, __start_explore_thread, (size_t)(__stop_explore_thread - __start_explore_thread));
	for (x->allowed = 0; !x->at_random; x->allowed++) {
		x->length = 0;
		do
			run_once();
		while (next() && x->execution < most / 4);
		x->at_random = x->execution >= most / 4;
		learn();
	}
	x->allowed = UINT_MAX;
	while (x->execution < most)
		run_once();
	return 0;
}
