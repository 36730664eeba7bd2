/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads for any strategy, which may wait. */
#include "core.h"

/* ---- by the operations of the strategy ---- */

void
ctr_load_plain(const struct ctr_table *table, const void *copy, uint32_t at, uint32_t n,
	       void *values)
{
	void *const only = (void *)(uintptr_t)copy;
	const struct ctr_sum sum = { &only, 1, at, n, true, NULL, (char *)values };

	table->sum(table, &sum);
}

void
ctr_core_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
	      int *rc, struct ctr_read_ctx *reading)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (strategy->load != NULL)
		strategy->load(table, copy, at, n, values, rc, reading);
	else
		ctr_load_plain(table, copy, at, n, values);
}

void
ctr_core_subtract(const struct ctr_table *table, const char *base, uint32_t n, void *values)
{
	const struct ctr_run *run, *const end = table->runs + table->num_runs;
	char *of = (char *)values;

	for (; n != 0; n--, base += table->record_size, of += table->value_size) {
		for (run = table->runs; run != end; run++) {
			const char *from = base + run->base;
			const uint64_t *from64 = (const uint64_t *)(const void *)from;
			const uint32_t *from32 = (const uint32_t *)(const void *)from;
			uint64_t *to64 = (uint64_t *)(void *)(of + run->value);
			uint32_t *to32 = (uint32_t *)(void *)(of + run->value);

			for (uint32_t i = run->bits == 64 ? run->num : 0; i-- != 0;)
				*to64++ -= ctr_load64(from64++);
			for (uint32_t i = run->bits == 64 ? 0 : run->num; i-- != 0;)
				*to32++ -= ctr_load32(from32++);
		}
	}
}

/* Add all copies, where the strategy has an operation that reads. */
static void
load_all(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
	 struct ctr_read_ctx *reading)
{
	const struct ctr_domain *domain = table->domain;
	void *copy;

	if (domain->strategy->sum != NULL) {
		domain->strategy->sum(table, at, n, values, rc, reading);
		return;
	}
	for (uint32_t number = 0; (copy = ctr_copy_at(domain, number)) != NULL; number++)
		ctr_core_load(table, copy, at, n, values, rc, reading);
}

void
ctr_core_sum(const struct ctr_table *table, uint32_t at, uint32_t n, const char *base,
	     void *values, int *rc, struct ctr_read_ctx *reading)
{
	memset(rc, 0, n * sizeof(*rc));
	if (table->words && ctr_core_is_plain(table)) {
		ctr_core_sum_copies(table, at, n, base, values);
		return;
	}
	memset(values, 0, (size_t)n * table->value_size);
	if (table->data.size != 0)
		load_all(table, at, n, values, rc, reading);
	if (base != NULL)
		ctr_core_subtract(table, base, n, values);
}

void
ctr_core_total(const struct ctr_table *table, unsigned int view, uint32_t at, uint32_t n,
	       void *values, int *rc, struct ctr_read_ctx *reading)
{
	const char *base = table->base_size != 0 ? ctr_core_base(table, at, view) : NULL;

	ctr_core_sum(table, at, n, base, values, rc, reading);
	for (uint32_t i = 0; table->torn != NULL && i < n; i++)
		if (ctr_bit(ctr_core_torn(table, view), at + i))
			rc[i] = -EAGAIN;
}

/* Read the storage of an instance, within one generation and one epoch. */
static int
read_stored(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	struct ctr_read_ctx reading;
	const uint32_t phase = ctr_core_enter(table, &reading);
	int rc;

	if (table->periodic)
		ctr_read_begin(&reading, ctr_core_epoch(table, at));
	do {
		rc = -ENOENT;
		if (!ctr_core_exists(table, at)) {
			memset(values, 0, table->value_size);
			continue;
		}
		ctr_core_total(table, view, at, 1, values, &rc, &reading);
		ctr_core_reported(table, view, at, values, false);
		ctr_core_values(table, at, 1, values, false);
	} while (table->periodic && ctr_read_retry(&reading));
	ctr_core_leave(table, phase);
	return rc;
}

/* ---- one instance ---- */

int
ctr_read_slowly(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	uint64_t want = 0;
	int rc;

	if (table->sources != NULL) {
		want = view == table->view ? ctr_time_ns() : 0;
		(void)ctr_core_query(table, at);
	}
	rc = read_stored(table, view, at, values);
	ctr_core_derive(table, at, values, want, rc);
	return rc;
}

int
ctr_core_read_stored(const struct ctr_table *table, uint32_t at, void *values)
{
	return at < table->max ? read_stored(table, table->view, at, values) : -ERANGE;
}

void
ctr_index_tear(const struct ctr_table *table, const uint32_t *index)
{
	const uint32_t at = ctr_core_position(table, index);

	if (table->torn == NULL || at >= table->max)
		return;
	ctr_control_lock(table->domain->module->control);
	for (unsigned int view = table->bases > 1; view < table->bases; view++)
		ctr_bit_set(ctr_core_torn(table, view), at);
	ctr_control_unlock(table->domain->module->control);
}
