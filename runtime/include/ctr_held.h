/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What an lcore holds back of a few elements at a time, in front of words that all threads share.
 *
 * A place in use has the deltas of one element: what is still to be added to its words, when
 * another element needs the place (an eviction) and when the lcore flushes. Places in use are in a
 * FIFO. Only its own lcore touches any of this, until its thread leaves. */
#ifndef CTR_HELD_H
#define CTR_HELD_H

#include "ctr_word.h"

/** The head of a place; the deltas follow it in memory. */
struct ctr_held {
	void *of;       /**< The element that the deltas are of; NULL if the place is free. */
	uint32_t next;  /**< The place behind it in the line, or 0; see ctr_held_at(). */
	uint32_t scope; /**< What kind of element it is, as generated code numbers them. */
};

/** The line of the places in use. The places follow it in memory, at multiples of 8 bytes. */
struct ctr_held_line {
	uint32_t first; /**< The place that has been in use for longest, or 0. */
	uint32_t last;  /**< The one that came into use last, or 0. */
	uint32_t hints; /**< Calls of the hint function since what has no place was applied. */
	uint32_t turn;  /**< Number of evictions, where there is a choice. */
};

/** The place that is so many times 8 bytes behind the line; @p at is not 0. */
static inline struct ctr_held *
ctr_held_at(struct ctr_held_line *line, uint32_t at)
{
	return (struct ctr_held *)(void *)((char *)line + (size_t)at * 8);
}

/** The first of the @p ways places, 1 or 2, where the element at a position may be. @p sets is the
 * number of places of the scope, divided by that. Positions in a row have places of their own, as
 * have most that are a power of two apart. Constants. */
static inline uint32_t
ctr_held_place(uint32_t at, uint32_t sets, uint32_t ways)
{
	return (at ^ (at / sets)) % sets * ways;
}

/** The place of an element: @p first, or @p second bytes, if not 0, behind; or NULL. Its lcore. */
static inline void *
ctr_held_find(struct ctr_held *first, const void *of, size_t second)
{
	struct ctr_held *held = first;

	if (second != 0 && ctr_unlikely(held->of != of))
		held = (struct ctr_held *)(void *)((char *)held + second);
	return ctr_likely(held->of == of) ? held : NULL;
}

/** The same of a pointer to a place, which begins with its @c head: it moves to the one found. */
#define CTR_HELD_FIND(place, of, second) \
	((place) = (__typeof__(place))ctr_held_find(&(place)->head, of, second))

/** A free place gets in line: it is about to be used. By its lcore. */
static inline void
ctr_held_join(struct ctr_held_line *line, struct ctr_held *held)
{
	const uint32_t at = (uint32_t)((size_t)((char *)held - (char *)line) / 8);

	held->next = 0;
	if (line->last != 0)
		ctr_held_at(line, line->last)->next = at;
	else
		line->first = at;
	line->last = at;
}

/** Take the place out of the line that is first in it; NULL if there is none. By its lcore. */
static inline struct ctr_held *
ctr_held_first(struct ctr_held_line *line)
{
	struct ctr_held *held;

	if (line->first == 0)
		return NULL;
	held = ctr_held_at(line, line->first);
	line->first = held->next;
	if (line->first == 0)
		line->last = 0;
	return held;
}

/** Add a delta of the calling lcore to its word, which several threads write, and set it to 0. */
static inline void
ctr_held_apply64(uint64_t *word, uint64_t *delta)
{
	const uint64_t n = *delta;

	if (n != 0) {
		ctr_atomic_add64(word, n);
		ctr_store64(delta, 0);
	}
}

/** The same of words of 32 bits. */
static inline void
ctr_held_apply32(uint32_t *word, uint32_t *delta)
{
	const uint32_t n = *delta;

	if (n != 0) {
		ctr_atomic_add32(word, n);
		ctr_store32(delta, 0);
	}
}

/* ---- the strategy `shared_coalesced` ---- */

/** The places that a cache has for elements of a scope. */
struct ctr_held_scope {
	const struct ctr_table *table; /**< The scope; deltas lie in a place as in its elements. */
	uint32_t at;     /**< Bytes from the start of a cache to the first place. */
	uint32_t size;   /**< Bytes of a place. */
	uint32_t num;    /**< How many there are. */
	uint32_t delta;  /**< Bytes from the start of a place to its deltas. */
	uint32_t number; /**< Which of `scopes` it is. */
	bool choice;     /**< Whether an element may be in two places. */
};

/** `own` of such a domain. */
struct ctr_coalesced {
	const struct ctr_held_scope *scopes; /**< Scopes whose elements share places. */
	uint32_t num_scopes;                 /**< Length of `scopes`. */
	/** The scope of which all elements have a place for good, without a head; or NULL. */
	const struct ctr_held_scope *global;
	uint32_t hints; /**< Ends of bursts after which all that was held before is applied. */
	uint32_t share; /**< How many places each of them empties. */
};

CTR_C_BEGIN

/** The operations of `shared_coalesced`. */
extern const struct ctr_strategy ctr_strategy_shared_coalesced;

/** Give a place, @p held or one behind it, to @p of; its former deltas are applied. Never waits. */
struct ctr_held *ctr_held_swap(const struct ctr_held_scope *scope, struct ctr_held *held,
			       void *of);

CTR_C_END

/** The place of an element, as of ctr_held_find(), or the one that it gets, of ctr_held_swap(). */
static inline void *
ctr_held_take(struct ctr_held *first, void *of, size_t second, const struct ctr_held_scope *scope)
{
	struct ctr_held *const other = (struct ctr_held *)(void *)((char *)first + second);

	if (ctr_likely(first->of == of))
		return first;
	if (second != 0 && ctr_likely(other->of == of))
		return other;
	return ctr_held_swap(scope, first, of);
}

/** The same of a pointer to a place, as CTR_HELD_FIND(). */
#define CTR_HELD_TAKE(place, of, second, scope) \
	((place) = (__typeof__(place))ctr_held_take(&(place)->head, of, second, scope))

#endif /* CTR_HELD_H */
