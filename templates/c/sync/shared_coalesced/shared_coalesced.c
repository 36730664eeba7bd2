/* SPDX-License-Identifier: BSD-3-Clause */
/* Each lcore caches deltas of a few elements, which are added to the only copy atomically. */
#include "ctr_delta_cache.h"
#include "ctr_strategy.h"

/* Add the deltas of an entry to the words of an element. */
static void
evict(const struct ctr_cache_scope *scope, void *element, void *place)
{
	const struct ctr_run *run = scope->table->runs, *const end = run + scope->table->num_runs;
	char *deltas = (char *)place + scope->delta;

	for (; run != end; run++) {
		void *word = (char *)element + run->data, *delta = deltas + run->data;

		for (unsigned int i = 0; i < run->num; i++) {
			if (run->bits == 64)
				ctr_cache_apply64((uint64_t *)word + i, (uint64_t *)delta + i);
			else
				ctr_cache_apply32((uint32_t *)word + i, (uint32_t *)delta + i);
		}
	}
	/* A child of fork() must not find a delta of one element with the address of another. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
}

void *
ctr_cache_swap(const struct ctr_cache_scope *scope, struct ctr_cache_entry *entry, void *of)
{
	const struct ctr_slots *caches = scope->table->domain->held;
	struct ctr_delta_cache *cache = (struct ctr_delta_cache *)ctr_slots_own(caches);

	/* So that its line is in the cache when it is evicted. */
	ctr_prefetch(of);
	if (entry->of == NULL)
		ctr_cache_enqueue(cache, entry);
	else
		evict(scope, entry->of, entry);
	entry->of = of;
	entry->scope = scope->number;
	return entry;
}

/* ---- flushes ---- */

/* Apply the deltas of permanent entries. */
static void
apply_global(const struct ctr_domain *domain, struct ctr_delta_cache *cache)
{
	const struct ctr_coalesced *own = domain->own;
	const struct ctr_cache_scope *global = own->global;

	if (global != NULL)
		evict(global, (char *)domain->shared + global->table->data.at,
		      (char *)cache + global->at);
}

/* Empty the oldest entries, at most `most`. */
static void
apply(const struct ctr_domain *domain, struct ctr_delta_cache *cache, uint32_t most)
{
	const struct ctr_coalesced *own = domain->own;
	struct ctr_cache_entry *entry;

	while (most-- != 0 && (entry = ctr_cache_dequeue(cache)) != NULL) {
		evict(&own->scopes[entry->scope], entry->of, entry);
		entry->of = NULL;
	}
}

static void
coalesced_flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	struct ctr_delta_cache *cache = (struct ctr_delta_cache *)ctr_slots_own(domain->held);
	const struct ctr_coalesced *own = domain->own;
	bool ends = false;
	uint64_t now = 0;

	if (cache == NULL)
		return;
	if (how == CTR_BURST_END)
		ends = ctr_instance_ends(domain, &now);
	if (how == CTR_BURST_END && ctr_likely(!ends)) {
		apply(domain, cache, own->share);
		if (++cache->hints < own->hints)
			return;
		cache->hints = 0;
	} else {
		apply(domain, cache, UINT32_MAX);
	}
	apply_global(domain, cache);
	if (ends)
		ctr_drain_report(domain->drain_tokens, now);
}

/* A thread leaves, or has exited, perhaps during an update: the FIFO may lack the entry that it was
 * about to use. */
static void
coalesced_empty(const struct ctr_domain *domain, void *slot)
{
	const struct ctr_coalesced *own = domain->own;
	struct ctr_delta_cache *cache = (struct ctr_delta_cache *)slot;

	apply_global(domain, cache);
	for (uint32_t i = 0; i < own->num_scopes; i++) {
		char *place = (char *)slot + own->scopes[i].at;

		for (uint32_t n = 0; n < own->scopes[i].num; n++, place += own->scopes[i].size) {
			struct ctr_cache_entry *entry = (struct ctr_cache_entry *)(void *)place;

			if (entry->of != NULL)
				evict(&own->scopes[i], entry->of, entry);
			entry->of = NULL;
		}
	}
	cache->first = 0;
	cache->last = 0;
}

const struct ctr_strategy ctr_strategy_shared_coalesced = {
	.flush = coalesced_flush,
	.takeover = coalesced_empty,
	.leave = coalesced_empty,
};
