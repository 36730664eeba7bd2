/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of scopes with one copy, and of dynamic scopes. */
#include "words.h"

/* As the strategy reads the only copy: in one access, as it resets it. */
static __attribute__((noinline)) int
ask_one(const struct ctr_table *table, uint32_t at, void *values)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (strategy->words != NULL && strategy->words(table, at, values) == 0)
		return 0;
	return ctr_read_slowly(table, table->view, at, values);
}

int
ctr_read_one(const struct ctr_table *table, CTR_UNUSED unsigned int view, uint32_t at, void *values)
{
	const struct ctr_strategy *strategy = table->domain->strategy;
	const uint32_t *epoch = ctr_core_epoch(table, at);
	const char *first;
	uint32_t begin;

	/* A strategy takes all words in one access, and reads them in one. */
	if (strategy->gather != NULL && table->gathers)
		return strategy->gather(table, at, NULL,
					(uint64_t *)(void *)((char *)values + table->runs->value));
	if (strategy->load != NULL || strategy->sum != NULL)
		return ask_one(table, at, values);
	first = (const char *)table->domain->shared + table->data.at;
	begin = ctr_seq_read_begin(epoch);
	ctr_core_words(table, first + (size_t)at * table->data.size, (char *)values, false);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_likely((begin & 1) == 0 && ctr_load32(epoch) == begin))
		return 0;
	return ctr_read_slowly(table, table->view, at, values);
}

/* Where an instance of a dynamic scope is: worked out before a read is entered. */
struct place {
	struct ctr_chunk *const *records; /* The pointer to the chunk of its record. */
	size_t record;                    /* From there. */
	size_t chunks;                    /* From a copy: the pointer to its chunk there. */
	size_t element;                   /* From there. */
};

static CTR_UNROLLED struct place
place_of(const struct ctr_table *table, uint32_t at)
{
	const size_t chunk = at >> table->chunk_bits, nth = at & ((1u << table->chunk_bits) - 1);
	const struct place place = {
		.records = (struct ctr_chunk **)table->records + chunk,
		.record = sizeof(struct ctr_chunk) + nth * table->record_size,
		.chunks = table->data.at + chunk * sizeof(void *),
		.element = table->data.first + nth * table->data.size,
	};

	return place;
}

/* Its record, if it exists; or NULL. */
static CTR_UNROLLED const char *
find_record(const struct place *place)
{
	const char *chunk = (const char *)ctr_srcu_dereference(place->records);
	const char *record = chunk != NULL ? chunk + place->record : NULL;

	return ctr_core_lives((const struct ctr_record *)(const void *)record) ? record : NULL;
}

/* The chunk with its element in a copy; or NULL. */
static CTR_UNROLLED const char *
find_chunk(const struct place *place, const void *copy)
{
	const char *at = (const char *)copy + place->chunks;

	return (const char *)ctr_load_acquire((void *const *)(const void *)at);
}

/* A few words over all copies. */
static __attribute__((noinline)) int
read_flow_few(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const struct place place = place_of(table, at);
	const struct ctr_slots *slots = table->domain->slots;
	const size_t base = sizeof(struct ctr_record) + (size_t)view * table->base_size;
	const uint32_t *epoch = ctr_core_epoch(table, at);
	const struct ctr_run *run = table->runs;
	const unsigned int words = run->num;
	const size_t offset = place.element + run->data;
	uint64_t *to = (uint64_t *)(void *)((char *)values + run->value);
	uint64_t sums[CTR_GATHER] = { 0 };
	uint32_t begin, phase, num;
	const char *record, *chunk;

	phase = ctr_srcu_read_lock(&table->state->readers);
	begin = ctr_seq_read_begin(epoch);
	record = find_record(&place);
	num = record != NULL ? ctr_load_acquire(&slots->num) : 0;
	for (uint32_t copy = 0; copy < num; copy++) {
		chunk = find_chunk(&place, slots->copy[copy]);
		if (ctr_likely(chunk != NULL))
			ctr_gather_words((const uint64_t *)(const void *)(chunk + offset), words,
					 sums);
	}
	if (ctr_likely(record != NULL))
		ctr_gather_values(sums, words, (const uint64_t *)(const void *)(record + base), to);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_unlikely((begin & 1) != 0 || ctr_load32(epoch) != begin))
		record = NULL;
	ctr_srcu_read_unlock(&table->state->readers, phase);
	return ctr_likely(record != NULL) ? 0 : ctr_read_slowly(table, view, at, values);
}

/* The only copy, without baselines; with `own`, a constant, as the strategy reads it. */
static CTR_UNROLLED int
read_flow_one(const struct ctr_table *table, uint32_t at, void *values, bool own)
{
	const struct place place = place_of(table, at);
	const struct ctr_domain *domain = table->domain;
	const uint32_t *epoch = ctr_core_epoch(table, at);
	const char *chunk = NULL;
	uint32_t begin, phase;
	bool read;

	phase = ctr_srcu_read_lock(&table->state->readers);
	begin = ctr_seq_read_begin(epoch);
	read = find_record(&place) != NULL;
	if (own)
		read = read && domain->strategy->words(table, at, values) == 0;
	else
		read = read && (chunk = find_chunk(&place, domain->shared)) != NULL;
	if (!own && ctr_likely(read))
		ctr_core_words(table, chunk + place.element, (char *)values, false);
	ctr_fence(__ATOMIC_SEQ_CST);
	read = read && (begin & 1) == 0 && ctr_load32(epoch) == begin;
	ctr_srcu_read_unlock(&table->state->readers, phase);
	return ctr_likely(read) ? 0 : ctr_read_slowly(table, table->view, at, values);
}

static __attribute__((noinline)) int
read_flow_plain(const struct ctr_table *table, uint32_t at, void *values)
{
	return read_flow_one(table, at, values, false);
}

static __attribute__((noinline)) int
read_flow_own(const struct ctr_table *table, uint32_t at, void *values)
{
	return read_flow_one(table, at, values, true);
}

int
ctr_read_flow(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const struct ctr_domain *domain = table->domain;
	const struct ctr_run *run = table->runs;

	if (table->num_values != 0)
		return ctr_read_any(table, view, at, values);
	if (domain->slots != NULL) {
		if (table->num_runs == 1 && run->bits == 64 && run->num <= CTR_GATHER &&
		    table->base_size != 0 && table->torn == NULL && ctr_core_is_plain(table))
			return read_flow_few(table, view, at, values);
	} else if (table->base_size == 0) {
		if (domain->strategy->words != NULL)
			return read_flow_own(table, at, values);
		if (ctr_core_is_plain(table))
			return read_flow_plain(table, at, values);
	}
	return ctr_read_any(table, view, at, values);
}
