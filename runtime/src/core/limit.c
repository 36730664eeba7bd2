/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits, the side of lcores: takes from accounts, recalls of shares, their return. Nothing here
 * waits; a loop repeats where another thread has changed the word, or runs through a list once. */
#include "limit.h"

/* Instead of instances to return: the lcore has left, and holds no shares. */
#define CLOSED UINT32_MAX

static uint32_t *
queue_of(const struct ctr_limit *limit, void *slot)
{
	return (uint32_t *)(void *)((char *)slot + limit->queue);
}

/* ---- recalls ---- */

/* An lcore has answered. */
static void
answered(const struct ctr_limit *limit, uint32_t at, struct ctr_limit_account *account)
{
	struct limit_step step;
	uint64_t word;

	if (__atomic_fetch_sub(&account->pending, 1, __ATOMIC_ACQ_REL) != 1)
		return;
	word = ctr_load64(&account->word);
	do {
		limit_begin(&step, word);
		step.flags &= ~(unsigned int)(LIMIT_RECALL | LIMIT_LENT);
		ctr_core_limit_cross(limit, &step);
	} while (!limit_change(account, &word, &step));
	ctr_core_limit_follow(limit, at, account, &step);
}

/* Ask an lcore to return its share of an instance; whether it has one, and is there. */
static bool
ask_back(const struct ctr_limit *limit, uint32_t at, void *slot)
{
	struct ctr_limit_share *share = limit_share(limit, slot, at);
	uint32_t *queue = queue_of(limit, slot);
	uint32_t head = ctr_load_acquire(queue);

	if (share == NULL || ctr_load_acquire(&share->left) == 0)
		return false;
	do {
		if (head == CLOSED)
			return false;
		ctr_store32(&share->next, head);
	} while (!__atomic_compare_exchange_n(queue, &head, at + 1, false, __ATOMIC_RELEASE,
					      __ATOMIC_ACQUIRE));
	return true;
}

/* The calling thread has set LIMIT_RECALL, so that no lcore borrows: all return their shares. */
static void
recall_shares(const struct ctr_limit *limit, uint32_t at, struct ctr_limit_account *account)
{
	const struct ctr_slots *slots = limit->shares->domain->slots;
	const uint32_t num = ctr_load_acquire(&slots->num);

	ctr_store32(&account->pending, num + 1);
	for (uint32_t i = 0; i < num; i++)
		if (!ask_back(limit, at, slots->copy[i]))
			answered(limit, at, account);
	answered(limit, at, account);
}

/* Return an lcore's share to the account. In between it is in neither. A thread that finds that the
 * lcore holds nothing, or has answered, finds the account changed. */
static void
give_back(struct ctr_limit_account *account, struct ctr_limit_share *share)
{
	const uint64_t left = limit_decode(
		__atomic_exchange_n(&share->left, LIMIT_MOVES, __ATOMIC_RELAXED));

	(void)__atomic_fetch_add(&account->word, left << LIMIT_BITS, __ATOMIC_RELAXED);
	ctr_store_release(&share->left, 0u);
}

/* Answer the recalls of a limit; the queue is empty after that, or closed. */
static void
answer_recalls(const struct ctr_limit *limit, void *slot, uint32_t after)
{
	uint32_t next = __atomic_exchange_n(queue_of(limit, slot), after, __ATOMIC_ACQ_REL);

	while (next != 0 && next != CLOSED) {
		const uint32_t at = next - 1;
		struct ctr_limit_share *share = limit_share(limit, slot, at);
		struct ctr_limit_account *account = limit_account(limit, at);

		next = ctr_load32(&share->next);
		give_back(account, share);
		answered(limit, at, account);
	}
}

/* ---- takes ---- */

void
ctr_core_limit_cross(const struct ctr_limit *limit, struct limit_step *step)
{
	if (limit->stops || (step->rest > 0 && (step->flags & LIMIT_DUE) == 0) ||
	    (step->flags & (LIMIT_ARMED | LIMIT_LENT)) != LIMIT_ARMED)
		return;
	step->crosses = true;
	step->over = (uint64_t)-step->rest;
	step->rest = 0;
	step->flags &= ~(unsigned int)(LIMIT_ARMED | LIMIT_NEAR | LIMIT_DUE);
	step->flags |= LIMIT_REPORT;
}

void
ctr_core_limit_recall(struct limit_step *step)
{
	step->recalls = (step->flags & (LIMIT_LENT | LIMIT_RECALL)) == LIMIT_LENT;
	if (step->recalls)
		step->flags |= LIMIT_NEAR | LIMIT_RECALL;
}

void
ctr_core_limit_follow(const struct ctr_limit *limit, uint32_t at, struct ctr_limit_account *account,
		      const struct limit_step *step)
{
	uint32_t *head = &limit->reports->head;
	uint32_t next = ctr_load32(head);

	if (step->recalls)
		recall_shares(limit, at, account);
	if (!step->crosses)
		return;
	ctr_store64(&account->over, step->over);
	do
		ctr_store32(&account->next, next);
	while (!__atomic_compare_exchange_n(head, &next, at + 1, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED));
}

/* The amount lent after a take of @p n. Near the limit it is 0: from where a share does not suffice
 * for 8 such takes, until it suffices for 32. */
static uint64_t
lend(const struct ctr_limit *limit, struct limit_step *step, uint64_t n, uint32_t lcores)
{
	const uint64_t part = step->rest > 0 ? (uint64_t)step->rest / (4 * (uint64_t)lcores) : 0;
	const uint64_t share = part < CTR_LIMIT_SHARE ? part : CTR_LIMIT_SHARE;

	if (step->flags & LIMIT_RECALL)
		return 0;
	if (limit_is_idle(limit, step->flags)) {
		step->flags &= ~(unsigned int)LIMIT_NEAR;
		return CTR_LIMIT_SHARE;
	}
	if (share == 0 || share / 8 < n)
		step->flags |= LIMIT_NEAR;
	else if (share / 32 >= n)
		step->flags &= ~(unsigned int)LIMIT_NEAR;
	return step->flags & LIMIT_NEAR ? 0 : share;
}

/* Take @p n, or with `refuse` refuse that where too little remains: the first refusal without
 * shares that may come back is a crossing. `lcores` is how many may hold shares, `borrows` whether
 * the caller can. */
static void
plan_take(const struct ctr_limit *limit, struct limit_step *step, uint64_t n, bool refuse,
	  uint32_t lcores, bool borrows)
{
	const int64_t most = (int64_t)CTR_LIMIT_MOST;
	uint64_t share;

	if (refuse && (n > CTR_LIMIT_MOST || step->rest < (int64_t)n)) {
		step->refused = true;
		step->flags |= LIMIT_NEAR;
		if ((step->flags & (LIMIT_ARMED | LIMIT_LENT)) != LIMIT_ARMED)
			return;
		step->crosses = true;
		step->flags &= ~(unsigned int)LIMIT_ARMED;
		step->flags |= LIMIT_REPORT;
		return;
	}
	step->rest -= n < CTR_LIMIT_MOST ? (int64_t)n : most;
	if (step->rest < -most)
		step->rest = -most;
	share = lend(limit, step, n, lcores);
	if (borrows && share != 0) {
		step->share = share;
		step->rest -= (int64_t)share;
		step->flags |= LIMIT_LENT;
	}
	ctr_core_limit_cross(limit, step);
}

bool
ctr_limit_take_slowly(const struct ctr_limit *limit, uint32_t at, uint64_t n, bool refuse)
{
	const struct ctr_slots *slots = limit->shares->domain->slots;
	struct ctr_limit_account *account = limit_find(limit, at);
	void *slot = ctr_slots_own(slots);
	struct ctr_limit_share *share = NULL;
	struct limit_step step;
	uint64_t word, own = 0;

	if (account == NULL)
		return !refuse;
	if (slot != NULL)
		share = limit_share(limit, slot, at);
	if (share != NULL) {
		own = limit_held(share);
		/* It holds nothing, but not 0: a thread that sees the change of the account sees
		 * this as well, and asks for what is borrowed. */
		ctr_store32(&share->left, 1);
	}
	word = ctr_load64(&account->word);
	do {
		limit_begin(&step, word);
		step.rest += (int64_t)own;
		plan_take(limit, &step, n, refuse, ctr_load_acquire(&slots->num) + 1,
			  share != NULL);
		if (step.flags & LIMIT_NEAR)
			ctr_core_limit_recall(&step);
	} while (!limit_change(account, &word, &step));
	if (share != NULL)
		ctr_store_release(&share->left,
				  step.share != 0 ? (uint32_t)step.share * 2 + 1 : 0u);
	ctr_core_limit_follow(limit, at, account, &step);
	return !step.refused;
}

/* ---- the domain of shares ---- */

/* A limit of a module by its number, from 0 on; NULL past the last. */
static const struct ctr_limit *
limit_at(const struct ctr_domain *domain, uint32_t number)
{
	const struct ctr_domain *of = (const struct ctr_domain *)domain->own;
	const struct ctr_limits *limits;

	for (uint32_t n = 0; n < of->num_tables; n++) {
		limits = of->tables[n]->limits;
		if (limits != NULL && number < limits->num)
			return limits->limit[number];
		number -= limits != NULL ? limits->num : 0;
	}
	return NULL;
}

static void
limits_section(CTR_UNUSED const struct ctr_domain *domain, CTR_UNUSED bool begin)
{
}

/* The lcore returns all that it holds. It is a reader: no memory of an instance with a record is
 * freed until it leaves. */
static void
return_all(const struct ctr_limit *limit, void *slot)
{
	const struct ctr_table *table = limit->table;
	const uint32_t phase = table->dynamic ? ctr_srcu_read_lock(&table->state->readers) : 0;
	struct ctr_limit_share *share;

	for (uint32_t at = 0; at < table->max; at++) {
		if (table->dynamic && ctr_core_record(table, at) == NULL)
			continue;
		share = limit_share(limit, slot, at);
		if (share != NULL && share->left != 0)
			give_back(limit_account(limit, at), share);
	}
	ctr_core_leave(table, phase);
}

static void
limits_flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	void *slot = domain->slots != NULL ? ctr_slots_own(domain->slots) : NULL;
	const struct ctr_limit *limit;

	for (uint32_t i = 0; slot != NULL && (limit = limit_at(domain, i)) != NULL; i++) {
		if (limit->shares != NULL && ctr_load32(queue_of(limit, slot)) != 0)
			answer_recalls(limit, slot, 0);
		if (limit->shares != NULL && how == CTR_FLUSH)
			return_all(limit, slot);
	}
}

/* A thread that finds the queue closed finds the shares in the account. */
static void
limits_leave(const struct ctr_domain *domain, void *slot)
{
	const struct ctr_limit *limit;

	for (uint32_t i = 0; (limit = limit_at(domain, i)) != NULL; i++) {
		if (limit->shares == NULL)
			continue;
		return_all(limit, slot);
		answer_recalls(limit, slot, CLOSED);
	}
}

static void
limits_takeover(const struct ctr_domain *domain, void *slot)
{
	const struct ctr_limit *limit;

	for (uint32_t i = 0; (limit = limit_at(domain, i)) != NULL; i++)
		if (limit->shares != NULL && ctr_load32(queue_of(limit, slot)) == CLOSED)
			ctr_store32(queue_of(limit, slot), 0);
}

static void
limits_reinit(const struct ctr_domain *domain)
{
	const struct ctr_limit *limit;

	for (uint32_t i = 0; (limit = limit_at(domain, i)) != NULL; i++)
		memset(limit->reports, 0, sizeof(*limit->reports));
}

/* The lcore does not return it any more. */
static uint64_t
drop_share(struct ctr_limit_share *share)
{
	const uint64_t held = limit_held(share);

	ctr_store32(&share->left, 0);
	return held;
}

/* Return all shares, end recalls, and queue all due reports again: other threads may have been
 * doing any of these. An amount that one of them was taking is lost. */
static void
reclaim_forked(const struct ctr_domain *domain, const struct ctr_limit *limit)
{
	struct ctr_limit_account *account;
	struct limit_step step;
	uint32_t *queue;

	for (uint32_t i = 0; limit->shares != NULL && i < domain->slots->num; i++) {
		queue = queue_of(limit, domain->slots->copy[i]);
		if (ctr_load32(queue) != CLOSED)
			ctr_store32(queue, 0);
	}
	memset(limit->reports, 0, sizeof(*limit->reports));
	for (uint32_t at = 0; at < limit->table->max; at++) {
		account = limit_account(limit, at);
		if (account == NULL)
			continue;
		limit->reports->timed += account->due_ns != 0;
		if ((account->word & (LIMIT_LENT | LIMIT_REPORT)) == 0)
			continue;
		limit_begin(&step, account->word);
		step.rest += (int64_t)limit_sum_shares(limit, at, drop_share);
		step.flags &= ~(unsigned int)(LIMIT_LENT | LIMIT_RECALL);
		step.over = account->over;
		step.crosses = (step.flags & LIMIT_REPORT) != 0;
		ctr_core_limit_cross(limit, &step);
		ctr_store64(&account->word, limit_encode(&step));
		ctr_core_limit_follow(limit, at, account, &step);
	}
}

static void
limits_fork_child(const struct ctr_domain *domain)
{
	const struct ctr_limit *limit;

	for (uint32_t i = 0; (limit = limit_at(domain, i)) != NULL; i++)
		reclaim_forked(domain, limit);
}

const struct ctr_strategy ctr_strategy_limits = {
	.section = limits_section,
	.flush = limits_flush,
	.reinit = limits_reinit,
	.fork_child = limits_fork_child,
	.takeover = limits_takeover,
	.leave = limits_leave,
};
