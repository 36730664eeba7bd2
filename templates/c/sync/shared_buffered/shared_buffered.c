/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of lcores are applied to the only copy under a lock, which readers also take. */
#include "ctr_wb.h"
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

#define GUARDED(name) buffered_##name
#define GUARDED_ONE 1
#define GUARDED_BLOCK(domain) UINT32_MAX

struct buffered_guard {
	struct ctr_wb_pool *pool; /* NULL if the calling thread has the lock already. */
};

static inline void
buffered_enter(struct buffered_guard *guard, const struct ctr_domain *domain, CTR_UNUSED void *copy,
	       CTR_UNUSED void *element)
{
	guard->pool = has_lock(domain) ? NULL : pool_of(domain);
	if (guard->pool != NULL)
		ctr_wb_lock(guard->pool);
}

static inline bool
buffered_leave(struct buffered_guard *guard)
{
	if (guard->pool != NULL)
		ctr_wb_unlock(guard->pool);
	return true;
}

#include "ctr_guarded.h"

/* ---- deferred updates of lcores ---- */

/* From the `hints`-th call since the last flush on, each call tries to flush; call CTR_WB_PATIENCE *
 * `hints` waits for the lock. */
static void
buffered_burst_end(const struct ctr_domain *domain, struct ctr_wb *wb)
{
	struct ctr_wb_pool *pool = pool_of(domain);
	uint64_t now;

	if (ctr_unlikely(ctr_instance_ends(domain, &now))) {
		if (has_lock(domain))
			return;
		ctr_wb_flush(pool, wb);
		ctr_drain_report(domain->drain_tokens, now);
	} else if (ctr_likely(wb->hints + 1 < pool->hints)) {
		wb->hints++;
	} else if (!has_lock(domain)) {
		if (++wb->hints >= CTR_WB_PATIENCE * pool->hints)
			ctr_wb_flush(pool, wb);
		else if (!ctr_wb_try_flush(pool, wb))
			return;
		wb->hints = 0;
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
	ctr_wb_drain_orphans(pool_of(domain), has_lock(domain));
}

static void
buffered_reinit(const struct ctr_domain *domain)
{
	pool_of(domain)->left = NULL;
}

static void
buffered_fork_child(const struct ctr_domain *domain)
{
	ctr_spin_reinit(&pool_of(domain)->lock, has_lock(domain));
	ctr_spin_reinit(&pool_of(domain)->leaving, false);
}

/* ---- buffers without their owner ---- */

static void
buffered_left(const struct ctr_domain *domain, void *wb)
{
	ctr_wb_leave(pool_of(domain), (struct ctr_wb *)wb);
}

static void
buffered_takeover(const struct ctr_domain *domain, void *wb)
{
	ctr_wb_takeover(pool_of(domain), (struct ctr_wb *)wb);
}

const struct ctr_strategy ctr_strategy_shared_buffered = {
	.load = buffered_load,
	.gather = buffered_gather,
	.words = buffered_words,
	.take = buffered_take,
	.clear = buffered_clear,
	.section = buffered_section,
	.drain_orphans = buffered_settle,
	.flush = buffered_flush,
	.add = buffered_add,
	.fork_child = buffered_fork_child,
	.reinit = buffered_reinit,
	.takeover = buffered_takeover,
	.leave = buffered_left,
	.drop = buffered_takeover,
};
