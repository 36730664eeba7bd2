/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and resets take the mutex that updates take (update.j2). */
#include <pthread.h>

#include "ctr_control.h"
#include "ctr_strategy.h"

extern const struct ctr_strategy ctr_strategy_mutexed;

static void
section(const struct ctr_domain *domain, bool begin)
{
	pthread_mutex_t *mutex = (pthread_mutex_t *)(uintptr_t)domain->own;

	(void)(begin ? pthread_mutex_lock(mutex) : pthread_mutex_unlock(mutex));
}

/* The same around one read; a thread in a read section has the mutex already. */
static void
access(const struct ctr_domain *domain, bool begin)
{
	if (!ctr_control_reads(domain->module->control))
		section(domain, begin);
}

static void
load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
     struct ctr_reading *reading)
{
	(void)rc;
	(void)reading;
	access(table->domain, true);
	ctr_load_plain(table, copy, at, n, values);
	access(table->domain, false);
}

static void
take(const struct ctr_table *table, void *element, void *values)
{
	access(table->domain, true);
	ctr_take_plain(table, element, values);
	access(table->domain, false);
}

static void
clear(const struct ctr_table *table, void *element)
{
	access(table->domain, true);
	ctr_clear_plain(table, element);
	access(table->domain, false);
}

const struct ctr_strategy ctr_strategy_mutexed = {
	.load = load,
	.take = take,
	.clear = clear,
	.section = section,
};
