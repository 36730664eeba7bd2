/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits, the side of control threads: grants, reports, the life of an instance. Everything except
 * reads is under the control lock. */
#include "ctr_peak.h"
#include "limit.h"
#include "memory.h"

static struct ctr_control *
control_of(const struct ctr_limit *limit)
{
	return limit->table->domain->module->control;
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

/* Compute a grant to an account: 0; -ERANGE; -EBUSY. */
static int
plan_grant(const struct ctr_limit *limit, struct ctr_limit_account *account,
	   struct limit_step *step, uint64_t n)
{
	const bool unread = (step->flags & LIMIT_REPORT) != 0;
	const uint64_t more = limit->stops ? n : account->base + n - account->total;

	if (unread && !limit->stops)
		return -EBUSY;
	if (limit->shares == NULL && n <= limit->most) {
		ctr_store64(&account->total, n);
		step->flags = unread ? LIMIT_REPORT | LIMIT_NEAR : LIMIT_ARMED;
		return 0;
	}
	if (n > limit->most || step->rest + (int64_t)more > (int64_t)limit->most)
		return -ERANGE;
	step->rest += (int64_t)more;
	if (!unread)
		step->flags |= LIMIT_ARMED;
	if (!limit->stops)
		ctr_core_limit_recall(step);
	/* The next take decides whether it is near. */
	step->flags &= ~(unsigned int)(LIMIT_DUE | LIMIT_NEAR);
	ctr_core_limit_cross(limit, step);
	return 0;
}

/* An instance is due at a time, or never. */
static void
set_due(const struct ctr_limit *limit, struct ctr_limit_account *account, uint64_t due_ns)
{
	limit->reports->timed += (uint32_t)(due_ns != 0) - (uint32_t)(account->due_ns != 0);
	account->due_ns = due_ns;
}

int
ctr_limit_deadline(const struct ctr_limit *limit, uint32_t at, uint32_t seconds)
{
	struct ctr_limit_account *account = NULL;
	int rc = limit->stops ? -EINVAL : enter_account(limit, at, &account);

	if (rc != 0)
		return rc;
	if ((ctr_load64(&account->word) & LIMIT_ARMED) == 0)
		rc = -EINVAL;
	else
		set_due(limit, account, seconds != 0 ? ctr_time_ns() + seconds * CTR_SECOND_NS : 0);
	ctr_control_unlock(control_of(limit));
	return rc;
}

/* A deadline has passed: unless crossed, the threshold crosses when all shares have returned. */
static void
expire(const struct ctr_limit *limit, uint32_t at, struct ctr_limit_account *account)
{
	uint64_t word = ctr_load64(&account->word);
	struct limit_step step;

	set_due(limit, account, 0);
	do {
		limit_begin(&step, word);
		if ((step.flags & LIMIT_ARMED) == 0)
			return;
		step.flags |= LIMIT_DUE;
		ctr_core_limit_recall(&step);
		ctr_core_limit_cross(limit, &step);
	} while (!limit_change(account, &word, &step));
	ctr_core_limit_follow(limit, at, account, &step);
}

/* Check some instances for deadlines. */
static void
look_for_deadlines(const struct ctr_limit *limit)
{
	struct ctr_limit_reports *reports = limit->reports;
	struct ctr_limit_account *account;
	uint64_t now_ns;

	if (reports->timed == 0)
		return;
	now_ns = ctr_time_ns();
	for (uint32_t looks = 0; looks < CTR_LIMIT_LOOKS && looks < limit->table->max; looks++) {
		if (reports->seen >= limit->table->max)
			reports->seen = 0;
		account = limit_account(limit, reports->seen);
		if (account != NULL && account->due_ns != 0 && account->due_ns <= now_ns)
			expire(limit, reports->seen, account);
		reports->seen++;
	}
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
		set_due(limit, account, 0);
		if (limit->shares != NULL)
			ctr_store64(&account->total,
				    (limit->stops ? account->total : account->base) + n);
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

	if (taken == NULL || !limit->stops || limit->shares == NULL)
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

/* Append the instances that lcores have pushed, oldest first. */
static void
collect_pushed(const struct ctr_limit *limit)
{
	struct ctr_limit_reports *reports = limit->reports;
	const uint32_t last = __atomic_exchange_n(&reports->head, 0, __ATOMIC_ACQUIRE);
	uint32_t first = 0, next;

	for (uint32_t pushed = last; pushed != 0; pushed = next) {
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

/* Take the first instance off the list, and describe its crossing: it is pushed again only when it
 * is armed, and then `next` may change as soon as the bit is clear. */
static void
describe_crossing(const struct ctr_limit *limit, struct ctr_crossing *out)
{
	char *common = ctr_common_of(limit->table, limit->reports->first - 1);
	struct ctr_limit_account *account = (void *)(common + limit->account);

	out->at = limit->reports->first - 1;
	out->limit = limit->number;
	limit->reports->first = ctr_load32(&account->next);
	(void)__atomic_fetch_and(&account->word, ~(uint64_t)LIMIT_REPORT, __ATOMIC_RELEASE);
	out->expired = (int64_t)account->over < 0;
	if (limit->shares == NULL) {
		out->count = account->over;
		return;
	}
	if (limit->stops) {
		out->count = account->total - limit_sum_shares(limit, out->at, limit_held) -
			     (uint64_t)((int64_t)ctr_load64(&account->word) >> LIMIT_BITS);
		return;
	}
	ctr_store64(&account->total, account->total + ctr_load64(&account->over));
	ctr_store64(&account->over, 0);
	account->base = account->total;
	out->count = account->total;
}

int
ctr_limit_crossed_next(const struct ctr_limits *limits, struct ctr_crossing *out)
{
	struct ctr_control *control = control_of(limits->limit[0]);
	int rc = -ENOENT;

	if (out == NULL)
		return -EINVAL;
	ctr_control_lock(control);
	for (uint32_t i = 0; i < limits->num && rc != 0; i++) {
		collect_pushed(limits->limit[i]);
		if (limits->limit[i]->reports->first == 0) {
			look_for_deadlines(limits->limit[i]);
			collect_pushed(limits->limit[i]);
		}
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
	int rc = 0;

	for (uint32_t i = 0; i < limits->num && rc == 0; i++)
		if (limits->limit[i]->shares != NULL && limits->limit[i]->shares->chunk_ops != NULL)
			rc = ctr_core_provide(limits->limit[i]->shares, at);
	return rc;
}

/* Take an instance off the list of reports, if it is on it. */
static void
cancel_report(const struct ctr_limit *limit, uint32_t at)
{
	struct ctr_limit_reports *reports = limit->reports;
	struct ctr_limit_account *account = limit_account(limit, at);
	uint32_t *link = &reports->first, before = 0;

	collect_pushed(limit);
	for (; *link != 0 && *link != at + 1; link = &limit_account(limit, before - 1)->next)
		before = *link;
	if (*link == 0)
		return;
	ctr_store32(link, ctr_load32(&account->next));
	if (reports->last == at + 1)
		reports->last = before;
	(void)__atomic_fetch_and(&account->word, ~(uint64_t)LIMIT_REPORT, __ATOMIC_RELAXED);
}

/* Take the share of an instance that has ended from its lcore, which may answer a recall at this
 * time. It borrows nothing more, and does not wait while a share moves: this ends. */
static uint64_t
take_share(struct ctr_limit_share *share)
{
	unsigned int spins = 0;
	uint32_t left;

	while ((left = ctr_load_acquire(&share->left)) == LIMIT_MOVES ||
	       !__atomic_compare_exchange_n(&share->left, &left, 0, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		ctr_spin_wait(&spins);
	return limit_decode(left);
}

static void
limits_end(const struct ctr_limits *limits, uint32_t at)
{
	for (uint32_t i = 0; i < limits->num; i++) {
		const struct ctr_limit *limit = limits->limit[i];
		struct ctr_limit_account *account = limit_account(limit, at);

		set_due(limit, account, 0);
		/* A recall that goes on reports no crossing any more. */
		(void)__atomic_fetch_and(&account->word, ~(uint64_t)LIMIT_ARMED, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&account->word,
					 limit_sum_shares(limit, at, take_share) << LIMIT_BITS,
					 __ATOMIC_RELAXED);
		if (ctr_load64(&account->word) & LIMIT_REPORT)
			cancel_report(limit, at);
	}
}

static bool
limits_recalled(const struct ctr_limits *limits, uint32_t at, uint32_t n)
{
	struct ctr_limit_account *account;
	const uint32_t end = at + n;

	for (; at < end; at++)
		for (uint32_t i = 0; i < limits->num; i++) {
			account = limit_account(limits->limit[i], at);
			/* An lcore may have decided on a crossing before the end, queued since. */
			if (ctr_load64(&account->word) & LIMIT_REPORT)
				cancel_report(limits->limit[i], at);
			if (ctr_load_acquire(&account->word) & (LIMIT_RECALL | LIMIT_REPORT))
				return true;
		}
	return false;
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
	account->base = account->over = 0;
}

static enum ctr_limit_state
state_of(const struct ctr_limit *limit, const struct ctr_limit_account *account,
	 const struct limit_step *now)
{
	/* A ceiling may be 0; it is near as soon as it has refused. */
	const bool zero = limit->shares == NULL && (now->flags & LIMIT_NEAR) != 0;

	if (now->flags & LIMIT_REPORT)
		return CTR_LIMIT_REACHED;
	if (now->flags & LIMIT_ARMED)
		return now->flags & LIMIT_NEAR || now->rest <= 0 ? CTR_LIMIT_NEAR : CTR_LIMIT_OPEN;
	return ctr_load64(&account->total) == 0 && !zero ? CTR_LIMIT_IDLE : CTR_LIMIT_REPORTED;
}

/* The amount below a ceiling, of the gauge as shown: both are handed over. */
static int64_t
left_below(const struct ctr_limit *limit, struct ctr_limit_account *account)
{
	const uint64_t value = ctr_load64(limit_gauge(limit, account));
	const struct ctr_value *v = limit->table->values;

	while (v->at != limit->gauge)
		v++;
	return (int64_t)limit_room(ctr_load64(&account->total), ctr_latch(value, v->low, v->high));
}

static uint64_t
limits_value(const struct ctr_limit *limit, uint32_t at, unsigned int form)
{
	struct ctr_limit_account *account = limit_account(limit, at);
	struct limit_step now;

	limit_begin(&now, ctr_load64(&account->word));
	now.rest += (int64_t)limit_sum_shares(limit, at, limit_held);
	if (limit->shares == NULL)
		now.rest = left_below(limit, account);
	if (form == CTR_FORM_LIMIT_STATE)
		return state_of(limit, account, &now);
	if (form == CTR_FORM_LIMIT_SINCE) {
		now.rest = -now.rest;
		if ((now.flags & LIMIT_REPORT) == 0)
			now.rest += (int64_t)(ctr_load64(&account->total) -
					      ctr_load64(&account->base));
	} else if (limit_is_idle(limit, now.flags)) {
		return 0;
	}
	return now.rest > 0 ? (uint64_t)now.rest : 0;
}

/* The value of an item of a limit in those of an instance. */
static uint64_t
value_of(const struct ctr_limit *limit, const char *values, unsigned int form)
{
	const struct ctr_value *v = limit->table->values;

	for (unsigned int i = 0; i < limit->table->num_values; i++, v++)
		if (v->form == form && v->octets == limit->number)
			return ctr_core_word(values + v->value, v->size * 8u);
	return 0;
}

static void
limits_resume(const struct ctr_limit *limit, uint32_t at, const char *values)
{
	struct ctr_limit_account *account = limit_account(limit, at);
	const uint64_t left = value_of(limit, values, CTR_FORM_LIMIT_LEFT);
	const uint64_t since = value_of(limit, values, CTR_FORM_LIMIT_SINCE);
	const uint64_t state = value_of(limit, values, CTR_FORM_LIMIT_STATE);
	const bool armed = state == CTR_LIMIT_OPEN || state == CTR_LIMIT_NEAR;
	const bool queued = (account->word & LIMIT_REPORT) != 0;
	struct limit_step step;
	uint64_t count = 0;

	/* With the counts in `values`. They come in parts, one for each view. A gauge is what it is
	 * there. */
	if (limit->shares != NULL)
		count = account->total + account->over -
			(uint64_t)((int64_t)account->word >> LIMIT_BITS);
	for (uint32_t i = 0; i < limit->num_of; i++)
		count += ctr_core_word(values + limit->of[i].value, limit->of[i].bits);
	limit_begin(&step, 0);
	step.rest = (int64_t)(left < limit->most ? left : limit->most);
	if (state == CTR_LIMIT_IDLE)
		step.rest = -(int64_t)count;
	else if (!limit->stops && !armed)
		step.rest = -(int64_t)since;
	if (armed)
		step.flags = LIMIT_ARMED | (state == CTR_LIMIT_NEAR ? LIMIT_NEAR : 0);
	if (state == CTR_LIMIT_REACHED)
		step.flags = LIMIT_REPORT;
	if (limit->shares == NULL && state >= CTR_LIMIT_REACHED)
		step.flags |= LIMIT_NEAR; /* It has refused: a ceiling of 0 is not idle. */
	step.crosses = state == CTR_LIMIT_REACHED;
	step.over = limit->shares == NULL ? count : 0;
	account->base = limit->stops ? 0 : count - since;
	ctr_store64(&account->total, count + (uint64_t)step.rest);
	ctr_core_limit_cross(limit, &step);
	ctr_store64(&account->word, limit_encode(&step));
	step.crosses = step.crosses && !queued;
	ctr_core_limit_follow(limit, at, account, &step);
}

const struct ctr_limit_ops ctr_limit_ops = {
	.provide = limits_provide,
	.end = limits_end,
	.recalled = limits_recalled,
	.clear = limits_clear,
	.value = limits_value,
	.restore = limits_resume,
};
