/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr_wb.h"

/* In `hints`: a copy of what was left, freed when it is applied. */
#define COPY UINT32_MAX

/* A thread that leaves while the lock is taken adds its buffer to those left and then tries the
 * lock; who releases it does so and then looks for buffers left. The fences between have one of the
 * two see the other. */
static bool
has_left(const struct ctr_wb_pool *pool)
{
	return __atomic_load_n(&pool->left, __ATOMIC_RELAXED) != NULL;
}

static void
apply_left(struct ctr_wb_pool *pool)
{
	struct ctr_wb *wb, *next;

	ctr_spin_lock(&pool->leaving);
	for (wb = pool->left; wb != NULL; wb = next) {
		const bool copy = wb->hints == COPY;

		next = wb->next;
		ctr_wb_apply(pool, wb);
		__atomic_store_n(&pool->left, next, __ATOMIC_RELAXED);
		/* Not in the list any more, where a child of fork() would find it. */
		if (copy)
			free(wb);
	}
	ctr_spin_unlock(&pool->leaving);
}

void
ctr_wb_lock(struct ctr_wb_pool *pool)
{
	ctr_spin_lock(&pool->lock);
	if (ctr_unlikely(has_left(pool)))
		apply_left(pool);
}

void
ctr_wb_unlock(struct ctr_wb_pool *pool)
{
	do {
		if (ctr_unlikely(has_left(pool)))
			apply_left(pool);
		ctr_spin_unlock(&pool->lock);
		ctr_fence(__ATOMIC_SEQ_CST);
	} while (ctr_unlikely(has_left(pool)) && ctr_spin_trylock(&pool->lock));
}

void
ctr_wb_drain_orphans(struct ctr_wb_pool *pool, bool locked)
{
	if (!locked)
		ctr_wb_lock(pool);
	else if (has_left(pool))
		apply_left(pool);
	if (!locked)
		ctr_wb_unlock(pool);
}

void
ctr_wb_leave(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used == 0)
		return;
	ctr_spin_lock(&pool->leaving);
	wb->next = pool->left;
	__atomic_store_n(&pool->left, wb, __ATOMIC_RELAXED);
	ctr_spin_unlock(&pool->leaving);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_spin_trylock(&pool->lock))
		ctr_wb_unlock(pool);
}

void
ctr_wb_takeover(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	struct ctr_wb **at;

	ctr_spin_lock(&pool->leaving);
	for (at = &pool->left; *at != NULL && *at != wb; at = &(*at)->next)
		;
	if (*at != NULL) {
		struct ctr_wb *copy = (struct ctr_wb *)calloc(1, sizeof(*wb) + wb->used);

		/* Reclaiming an instance does not wait for the new owner: a copy stays behind. */
		if (copy != NULL) {
			memcpy(copy, wb, sizeof(*wb) + wb->used);
			copy->hints = COPY;
			wb->used = 0;
			wb->hints = 0;
		}
		__atomic_store_n(at, copy != NULL ? copy : wb->next, __ATOMIC_RELAXED);
	}
	ctr_spin_unlock(&pool->leaving);
}

void
ctr_wb_apply(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	const char *first = (const char *)(wb + 1);

	pool->apply(first, first + wb->used);
	wb->used = 0;
	wb->hints = 0;
}

void
ctr_wb_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used == 0)
		return;
	ctr_wb_lock(pool);
	ctr_wb_apply(pool, wb);
	ctr_wb_unlock(pool);
}

bool
ctr_wb_try_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used != 0) {
		if (!ctr_spin_trylock(&pool->lock))
			return false;
		ctr_wb_apply(pool, wb);
		ctr_wb_unlock(pool);
	}
	return true;
}

void
ctr_wb_make_room(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used + pool->largest > pool->size)
		ctr_wb_flush(pool, wb);
	else
		(void)ctr_wb_try_flush(pool, wb);
}
