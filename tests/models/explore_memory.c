/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a model that is explored (explore.c), by the view semantics of release, acquire and fences
 * (Kang and others, "A promising semantics for relaxed-memory concurrency", POPL 2017) without
 * promises. A store has the view of its thread, which a thread that acquires it joins; a load returns
 * a store that is not older than what its thread has seen, of the last STORES. Stores to a word are
 * in the order in which they are executed, and a read-modify-write takes the last one.
 *
 * A view has the clocks of threads as well. Two accesses are a race if neither happens before the
 * other, one of them is plain and one of them is a store.
 */
#include "explore_state.h"

/* ---- views ---- */

void
join(struct view *view, const struct view *other)
{
	const unsigned int n = THREADS + x->num_locations;

	for (unsigned int i = 0; i < n; i++)
		view->at[i] = other->at[i] > view->at[i] ? other->at[i] : view->at[i];
}

/* Without clocks: it orders no plain accesses. */
static void
join_constant(struct view *view, const struct view *other)
{
	for (unsigned int i = THREADS; i < THREADS + x->num_locations; i++)
		if (other->at[i] > view->at[i])
			view->at[i] = other->at[i];
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

/* After a plain store, what was stored atomically before is not loaded any more. */
void
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
	at->changers |= (kind == STORE ? 1u : 0u) << x->current;
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
