/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_wb.h"

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
	ctr_spin_lock(&pool->lock);
	ctr_wb_apply(pool, wb);
	ctr_spin_unlock(&pool->lock);
}

bool
ctr_wb_try_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used != 0) {
		if (!ctr_spin_trylock(&pool->lock))
			return false;
		ctr_wb_apply(pool, wb);
		ctr_spin_unlock(&pool->lock);
	}
	return true;
}

void
ctr_wb_hint_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (++wb->hints >= pool->hints && ctr_wb_try_flush(pool, wb))
		wb->hints = 0;
}

void
ctr_wb_make_room(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used + pool->largest > pool->size)
		ctr_wb_flush(pool, wb);
	else
		(void)ctr_wb_try_flush(pool, wb);
}
