/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits, the side of control threads: grants, reports, the life of an instance. All of it but
 * reads is done under the control lock. */
#include "limit.h"
#include "memory.h"

static struct ctr_control *
control_of(const struct ctr_limit *limit)
{
	return limit->table->domain->module->control;
}

/* The sum of the shares of an instance; with @p end they become 0. */
static uint64_t
sum_shares(const struct ctr_limit *limit, uint32_t at, bool end)
{
	const struct ctr_slots *slots = limit->shares->domain->slots;
	const uint32_t num = ctr_load_acquire(&slots->num);
	struct ctr_limit_share *share;
	uint64_t sum = 0;
	uint32_t held, i;

	for (i = 0; i < num; i++) {
		share = limit_share(limit, slots->copy[i], at);
		if (share == NULL)
			continue;
		held = limit_held(share);
		sum += held <= CTR_LIMIT_SHARE ? held : 0;
		if (end)
			ctr_store_release(&share->left, 0u);
	}
	return sum;
}

/* ---- grants ---- */

/* Enter a call about an instance: 0, the account in *account and the lock held; or -errno. */
static int
enter_account(const struct ctr_limit *limit, uint32_t at, struct ctr_limit_account **account)
{
	if (at >= limit->table->max)
		return -ERANGE;
	if (!limit->table->domain->module->ready->set)
		return -ENODEV;
	ctr_control_lock(control_of(limit));
	*account = ctr_core_exists(limit->table, at) ? limit_account(limit, at) : NULL;
	if (*account != NULL)
		return 0;
	ctr_control_unlock(control_of(limit));
	return -ENOENT;
}

/* A grant to an account: what it leads to, 0; -ERANGE; -EBUSY. */
static int
plan_grant(const struct ctr_limit *limit, const struct ctr_limit_account *account,
	   struct limit_step *step, uint64_t n)
{
	const bool unread = (step->flags & LIMIT_REPORT) != 0;
	const uint64_t more = limit->stops ? n : account->base + n - account->total;

	if (unread && !limit->stops)
		return -EBUSY;
	if (n > limit->most || step->rest + (int64_t)more > (int64_t)limit->most)
		return -ERANGE;
	step->rest += (int64_t)more;
	if (!unread)
		step->flags |= LIMIT_ARMED;
	if (limit->stops)
		return 0;
	ctr_core_limit_recall(step);
	ctr_core_limit_cross(limit, step);
	return 0;
}

int
ctr_limit_set(const struct ctr_limit *limit, uint32_t at, uint64_t n)
{
	struct ctr_limit_account *account;
	struct limit_step step;
	uint64_t word;
	int rc = enter_account(limit, at, &account);

	if (rc != 0)
		return rc;
	if (!limit->stops && n == 0)
		rc = -EINVAL;
	word = ctr_load64(&account->word);
	do {
		limit_begin(&step, word);
		rc = rc == 0 ? plan_grant(limit, account, &step, n) : rc;
	} while (rc == 0 && !limit_change(account, &word, &step));
	if (rc == 0) {
		ctr_store64(&account->total, (limit->stops ? account->total : account->base) + n);
		ctr_core_limit_follow(limit, at, account, &step);
	}
	ctr_control_unlock(control_of(limit));
	return rc;
}

int
ctr_limit_withdraw(const struct ctr_limit *limit, uint32_t at, uint64_t n, uint64_t *taken)
{
	struct ctr_limit_account *account;
	struct limit_step step;
	uint64_t word, most;
	int rc;

	if (taken == NULL || !limit->stops)
		return -EINVAL;
	*taken = 0;
	rc = enter_account(limit, at, &account);
	if (rc != 0)
		return rc;
	word = ctr_load64(&account->word);
	do {
		limit_begin(&step, word);
		most = step.rest > 0 ? (uint64_t)step.rest : 0;
		*taken = n < most ? n : most;
		step.rest -= (int64_t)*taken;
		if (*taken != n)
			ctr_core_limit_recall(&step);
	} while (!limit_change(account, &word, &step));
	ctr_store64(&account->total, account->total - *taken);
	ctr_core_limit_follow(limit, at, account, &step);
	ctr_control_unlock(control_of(limit));
	return *taken != n && (step.flags & LIMIT_LENT) != 0 ? -EINPROGRESS : 0;
}

/* ---- reports ---- */

/* Append what lcores have pushed, the first first. */
static void
collect_pushed(const struct ctr_limit *limit)
{
	struct ctr_limit_reports *reports = limit->reports;
	uint32_t pushed = __atomic_exchange_n(&reports->head, 0, __ATOMIC_ACQUIRE);
	uint32_t first = 0, next;
	const uint32_t last = pushed;

	for (; pushed != 0; pushed = next) {
		struct ctr_limit_account *account = limit_account(limit, pushed - 1);

		next = ctr_load32(&account->next);
		ctr_store32(&account->next, first);
		first = pushed;
	}
	if (first == 0)
		return;
	if (reports->first == 0)
		reports->first = first;
	else
		ctr_store32(&limit_account(limit, reports->last - 1)->next, first);
	/* What was pushed first is now in front, and what was pushed last is the end. */
	reports->last = last;
}

/* Take the first instance off the list. */
static struct ctr_limit_account *
shift_report(const struct ctr_limit *limit)
{
	struct ctr_limit_account *account = limit_account(limit, limit->reports->first - 1);

	limit->reports->first = ctr_load32(&account->next);
	(void)__atomic_fetch_and(&account->word, ~(uint64_t)LIMIT_REPORT, __ATOMIC_ACQ_REL);
	return account;
}

static void
describe_crossing(const struct ctr_limit *limit, struct ctr_crossing *out)
{
	struct ctr_limit_account *account;

	out->at = limit->reports->first - 1;
	out->limit = limit->number;
	account = shift_report(limit);
	if (limit->stops) {
		out->count = account->total - sum_shares(limit, out->at, false) -
			     (uint64_t)((int64_t)ctr_load64(&account->word) >> LIMIT_BITS);
		return;
	}
	ctr_store64(&account->total, account->total + ctr_load64(&account->over));
	account->base = account->total;
	out->count = account->total;
}

int
ctr_limit_crossed_next(const struct ctr_limits *limits, struct ctr_crossing *out)
{
	struct ctr_control *control = control_of(limits->limit[0]);
	int rc = -ENOENT;
	uint32_t i;

	if (out == NULL)
		return -EINVAL;
	ctr_control_lock(control);
	for (i = 0; i < limits->num && rc != 0; i++) {
		collect_pushed(limits->limit[i]);
		if (limits->limit[i]->reports->first == 0)
			continue;
		describe_crossing(limits->limit[i], out);
		rc = 0;
	}
	ctr_control_unlock(control);
	return rc;
}

unsigned int
ctr_limit_crossed(const struct ctr_limits *limits,
		  void (*report)(const struct ctr_crossing *crossing, void *user), void *user)
{
	struct ctr_crossing crossing;
	const uint64_t most = (uint64_t)limits->num * limits->limit[0]->table->max;
	unsigned int num = 0;

	while (num < most && ctr_limit_crossed_next(limits, &crossing) == 0) {
		report(&crossing, user);
		num++;
	}
	return num;
}

/* ---- the life of an instance ---- */

static int
limits_provide(const struct ctr_limits *limits, uint32_t at)
{
	uint32_t i;
	int rc = 0;

	for (i = 0; i < limits->num && rc == 0; i++)
		rc = ctr_core_provide(limits->limit[i]->shares, at);
	return rc;
}

/* Take an instance off the list of reports, if it is on it. */
static void
cancel_report(const struct ctr_limit *limit, uint32_t at)
{
	struct ctr_limit_reports *reports = limit->reports;
	struct ctr_limit_account *account = limit_account(limit, at);
	uint32_t before = 0, next;

	collect_pushed(limit);
	for (next = reports->first; next != 0 && next != at + 1;
	     next = ctr_load32(&limit_account(limit, before - 1)->next))
		before = next;
	if (next == 0)
		return;
	if (before == 0) {
		(void)shift_report(limit);
		return;
	}
	ctr_store32(&limit_account(limit, before - 1)->next, ctr_load32(&account->next));
	if (reports->last == at + 1)
		reports->last = before;
	(void)__atomic_fetch_and(&account->word, ~(uint64_t)LIMIT_REPORT, __ATOMIC_ACQ_REL);
}

static void
limits_end(const struct ctr_limits *limits, uint32_t at)
{
	uint32_t i;

	for (i = 0; i < limits->num; i++) {
		const struct ctr_limit *limit = limits->limit[i];
		struct ctr_limit_account *account = limit_account(limit, at);

		(void)__atomic_fetch_add(&account->word, sum_shares(limit, at, true) << LIMIT_BITS,
					 __ATOMIC_ACQ_REL);
		if (ctr_load64(&account->word) & LIMIT_REPORT)
			cancel_report(limit, at);
	}
}

/* A recall that is in progress goes on: the next generation begins with it. */
static void
limits_clear(const struct ctr_limit *limit, uint32_t at)
{
	struct ctr_limit_account *account = limit_account(limit, at);
	uint64_t word = ctr_load64(&account->word);
	struct limit_step to;

	do {
		limit_begin(&to, word & LIMIT_REPORT);
		if (word & LIMIT_RECALL)
			to.flags |= LIMIT_RECALL | LIMIT_LENT | LIMIT_NEAR;
	} while (!limit_change(account, &word, &to));
	ctr_store64(&account->total, 0);
	account->base = 0;
}

static uint64_t
limits_value(const struct ctr_limit *limit, uint32_t at, bool state)
{
	const struct ctr_limit_account *account = limit_account(limit, at);
	const int64_t lent = (int64_t)sum_shares(limit, at, false);
	struct limit_step now;
	int64_t rest;

	limit_begin(&now, ctr_load64(&account->word));
	rest = now.rest + lent;

	if (!state)
		return rest > 0 && !limit_is_idle(limit, now.flags) ? (uint64_t)rest : 0;
	if (limit_is_idle(limit, now.flags))
		return ctr_load64(&account->total) == 0 ? CTR_LIMIT_IDLE : CTR_LIMIT_REACHED;
	if (rest <= 0)
		return CTR_LIMIT_REACHED;
	return now.flags & LIMIT_NEAR ? CTR_LIMIT_NEAR : CTR_LIMIT_OPEN;
}

static void
limits_resume(const struct ctr_limit *limit, uint32_t at, uint64_t left)
{
	struct ctr_limit_account *account = limit_account(limit, at);
	const uint64_t n = left < limit->most ? left : limit->most;

	ctr_store64(&account->word, n << LIMIT_BITS | (n != 0 ? LIMIT_ARMED : 0));
	ctr_store64(&account->total, n);
}

const struct ctr_limit_ops ctr_limit_ops = {
	.provide = limits_provide,
	.end = limits_end,
	.clear = limits_clear,
	.value = limits_value,
	.restore = limits_resume,
};
