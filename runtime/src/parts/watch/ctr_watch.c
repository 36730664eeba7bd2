/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr.h"
#include "ctr_watch_eval.h"

/* Read sections of one call of ctr_watch_run(). */
#define SECTIONS 64u

/* ---- reading ---- */

/* Read the instances from group->at up to `end` in one read section; returns how many exist. */
static uint32_t
read_section(struct ctr_watch *watch, struct ctr_watch_group *group, uint64_t end, uint64_t *now_ns)
{
	const struct ctr_scope *scope = group->scope;
	uint32_t num = 0;

	*now_ns = ctr_time_ns();
	if (group->ahead >= end)
		return 0;
	group->module->read_lock();
	*now_ns = ctr_time_ns();
	for (uint64_t at = group->at; at < end; at++) {
		struct ctr_watch_row *row = &watch->row[num];
		int rc;

		at = group->ahead = ctr_scope_next(scope, at);
		if (at >= end)
			break;
		ctr_scope_indexes(scope, at, row->index);
		rc = ctr_scope_read(scope, row->index, watch->values + num * scope->value_size);
		if (rc != 0 && rc != -EAGAIN)
			continue;
		row->at = (uint32_t)at;
		row->torn = rc != 0;
		row->discontinuity_ns = ctr_scope_since(scope, at);
		num++;
	}
	group->module->read_unlock();
	return num;
}

/* Read a section of a group and evaluate its instances. */
static void
evaluate(struct ctr_watch *watch, struct ctr_watch_group *group)
{
	const uint64_t first = group->at;
	const uint64_t left = group->total - first;
	const uint64_t end = first + (left < CTR_WATCH_ROWS ? left : CTR_WATCH_ROWS);
	uint64_t *read_ns = &group->read_ns[first / CTR_WATCH_ROWS], now_ns, at;
	const uint32_t num = read_section(watch, group, end, &now_ns);
	uint32_t j;

	for (uint32_t i = 0; i < group->num_followed; i++) {
		struct ctr_watch_followed *followed = &group->followed[i];

		for (at = first, j = 0; at < end; at++) {
			const uint8_t *value = watch->values + j * group->scope->value_size;

			if (j < num && watch->row[j].at == at)
				ctr_watch_eval(watch, group, followed, &watch->row[j++], value,
						*read_ns, now_ns);
			else if (followed->flags[at] != 0)
				ctr_watch_forget(watch, followed, (uint32_t)at);
		}
	}
	*read_ns = now_ns;
	ctr_watch_count(&watch->totals.rows, num);
	group->at = end;
	if (end < group->total)
		return;
	group->runs = false;
	ctr_watch_count(&watch->totals.passes, 1);
	for (uint32_t i = 0; i < group->num_followed; i++) {
		group->followed[i].waits = group->followed[i].held;
		group->followed[i].first = group->followed[i].next;
	}
}

uint32_t
ctr_watch_due(const struct ctr_watch *watch)
{
	const uint64_t now = ctr_time_ns();
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; watch != NULL && i < watch->num_groups; i++) {
		const struct ctr_watch_group *group = &watch->group[i];
		uint64_t left = group->runs || group->next_ns <= now ? 0 : group->next_ns - now;

		if (left < least)
			least = left;
	}
	least = (least + 999999u) / 1000000u;
	return watch == NULL || least > UINT32_MAX ? UINT32_MAX : (uint32_t)least;
}

uint32_t
ctr_watch_run(struct ctr_watch *watch)
{
	const uint64_t now = ctr_time_ns();
	uint32_t left = SECTIONS, i;

	if (watch == NULL)
		return UINT32_MAX;
	for (i = 0; i < watch->num_groups; i++) {
		struct ctr_watch_group *group = &watch->group[i];

		if (!group->runs && now >= group->next_ns) {
			group->runs = true;
			group->at = 0;
			group->ahead = 0;
			ctr_watch_limit_begin(watch, group);
			group->next_ns += group->every_ns;
			if (group->next_ns <= now)
				group->next_ns = now + group->every_ns;
		}
		for (; group->runs && left != 0; left--)
			evaluate(watch, group);
	}
	ctr_watch_count(&watch->totals.busy_ns, ctr_time_ns() - now);
	return ctr_watch_due(watch);
}

void
ctr_watch_totals(const struct ctr_watch *watch, struct ctr_watch_totals *totals)
{
	const uint64_t *from = watch != NULL ? (const uint64_t *)&watch->totals : NULL;
	uint64_t *to = (uint64_t *)totals;

	/* Nothing but numbers of 64 bits. */
	for (size_t i = 0; i < sizeof(*totals) / sizeof(*to); i++)
		to[i] = from != NULL ? __atomic_load_n(&from[i], __ATOMIC_RELAXED) : 0;
}

/* ---- opening and closing ---- */

/* Begin to follow a notification. */
static int
follow(struct ctr_watch_group *group, const struct ctr_notification *what, uint32_t number)
{
	struct ctr_watch_followed *followed = &group->followed[group->num_followed++];
	const bool counts = group->scope->items[what->item].kind == CTR_COUNTER;
	const size_t total = (size_t)group->total, last = counts ? total * sizeof(uint64_t) : 0;
	const size_t since = what->lasts_s != 0 ? total * sizeof(uint32_t) : 0;
	const size_t ticks = total * what->most * sizeof(uint32_t);
	uint8_t *memory = calloc(1, last + since + ticks + total);

	if (memory == NULL)
		return -ENOMEM;
	followed->what = what;
	followed->number = number;
	followed->memory = memory;
	followed->last = (void *)memory;
	followed->since = since != 0 ? (void *)(memory + last) : NULL;
	followed->sent_ticks = ticks != 0 ? (void *)(memory + last + since) : NULL;
	followed->flags = memory + last + since + ticks;
	return 0;
}

/* The group of a notification; a new one when there is none. NULL without memory. */
static struct ctr_watch_group *
find_group(struct ctr_watch *watch, const struct ctr_module *module,
		const struct ctr_notification *what)
{
	const struct ctr_scope *scope = &module->scopes[what->scope];
	const uint64_t every_ns = what->every_s * CTR_SECOND_NS;
	struct ctr_watch_group *group = watch->group;
	uint64_t sections;

	for (; group < watch->group + watch->num_groups; group++)
		if (group->scope == scope && group->every_ns == every_ns)
			return group;
	watch->num_groups++;
	group->module = module;
	group->scope = scope;
	group->every_ns = every_ns;
	group->next_ns = watch->zero_ns;
	group->total = ctr_scope_total(scope);
	group->followed = calloc(module->num_notifications, sizeof(*group->followed));
	sections = (group->total + CTR_WATCH_ROWS - 1) / CTR_WATCH_ROWS;
	group->read_ns = calloc((size_t)sections, sizeof(*group->read_ns));
	if (group->followed == NULL || group->read_ns == NULL ||
	    ctr_discontinuity_open(module, scope, &group->discontinuity_ns) != 0)
		return NULL;
	return group;
}

/* Begin to follow all notifications of a module; `size`: the greatest value struct so far. */
static int
follow_all(struct ctr_watch *watch, const struct ctr_module *module, size_t *size)
{
	for (unsigned int i = 0; i < module->num_notifications; i++) {
		const struct ctr_notification *what = &module->notifications[i];
		const struct ctr_scope *scope = &module->scopes[what->scope];
		struct ctr_watch_group *group;

		if (scope->read == NULL || what->every_s == 0 ||
		    scope->num_indexes > CTR_INDEXES_MAX)
			return -EINVAL;
		group = find_group(watch, module, what);
		if (group == NULL || follow(group, what, i) != 0)
			return -ENOMEM;
		if (scope->value_size > *size)
			*size = scope->value_size;
	}
	return 0;
}

int
ctr_watch_open(struct ctr_watch **watch, const struct ctr_module *const *modules,
		unsigned int count, ctr_watch_fn tell, void *context)
{
	struct ctr_watch *made;
	unsigned int num = 0, i;
	size_t size = 1;
	int rc;

	if (watch == NULL || modules == NULL || tell == NULL)
		return -EINVAL;
	*watch = NULL;
	for (i = 0; i < count; i++)
		num += modules[i]->num_notifications;
	if (num == 0)
		return 0;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	made->tell = tell;
	made->context = context;
	made->zero_ns = ctr_time_ns();
	made->group = calloc(num, sizeof(*made->group));
	rc = made->group != NULL ? ctr_watch_limit(made, CTR_WATCH_MOST) : -ENOMEM;
	for (i = 0; rc == 0 && i < count; i++)
		rc = follow_all(made, modules[i], &size);
	made->values = rc == 0 ? calloc(CTR_WATCH_ROWS, size) : NULL;
	if (rc == 0 && made->values == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		*watch = made;
	else
		ctr_watch_close(made);
	return rc;
}

void
ctr_watch_close(struct ctr_watch *watch)
{
	if (watch == NULL)
		return;
	for (uint32_t i = 0; i < watch->num_groups; i++) {
		struct ctr_watch_group *group = &watch->group[i];

		ctr_discontinuity_close(group->module, group->scope, &group->discontinuity_ns);
		for (uint32_t j = 0; j < group->num_followed; j++)
			free(group->followed[j].memory);
		free(group->followed);
		free(group->read_ns);
	}
	free(watch->group);
	free(watch->values);
	free(watch->sent_ns);
	free(watch);
}
