/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the library's core share. */
#ifndef CTR_CORE_H
#define CTR_CORE_H

#include <errno.h>
#include <string.h>

#include "ctr_access.h"
#include "ctr_strategy.h"
#include "ctr_table.h"

/* The values of instances at positions from `at` on, in one chunk, without baselines. */
void ctr_core_sum(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
		  struct ctr_reading *reading);

/* The sum of one instance, which becomes the baseline of each lcore where these have any. */
void ctr_core_sum_anew(const struct ctr_table *table, uint32_t at, void *out, int *rc,
		       struct ctr_reading *reading);

/* Add what one copy has of them to their values, as the strategy reads it. */
void ctr_core_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
		   int *rc, struct ctr_reading *reading);

/*
 * The counters of an instance of a table that `gathers`, to *out: their sums over `n` copies, less
 * a baseline unless that is NULL.
 */
void ctr_core_gather(const struct ctr_table *table, void *const *copies, uint32_t n, uint32_t at,
		     const uint64_t *base, void *out);

/* As ctr_core_words(), of a strategy without operations that read, and with several copies. */
bool ctr_core_words_of_copies(const struct ctr_table *table, uint32_t at, const char *base,
			      void *values);

/* Subtract baselines, the first at @p base and one every @p step bytes, from the values. */
void ctr_core_subtract(const struct ctr_table *table, const char *base, size_t step, uint32_t n,
		       void *values);

/* The same over all copies, as the strategy reads them; false: they must be read another way. */
bool ctr_core_gather_all(const struct ctr_table *table, uint32_t at, const uint64_t *base,
			 void *out);

/* The values of instances as a view has them: ctr_core_sum() less baselines. */
void ctr_core_total(const struct ctr_table *table, unsigned int view, uint32_t at, uint32_t n,
		    void *values, int *rc, struct ctr_reading *reading);

/* Read what is stored of an instance, in one life and one period. */
int ctr_core_fetch(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
		   struct ctr_reading *reading);

/* The gauges, peaks and states of instances; with `anew` peaks begin a new period. */
static inline void
ctr_core_values(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, bool anew)
{
	if (table->num_values != 0)
		table->value_ops->read(table, at, n, values, anew);
}

/* The gauges and states in an element. */
static inline void
ctr_core_beside(const struct ctr_table *table, const void *element, void *values)
{
	if (table->num_beside != 0)
		table->value_ops->beside(table, element, values);
}

/* Ask devices and the application about an instance. 0; -ENOENT; -ERANGE; -ENOMEM. */
static inline int
ctr_core_query(const struct ctr_table *table, uint32_t at)
{
	return table->sources != NULL ? table->sources->ops->query(table, at) : 0;
}

/* Fill in what was reported last; with `reset` a new period of it begins. */
static inline void
ctr_core_reported(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
		  bool reset)
{
	if (table->sources != NULL)
		table->sources->ops->reported(table, view, at, values, reset);
}

/* Begin another life, or another period of rates alone. */
static inline void
ctr_core_restart_sources(const struct ctr_table *table, uint32_t at, bool rates)
{
	if (table->sources != NULL)
		table->sources->ops->restart(table, at, rates);
}

/* Ask about all. 0; -ENOMEM. */
int ctr_core_query_all(const struct ctr_table *table);

/* Set the baseline of an instance to *values, and these to what it grew by. */
void ctr_core_begin_period(const struct ctr_table *table, char *base, char *values);

/* Set the counters of an element to 0; add what they were to *values. */
void ctr_core_take_element(const struct ctr_table *table, void *element, void *values);

/* Begin a new period of an instance in a view; *out is what it counted. Under the control lock.
 * `reading`: the call that this is part of, or NULL.
 */
int ctr_core_renew(const struct ctr_table *table, unsigned int view, uint32_t at, void *out,
		   struct ctr_reading *reading);

/* What is kept of an instance: its record with a dynamic one, else NULL; and its baselines. */
static inline char *
ctr_core_kept(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_chunk *chunk;

	if (!table->dynamic)
		return (char *)table->records + (size_t)at * table->record_size;
	chunk = ctr_readers_load((struct ctr_chunk **)table->records + (at >> table->chunk_bits));
	if (chunk == NULL)
		return NULL;
	return (char *)(uintptr_t)(chunk + 1) +
	       (size_t)(at & ((1u << table->chunk_bits) - 1)) * table->record_size;
}

/* The record of an instance of a dynamic scope; NULL if it has none. */
static inline struct ctr_record *
ctr_core_record(const struct ctr_table *table, uint32_t at)
{
	return (struct ctr_record *)(void *)ctr_core_kept(table, at);
}

/* Whether the record of an instance says that it exists. */
static inline bool
ctr_core_lives(const struct ctr_record *record)
{
	return record != NULL && ctr_load32(&record->life) == CTR_LIVES;
}

/* A baseline of an instance that has any. */
static inline char *
ctr_core_base(const struct ctr_table *table, uint32_t at, unsigned int view)
{
	return ctr_core_kept(table, at) + (table->dynamic ? sizeof(struct ctr_record) : 0) +
	       (size_t)view * table->base_size;
}

/* The baseline of an instance of a static scope in a view; NULL where there are none. */
static inline const uint64_t *
ctr_core_static_base(const struct ctr_table *table, uint32_t at, unsigned int view)
{
	if (table->base_size == 0)
		return NULL;
	return (const uint64_t *)(const void *)((const char *)table->records +
						(size_t)at * table->record_size +
						(size_t)view * table->base_size);
}

/* The common part of an instance; NULL where it has none. */
static inline char *
ctr_core_common(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_place place = { 0, 0, table->common_size };

	return (char *)ctr_element(table, &place, table->common, at);
}

/* The period of an instance. */
static inline uint32_t *
ctr_core_period(const struct ctr_table *table, uint32_t at)
{
	return ctr_period(&table->state->periods, at);
}

/* The bits that say which baselines of a view are of several moments. */
static inline uint64_t *
ctr_core_torn(const struct ctr_table *table, unsigned int view)
{
	return &table->torn[(size_t)view * ((table->max + 63) / 64)];
}

/* The first existing instance from `at` on, or `max`; under the control lock or among readers. */
static inline uint32_t
ctr_core_next(const struct ctr_table *table, uint32_t at)
{
	if (!table->dynamic)
		return at;
	at = ctr_bit_next(table->live, at, table->max);
	while (at < table->max && !ctr_core_lives(ctr_core_record(table, at)))
		at = ctr_bit_next(table->live, at + 1, table->max);
	return at;
}

/* The same of any thread, in no hurry. */
static inline uint32_t
ctr_core_visit(const struct ctr_table *table, uint32_t at)
{
	return table->dynamic ? table->chunk_ops->next(table, at) : at;
}

/* Allocate the copies of a domain: 0 or -errno. Undo that; idempotent. */
int ctr_core_open(const struct ctr_domain *domain);
void ctr_core_close(const struct ctr_domain *domain);

/* Apply what the calling lcore holds back, before counts are reset or final. */
static inline void
ctr_core_flush(const struct ctr_domain *domain)
{
	if (!domain->module->at_once)
		ctr_module_flush(domain->module, CTR_FLUSH);
}

/* Zero value structs, most of which are small. */
static inline void
ctr_core_zero(void *values, size_t size)
{
	if (size >= 16 && size <= 32) {
		memset(values, 0, 16);
		memset((char *)values + size - 16, 0, 16);
	} else {
		memset(values, 0, size);
	}
}

/* Load and store a counter of a baseline or of a value struct. */
static inline uint64_t
ctr_core_word(const char *word, unsigned int bits)
{
	return bits == 64 ? ctr_load64((const uint64_t *)(const void *)word) :
			    ctr_load32((const uint32_t *)(const void *)word);
}

static inline void
ctr_core_store(char *word, unsigned int bits, uint64_t value)
{
	if (bits == 64)
		ctr_store64((uint64_t *)(void *)word, value);
	else
		ctr_store32((uint32_t *)(void *)word, (uint32_t)value);
}

/*
 * The sums of the counters of an instance, of a table of `words`, over all copies to their values,
 * less a baseline unless that is NULL; the rest stays as it is. false: read them another way.
 */
static inline bool
ctr_core_words(const struct ctr_table *table, uint32_t at, const char *base, void *values)
{
	const struct ctr_domain *domain = table->domain;
	const struct ctr_strategy *strategy = domain->strategy;
	const void *element;

	if (strategy->words != NULL) {
		if (strategy->words(table, at, values) != 0)
			return false;
	} else if (strategy->load != NULL || strategy->sum != NULL) {
		return false;
	} else if (domain->slots != NULL) {
		return ctr_core_words_of_copies(table, at, base, values);
	} else {
		element = ctr_element(table, &table->data, domain->shared, at);
		if (element == NULL)
			return false;
		ctr_words_set(table, element, values);
	}
	if (base != NULL)
		ctr_core_subtract(table, base, 0, 1, values);
	return true;
}

/* Enter and leave a read without the control lock: nothing that it finds is freed meanwhile. */
static inline uint32_t
ctr_core_enter(const struct ctr_table *table, struct ctr_reading *reading)
{
	ctr_reading_begin(reading, table->domain->module->control);
	return table->dynamic ? ctr_readers_enter(&table->state->readers) : 0;
}

static inline void
ctr_core_leave(const struct ctr_table *table, uint32_t phase)
{
	if (table->dynamic)
		ctr_readers_leave(&table->state->readers, phase);
}

/* Work out what is derived, where something was read; rates at a time, or not if `want` is 0. */
static inline void
ctr_core_derive(const struct ctr_table *table, uint32_t at, void *values, uint64_t want, int rc)
{
	if (table->sources != NULL && table->sources->derive != NULL && (rc == 0 || rc == -EAGAIN))
		table->sources->derive(at, values, want);
}

#endif /* CTR_CORE_H */
