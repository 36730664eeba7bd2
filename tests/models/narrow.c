/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Narrow words, of which RANGE of BITS are used, whose owners spill into one wide word, and one who reads READS times
 * (ctr_narrow.h), in all executions. What is read is the sum of what each owner had added at some
 * moment during the read, or, where SPILLED is not 0 and much has landed, a value between; it is
 * no less than what was read before. There are no more tries than two for each copy.
 *
 * ADDS are the amounts that each owner adds, OWNERS how many there are, SHARE the bits of a
 * number. With fewer COPIES than owners, one goes on with the word of the first, if it is told that
 * this is done. LEFT is in the low part of the first word to begin with, as in a child of fork()
 * whose parent's thread would have spilled. With LIBRARY the reader is that of the strategy's
 * operations, which tries once before it does the same.
 */
#include <stddef.h>

#include "orders.h"

#ifndef BITS
#define BITS 16
#endif
#ifndef RANGE
#define RANGE 4
#endif
#define CTR_NARROW_RANGE(bits) ((void)(bits), RANGE)
#define CTR_NO_ASM
#ifdef LIBRARY
#include "ctr_narrow_read.h"
#else
#include "ctr_narrow.h"
#endif

#ifndef OWNERS
#define OWNERS 2
#endif
#ifndef SHARE
#define SHARE 1
#endif
#ifndef ADDS
#define ADDS 5, 7
#endif
#ifndef SPILLED
#define SPILLED 0
#endif
#ifndef READS
#define READS 2
#endif
#ifndef COPIES
#define COPIES OWNERS
#endif
#ifndef LEFT
#define LEFT 0
#endif

static const uint64_t adds[] = { ADDS };
#define NUM_ADDS (sizeof(adds) / sizeof(adds[0]))

#if BITS == 16
typedef uint16_t word_t;
#define ADD ctr_narrow_add16
#define SPILL ctr_narrow_spill16_64
#else
typedef uint32_t word_t;
#define ADD ctr_narrow_add32
#define SPILL ctr_narrow_spill32_64
#endif

static word_t word[COPIES];
static uint64_t wide;
static uint32_t told;
static unsigned int turns;

static void
add(unsigned int copy, uint64_t n)
{
	if (!ADD(&word[copy], SHARE, n))
		SPILL(&word[copy], &wide, SHARE, ctr_narrow_group(BITS, SHARE, copy), n);
}

static void
owner(unsigned int number)
{
	unsigned int copy = number % COPIES;

	if (number >= COPIES) {
		if (__atomic_load_n(&told, __ATOMIC_ACQUIRE) == 0)
			return;
		ctr_narrow_takeover();
	}
	turns++;
	for (unsigned int i = 0; i < NUM_ADDS; i++)
		add(copy, adds[i]);
	if (number == 0 && OWNERS > COPIES)
		__atomic_store_n(&told, 1, __ATOMIC_RELEASE);
}

#ifdef LIBRARY

static uint64_t
value(void)
{
	const struct ctr_narrow_shape shape = CTR_NARROW_SHAPE(BITS, SHARE);
	const struct word of = { 0, &wide };
	struct members members = { .even = 0, .odd = CTR_SLOTS };

	for (unsigned int i = 0; i < COPIES; i++) {
		const unsigned int group = ctr_narrow_group(BITS, SHARE, i);
		struct member *member;

		member = &members.of[group % 2 == 0 ? members.even++ : --members.odd];
		member->element = (const char *)&word[i];
		member->group = (uint16_t)group;
		member->shift = (uint16_t)(group * SHARE);
	}
	return narrow_value_of(&members, of, &shape, BITS);
}

#else

static uint64_t
value(void)
{
	struct ctr_narrow seen;

	ctr_narrow_begin(&seen, BITS, SHARE);
	do {
		ctr_narrow_from(&seen, ctr_narrow_wide(&wide));
		for (unsigned int i = 0; i < COPIES; i++) {
			word_t part = __atomic_load_n(&word[i], __ATOMIC_RELAXED);

			CHECK(BITS == 16 || part >> RANGE == 0);
			ctr_narrow_part(&seen, ctr_narrow_group(BITS, SHARE, i), part);
		}
	} while (ctr_narrow_again(&seen, &wide));
	/* One more where what landed is enough. */
	CHECK(seen.tries <= 2 * COPIES + 1);
	return ctr_narrow_value(&seen, NULL);
}

#endif

/* Whether a value is a sum of what owners from `copy` on may have added. */
static bool
possible(unsigned int copy, uint64_t left)
{
	uint64_t added = 0;
	unsigned int times = COPIES < OWNERS && copy == 0 ? 2 : 1, i;

	if (copy == COPIES)
		return left == 0;
	for (i = 0; i <= times * NUM_ADDS; i++) {
		if (left >= added && possible(copy + 1, left - added))
			return true;
		added += adds[i % NUM_ADDS];
	}
	return false;
}

/* What all owners add, or those that had a turn. */
static uint64_t
all(unsigned int owners)
{
	uint64_t total = LEFT;

	for (unsigned int i = 0; i < NUM_ADDS; i++)
		total += owners * adds[i];
	return total;
}

static void
reader(unsigned int number)
{
	uint64_t before = 0;

	(void)number;
	for (unsigned int i = 0; i < READS; i++) {
		uint64_t now = value();

		CHECK(before <= now && now <= all(OWNERS));
		CHECK(SPILLED || (now >= LEFT && possible(0, now - LEFT)));
		before = now;
	}
	orders_latest();
	CHECK(value() == all(turns));
}

int
main(void)
{
	while (orders_next()) {
		unsigned int i;

		memset(word, 0, sizeof(word));
		word[0] = LEFT << SHARE;
		wide = 0;
		told = 0;
		turns = 0;
		for (i = 0; i < OWNERS; i++)
			orders_thread(owner, true);
		orders_thread(reader, false);
		orders_run();
	}
	printf("%llu executions\n", (unsigned long long)orders.executions);
	return 0;
}
