/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A cache of deltas for each lcore (ctr_held.h): the strategy `shared_coalesced`.
 *
 * `held` of such a domain are the caches. A cache begins with its line of places in use.
 */
#ifndef CTR_COALESCED_H
#define CTR_COALESCED_H

#include "ctr_held.h"
#include "ctr_table.h"

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

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `shared_coalesced`. */
extern const struct ctr_strategy ctr_strategy_shared_coalesced;

/** Give a place, @p held or one behind it, to the element @p of; the deltas of its former element
 * are applied. Returns the place. Never waits. */
struct ctr_held *ctr_held_swap(const struct ctr_held_scope *scope, struct ctr_held *held,
			       void *of);

#ifdef __cplusplus
}
#endif

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

#endif /* CTR_COALESCED_H */
