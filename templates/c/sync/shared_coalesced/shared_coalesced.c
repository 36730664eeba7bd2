/* SPDX-License-Identifier: BSD-3-Clause */
/* Deltas of a few elements in a cache of each lcore are added to the only copy atomically. */
#include "ctr_held.h"
#include "ctr_quiescent.h"
#include "ctr_strategy.h"

static const struct ctr_coalesced *
coalesced_own_of(const struct ctr_domain *domain)
{
	return (const struct ctr_coalesced *)domain->own;
}

/* Add deltas to the words of an element. */
static void
coalesced_add(const struct ctr_table *table, char *element, char *deltas)
{
	const struct ctr_run *run = table->runs;
	const struct ctr_run *const end = run + table->num_runs;
	unsigned int i;

	for (; run != end; run++) {
		uint64_t *word64 = (uint64_t *)(void *)(element + run->data);
		uint64_t *delta64 = (uint64_t *)(void *)(deltas + run->data);
		uint32_t *word32 = (uint32_t *)(void *)(element + run->data);
		uint32_t *delta32 = (uint32_t *)(void *)(deltas + run->data);

		for (i = 0; i < run->num; i++) {
			if (run->bits == 64)
				ctr_held_apply64(&word64[i], &delta64[i]);
			else
				ctr_held_apply32(&word32[i], &delta32[i]);
		}
	}
	/* A child of fork() finds no delta of one element next to the address of another. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
}

static inline void
evict(const struct ctr_held_scope *scope, struct ctr_held *held)
{
	coalesced_add(scope->table, (char *)held->of, (char *)held + scope->delta);
}

struct ctr_held *
ctr_held_swap(const struct ctr_held_scope *scope, struct ctr_held *held, void *of)
{
	const struct ctr_slots *caches = scope->table->domain->held;
	struct ctr_held_line *cache = (struct ctr_held_line *)ctr_slots_own(caches);

	/* Its line is here by the time it is evicted. */
	ctr_prefetch(of);
	if (scope->choice && held->of != NULL) {
		struct ctr_held *second = (struct ctr_held *)(void *)((char *)held + scope->size);

		if (second->of == NULL || cache->turn++ % 2 != 0)
			held = second;
	}
	if (held->of == NULL)
		ctr_held_join(cache, held);
	else
		evict(scope, held);
	held->of = of;
	held->scope = scope->number;
	return held;
}

/* ---- flushes ---- */

/* Apply the deltas of elements that have places for good. */
static void
apply_global(const struct ctr_domain *domain, struct ctr_held_line *cache)
{
	const struct ctr_held_scope *global = coalesced_own_of(domain)->global;

	if (global != NULL)
		coalesced_add(global->table, (char *)domain->shared + global->table->data.at,
		    (char *)cache + global->at + global->delta);
}

/* Empty the places that have been in use for longest, `most` at most. */
static void
apply(const struct ctr_domain *domain, struct ctr_held_line *cache, uint32_t most)
{
	const struct ctr_held_scope *scopes = coalesced_own_of(domain)->scopes;
	struct ctr_held *held;

	while (most-- != 0 && (held = ctr_held_first(cache)) != NULL) {
		evict(&scopes[held->scope], held);
		held->of = NULL;
	}
}

static void
apply_all(const struct ctr_domain *domain, struct ctr_held_line *cache)
{
	apply(domain, cache, UINT32_MAX);
	apply_global(domain, cache);
}

/* An instance is ending: apply all, so that nothing of it is held back. */
static void
coalesced_flush_ending(const struct ctr_domain *domain, struct ctr_held_line *cache)
{
	const uint64_t now = ctr_quiescent_now();

	apply_all(domain, cache);
	ctr_settled_tell(domain->settled, now);
}

static void
coalesced_burst_end(const struct ctr_domain *domain, struct ctr_held_line *cache)
{
	const struct ctr_coalesced *own = coalesced_own_of(domain);

	if (domain->settled != NULL)
		ctr_settled_begin(domain->settled);
	if (domain->ending != NULL && ctr_unlikely(ctr_load32(&domain->ending->word) != 0)) {
		coalesced_flush_ending(domain, cache);
		return;
	}
	apply(domain, cache, own->share);
	if (++cache->hints < own->hints)
		return;
	cache->hints = 0;
	apply_global(domain, cache);
}

static void
coalesced_flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	struct ctr_held_line *cache = (struct ctr_held_line *)ctr_slots_own(domain->held);

	if (cache == NULL)
		return;
	if (how == CTR_BURST_END)
		coalesced_burst_end(domain, cache);
	else
		apply_all(domain, cache);
}

static void
coalesced_section(const struct ctr_domain *domain, bool begin)
{
	if (begin)
		coalesced_flush(domain, CTR_FLUSH);
}

/*
 * A thread leaves, or is gone, and may have ended during an update: the line may lack the place
 * that it was about to use.
 */
static void
coalesced_empty(const struct ctr_domain *domain, void *slot, unsigned int lcore)
{
	const struct ctr_coalesced *own = coalesced_own_of(domain);
	struct ctr_held_line *cache = (struct ctr_held_line *)slot;
	uint32_t i, n;

	apply_global(domain, cache);
	for (i = 0; i < own->num_scopes; i++) {
		char *place = (char *)slot + own->scopes[i].at;

		for (n = 0; n < own->scopes[i].num; n++, place += own->scopes[i].size) {
			struct ctr_held *held = (struct ctr_held *)(void *)place;

			if (held->of != NULL)
				evict(&own->scopes[i], held);
			held->of = NULL;
		}
	}
	cache->first = 0;
	cache->last = 0;
	if (domain->settled != NULL)
		ctr_settled_leave(domain->settled, lcore);
}

const struct ctr_strategy ctr_strategy_shared_coalesced = {
	.section = coalesced_section,
	.flush = coalesced_flush,
	.adopt = coalesced_empty,
	.leave = coalesced_empty,
};
