/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "kernels.h"
#include "memory.h"

/* Instances that are read at a time: their values stay in the first-level cache. */
#define BLOCK 64u
/* Words of an instance that are summed up in registers. */
#define GATHER 4u

int
ctr_table_position(const struct ctr_table *table, const uint32_t *index, uint32_t *at)
{
	unsigned int i;

	*at = 0;
	for (i = 0; i < table->num_indexes; i++) {
		if (index[i] >= table->index_maxima[i])
			return -ERANGE;
		*at = *at * table->index_maxima[i] + index[i];
	}
	return 0;
}

/* Load and store a counter of a baseline or of a value struct. */
static uint64_t
load_bits(const char *word, unsigned int bits)
{
	return bits == 64 ? ctr_load64((const uint64_t *)(const void *)word) :
			    ctr_load32((const uint32_t *)(const void *)word);
}

static void
store_bits(char *word, unsigned int bits, uint64_t value)
{
	if (bits == 64)
		ctr_store64((uint64_t *)(void *)word, value);
	else
		ctr_store32((uint32_t *)(void *)word, (uint32_t)value);
}

/* Add a run of words to their values, or subtract it. */
static void
add_run(const struct block *block, const struct ctr_run *run)
{
	if (run->bits == 64)
		block64_run(block, run->num, ADD);
	else
		block32(block, run->num, ADD);
}

static void
subtract_run(const struct block *block, const struct ctr_run *run)
{
	if (run->bits == 64)
		block64_run(block, run->num, SUBTRACT);
	else
		block32(block, run->num, SUBTRACT);
}

/* ---- one copy, all copies ---- */

void
ctr_load_plain(const struct ctr_table *table, const void *copy, uint32_t at, uint32_t n,
	       void *values)
{
	const char *element = ctr_element(table, &table->data, copy, at);
	const struct ctr_run *run;
	struct block block;

	if (element == NULL)
		return;
	block.step = table->data.size;
	block.size = table->value_size;
	block.n = n;
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		block.from = element + run->data;
		block.to = (char *)values + run->value;
		add_run(&block, run);
	}
}

/* The same as its strategy does it. */
static void
load_copy(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
	  struct ctr_reading *reading)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (strategy->load != NULL)
		strategy->load(table, copy, at, n, values, rc, reading);
	else
		ctr_load_plain(table, copy, at, n, values);
}

void
ctr_core_sum(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
	     struct ctr_reading *reading)
{
	const struct ctr_domain *domain = table->domain;
	uint32_t copy, num;

	memset(values, 0, (size_t)n * table->value_size);
	memset(rc, 0, n * sizeof(*rc));
	if (table->data.size == 0)
		return;
	if (domain->strategy->sum != NULL) {
		domain->strategy->sum(table, at, n, values, rc, reading);
		return;
	}
	if (domain->slots == NULL) {
		load_copy(table, domain->shared, at, n, values, rc, reading);
		return;
	}
	num = ctr_load_acquire(&domain->slots->num);
	for (copy = 0; copy < num; copy++)
		load_copy(table, domain->slots->copy[copy], at, n, values, rc, reading);
	if (domain->cpus == NULL)
		return;
	CTR_SLOTS_FOREACH(copy, domain->cpus)
		load_copy(table, ctr_slots_get(domain->cpus, copy), at, n, values, rc, reading);
}

/* ---- one instance of plain words ---- */

/* The words of an instance in some copies, to `values`; num: how many words. */
static CTR_ALWAYS_INLINE void
gather64(void *const *copies, uint32_t n, size_t offset, const uint64_t *base, uint64_t *values,
	 unsigned int num)
{
	uint64_t sum[GATHER] = { 0 };
	uint32_t copy;
	unsigned int i;

	for (copy = 0; copy < n; copy++) {
		const char *element = (const char *)copies[copy] + offset;
		const uint64_t *word = (const uint64_t *)(const void *)element;

		for (i = 0; i < num; i++)
			sum[i] += ctr_load64(&word[i]);
	}
	for (i = 0; i < num; i++)
		values[i] = sum[i] - (base != NULL ? ctr_load64(&base[i]) : 0);
}

/* Read the counters of an instance of a static scope with a single run of few words of 64 bits. */
static void
gather(const struct ctr_table *table, void *const *copies, uint32_t n, uint32_t at,
       const uint64_t *base, void *out)
{
	const struct ctr_run *run = table->runs;
	const size_t offset = table->data.at + (size_t)at * table->data.size + run->data;
	uint64_t *values = (uint64_t *)(void *)((char *)out + run->value);

	switch (run->num) {
	case 1:
		gather64(copies, n, offset, base, values, 1);
		break;
	case 2:
		gather64(copies, n, offset, base, values, 2);
		break;
	case 3:
		gather64(copies, n, offset, base, values, 3);
		break;
	default:
		gather64(copies, n, offset, base, values, 4);
		break;
	}
}

/* The same of all copies, since the last reset in a view. */
static CTR_ALWAYS_INLINE void
gather_all(const struct ctr_table *table, unsigned int view, uint32_t at, void *out)
{
	const struct ctr_slots *slots = table->domain->slots;
	const char *base = (const char *)table->records + (size_t)at * table->record_size +
			   (size_t)view * table->base_size;

	gather(table, slots->copy, ctr_load_acquire(&slots->num), at,
	       (const uint64_t *)(const void *)base, out);
}

/* ---- baselines ---- */

void
ctr_core_rebase(const struct ctr_table *table, unsigned int view, uint32_t at, uint32_t n,
		void *values, int *rc)
{
	const uint64_t *torn;
	const struct ctr_run *run;
	struct block block;
	const char *base;
	uint32_t i;

	if (table->base_size == 0)
		return;
	base = ctr_core_base(table, at, view);
	block.step = table->record_size;
	block.size = table->value_size;
	block.n = n;
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		block.from = base + run->base;
		block.to = (char *)values + run->value;
		subtract_run(&block, run);
	}
	if (table->torn == NULL)
		return;
	torn = ctr_core_torn(table, view);
	for (i = 0; i < n; i++)
		if (ctr_bit(torn, at + i))
			rc[i] = -EAGAIN;
}

/* Set the baseline of an instance to *values, and these to what it grew by; whether it was 0. */
static bool
begin_period(const struct ctr_table *table, char *base, char *values)
{
	const struct ctr_run *run;
	bool first = true;
	unsigned int i;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		uint64_t *base64 = (uint64_t *)(void *)(base + run->base);
		uint64_t *value64 = (uint64_t *)(void *)(values + run->value);
		uint32_t *base32 = (uint32_t *)(void *)(base + run->base);
		uint32_t *value32 = (uint32_t *)(void *)(values + run->value);

		for (i = 0; i < run->num; i++) {
			if (run->bits == 64) {
				value64[i] = ctr_rebase64(&base64[i], value64[i]);
				first = first && base64[i] == 0;
			} else {
				value32[i] = ctr_rebase32(&base32[i], value32[i]);
				first = first && base32[i] == 0;
			}
		}
	}
	return first;
}

/* Set the words of an element to 0; add what they were to *values. */
static void
take(const struct ctr_table *table, char *element, char *values)
{
	const struct ctr_run *run;
	unsigned int i;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		uint64_t *word64 = (uint64_t *)(void *)(element + run->data);
		uint64_t *value64 = (uint64_t *)(void *)(values + run->value);
		uint32_t *word32 = (uint32_t *)(void *)(element + run->data);
		uint32_t *value32 = (uint32_t *)(void *)(values + run->value);

		for (i = 0; i < run->num; i++) {
			if (run->bits == 64)
				value64[i] += ctr_exchange64(&word64[i]);
			else
				value32[i] += ctr_exchange32(&word32[i]);
		}
	}
}

void
ctr_core_take(const struct ctr_table *table, uint32_t at, void *out)
{
	const struct ctr_strategy *strategy = table->domain->strategy;
	char *element;

	if (table->data.size == 0)
		return;
	if (strategy->take != NULL) {
		strategy->take(table, at, out);
		return;
	}
	element = ctr_element(table, &table->data, table->domain->shared, at);
	if (element != NULL)
		take(table, element, out);
}

void
ctr_core_settle_bases(const struct ctr_table *table, uint32_t at, void *out)
{
	char *bases = ctr_core_base(table, at, 0);
	const struct ctr_run *run;
	unsigned int i, view;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (i = 0; i < run->num; i++) {
			const uint32_t step = i * (run->bits / 8);
			char *value = (char *)out + run->value + step;
			char *base = bases + run->base + step;
			const uint64_t sum = load_bits(value, run->bits);

			store_bits(value, run->bits,
				   sum - load_bits(base + (size_t)table->view * table->base_size,
						   run->bits));
			for (view = 0; view < table->bases; view++)
				store_bits(base + (size_t)view * table->base_size, run->bits, sum);
		}
	}
}

void
ctr_core_wipe(const struct ctr_table *table, void *copy, uint32_t at)
{
	char *element = ctr_element(table, &table->data, copy, at);
	char *bases = ctr_core_base(table, at, 0);
	const struct ctr_run *run;
	unsigned int i, view;
	uint64_t part;

	for (run = table->runs; element != NULL && run != table->runs + table->num_runs; run++) {
		for (i = 0; i < run->num; i++) {
			char *word = element + run->data + i * (run->stored / 8);
			char *base = bases + run->base + i * (run->bits / 8);

			part = load_bits(word, run->stored);
			if (part == 0)
				continue;
			store_bits(word, run->stored, 0);
			for (view = 0; view < table->bases; view++, base += table->base_size)
				store_bits(base, run->bits, load_bits(base, run->bits) - part);
		}
	}
}

int
ctr_core_renew(const struct ctr_table *table, unsigned int view, uint32_t at, void *out,
	       struct ctr_reading *reading)
{
	uint32_t *period = ctr_core_period(table, at);
	uint64_t *torn = table->torn != NULL ? ctr_core_torn(table, view) : NULL;
	const bool before = torn != NULL && ctr_bit(torn, at);
	bool first;
	int rc = 0;

	ctr_period_begin(period);
	if (table->base_size != 0) {
		if (table->gathers)
			gather(table, table->domain->slots->copy, table->domain->slots->num, at,
			       NULL, out);
		else
			ctr_core_sum(table, at, 1, out, &rc, reading);
		first = begin_period(table, ctr_core_base(table, at, view), out);
		if (torn != NULL)
			ctr_bit_put(torn, at, rc != 0);
		if (before)
			rc = -EAGAIN;
		(void)first;
	} else {
		memset(out, 0, table->value_size);
		ctr_core_take(table, at, out);
	}
	if (table->num_values != 0)
		ctr_core_values(table, at, 1, out, true);
	ctr_period_end(period);
	return rc;
}

/* ---- one instance ---- */

/* Read an instance in one life and one period; part: of one lcore only. */
static int
fetch(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
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
		if (table->gathers) {
			rc = 0;
			gather_all(table, view, at, values);
		} else {
			ctr_core_sum(table, at, 1, values, &rc, reading);
			ctr_core_rebase(table, view, at, 1, values, &rc);
		}
		ctr_core_values(table, at, 1, values, false);
	} while (table->periodic && ctr_reading_again(reading));
	return rc;
}

/* Enter and leave a read without the control lock: nothing that it finds is freed meanwhile. */
static uint32_t
enter(const struct ctr_table *table, struct ctr_reading *reading)
{
	ctr_reading_begin(reading, table->domain->module->control);
	return table->dynamic ? ctr_readers_enter(&table->state->readers) : 0;
}

static void
leave(const struct ctr_table *table, uint32_t phase)
{
	if (table->dynamic)
		ctr_readers_leave(&table->state->readers, phase);
}

/* The first try of a read that nobody disturbs, nearly always the last. */
static CTR_ALWAYS_INLINE bool
read_once(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const uint32_t *period = ctr_core_period(table, at);
	const uint32_t begin = ctr_seq_read_begin(period);

	gather_all(table, view, at, values);
	if (table->num_values != 0)
		ctr_core_values(table, at, 1, values, false);
	ctr_fence(__ATOMIC_SEQ_CST);
	return (begin & 1) == 0 && ctr_load32(period) == begin;
}

/* Fill in what is not stored, where something was read. */
static void
fill(const struct ctr_table *table, uint32_t at, void *values, uint64_t want, int rc)
{
	if (table->fill != NULL && (rc == 0 || rc == -EAGAIN))
		table->fill(at, values, want);
}

int
ctr_table_read(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	struct ctr_reading reading;
	uint64_t want = 1;
	uint32_t phase;
	int rc;

	if (values == NULL || (view >= table->bases && view != table->view))
		return -EINVAL;
	if (table->gathers && ctr_likely(read_once(table, view, at, values)))
		return 0;
	if (table->fill != NULL && view == table->view)
		want = ctr_time_ns();
	phase = enter(table, &reading);
	rc = fetch(table, view, at, values, &reading);
	leave(table, phase);
	fill(table, at, values, want, rc);
	return rc;
}

/* Subtract what one copy held at the last reset. */
static void
since(const struct ctr_table *table, const void *copy, uint32_t at, void *values)
{
	const char *base;
	const struct ctr_run *run;
	struct block block = { NULL, 0, NULL, 0, 1 };

	if (table->offset.size == 0)
		return;
	base = ctr_element(table, &table->offset, copy, at);
	for (run = table->runs; base != NULL && run != table->runs + table->num_runs; run++) {
		block.from = base + run->base;
		block.to = (char *)values + run->value;
		subtract_run(&block, run);
	}
}

/* Add what one lcore has of an instance; CTR_NON_LCORE has the copies of CPUs, if there are any. */
static void
load_lcore(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values, int *rc,
	   struct ctr_reading *reading)
{
	const struct ctr_domain *domain = table->domain;
	void *copy = ctr_slots_get(domain->slots, lcore);
	unsigned int cpu;

	if (copy != NULL) {
		load_copy(table, copy, at, 1, values, rc, reading);
		since(table, copy, at, values);
	}
	if (domain->cpus == NULL || lcore != CTR_NON_LCORE)
		return;
	CTR_SLOTS_FOREACH(cpu, domain->cpus) {
		copy = ctr_slots_get(domain->cpus, cpu);
		load_copy(table, copy, at, 1, values, rc, reading);
		since(table, copy, at, values);
	}
}

int
ctr_table_lcore_read(const struct ctr_table *table, unsigned int lcore, uint32_t at,
		     void *values)
{
	struct ctr_reading reading;
	uint32_t phase;
	int rc;

	if (!table->parts)
		return -ENOTSUP;
	if (values == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS)
		return -ERANGE;
	if (table->gathers && table->domain->cpus == NULL && table->offset.size == 0) {
		void *copy = ctr_slots_get(table->domain->slots, lcore);

		gather(table, &copy, copy != NULL, at, NULL, values);
		return 0;
	}
	phase = enter(table, &reading);
	if (table->periodic)
		ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		memset(values, 0, table->value_size);
		rc = -ENOENT;
		if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at)))
			continue;
		rc = 0;
		load_lcore(table, lcore, at, values, &rc, &reading);
		if (table->offset.size != 0 && table->torn != NULL &&
		    ctr_bit(ctr_core_torn(table, table->view), at))
			rc = -EAGAIN;
	} while (table->periodic && ctr_reading_again(&reading));
	leave(table, phase);
	fill(table, at, values, 0, rc);
	return rc;
}

int
ctr_table_reset(const struct ctr_table *table, unsigned int view, uint32_t at, void *last)
{
	struct ctr_control *control = table->domain->module->control;
	void *counted = last != NULL ? last : __builtin_alloca(table->value_size);
	struct ctr_reading reading;
	int rc;

	ctr_core_flush(table->domain);
	ctr_reading_begin(&reading, control);
	ctr_control_lock(control);
	if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at))) {
		rc = -ENOENT;
	} else {
		rc = ctr_core_renew(table, view, at, counted, &reading);
		if (view == table->view)
			ctr_control_mark(&table->state->discontinuity_ns, at);
	}
	ctr_module_read_unlock(table->domain->module);
	at = table->fill != NULL && last != NULL ? 0 : table->max;
	for (; (at = ctr_core_next(table, at)) < table->max; at++)
		table->fill(at, (char *)last + (size_t)at * table->value_size, 1);
	return rc;
}

/* ---- objects of the application ---- */

int
ctr_object_read(const struct ctr_table *table, const void *object, void *values)
{
	if (object == NULL || values == NULL)
		return -EINVAL;
	memset(values, 0, table->value_size);
	ctr_load_plain(table, object, 0, 1, values);
	ctr_core_object_values(table, object, values);
	if (table->fill != NULL)
		table->fill(0, values, 1);
	return 0;
}

int
ctr_object_reset(const struct ctr_table *table, void *object, void *last)
{
	void *values = last != NULL ? last : __builtin_alloca(table->value_size);

	if (object == NULL)
		return -EINVAL;
	memset(values, 0, table->value_size);
	take(table, object, values);
	ctr_core_object_values(table, object, values);
	if (table->fill != NULL && last != NULL)
		table->fill(0, last, 1);
	return 0;
}

/* ---- single counters ---- */

/* A word at an offset of the elements of one copy. */
static uint64_t
word_of(const struct ctr_table *table, const struct ctr_place *place, const void *copy, uint32_t at,
	uint32_t offset, uint32_t bits)
{
	const char *element = ctr_element(table, place, copy, at);

	return element != NULL ? load_bits(element + offset, bits) : 0;
}

/* The sum of a word over all copies in a set. */
static uint64_t
sum_of(const struct ctr_table *table, const struct ctr_slots *slots, uint32_t at,
       struct ctr_counter counter)
{
	const uint32_t n = ctr_load_acquire(&slots->num);
	uint64_t sum = 0;
	uint32_t copy;

	for (copy = 0; copy < n; copy++)
		sum += word_of(table, &table->data, slots->copy[copy], at, counter.data,
			       counter.bits);
	return sum;
}

/* One counter over all copies, since the last reset. */
static uint64_t
total(const struct ctr_table *table, uint32_t at, struct ctr_counter counter)
{
	const struct ctr_domain *domain = table->domain;
	uint64_t sum;

	if (domain->strategy->get != NULL)
		sum = domain->strategy->get(table, at, counter);
	else if (domain->slots == NULL)
		sum = word_of(table, &table->data, domain->shared, at, counter.data, counter.bits);
	else
		sum = sum_of(table, domain->slots, at, counter);
	if (domain->cpus != NULL && domain->strategy->get == NULL)
		sum += sum_of(table, domain->cpus, at, counter);
	if (table->base_size != 0)
		sum -= load_bits(ctr_core_base(table, at, table->view) + counter.base,
				 counter.bits);
	return counter.bits == 64 ? sum : (uint32_t)sum;
}

uint64_t
ctr_table_get(const struct ctr_table *table, uint32_t at, struct ctr_counter counter)
{
	struct ctr_reading reading;
	uint64_t sum;
	uint32_t phase;

	if (!table->periodic)
		return total(table, at, counter);
	phase = enter(table, &reading);
	ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		sum = 0;
		if (!table->dynamic || ctr_core_lives(ctr_core_record(table, at)))
			sum = total(table, at, counter);
	} while (ctr_reading_again(&reading));
	leave(table, phase);
	return sum;
}

/* What one copy has in a counter, since the last reset. */
static uint64_t
part_of(const struct ctr_table *table, const void *copy, uint32_t at, struct ctr_counter counter)
{
	uint64_t part = word_of(table, &table->data, copy, at, counter.data, counter.bits);

	if (table->offset.size != 0)
		part -= word_of(table, &table->offset, copy, at, counter.base, counter.bits);
	return part;
}

/* What an lcore has in a counter; CTR_NON_LCORE has the copies of CPUs, if there are any. */
static uint64_t
parts_of(const struct ctr_table *table, unsigned int lcore, uint32_t at, struct ctr_counter counter)
{
	const struct ctr_domain *domain = table->domain;
	const void *copy = ctr_slots_get(domain->slots, lcore);
	uint64_t sum = copy != NULL ? part_of(table, copy, at, counter) : 0;
	unsigned int cpu;

	if (domain->cpus == NULL || lcore != CTR_NON_LCORE)
		return sum;
	CTR_SLOTS_FOREACH(cpu, domain->cpus)
		sum += part_of(table, ctr_slots_get(domain->cpus, cpu), at, counter);
	return sum;
}

uint64_t
ctr_table_lcore_get(const struct ctr_table *table, unsigned int lcore, uint32_t at,
		    struct ctr_counter counter)
{
	struct ctr_reading reading;
	uint64_t sum;
	uint32_t phase;

	if (!table->parts)
		return 0;
	phase = enter(table, &reading);
	if (table->periodic)
		ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		sum = 0;
		if (!table->dynamic || ctr_core_lives(ctr_core_record(table, at)))
			sum = parts_of(table, lcore, at, counter);
	} while (table->periodic && ctr_reading_again(&reading));
	leave(table, phase);
	return counter.bits == 64 ? sum : (uint32_t)sum;
}

/* ---- many instances ---- */

void
ctr_table_rows(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc)
{
	struct ctr_reading reading;
	char *to = values;
	uint32_t some;

	ctr_reading_begin(&reading, table->domain->module->control);
	for (; n != 0; n -= some, at += some, rc += some, to += (size_t)some * table->value_size) {
		some = n < BLOCK ? n : BLOCK;
		if (table->dynamic && some > (1u << table->chunk_bits) -
						     (at & ((1u << table->chunk_bits) - 1)))
			some = (1u << table->chunk_bits) - (at & ((1u << table->chunk_bits) - 1));
		ctr_core_sum(table, at, some, to, rc, &reading);
		ctr_core_rebase(table, table->view, at, some, to, rc);
		ctr_core_values(table, at, some, to, false);
	}
}

int
ctr_table_reset_all(const struct ctr_table *table, void *last)
{
	void *counted = __builtin_alloca(table->value_size);
	struct ctr_reading reading;
	uint32_t at;
	int rc = 0;

	ctr_reading_begin(&reading, table->domain->module->control);
	if (table->dynamic && last != NULL)
		memset(last, 0, (size_t)table->max * table->value_size);
	ctr_module_read_lock(table->domain->module);
	for (at = ctr_core_next(table, 0); at < table->max; at = ctr_core_next(table, at + 1)) {
		void *out = last != NULL ? (char *)last + (size_t)at * table->value_size : counted;

		if (ctr_core_renew(table, table->view, at, out, &reading) != 0)
			rc = -EAGAIN;
		ctr_control_mark(&table->state->discontinuity_ns, at);
	}
	ctr_module_read_unlock(table->domain->module);
	at = table->fill != NULL && last != NULL ? 0 : table->max;
	for (; (at = ctr_core_next(table, at)) < table->max; at++)
		table->fill(at, (char *)last + (size_t)at * table->value_size, 1);
	return rc;
}

/* ---- objects of the application ---- */

int
ctr_object_read(const struct ctr_table *table, const void *object, void *values)
{
	if (object == NULL || values == NULL)
		return -EINVAL;
	memset(values, 0, table->value_size);
	ctr_load_plain(table, object, 0, 1, values);
	ctr_core_object_values(table, object, values);
	if (table->fill != NULL)
		table->fill(0, values, 1);
	return 0;
}

int
ctr_object_reset(const struct ctr_table *table, void *object, void *last)
{
	void *values = last != NULL ? last : __builtin_alloca(table->value_size);

	if (object == NULL)
		return -EINVAL;
	memset(values, 0, table->value_size);
	take(table, object, values);
	ctr_core_object_values(table, object, values);
	if (table->fill != NULL && last != NULL)
		table->fill(0, last, 1);
	return 0;
}
