/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr_watch_judge.h"

int
ctr_watch_limit(struct ctr_watch *watch, uint32_t most)
{
	uint64_t *told_ns = NULL;

	if (watch == NULL)
		return 0;
	if (most != 0) {
		told_ns = (uint64_t *)calloc(most, sizeof(*told_ns));
		if (told_ns == NULL)
			return -ENOMEM;
	}
	free(watch->told_ns);
	watch->told_ns = told_ns;
	watch->most = most;
	watch->oldest = 0;
	return 0;
}

/* The share of a notification in a pass: that of all that wait; the rest is of the most starved. */
static uint32_t
share_of(const struct ctr_watch *watch, const struct ctr_watch_followed *one)
{
	uint32_t sharing = 1, ahead = 0, i, j;
	bool behind = false;

	for (i = 0; i < watch->num_groups; i++) {
		for (j = 0; j < watch->group[i].num_followed; j++) {
			const struct ctr_watch_followed *other = &watch->group[i].followed[j];

			behind = behind || other == one;
			if (other == one || !other->waits)
				continue;
			sharing++;
			ahead += other->starved > one->starved ||
				 (other->starved == one->starved && !behind);
		}
	}
	return watch->most / sharing + (ahead < watch->most % sharing);
}

void
ctr_watch_limit_begin(const struct ctr_watch *watch, struct ctr_watch_group *group)
{
	uint32_t i;

	for (i = 0; i < group->num_followed; i++) {
		struct ctr_watch_followed *followed = &group->followed[i];

		followed->share = share_of(watch, followed);
		followed->told_some = false;
		followed->held = false;
		followed->stopped = false;
		followed->next = 0;
	}
}

void
ctr_watch_limit_end(struct ctr_watch_group *group)
{
	uint32_t i;

	for (i = 0; i < group->num_followed; i++) {
		struct ctr_watch_followed *followed = &group->followed[i];

		followed->waits = followed->held;
		followed->first = followed->next;
		if (followed->held && !followed->told_some)
			followed->starved++;
		else
			followed->starved = 0;
	}
}

bool
ctr_watch_permits(const struct ctr_watch *watch, struct ctr_watch_followed *followed, uint32_t at,
		uint64_t now_ns)
{
	uint64_t last_ns;

	if (watch->most == 0)
		return true;
	last_ns = watch->told_ns[watch->oldest];
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

void
ctr_watch_spend(struct ctr_watch *watch, struct ctr_watch_followed *followed, uint64_t now_ns)
{
	if (watch->most == 0)
		return;
	watch->told_ns[watch->oldest] = now_ns;
	watch->oldest = (watch->oldest + 1) % watch->most;
	followed->share--;
	followed->told_some = true;
}
