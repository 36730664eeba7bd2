/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of lcores are applied to the only copy under a lock, which readers take, too. */
#include <errno.h>

#include "ctr_wb.h"
#include "ctr_control.h"
#include "ctr_quiescent.h"
#include "ctr_strategy.h"

static struct ctr_wb_pool *
pool_of(const struct ctr_domain *domain)
{
	return (struct ctr_wb_pool *)(uintptr_t)domain->own;
}

/* Whether the calling thread has the lock, in a read section. */
static inline bool
has_lock(const struct ctr_domain *domain)
{
	return ctr_control_reads(domain->module->control);
}

/* ---- reads ---- */

static void
buffered_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
     struct ctr_reading *reading)
{
	const void *element = ctr_element(table, &table->data, copy, at);
	struct ctr_wb_pool *pool = pool_of(table->domain);
	const bool locked = has_lock(table->domain);

	(void)rc;
	(void)reading;
	if (element == NULL)
		return;
	if (!locked)
		ctr_wb_lock(pool);
	ctr_load_only(table, element, n, values);
	if (!locked)
		ctr_wb_unlock(pool);
}

static int
buffered_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	const char *words = (const char *)table->domain->shared + ctr_gather_offset(table, at);
	struct ctr_wb_pool *pool = pool_of(table->domain);
	const bool locked = has_lock(table->domain);
	const unsigned int num = table->runs->num;
	uint64_t sums[CTR_GATHER] = { 0 };

	if (!locked)
		ctr_wb_lock(pool);
	ctr_gather_words((const uint64_t *)(const void *)words, num, sums);
	if (!locked)
		ctr_wb_unlock(pool);
	ctr_gather_values(sums, num, base, values);
	return 0;
}

static int
buffered_words(const struct ctr_table *table, uint32_t at, void *values)
{
	const void *element = ctr_element(table, &table->data, table->domain->shared, at);
	struct ctr_wb_pool *pool = pool_of(table->domain);
	const bool locked = has_lock(table->domain);

	if (element == NULL)
		return -EAGAIN;
	if (!locked)
		ctr_wb_lock(pool);
	ctr_words_set(table, element, values);
	if (!locked)
		ctr_wb_unlock(pool);
	return 0;
}

static void
buffered_take(const struct ctr_table *table, void *element, void *values)
{
	struct ctr_wb_pool *pool = pool_of(table->domain);
	const bool locked = has_lock(table->domain);

	if (!locked)
		ctr_wb_lock(pool);
	ctr_take_plain(table, element, values);
	if (!locked)
		ctr_wb_unlock(pool);
}

static void
buffered_clear(const struct ctr_table *table, void *element)
{
	const bool locked = has_lock(table->domain);

	if (!locked)
		ctr_wb_lock(pool_of(table->domain));
	ctr_clear_plain(table, element);
	if (!locked)
		ctr_wb_unlock(pool_of(table->domain));
}

/* ---- what lcores hold back ---- */

/* An instance is ending: apply all, so that nothing of it is held back. */
static void
buffered_flush_ending(const struct ctr_domain *domain, struct ctr_wb *wb)
{
	const uint64_t now = ctr_quiescent_now();

	ctr_wb_flush(pool_of(domain), wb);
	ctr_settled_tell(domain->settled, now);
}

static void
buffered_burst_end(const struct ctr_domain *domain, struct ctr_wb *wb)
{
	if (domain->settled != NULL)
		ctr_settled_begin(domain->settled);
	if (domain->ending != NULL && ctr_unlikely(ctr_load32(&domain->ending->word) != 0)) {
		if (!has_lock(domain))
			buffered_flush_ending(domain, wb);
	} else if (ctr_likely(wb->hints + 1 < pool_of(domain)->hints)) {
		wb->hints++;
	} else if (!has_lock(domain)) {
		ctr_wb_burst_end(pool_of(domain), wb);
	}
}

static void
buffered_flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	struct ctr_wb *wb = (struct ctr_wb *)ctr_slots_own(domain->held);

	if (wb == NULL)
		return;
	if (how == CTR_BURST_END)
		buffered_burst_end(domain, wb);
	else if (has_lock(domain))
		return;
	else if (how == CTR_FLUSH)
		ctr_wb_flush(pool_of(domain), wb);
	else
		(void)ctr_wb_try_flush(pool_of(domain), wb);
}

static void
buffered_section(const struct ctr_domain *domain, bool begin)
{
	struct ctr_wb *wb = (struct ctr_wb *)ctr_slots_own(domain->held);
	struct ctr_wb_pool *pool = pool_of(domain);

	if (!begin) {
		ctr_wb_unlock(pool);
		return;
	}
	ctr_wb_lock(pool);
	if (wb != NULL && wb->used != 0)
		ctr_wb_apply(pool, wb);
}

static void
buffered_settle(const struct ctr_domain *domain)
{
	ctr_wb_settle(pool_of(domain), has_lock(domain));
}

static void
buffered_anew(const struct ctr_domain *domain)
{
	pool_of(domain)->left = NULL;
}

static void
buffered_mend(const struct ctr_domain *domain)
{
	ctr_wb_mend(pool_of(domain), has_lock(domain));
}

/* ---- buffers without their owner ---- */

static void
buffered_leave(const struct ctr_domain *domain, void *wb, unsigned int lcore)
{
	ctr_wb_leave(pool_of(domain), (struct ctr_wb *)wb);
	if (domain->settled != NULL)
		ctr_settled_leave(domain->settled, lcore);
}

static void
buffered_adopt(const struct ctr_domain *domain, void *wb, unsigned int lcore)
{
	(void)lcore;
	ctr_wb_adopt(pool_of(domain), (struct ctr_wb *)wb);
}

static void
buffered_drop(const struct ctr_domain *domain, void *wb)
{
	ctr_wb_adopt(pool_of(domain), (struct ctr_wb *)wb);
}

static void
buffered_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	ctr_wb_lock(pool_of(domain));
	ctr_add_plain(target, n);
	ctr_wb_unlock(pool_of(domain));
}

const struct ctr_strategy ctr_strategy_shared_buffered = {
	.load = buffered_load,
	.gather = buffered_gather,
	.words = buffered_words,
	.take = buffered_take,
	.clear = buffered_clear,
	.section = buffered_section,
	.settle = buffered_settle,
	.flush = buffered_flush,
	.add = buffered_add,
	.mend = buffered_mend,
	.anew = buffered_anew,
	.adopt = buffered_adopt,
	.leave = buffered_leave,
	.drop = buffered_drop,
};
