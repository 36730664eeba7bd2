/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copy begins with its owner's lock, which readers take one at a time. */
#include <errno.h>

#include "ctr_lock.h"
#include "ctr_strategy.h"

/* Instances that are read while an lcore waits. */
#define AT_A_TIME 8u

extern const struct ctr_strategy ctr_strategy_per_core_lock;

static void
owned_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
     struct ctr_reading *reading)
{
	struct ctr_owned *lock = (struct ctr_owned *)copy;
	char *to = (char *)values;
	uint32_t some;

	(void)rc;
	(void)reading;
	for (; n != 0; n -= some, at += some, to += (size_t)some * table->value_size) {
		some = n < AT_A_TIME ? n : AT_A_TIME;
		ctr_owned_visit(lock);
		ctr_load_plain(table, copy, at, some, to);
		ctr_owned_leave(lock);
	}
}

static int
owned_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	const size_t offset = ctr_gather_offset(table, at);
	const unsigned int num = table->runs->num;
	uint64_t sums[CTR_GATHER] = { 0 };
	uint32_t n;
	char *copy;

	for (n = 0; (copy = (char *)ctr_copy_at(table->domain, n)) != NULL; n++) {
		struct ctr_owned *lock = (struct ctr_owned *)(void *)copy;

		ctr_owned_visit(lock);
		ctr_gather_words((const uint64_t *)(const void *)(copy + offset), num, sums);
		ctr_owned_leave(lock);
	}
	ctr_gather_values(sums, num, base, values);
	return 0;
}

static int
owned_words(const struct ctr_table *table, uint32_t at, void *values)
{
	const void *element;
	bool any = false;
	uint32_t n;
	void *copy;

	for (n = 0; (copy = ctr_copy_at(table->domain, n)) != NULL; n++) {
		element = ctr_element(table, &table->data, copy, at);
		if (element == NULL)
			continue;
		ctr_owned_visit((struct ctr_owned *)copy);
		if (any)
			ctr_words_add(table, element, values);
		else
			ctr_words_set(table, element, values);
		ctr_owned_leave((struct ctr_owned *)copy);
		any = true;
	}
	return any ? 0 : -EAGAIN;
}

/* A thread that ended during an update has left its lock taken. */
static void
owned_repair(const struct ctr_domain *domain, void *copy, unsigned int lcore)
{
	(void)domain;
	(void)lcore;
	ctr_owned_repair((struct ctr_owned *)copy);
}

static void
owned_mend(const struct ctr_domain *domain)
{
	uint32_t n;
	void *copy;

	for (n = 0; (copy = ctr_copy_at(domain, n)) != NULL; n++)
		ctr_owned_mend((struct ctr_owned *)copy);
}

static void
owned_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	struct ctr_owned *lock = (struct ctr_owned *)target->copy;

	(void)domain;
	ctr_owned_visit(lock);
	ctr_add_plain(target, n);
	ctr_owned_leave(lock);
}

const struct ctr_strategy ctr_strategy_per_core_lock = {
	.load = owned_load,
	.gather = owned_gather,
	.add = owned_add,
	.words = owned_words,
	.mend = owned_mend,
	.adopt = owned_repair,
	.leave = owned_repair,
};
