/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr.h"
#include "ctr_watch_eval.h"
#include "ctr_type.h"

#define TICK_NS UINT64_C(100000000) /* the unit of durations */
#define SECOND_TICKS 10u

/* State of an instance under a notification. */
enum flag {
	SEEN = 1,    /* it existed at the last evaluation */
	KNOWN = 2,   /* its last value is from the last evaluation */
	RAISED = 4,  /* the condition holds */
	NOTIFIED = 8, /* it was notified as raised */
	QUIET = 16,  /* raised, and not to be notified */
	LIMITED = 32 /* a rate limit defers its notification */
};

/* The watched value of an instance: the rate of a counter, or a value. */
struct seen {
	bool is_rate;
	double rate;
	int64_t value;
};

/* ---- watched values ---- */

/* Get the watched value; false if there is none, or no two for a rate without discontinuity. */
static bool
look(const struct ctr_watch_group *group, struct ctr_watch_followed *followed,
		const struct ctr_watch_row *row, const uint8_t *value, uint64_t passed_ns,
		struct seen *seen)
{
	const struct ctr_item *item = &group->scope->items[followed->what->item];
	const bool known = (followed->flags[row->at] & KNOWN) != 0;
	const uint64_t now = ctr_item_value(item, value);
	const bool is_signed = ctr_type_info(item->type)->is_signed;
	uint64_t more, before;

	if (!ctr_item_available(item, value)) {
		followed->flags[row->at] &= (uint8_t)~KNOWN;
		return false;
	}
	seen->is_rate = item->kind == CTR_COUNTER;
	if (!seen->is_rate) {
		seen->value = !is_signed && now > INT64_MAX ? INT64_MAX : (int64_t)now;
		return true;
	}
	before = followed->last[row->at];
	followed->last[row->at] = now;
	followed->flags[row->at] |= KNOWN;
	more = item->width == 32 ? (uint32_t)(now - before) : now - before;
	if (!known || passed_ns == 0 || (item->width != 32 && now < before))
		return false;
	seen->rate = (double)more * (double)CTR_SECOND_NS / (double)passed_ns;
	return true;
}

/* -1, 0 or 1: it is less than a threshold, the same, or greater. */
static int
compared(const struct seen *seen, int64_t threshold)
{
	if (seen->is_rate)
		return (seen->rate > (double)threshold) - (seen->rate < (double)threshold);
	return (seen->value > threshold) - (seen->value < threshold);
}

/* Whether the condition holds; `raised`: it did before. */
static bool
holds(const struct ctr_notification *what, const struct seen *seen, bool raised)
{
	const int side = what->condition == CTR_FALLS_BELOW ? -1 : 1;

	if (what->condition == CTR_BECOMES) {
		for (uint32_t i = 0; i < what->num_values; i++)
			if (seen->value == what->values[i])
				return true;
		return false;
	}
	if (!raised || what->clear == what->raise)
		return compared(seen, what->raise) == side;
	return compared(seen, what->clear) != -side;
}

/* ---- the limit of all notifications ---- */

int
ctr_watch_limit(struct ctr_watch *watch, uint32_t most)
{
	uint64_t *sent_ns;

	if (watch == NULL)
		return 0;
	sent_ns = most != 0 ? calloc(most, sizeof(*sent_ns)) : NULL;
	if (most != 0 && sent_ns == NULL)
		return -ENOMEM;
	free(watch->sent_ns);
	watch->sent_ns = sent_ns;
	watch->most = most;
	watch->oldest = 0;
	return 0;
}

/* An equal share of the limit for all that wait; the remainder goes to those that sent none for
 * longest. */
static uint32_t
share_of(const struct ctr_watch *watch, const struct ctr_watch_followed *one)
{
	uint32_t sharing = 1, ahead = 0;

	for (uint32_t i = 0; i < watch->num_groups; i++) {
		for (uint32_t j = 0; j < watch->group[i].num_followed; j++) {
			const struct ctr_watch_followed *other = &watch->group[i].followed[j];

			if (other == one || !other->waits)
				continue;
			sharing++;
			ahead += other->sent < one->sent;
		}
	}
	return watch->most / sharing + (ahead < watch->most % sharing);
}

void
ctr_watch_limit_begin(const struct ctr_watch *watch, struct ctr_watch_group *group)
{
	for (uint32_t i = 0; i < group->num_followed; i++) {
		struct ctr_watch_followed *followed = &group->followed[i];

		followed->share = share_of(watch, followed);
		followed->held = followed->stopped = false;
		followed->next = 0;
	}
}

/* Whether the limit permits a notification; else the next pass starts with the first deferred. */
static bool
permitted_now(const struct ctr_watch *watch, struct ctr_watch_followed *followed, uint32_t at,
		uint64_t now_ns)
{
	uint64_t last_ns;

	if (watch->most == 0)
		return true;
	last_ns = watch->sent_ns[watch->oldest];
	if (at >= followed->first && followed->share != 0 &&
	    (last_ns == 0 || now_ns >= last_ns + CTR_SECOND_NS))
		return true;
	followed->held = true;
	if (at >= followed->first && !followed->stopped) {
		followed->stopped = true;
		followed->next = at;
	}
	return false;
}

/* Account for a sent notification in the limit. */
static void
spend(struct ctr_watch *watch, struct ctr_watch_followed *followed, uint64_t now_ns)
{
	if (watch->most == 0)
		return;
	watch->sent_ns[watch->oldest] = now_ns;
	watch->oldest = (watch->oldest + 1) % watch->most;
	followed->share--;
	followed->sent = ++watch->sent;
}

/* ---- sending ---- */

/* Entry for the tick of the next notification of an instance; NULL: `most` in the window. */
static uint32_t *
permit(const struct ctr_watch_followed *followed, uint32_t at, uint32_t tick)
{
	const struct ctr_notification *what = followed->what;
	uint32_t *ticks = &followed->sent_ticks[(size_t)at * what->most];

	for (uint32_t i = 0; i < what->most; i++)
		if (ticks[i] == 0 || tick - ticks[i] > what->window_s * SECOND_TICKS)
			return &ticks[i];
	return NULL;
}

/* Notify that the condition was raised or has cleared, as far as the limits permit. */
static void
tell(struct ctr_watch *watch, struct ctr_watch_followed *followed, struct ctr_event *event,
		uint32_t tick, uint64_t now_ns)
{
	uint8_t *flags = &followed->flags[event->at];
	uint32_t *ticks = NULL;
	int rc;

	event->raised = (*flags & RAISED) != 0;
	if (!event->raised && !followed->what->cleared) {
		*flags &= (uint8_t)~NOTIFIED;
		return;
	}
	if (event->raised && followed->sent_ticks != NULL) {
		ticks = permit(followed, event->at, tick);
		if (ticks == NULL) {
			*flags |= LIMITED;
			return;
		}
	}
	if (!permitted_now(watch, followed, event->at, now_ns)) {
		*flags |= event->raised ? LIMITED : 0;
		return;
	}
	*flags &= (uint8_t)~LIMITED;
	rc = watch->tell(event, watch->context);
	if (rc == -EAGAIN)
		return;
	*flags ^= event->raised && rc != 0 ? QUIET : NOTIFIED;
	if (rc != 0)
		return;
	ctr_watch_count(event->raised ? &watch->totals.raised : &watch->totals.cleared, 1);
	spend(watch, followed, now_ns);
	if (ticks != NULL)
		*ticks = tick;
}

/* Count a condition that cleared before it was notified. */
static void
missed(struct ctr_watch *watch, uint8_t flags)
{
	if ((flags & (NOTIFIED | QUIET)) == 0)
		ctr_watch_count(flags & LIMITED ? &watch->totals.limited : &watch->totals.lost, 1);
}

/* ---- judging ---- */

void
ctr_watch_forget(struct ctr_watch *watch, const struct ctr_watch_followed *followed, uint32_t at)
{
	const struct ctr_notification *what = followed->what;

	if ((followed->flags[at] & RAISED) != 0)
		missed(watch, followed->flags[at]);
	followed->flags[at] = 0;
	if (followed->since != NULL)
		followed->since[at] = 0;
	if (followed->sent_ticks != NULL)
		memset(&followed->sent_ticks[(size_t)at * what->most], 0,
				what->most * sizeof(*followed->sent_ticks));
}

/* Whether the condition has held for long enough. */
static bool
lasts(const struct ctr_watch_followed *followed, uint32_t at, bool now, uint32_t tick)
{
	if (followed->since == NULL)
		return now;
	if (!now)
		followed->since[at] = 0;
	else if (followed->since[at] == 0)
		followed->since[at] = tick;
	return now && tick - followed->since[at] >= followed->what->lasts_s * SECOND_TICKS;
}

void
ctr_watch_eval(struct ctr_watch *watch, const struct ctr_watch_group *group,
		struct ctr_watch_followed *followed, const struct ctr_watch_row *row,
		const uint8_t *value, uint64_t before_ns, uint64_t now_ns)
{
	const uint32_t tick = (uint32_t)((now_ns - watch->zero_ns) / TICK_NS) + 1;
	const bool first = before_ns == 0;
	uint8_t *flags = &followed->flags[row->at];
	struct ctr_event event = { group->module, followed->number, followed->what, false,
			row->at, row->index, value, 0 };
	struct seen seen = { false, 0, 0 };
	bool was, is;

	if (!first && row->discontinuity_ns >= before_ns) {
		if (group->scope->reset == NULL) /* it is another one */
			ctr_watch_forget(watch, followed, row->at);
		*flags &= (uint8_t)~KNOWN;
		(void)lasts(followed, row->at, false, tick);
	}
	*flags |= SEEN;
	if (row->torn) {
		*flags &= (uint8_t)~KNOWN;
		return;
	}
	if (!look(group, followed, row, value, first ? 0 : now_ns - before_ns, &seen))
		return;
	was = (*flags & RAISED) != 0;
	is = holds(followed->what, &seen, was);
	if (!was)
		is = lasts(followed, row->at, is, tick);
	if (!was && is) {
		*flags |= RAISED;
		if ((*flags & NOTIFIED) != 0) /* its clearing was not notified */
			ctr_watch_count(&watch->totals.lost, 1);
		if (first && followed->what->condition == CTR_BECOMES)
			*flags |= QUIET; /* true from the start: it did not become so */
	} else if (was && !is) {
		missed(watch, *flags);
		*flags &= (uint8_t)~(RAISED | QUIET | LIMITED);
		(void)lasts(followed, row->at, false, tick);
	}
	event.seen = seen.is_rate ? seen.rate : (double)seen.value;
	if (is == ((*flags & (NOTIFIED | QUIET)) == 0))
		tell(watch, followed, &event, tick, now_ns);
}
