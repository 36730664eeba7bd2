/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the library's core. */
#ifndef CTR_CORE_H
#define CTR_CORE_H

#include "ctr_access.h"
#include "ctr_strategy.h"
#include "ctr_table.h"

/* The counters of instances at positions from `at` on, in one chunk, as the strategy reads them:
 * since the baselines from @p base on, unless that is NULL. */
void ctr_core_sum(const struct ctr_table *table, uint32_t at, uint32_t n, const char *base,
		  void *values, int *rc, struct ctr_read_ctx *reading);

/* Add the counters of instances in one copy to their values, as the strategy reads them. */
void ctr_core_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
		   int *rc, struct ctr_read_ctx *reading);

/* Subtract baselines, the first at @p base, from values. */
void ctr_core_subtract(const struct ctr_table *table, const char *base, uint32_t n, void *values);

/* The values of instances in a view. */
void ctr_core_total(const struct ctr_table *table, unsigned int view, uint32_t at, uint32_t n,
		    void *values, int *rc, struct ctr_read_ctx *reading);

/* The gauges, peaks and states of instances; with `restart` peaks begin a new epoch. */
static inline void
ctr_core_values(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, bool restart)
{
	if (table->num_values != 0)
		table->value_ops->read(table, at, n, values, restart);
}

/* The gauges and states in an element. */
static inline void
ctr_core_beside(const struct ctr_table *table, const void *element, void *values)
{
	if (table->num_beside != 0)
		table->value_ops->beside(table, element, values);
}

/* As ctr_table_read() in the default view, without reported and derived items. */
int ctr_core_read_stored(const struct ctr_table *table, uint32_t at, void *values);

/* Query devices and the application about an instance. 0; -ENOENT; -ERANGE; -ENOMEM. */
static inline int
ctr_core_query(const struct ctr_table *table, uint32_t at)
{
	return table->sources != NULL ? table->sources->ops->query(table, at) : 0;
}

/* Fill in the last reported values; with `reset` begin a new epoch. */
static inline void
ctr_core_reported(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
		  bool reset)
{
	if (table->sources != NULL)
		table->sources->ops->reported(table, view, at, values, reset);
}

/* Begin a new generation, or a new epoch of rates only. */
static inline void
ctr_core_restart_sources(const struct ctr_table *table, uint32_t at, bool rates)
{
	if (table->sources != NULL)
		table->sources->ops->restart(table, at, rates);
}

/* Apply records that lcores have sent; whether there were any. The control lock is taken. */
bool ctr_core_drain(const struct ctr_module_state *module);

/* Query the sources of all instances. 0; -ENOMEM. */
int ctr_core_query_all(const struct ctr_table *table);

/* Set the baseline of an instance to *values, and *values to the increase. */
void ctr_core_begin_epoch(const struct ctr_table *table, char *base, char *values);

/* Add to a counter from a thread without an lcore id: ctr_table_add64(). */
void ctr_core_add(const struct ctr_table *table, uint32_t at, size_t data, size_t common,
		  unsigned int bits, uint64_t n);

/* Move the counters of an element to *values, adding them, and set them to 0. */
void ctr_core_take_element(const struct ctr_table *table, void *element, void *values);

/* Begin a new epoch of an instance in a view; *out receives its counts. Under the control lock.
 * `reading`: the surrounding call, or NULL. */
int ctr_core_renew(const struct ctr_table *table, unsigned int view, uint32_t at, void *out,
		   struct ctr_read_ctx *reading);

/* Storage of an instance: its record if it is dynamic, else NULL; and its baselines. */
static inline char *
ctr_core_stored(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_chunk *chunk;

	if (!table->dynamic)
		return (char *)table->records + (size_t)at * table->record_size;
	chunk = ctr_srcu_dereference((struct ctr_chunk **)table->records +
				     (at >> table->chunk_bits));
	if (chunk == NULL)
		return NULL;
	return (char *)(uintptr_t)(chunk + 1) +
	       (size_t)(at & ((1u << table->chunk_bits) - 1)) * table->record_size;
}

/* The record of an instance of a dynamic scope; NULL if it has none. */
static inline struct ctr_record *
ctr_core_record(const struct ctr_table *table, uint32_t at)
{
	return (struct ctr_record *)(void *)ctr_core_stored(table, at);
}

/* Whether an instance exists, by its record. */
static inline bool
ctr_core_lives(const struct ctr_record *record)
{
	return record != NULL && ctr_load32(&record->life) == CTR_LIFE_LIVE;
}

/* Whether an instance exists, as all of a static scope do. */
static inline bool
ctr_core_exists(const struct ctr_table *table, uint32_t at)
{
	return !table->dynamic || table->chunk_ops->lives(table, at);
}

/* A baseline of an instance of a static scope that has any. */
static inline char *
ctr_core_static_base(const struct ctr_table *table, uint32_t at, unsigned int view)
{
	return (char *)table->records + (size_t)at * table->record_size +
	       (size_t)view * table->base_size;
}

/* A baseline of an instance that has any. */
static inline char *
ctr_core_stored_base(const struct ctr_table *table, uint32_t at, unsigned int view)
{
	return ctr_core_stored(table, at) + (table->dynamic ? sizeof(struct ctr_record) : 0) +
	       (size_t)view * table->base_size;
}

/* The same, found by a pointer where the scope is dynamic. */
static inline char *
ctr_core_base(const struct ctr_table *table, uint32_t at, unsigned int view)
{
	return table->dynamic ? table->chunk_ops->base(table, at, view) :
				ctr_core_static_base(table, at, view);
}

/* The epoch of an instance. */
static inline uint32_t *
ctr_core_epoch(const struct ctr_table *table, uint32_t at)
{
	return &table->state->epochs.seq[at % CTR_EPOCH_STRIPES];
}

/* By position, bits of the torn baselines of a view. */
static inline uint64_t *
ctr_core_torn(const struct ctr_table *table, unsigned int view)
{
	return &table->torn[(size_t)view * ((table->max + 63) / 64)];
}

/* The first existing instance from `at` on, or `max`. Any thread; slow. */
static inline uint32_t
ctr_core_visit(const struct ctr_table *table, uint32_t at)
{
	return table->dynamic ? table->chunk_ops->next(table, at) : at;
}

/* The position of an instance, outermost index first; UINT32_MAX for an index out of range. */
static inline uint32_t
ctr_core_position(const struct ctr_table *table, const uint32_t *index)
{
	uint32_t at = 0;

	for (unsigned int i = 0; i < table->num_indexes; i++) {
		if (index[i] >= table->index_maxima[i])
			return UINT32_MAX;
		at = at * table->index_maxima[i] + index[i];
	}
	return at;
}

/* Apply pending updates of the calling lcore, before counts are reset or final. */
static inline void
ctr_core_flush(const struct ctr_domain *domain)
{
	if (!domain->module->at_once)
		ctr_module_flush(domain->module, CTR_FLUSH);
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

/* Whether the strategy reads by plain sums over copies. */
static inline bool
ctr_core_is_plain(const struct ctr_table *table)
{
	return table->domain->strategy->load == NULL && table->domain->strategy->sum == NULL;
}

/* The sums of counters over all copies, of such a strategy, since baselines unless that is NULL. */
static inline void
ctr_core_sum_copies(const struct ctr_table *table, uint32_t at, uint32_t n, const char *base,
		    void *values)
{
	const struct ctr_domain *domain = table->domain;
	struct ctr_sum sum = { &domain->shared, 1, at, n, false, base, (char *)values };

	if (domain->slots != NULL) {
		sum.copies = domain->slots->copy;
		sum.num = ctr_load_acquire(&domain->slots->num);
	}
	table->sum(table, &sum);
}

/* `num` words, a constant, at @p offset from the copies; `values`, `base` of the first instance. */
static CTR_UNROLLED void
ctr_core_sum_words(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset,
		   char *values, const char *base, unsigned int num)
{
	static const uint64_t none[CTR_GATHER];
	const size_t step = base != NULL ? table->record_size : 0;
	const size_t size = table->data.size, value_size = table->value_size;
	void *const *const copies = sum->copies, *const *const end = copies + sum->num;
	void *const *copy;

	if (base == NULL)
		base = (const char *)none;
	for (uint32_t n = sum->n; n != 0; n--) {
		uint64_t *to = (uint64_t *)(void *)values, sums[CTR_GATHER] = { 0 };

		if (sum->more)
			ctr_gather_words(to, num, sums);
		for (copy = copies; copy != end; copy++) {
			const char *from = (const char *)*copy + offset;

			ctr_gather_words((const uint64_t *)(const void *)from, num, sums);
		}
		ctr_gather_values(sums, num, (const uint64_t *)(const void *)base, to);
		offset += size;
		values += value_size;
		base += step;
	}
}

/* The same of an instance of a table that gathers, with several copies. */
static CTR_UNROLLED void
ctr_core_gather(const struct ctr_table *table, uint32_t at, const char *base, void *values,
		unsigned int words)
{
	const size_t offset = ctr_gather_offset(table, at);
	const struct ctr_slots *slots = table->domain->slots;
	const uint32_t num = ctr_load_acquire(&slots->num);
	uint64_t sums[CTR_GATHER] = { 0 };

	for (uint32_t copy = 0; copy < num; copy++) {
		const char *from = (const char *)slots->copy[copy] + offset;

		ctr_gather_words((const uint64_t *)(const void *)from, words, sums);
	}
	ctr_gather_values(sums, words, (const uint64_t *)(const void *)base,
			  (uint64_t *)(void *)((char *)values + table->runs->value));
}

/* The same of the only copy, without a baseline. */
static CTR_UNROLLED void
ctr_core_load_words(const struct ctr_table *table, uint32_t at, void *values, unsigned int words)
{
	const char *from = (const char *)table->domain->shared + ctr_gather_offset(table, at);
	uint64_t *to = (uint64_t *)(void *)((char *)values + table->runs->value);

	for (unsigned int i = 0; i < words; i++)
		to[i] = ctr_load64((const uint64_t *)(const void *)from + i);
}

/* Enter and leave a read without the control lock: no memory that it finds is freed in between. */
static inline uint32_t
ctr_core_enter(const struct ctr_table *table, struct ctr_read_ctx *reading)
{
	ctr_read_ctx_init(reading, table->domain->module->control);
	return table->dynamic ? ctr_srcu_read_lock(&table->state->readers) : 0;
}

static inline void
ctr_core_leave(const struct ctr_table *table, uint32_t phase)
{
	if (table->dynamic)
		ctr_srcu_read_unlock(&table->state->readers, phase);
}

/* Compute derived items of instances that were read; rates at time `want`, or none if it is 0. */
static inline void
ctr_core_derive(const struct ctr_table *table, uint32_t at, void *values, uint64_t want, int rc)
{
	if (table->sources != NULL && table->sources->derive != NULL && (rc == 0 || rc == -EAGAIN))
		table->sources->derive(at, values, want);
}

/* The run of the counter at an offset in the struct of values; runs are in the order of these. */
static inline const struct ctr_run *
ctr_core_run(const struct ctr_table *table, size_t value)
{
	const struct ctr_run *run = table->runs;
	uint32_t n = table->num_runs;

	while (n > 1) {
		if (run[n / 2].value <= value) {
			run += n / 2;
			n -= n / 2;
		} else {
			n /= 2;
		}
	}
	return run;
}

/* That counter, as a run of one. */
static inline struct ctr_run
ctr_core_counter(const struct ctr_table *table, size_t value)
{
	const struct ctr_run *run = ctr_core_run(table, value);
	const uint32_t offset = (uint32_t)value - run->value;
	struct ctr_run counter = *run;

	counter.data += run->stored == run->bits ? offset : offset / 8 * (run->stored / 8u);
	counter.value = (uint32_t)value;
	counter.base += offset;
	counter.common += offset;
	counter.num = 1;
	return counter;
}

/* A word at an offset of the elements of one copy. */
static inline uint64_t
ctr_core_word_of(const struct ctr_table *table, const struct ctr_place *place, const void *copy,
		 uint32_t at, uint32_t offset, uint32_t bits)
{
	const char *element = ctr_element(table, place, copy, at);

	return element != NULL ? ctr_core_word(element + offset, bits) : 0;
}

#endif /* CTR_CORE_H */
