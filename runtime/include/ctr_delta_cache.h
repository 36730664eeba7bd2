/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Delta cache of an lcore: pending adds to a few elements, whose words all threads share.
 *
 * An entry in use has the deltas of one element. They are added to its words when another element
 * needs the entry (an eviction) and when the lcore flushes. Entries in use are in a FIFO. Only the
 * owning lcore accesses the cache, until its thread leaves. */
#ifndef CTR_DELTA_CACHE_H
#define CTR_DELTA_CACHE_H

#include "ctr_word.h"

/** Header of a cache entry; the deltas follow it in memory. */
struct ctr_cache_entry {
	void *of;       /**< The element that the deltas are of; NULL if the entry is free. */
	uint32_t next;  /**< The next entry of the FIFO, or 0; see ctr_cache_at(). */
	uint32_t scope; /**< What kind of element it is, as generated code numbers them. */
};

/** FIFO of the entries in use. The entries follow it in memory, at multiples of 8 bytes. */
struct ctr_delta_cache {
	uint32_t first; /**< The entry that has been in use for longest, or 0. */
	uint32_t last;  /**< The one that came into use last, or 0. */
	uint32_t hints; /**< Calls of the hint function since deltas without entry were applied. */
	uint32_t reserved; /**< Keeps the entries aligned. */
};

/** The entry @p at times 8 bytes after the FIFO; @p at is not 0. */
static inline struct ctr_cache_entry *
ctr_cache_at(struct ctr_delta_cache *cache, uint32_t at)
{
	return (struct ctr_cache_entry *)(void *)((char *)cache + (size_t)at * 8);
}

/** The entry where the element at a position may be, one of the @p num of its scope, a constant.
 * Positions in a row have entries of their own, as have most that are a power of two apart. */
static inline uint32_t
ctr_cache_slot(uint32_t at, uint32_t num)
{
	return (at ^ (at / num)) % num;
}

/** Append a free entry to the FIFO, before its first use. Owning lcore only. */
static inline void
ctr_cache_enqueue(struct ctr_delta_cache *cache, struct ctr_cache_entry *entry)
{
	const uint32_t at = (uint32_t)((size_t)((char *)entry - (char *)cache) / 8);

	entry->next = 0;
	if (cache->last != 0)
		ctr_cache_at(cache, cache->last)->next = at;
	else
		cache->first = at;
	cache->last = at;
}

/** Remove the first entry from the FIFO; NULL if it is empty. Owning lcore only. */
static inline struct ctr_cache_entry *
ctr_cache_dequeue(struct ctr_delta_cache *cache)
{
	struct ctr_cache_entry *entry;

	if (cache->first == 0)
		return NULL;
	entry = ctr_cache_at(cache, cache->first);
	cache->first = entry->next;
	if (cache->first == 0)
		cache->last = 0;
	return entry;
}

/** Add a delta of the calling lcore to its word, which several threads write, and set it to 0. */
static inline void
ctr_cache_apply64(uint64_t *word, uint64_t *delta)
{
	const uint64_t n = *delta;

	if (n != 0) {
		ctr_atomic_add64(word, n);
		ctr_store64(delta, 0);
	}
}

/** The same of words of 32 bits. */
static inline void
ctr_cache_apply32(uint32_t *word, uint32_t *delta)
{
	const uint32_t n = *delta;

	if (n != 0) {
		ctr_atomic_add32(word, n);
		ctr_store32(delta, 0);
	}
}

/* ---- the strategy `shared_coalesced` ---- */

/** The entries that a cache has for elements of a scope. */
struct ctr_cache_scope {
	const struct ctr_table *table; /**< The scope; deltas lie in an entry as in its elements. */
	uint32_t at;     /**< Bytes from the start of a cache to the first entry. */
	uint32_t size;   /**< Bytes of an entry. */
	uint32_t num;    /**< How many there are. */
	uint32_t delta;  /**< Bytes from the start of an entry to its deltas. */
	uint32_t number; /**< Which of `scopes` it is. */
};

/** `own` of such a domain. */
struct ctr_coalesced {
	const struct ctr_cache_scope *scopes; /**< Scopes whose elements share entries. */
	uint32_t num_scopes;                 /**< Length of `scopes`. */
	/** The scope whose elements have permanent entries, without a header; or NULL. */
	const struct ctr_cache_scope *global;
	uint32_t hints; /**< Ends of bursts after which all that was pending before is applied. */
	uint32_t share; /**< How many places each of them empties. */
};

CTR_C_BEGIN

/** Give an entry to the element @p of; its former deltas are applied. Returns it. Never waits. */
void *ctr_cache_swap(const struct ctr_cache_scope *scope, struct ctr_cache_entry *entry, void *of);

CTR_C_END

/** The same of a pointer to an entry, which begins with its @c head: set to the entry. */
#define CTR_CACHE_SWAP(place, of, scope) \
	((place) = (__typeof__(place))ctr_cache_swap(scope, &(place)->head, of))

#endif /* CTR_DELTA_CACHE_H */
