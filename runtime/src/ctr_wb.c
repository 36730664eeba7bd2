/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_wb.h"

void
ctr_wb_apply(struct ctr_wb *wb)
{
	const struct ctr_wb_op *op = (const struct ctr_wb_op *)(const void *)(wb + 1);
	const struct ctr_wb_op *end = op + wb->used;

	for (; op < end; op++) {
		if (ctr_likely((op->word & 1) == 0))
			ctr_add64((uint64_t *)op->word, op->operand);
		else
			ctr_add32((uint32_t *)(op->word - 1), (uint32_t)op->operand);
	}
	wb->used = 0;
	wb->hints = 0;
}

void
ctr_wb_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used == 0)
		return;
	ctr_spin_lock(&pool->lock);
	ctr_wb_apply(wb);
	ctr_spin_unlock(&pool->lock);
}

bool
ctr_wb_try_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb)
{
	if (wb->used != 0) {
		if (!ctr_spin_trylock(&pool->lock))
			return false;
		ctr_wb_apply(wb);
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
ctr_wb_make_room(struct ctr_wb_pool *pool, struct ctr_wb *wb, uint32_t n)
{
	if (wb->used + n > pool->size)
		ctr_wb_flush(pool, wb);
	else if (wb->used > pool->soft)
		(void)ctr_wb_try_flush(pool, wb);
}
