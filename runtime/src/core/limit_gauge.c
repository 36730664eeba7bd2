/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of gauges, the side of lcores; and returns of an update to any limit. A gauge is compared
 * and changed in one step, so that it never exceeds a constant ceiling; nothing is lent. */
#include "ctr_peak.h"
#include "limit.h"

/* The peaks of a gauge follow it. */
static void
follow_gauge(const struct ctr_limit *limit, struct ctr_limit_account *account, uint64_t now)
{
	const struct ctr_value *v = limit->table->values;
	char *part = (char *)account - limit->account;

	for (unsigned int i = 0; i < limit->table->num_values; i++, v++) {
		uint64_t *mark = (uint64_t *)(void *)(part + v->at);

		if (v->gauge != limit->gauge)
			continue;
		if (v->form == CTR_FORM_MARK_HIGHEST)
			ctr_mark_highest(mark, ctr_latch(now, v->low, v->high));
		else if (v->form == CTR_FORM_MARK_LOWEST)
			ctr_mark_lowest(mark, ctr_latch(now, v->low, v->high));
	}
}

/* A refusal, of a gauge that is @p now. The first one since the limit was armed is a crossing;
 * false if the account has changed since it was @p word. */
static bool
report_refusal(const struct ctr_limit *limit, uint32_t at, struct ctr_limit_account *account,
	       uint64_t word, uint64_t now)
{
	struct limit_step step;

	if ((word & LIMIT_ARMED) == 0)
		return true;
	limit_begin(&step, 0);
	step.flags = LIMIT_REPORT | LIMIT_NEAR;
	step.crosses = true;
	step.over = (int64_t)now > 0 ? now : 0;
	if (!limit_change(account, &word, &step))
		return false;
	ctr_core_limit_follow(limit, at, account, &step);
	return true;
}

bool
ctr_limit_raise(const struct ctr_limit *limit, uint32_t at, uint64_t n, bool refuse)
{
	struct ctr_limit_account *account = limit_find(limit, at);
	const bool always = !refuse || (int64_t)n <= 0;
	uint64_t *gauge, word, now;

	if (account == NULL)
		return !refuse;
	gauge = limit_gauge(limit, account);
	for (;;) {
		/* Before the ceiling, which was set before the limit was armed. */
		word = ctr_load_acquire(&account->word);
		now = ctr_load64(gauge);
		if (!always && n > limit_room(ctr_load64(&account->total), now)) {
			if (report_refusal(limit, at, account, word, now))
				return false;
		} else if (__atomic_compare_exchange_n(gauge, &now, now + n, false,
						       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
			follow_gauge(limit, account, now + n);
			return true;
		}
	}
}

/* ---- what an update returns ---- */

void
ctr_limit_return(const struct ctr_limit *limit, uint32_t at, uint64_t n)
{
	struct ctr_limit_account *account = limit_find(limit, at);

	if (limit->shares == NULL)
		(void)ctr_limit_raise(limit, at, -n, false);
	else if (account != NULL)
		(void)__atomic_fetch_add(&account->word, n << LIMIT_BITS, __ATOMIC_RELAXED);
}

void
ctr_limit_return_list(const struct ctr_limit *limit, uint32_t base, const uint32_t *list,
		      uint32_t num, uint64_t n)
{
	for (uint32_t i = 0; i < num; i++)
		ctr_limit_return(limit, base + list[i], n);
}
