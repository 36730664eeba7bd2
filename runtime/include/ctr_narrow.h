/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counters whose words of the lcores are narrow, and spill into one wide word (docs/decisions.md,
 * 49).
 *
 * A narrow word is cut in two: the low part, and the number of units that it has lost, modulo
 * 2^share. A unit goes from the low part into the number in one store; then the owner lands it in
 * the wide word, in one atomic step. Below a unit the wide word has, for each group of lcores, the
 * number of their units that landed. An lcore has at most one unit in flight and a group at most
 * 2^share - 1 lcores, so the units in flight are the difference of the numbers. The count is
 * units that landed + units in flight + the sum of the low parts
 *
 * A read loads the wide word, the narrow ones, and the wide word again: if it is the same, nothing
 * landed in between. After two landings for each copy, the units that landed are a value that the
 * count had during the read, so a read ends. Arithmetic is modulo 2^64; a larger add goes in
 * several steps. Counters of 32 bits have words of as many, which do not spill.
 *
 * Words of 16 bits have the number above the low part, those of 32 bits at the bottom: there the
 * low part has one bit more than a unit, whose overflow is the sign of the word. One thread at a
 * time writes a narrow word; no thread waits. */
#ifndef CTR_NARROW_H
#define CTR_NARROW_H

#include "ctr_word.h"

struct ctr_spin;

#ifndef CTR_NARROW_RANGE
/** Bits that are used of a word of @p bits; tests use fewer. */
#define CTR_NARROW_RANGE(bits) (bits)
#endif

/** Bits that a narrow word has for a unit in its low part. */
#define CTR_NARROW_FULL(bits) ((bits) == 32 ? 1 : 0)
/** Bits of a narrow word that are below a unit. */
#define CTR_NARROW_LOW(bits, share) \
	(CTR_NARROW_RANGE(bits) - (share) - CTR_NARROW_FULL(bits))
/** Groups of lcores: so many numbers have room below a unit. */
#define CTR_NARROW_GROUPS(bits, share) (CTR_NARROW_LOW(bits, share) / (share))
/** How many copies narrow words may have with that share. */
#define CTR_NARROW_MOST(bits, share) (CTR_NARROW_GROUPS(bits, share) * ((1 << (share)) - 1))
/** Bits of the number of a narrow word that @p copies of it need; 0: none is enough. A constant. */
#define CTR_NARROW_SHARE(bits, copies)                                                            \
	(CTR_NARROW_MOST(bits, 1) >= (copies) ? 1u : CTR_NARROW_MOST(bits, 2) >= (copies) ? 2u : \
	 CTR_NARROW_MOST(bits, 3) >= (copies)         ? 3u : \
	 CTR_NARROW_MOST(bits, 4) >= (copies)         ? 4u : \
	 CTR_NARROW_MOST(bits, 5) >= (copies)         ? 5u : \
	 CTR_NARROW_MOST(bits, 6) >= (copies)         ? 6u : \
	 CTR_NARROW_MOST(bits, 7) >= (copies)         ? 7u : \
	 CTR_NARROW_MOST(bits, 8) >= (copies)         ? 8u : \
	 CTR_NARROW_MOST(bits, 12) >= (copies)        ? 12u : \
							  0u)

/** A unit: what moves at a time. */
static inline uint64_t
ctr_narrow_unit(unsigned int bits, unsigned int share)
{
	return UINT64_C(1) << CTR_NARROW_LOW(bits, share);
}

/** The low part of a word. */
static inline uint64_t
ctr_narrow_low(unsigned int bits, unsigned int share, uint32_t word)
{
	return bits == 32 ? word >> share : word & (ctr_narrow_unit(bits, share) - 1);
}

/** Its number: how many units it has lost, modulo 2^share. */
static inline uint32_t
ctr_narrow_number(unsigned int bits, unsigned int share, uint32_t word)
{
	return (uint32_t)(bits == 32 ? word : word / ctr_narrow_unit(bits, share)) &
	       ((UINT32_C(1) << share) - 1);
}

/** The group of the lcore that came as number @p number, from 0. */
static inline unsigned int
ctr_narrow_group(unsigned int bits, unsigned int share, unsigned int number)
{
	return number % CTR_NARROW_GROUPS(bits, share);
}

/* ---- the owner of a narrow word ---- */

#if CTR_ASM
/** What the calling thread left in its word. Atomic: of a plain load gcc computes it twice. */
#define CTR_NARROW_OWN(word) __atomic_load_n(word, __ATOMIC_RELAXED)
#else
/** What the calling thread left in its word. Plain, so that race detectors report other writers. */
#define CTR_NARROW_OWN(word) (*(word))
#endif

/** Add to a narrow word of 32 bits; false if ctr_narrow_spill32_64() of the same amount is due: the
 * low part has a unit, or the amount is half a unit or more and was not added. A child of fork()
 * without the owner has room for one more add. */
static inline bool
ctr_narrow_add32(uint32_t *word, unsigned int share, uint64_t n)
{
	uint32_t now;

	if (ctr_unlikely(n >= ctr_narrow_unit(32, share) / 2))
		return false;
#if CTR_ASM_X86_64 && defined(__GCC_ASM_FLAG_OUTPUTS__)
	if (CTR_NARROW_RANGE(32) == 32) {
		bool full;

		__asm__ volatile("add{l}\t{%2, %0|%0, %2}"
				 : "+m"(*word), "=@ccs"(full)
				 : "ir"((uint32_t)n << share));
		return !full;
	}
#endif
	now = CTR_NARROW_OWN(word) + ((uint32_t)n << share);
	__atomic_store_n(word, now, __ATOMIC_RELAXED);
	return (now >> (CTR_NARROW_RANGE(32) - 1) & 1) == 0;
}

/** Add to a narrow word of 16 bits; false if its low part would overflow and nothing was added:
 * then ctr_narrow_spill16_64() is due. */
static inline bool
ctr_narrow_add16(uint16_t *word, unsigned int share, uint64_t n)
{
	const uint16_t now = (uint16_t)(CTR_NARROW_OWN(word) + (uint32_t)n);

	/* What is left of the low part is less than what was added, be that a unit or more. */
	if (ctr_unlikely((now & (ctr_narrow_unit(16, share) - 1)) < n))
		return false;
	__atomic_store_n(word, now, __ATOMIC_RELAXED);
	return true;
}

/** Add no more than a unit to a word of 16 bits; whether that moved one. */
static inline bool
ctr_narrow_step16(uint16_t *word, unsigned int share, uint64_t n)
{
	const uint64_t unit = ctr_narrow_unit(16, share);
	const uint64_t low = (*word & (unit - 1)) + n;

	__atomic_store_n(word, (uint16_t)(*word + n), __ATOMIC_RELAXED);
	return low >= unit;
}

/** The same of 32 bits. There may be a unit in the low part already, if nothing is added. */
static inline bool
ctr_narrow_step32(uint32_t *word, unsigned int share, uint64_t n)
{
	const uint32_t unit = (uint32_t)ctr_narrow_unit(32, share);
	const uint32_t low = (*word >> share) + (uint32_t)n;
	const uint32_t number = ctr_narrow_number(32, share, *word + 1);
	const bool moves = low >= unit;

	__atomic_store_n(word,
			 moves ? (low - unit) << share | number : *word + ((uint32_t)n << share),
			 __ATOMIC_RELAXED);
	return moves;
}

/** For the next owner of narrow words: who sees its adds sees the landings that it has seen. */
static inline void
ctr_narrow_takeover(void)
{
	ctr_fence(__ATOMIC_RELEASE);
}

/** Land a unit of a group in a wide word, with its number. Released with what the caller added
 * before; seen by readers of what it adds after. */
static inline void
ctr_narrow_land(uint64_t *sum, unsigned int share, uint64_t unit, unsigned int group)
{
	const uint64_t one = UINT64_C(1) << (group * share);
	const uint64_t mask = ((UINT64_C(1) << share) - 1) << (group * share);
	uint64_t before = ctr_load64(sum), after;

	do {
		after = ((before + unit) & ~mask) | ((before + one) & mask);
	} while (!__atomic_compare_exchange_n(sum, &before, after, true, __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
	ctr_fence(__ATOMIC_RELEASE);
}

/** The rest of a ctr_narrow_add*() of the same amount. Multiples of the range of a narrow word go
 * to the wide word at once, ordered as a landing is; the remainder in steps of a unit at most, so
 * that one unit is in flight at a time. */
#define CTR_NARROW_SPILL(bits)                                                                 \
	static inline void                                                                     \
	ctr_narrow_spill##bits##_64(uint##bits##_t *word, uint64_t *sum, unsigned int share,   \
				    unsigned int group, uint64_t n)                            \
	{                                                                                      \
		const uint64_t unit = ctr_narrow_unit(bits, share);                            \
		uint64_t left = n & ((unit << share) - 1);                                     \
                                                                                               \
		if (bits == 32) {                                                              \
			if (ctr_narrow_step##bits(word, share, 0))                             \
				ctr_narrow_land(sum, share, unit, group);                      \
			if (n < unit / 2)                                                      \
				return;                                                        \
		}                                                                              \
		if (left != n) {                                                               \
			(void)__atomic_fetch_add(sum, n - left, __ATOMIC_RELEASE);             \
			ctr_fence(__ATOMIC_RELEASE);                                           \
		}                                                                              \
		while (left != 0) {                                                            \
			const uint64_t step = left < unit ? left : unit;                       \
                                                                                               \
			if (ctr_narrow_step##bits(word, share, step))                          \
				ctr_narrow_land(sum, share, unit, group);                      \
			left -= step;                                                          \
		}                                                                              \
	}

CTR_NARROW_SPILL(16)
CTR_NARROW_SPILL(32)

/* ---- readers ---- */

/** A read of one count; on the caller's stack. */
struct ctr_narrow {
	unsigned int bits;  /**< Of a narrow word. */
	unsigned int share; /**< Bits of its number. */
	unsigned int tries; /**< How many there were. */
	unsigned int parts; /**< Narrow words at this try. */
	uint64_t first;     /**< The wide word at the first try. */
	uint64_t sum;       /**< At this one. */
	uint64_t low;       /**< Low parts. */
	uint64_t number[2]; /**< Numbers of even and of odd groups, where the wide word has them. */
};

/** Begin a read of narrow words of that many bits. */
static inline void
ctr_narrow_begin(struct ctr_narrow *read, unsigned int bits, unsigned int share)
{
	read->bits = bits;
	read->share = share;
	read->tries = 0;
}

/** Begin a try; @p sum is ctr_narrow_wide(). */
static inline void
ctr_narrow_from(struct ctr_narrow *read, uint64_t sum)
{
	if (read->tries++ == 0)
		read->first = sum;
	read->sum = sum;
	read->parts = 0;
	read->low = 0;
	read->number[0] = 0;
	read->number[1] = 0;
}

/** A wide word. */
static inline uint64_t
ctr_narrow_wide(const uint64_t *sum)
{
	return ctr_load_acquire(sum);
}

/** Add what a narrow word holds. Sums of numbers of even groups do not overlap, nor of odd ones. */
static inline void
ctr_narrow_part(struct ctr_narrow *read, unsigned int group, uint32_t word)
{
	const uint64_t number = ctr_narrow_number(read->bits, read->share, word);

	read->parts++;
	read->low += ctr_narrow_low(read->bits, read->share, word);
	read->number[group % 2] += number << (group * read->share);
}

/** End a try: whether there must be another one. @p sum is the wide word. */
static inline bool
ctr_narrow_again(struct ctr_narrow *read, const uint64_t *sum)
{
	const uint64_t unit = ctr_narrow_unit(read->bits, read->share);
	uint64_t now, landed;

	ctr_fence(__ATOMIC_ACQUIRE);
	now = ctr_narrow_wide(sum);
	if (ctr_likely(now == read->sum))
		return false;
	landed = (now / unit - read->first / unit) & (UINT64_MAX / unit);
	if (landed < 2 * (uint64_t)read->parts)
		return true;
	/* What landed is enough; as if nothing were behind it. */
	ctr_narrow_from(read, now);
	read->number[0] = now & (unit - 1);
	read->number[1] = now & (unit - 1);
	return false;
}

/** The count, modulo 2^64, when no more try is needed. @p settled, unless
 * NULL, receives the wide word as if all units had landed: in a child of fork(), without their
 * owners. */
static inline uint64_t
ctr_narrow_value(const struct ctr_narrow *read, uint64_t *settled)
{
	const uint64_t unit = ctr_narrow_unit(read->bits, read->share);
	const uint64_t mask = (UINT64_C(1) << read->share) - 1;
	const unsigned int groups = CTR_NARROW_GROUPS(read->bits, read->share);
	uint64_t landed = read->sum & ~(unit - 1), numbers = 0;

	for (unsigned int group = 0; group < groups; group++) {
		const unsigned int at = group * read->share;
		const uint64_t number = read->number[group % 2] >> at & mask;

		landed += unit * ((number - (read->sum >> at)) & mask);
		numbers |= number << at;
	}
	if (settled != NULL)
		*settled = landed | numbers;
	return landed + read->low;
}

/* ---- copies with narrow words: the strategy `per_core_narrow` ---- */

/** What a copy begins with. */
struct ctr_narrow_head {
	uint16_t group;    /**< Which number of landings is that of this copy. */
	uint16_t share;    /**< Bits of a number. */
	uint32_t spilling; /**< Not 0 while its owner spills. */
};

/** How narrow words are cut in two, and where wide words have the numbers of groups. */
struct ctr_narrow_shape {
	uint32_t bits;  /**< Of a narrow word: 32 or 16. */
	uint32_t share; /**< Bits of its number: CTR_NARROW_SHARE(). */
	uint64_t even;  /**< The numbers of even groups. */
	uint64_t odd;   /**< The numbers of odd groups. */
};

/** The numbers of @p groups groups, one in two, from bit 0 on. */
#define CTR_NARROW_EVERY_OTHER(share, groups) \
	(((UINT64_C(1) << (share)) - 1) *     \
	 (((UINT64_C(1) << (2 * (share) * (groups))) - 1) / ((UINT64_C(1) << (2 * (share))) - 1)))

/** The shape of narrow words, a constant initialiser. */
#define CTR_NARROW_SHAPE(bits, share)                                                        \
	{                                                                                    \
		(bits), (share),                                                             \
		CTR_NARROW_EVERY_OTHER(share, (CTR_NARROW_GROUPS(bits, share) + 1) / 2),     \
		CTR_NARROW_EVERY_OTHER(share, CTR_NARROW_GROUPS(bits, share) / 2) << (share) \
	}

/** `own` of such a domain. */
struct ctr_narrow_own {
	struct ctr_narrow_shape shape; /**< That of all words. */
	struct ctr_padded32 *copies;     /**< How many copies there are. */
	uint32_t most;                 /**< How many there may be. */
};

CTR_C_BEGIN

/** Add what ctr_narrow_add32() did not, and land a full unit. By the owner of the copy; no wait. */
void ctr_narrow_carry32_64(struct ctr_narrow_head *copy, uint32_t *word, uint64_t *sum,
			   uint64_t n) CTR_COLD;
/** The same from a word of 16 bits. */
void ctr_narrow_carry16_64(struct ctr_narrow_head *copy, uint16_t *word, uint64_t *sum,
			   uint64_t n) CTR_COLD;

/** Add @p n to a word of @p bits bits of @p copy, with its wide word @p sum of @p wide bits, on a
 * thread without an lcore id: under @p lock, that of the copy, or atomically where the word is as
 * wide as the counter. Spins. */
void ctr_narrow_other_add(struct ctr_spin *lock, struct ctr_narrow_head *copy, void *word,
			  unsigned int bits, void *sum, unsigned int wide, uint64_t n) CTR_COLD;

CTR_C_END

#endif /* CTR_NARROW_H */
