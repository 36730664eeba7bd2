/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "ctr_strategy.h"
#include "kernels.h"

int
ctr_core_fetch(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
	       struct ctr_reading *reading)
{
	int rc;

	if (table->periodic)
		ctr_reading_at(reading, ctr_core_period(table, at));
	do {
		rc = -ENOENT;
		if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at))) {
			memset(values, 0, table->value_size);
			continue;
		}
		ctr_core_total(table, view, at, 1, values, &rc, reading);
		if (table->sources != NULL)
			ctr_core_reported(table, view, at, values, false);
		if (table->num_values != 0)
			ctr_core_values(table, at, 1, values, false);
	} while (table->periodic && ctr_reading_again(reading));
	return rc;
}

/* The first try of a read that nobody disturbs, nearly always the last. */
static inline bool
read_once(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const uint32_t *period = ctr_core_period(table, at);
	const uint64_t *base;
	uint32_t begin;

	begin = ctr_seq_read_begin(period);
	base = ctr_core_static_base(table, at, view);
	if (!ctr_core_gather_all(table, at, base, values))
		return false;
	if (table->torn != NULL && ctr_bit(ctr_core_torn(table, view), at))
		return false;
	if (table->num_values != 0)
		ctr_core_values(table, at, 1, values, false);
	ctr_fence(__ATOMIC_SEQ_CST);
	return (begin & 1) == 0 && ctr_load32(period) == begin;
}

/* Any read, at its own pace. */
static __attribute__((noinline)) int
read_at(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	struct ctr_reading reading;
	uint64_t want = 0;
	uint32_t phase;
	int rc;

	if (ctr_unlikely(table->sources != NULL)) {
		want = view == table->view ? ctr_time_ns() : 0;
		(void)ctr_core_query(table, at);
	}
	phase = ctr_core_enter(table, &reading);
	rc = ctr_core_fetch(table, view, at, values, &reading);
	ctr_core_leave(table, phase);
	ctr_core_derive(table, at, values, want, rc);
	return rc;
}

/* One that is tried at once. */
static __attribute__((noinline)) int
read_quickly(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	if (ctr_likely(read_once(table, view, at, values)))
		return 0;
	return read_at(table, view, at, values);
}

/* Likewise one of any counters, in any storage. */
static __attribute__((noinline)) int
read_words(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const uint32_t *period = ctr_core_period(table, at);
	const char *base = NULL;
	uint32_t begin, phase = 0;
	bool read;

	if (table->dynamic)
		phase = ctr_readers_enter(&table->state->readers);
	begin = ctr_seq_read_begin(period);
	read = (!table->dynamic || ctr_core_lives(ctr_core_record(table, at))) &&
	       (table->torn == NULL || !ctr_bit(ctr_core_torn(table, view), at));
	if (read && table->base_size != 0)
		base = ctr_core_base(table, at, view);
	read = read && ctr_core_words(table, at, base, values);
	if (read && table->num_values != 0)
		ctr_core_values(table, at, 1, values, false);
	ctr_fence(__ATOMIC_SEQ_CST);
	read = read && (begin & 1) == 0 && ctr_load32(period) == begin;
	if (table->dynamic)
		ctr_readers_leave(&table->state->readers, phase);
	return ctr_likely(read) ? 0 : read_at(table, view, at, values);
}

/*
 * Likewise one of any counters in the only copy, without baselines and values beside them. Whether
 * the scope is dynamic, and its strategy has to be asked, are constants.
 */
static CTR_ALWAYS_INLINE int
read_copy(const struct ctr_table *table, uint32_t at, void *values, bool dynamic, bool asks)
{
	const uint32_t *period = ctr_core_period(table, at);
	uint32_t begin, phase = 0;
	const char *element;
	bool read;

	if (dynamic)
		phase = ctr_readers_enter(&table->state->readers);
	begin = ctr_seq_read_begin(period);
	read = !dynamic || ctr_core_lives(ctr_core_record(table, at));
	if (asks) {
		read = read && table->domain->strategy->words(table, at, values) == 0;
	} else {
		element = dynamic ? (const char *)ctr_element(table, &table->data,
							      table->domain->shared, at) :
				    (const char *)table->domain->shared + table->data.at +
					    (size_t)at * table->data.size;
		read = read && element != NULL;
		if (ctr_likely(read))
			words(table, element, false, (char *)values, SET);
	}
	ctr_fence(__ATOMIC_SEQ_CST);
	read = read && (begin & 1) == 0 && ctr_load32(period) == begin;
	if (dynamic)
		ctr_readers_leave(&table->state->readers, phase);
	return ctr_likely(read) ? 0 : read_at(table, table->view, at, values);
}

static __attribute__((noinline)) int
read_static(const struct ctr_table *table, uint32_t at, void *values)
{
	return read_copy(table, at, values, false, false);
}

static __attribute__((noinline)) int
read_dynamic(const struct ctr_table *table, uint32_t at, void *values)
{
	return read_copy(table, at, values, true, false);
}

static __attribute__((noinline)) int
ask_static(const struct ctr_table *table, uint32_t at, void *values)
{
	return read_copy(table, at, values, false, true);
}

static __attribute__((noinline)) int
ask_dynamic(const struct ctr_table *table, uint32_t at, void *values)
{
	return read_copy(table, at, values, true, true);
}

/* Likewise one of a few words there, of a static scope. */
static int
read_shared(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const struct ctr_strategy *strategy = table->domain->strategy;
	uint64_t *to = (uint64_t *)(void *)((char *)values + table->runs->value);
	const uint32_t *period = ctr_core_period(table, at);
	uint64_t sums[CTR_GATHER] = { 0 };
	const char *words;
	uint32_t begin;

	if (ctr_unlikely(table->num_values != 0))
		return read_at(table, view, at, values);
	/* A strategy takes all words in one access, and reads them in one: of one period. */
	if (strategy->gather != NULL)
		return strategy->gather(table, at, NULL, to);
	if (ctr_unlikely(strategy->load != NULL))
		return read_at(table, view, at, values);
	words = (const char *)table->domain->shared + ctr_gather_offset(table, at);
	begin = ctr_seq_read_begin(period);
	ctr_gather_words((const uint64_t *)(const void *)words, table->runs->num, sums);
	ctr_gather_values(sums, table->runs->num, NULL, to);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_likely((begin & 1) == 0 && ctr_load32(period) == begin))
		return 0;
	return read_at(table, view, at, values);
}

int
ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	if (values == NULL || (view >= table->bases && view != table->view))
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	if (table->padded)
		memset(values, 0, table->value_size);
	if (!table->words)
		return read_at(table, view, at, values);
	if (table->base_size != 0 || table->domain->slots != NULL)
		return table->gathers ? read_quickly(table, view, at, values) :
					read_words(table, view, at, values);
	if (table->gathers)
		return read_shared(table, view, at, values);
	if (table->num_values != 0)
		return read_words(table, view, at, values);
	if (table->domain->strategy->load == NULL)
		return table->dynamic ? read_dynamic(table, at, values) :
					read_static(table, at, values);
	return table->dynamic ? ask_dynamic(table, at, values) : ask_static(table, at, values);
}
