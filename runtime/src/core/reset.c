/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "ctr_peak.h"
#include "ctr_strategy.h"
#include "kernels.h"
#include "memory.h"

void
ctr_core_begin_period(const struct ctr_table *table, char *base, char *values)
{
	const struct ctr_run *run;
	unsigned int i;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		uint64_t *base64 = (uint64_t *)(void *)(base + run->base);
		uint64_t *value64 = (uint64_t *)(void *)(values + run->value);
		uint32_t *base32 = (uint32_t *)(void *)(base + run->base);
		uint32_t *value32 = (uint32_t *)(void *)(values + run->value);

		for (i = run->bits == 64 ? run->num : 0; i-- != 0; base64++, value64++)
			*value64 = ctr_rebase64(base64, *value64);
		for (i = run->bits == 64 ? 0 : run->num; i-- != 0; base32++, value32++)
			*value32 = ctr_rebase32(base32, *value32);
	}
}

/* Add what one copy has of an instance to *out, and make that the baseline of its lcore. */
static void
rebase_copy(const struct ctr_table *table, void *copy, uint32_t at, void *out, int *rc,
	    struct ctr_reading *reading)
{
	char *own = __builtin_alloca(table->value_size);
	char *base = ctr_element(table, &table->offset, copy, at);
	const struct ctr_run *run;
	uint32_t i;

	if (base == NULL)
		return;
	memset(own, 0, table->value_size);
	ctr_core_load(table, copy, at, 1, own, rc, reading);
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (i = 0; i < run->num; i++) {
			const uint32_t step = i * (run->bits / 8u);
			const uint64_t part = ctr_core_word(own + run->value + step, run->bits);
			char *value = (char *)out + run->value + step;

			ctr_core_store(base + run->base + step, run->bits, part);
			ctr_core_store(value, run->bits, ctr_core_word(value, run->bits) + part);
		}
	}
}

void
ctr_core_sum_anew(const struct ctr_table *table, uint32_t at, void *out, int *rc,
		  struct ctr_reading *reading)
{
	const struct ctr_domain *domain = table->domain;
	uint32_t i;

	if (table->offset.size == 0) {
		ctr_core_sum(table, at, 1, out, rc, reading);
		return;
	}
	memset(out, 0, table->value_size);
	*rc = 0;
	for (i = 0; i < domain->slots->num; i++)
		rebase_copy(table, domain->slots->copy[i], at, out, rc, reading);
	for (i = 0; domain->cpus != NULL && i < domain->cpus->num; i++)
		rebase_copy(table, domain->cpus->copy[i], at, out, rc, reading);
}

void
ctr_take_atomic(const struct ctr_table *table, void *element, void *values)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;
	unsigned int i;

	for (; run != end; run++) {
		uint64_t *word64 = (uint64_t *)(void *)((char *)element + run->data);
		uint64_t *value64 = (uint64_t *)(void *)((char *)values + run->value);
		uint32_t *word32 = (uint32_t *)(void *)((char *)element + run->data);
		uint32_t *value32 = (uint32_t *)(void *)((char *)values + run->value);

		for (i = run->bits == 64 ? run->num : 0; i-- != 0; word64++)
			*value64++ = ctr_exchange64(word64);
		for (i = run->bits == 64 ? 0 : run->num; i-- != 0; word32++)
			*value32++ = ctr_exchange32(word32);
	}
	if (table->num_beside != 0)
		ctr_core_beside(table, element, values);
}

void
ctr_take_plain(const struct ctr_table *table, void *element, void *values)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;
	unsigned int i;

	for (; run != end; run++) {
		uint64_t *word64 = (uint64_t *)(void *)((char *)element + run->data);
		uint64_t *value64 = (uint64_t *)(void *)((char *)values + run->value);
		uint32_t *word32 = (uint32_t *)(void *)((char *)element + run->data);
		uint32_t *value32 = (uint32_t *)(void *)((char *)values + run->value);

		for (i = run->bits == 64 ? run->num : 0; i-- != 0; word64++)
			*value64++ = ctr_take64(word64);
		for (i = run->bits == 64 ? 0 : run->num; i-- != 0; word32++)
			*value32++ = ctr_take32(word32);
	}
	if (table->num_beside != 0)
		ctr_core_beside(table, element, values);
}

void
ctr_core_take_element(const struct ctr_table *table, void *element, void *values)
{
	if (table->domain->strategy->take != NULL)
		table->domain->strategy->take(table, element, values);
	else
		ctr_take_atomic(table, element, values);
}

void
ctr_core_take(const struct ctr_table *table, uint32_t at, void *out)
{
	void *element = NULL;

	if (table->data.size != 0)
		element = ctr_element(table, &table->data, table->domain->shared, at);
	if (element == NULL || table->num_values != 0 || table->sources != NULL)
		ctr_core_zero(out, table->value_size);
	if (element != NULL)
		ctr_core_take_element(table, element, out);
}

/*
 * The sums of an instance, to *out; `anew` begins a new period of each copy. `reading`: the call
 * that this is part of, or NULL.
 */
static __attribute__((noinline)) int
reset_sum(const struct ctr_table *table, uint32_t at, void *out, bool anew,
	  struct ctr_reading *reading)
{
	struct ctr_reading brief;
	int rc = 0;

	if (reading == NULL) {
		reading = &brief;
		ctr_reading_begin(reading, table->domain->module->control);
	}
	if (anew && table->offset.size != 0)
		ctr_core_sum_anew(table, at, out, &rc, reading);
	else
		ctr_core_sum(table, at, 1, out, &rc, reading);
	return rc;
}

/* The same at once, if it can be and copies have no baselines. */
static inline bool
sum_quickly(const struct ctr_table *table, uint32_t at, void *out)
{
	if (table->gathers)
		return ctr_core_gather_all(table, at, NULL, out);
	if (!table->words || table->num_values != 0)
		return false;
	return ctr_core_words(table, at, NULL, out);
}

int
ctr_core_renew(const struct ctr_table *table, unsigned int view, uint32_t at, void *out,
	       struct ctr_reading *reading)
{
	uint32_t *period = ctr_core_period(table, at);
	uint64_t *torn = table->torn != NULL ? ctr_core_torn(table, view) : NULL;
	const bool before = torn != NULL && ctr_bit(torn, at);
	int rc = 0;

	ctr_period_begin(period);
	if (table->base_size != 0) {
		if (table->offset.size != 0 || !sum_quickly(table, at, out))
			rc = reset_sum(table, at, out, view == table->view, reading);
		ctr_core_begin_period(table, ctr_core_base(table, at, view), out);
		if (torn != NULL)
			ctr_bit_put(torn, at, rc != 0);
		if (before)
			rc = -EAGAIN;
	} else {
		ctr_core_take(table, at, out);
	}
	if (ctr_unlikely(table->sources != NULL)) {
		if (view == table->view)
			ctr_core_restart_sources(table, at, true);
		ctr_core_reported(table, view, at, out, true);
	}
	if (table->num_values != 0)
		ctr_core_values(table, at, 1, out, true);
	ctr_period_end(period);
	return rc;
}

int
ctr_table_reset(const struct ctr_table *table, unsigned int view, uint32_t at, void *last)
{
	struct ctr_control *control = table->domain->module->control;
	void *counted = last != NULL ? last : __builtin_alloca(table->value_size);
	int rc;

	/* The raw view is never reset. */
	if (view >= table->bases || (table->bases > 1 && view == 0))
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	rc = table->sources != NULL ? ctr_core_query(table, at) : 0;
	if (rc != 0)
		return rc;
	ctr_core_flush(table->domain);
	ctr_control_lock(control);
	if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at))) {
		rc = -ENOENT;
	} else {
		rc = ctr_core_renew(table, view, at, counted, NULL);
		if (view == table->view && table->state->discontinuity_ns != NULL)
			ctr_control_mark(&table->state->discontinuity_ns, at);
	}
	ctr_control_unlock(control);
	if (last != NULL)
		ctr_core_derive(table, at, last, 0, rc);
	return rc;
}
