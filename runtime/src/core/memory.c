/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of dynamic scopes is in chunks of the same number of instances: of records, of the
 * common part, and in each copy. Chunks without instances are freed after a grace period. */
#include "core.h"
#include "ctr_fork.h"
#include "ctr_limit.h"
#include "memory.h"

/* The pointers to the chunks of a place in a copy. */
static void **
chunks_of(const struct ctr_place *place, void *in)
{
	return (void **)(void *)((char *)in + place->at);
}

static struct ctr_chunk **
records_of(const struct ctr_table *table)
{
	return (struct ctr_chunk **)table->records;
}

static uint32_t
chunks_in(const struct ctr_table *table)
{
	const uint64_t size = UINT64_C(1) << table->chunk_bits;

	return (uint32_t)((table->max + size - 1) / size);
}

/* The pointers to the chunks of the common part; NULL: there are none. */
static void **
commons_of(const struct ctr_table *table)
{
	return table->flat ? NULL : (void **)table->common;
}

static size_t
copy_size(const struct ctr_table *table)
{
	return ((size_t)table->data.size + table->offset.size) << table->chunk_bits;
}

static void
drop_chunk(void **chunk)
{
	ctr_free(*chunk);
	ctr_store_release(chunk, (void *)NULL);
}

/* Allocate a chunk unless the pointer has one. 0; -ENOMEM. */
static int
reserve_chunk(void **chunk, size_t size, unsigned int lcore)
{
	if (*chunk == NULL)
		ctr_store_release(chunk, ctr_alloc(size, lcore));
	return *chunk != NULL ? 0 : -ENOMEM;
}

static int
chunks_grow(const struct ctr_table *table, void *copy, unsigned int lcore)
{
	void **chunk = chunks_of(&table->data, copy);

	for (uint32_t i = 0; i < chunks_in(table) && !table->flat; i++) {
		if (ctr_load_acquire(&records_of(table)[i]) != NULL &&
		    reserve_chunk(&chunk[i], copy_size(table), lcore) != 0)
			return -ENOMEM;
	}
	return 0;
}

static void
chunks_shrink(const struct ctr_table *table, void *copy)
{
	for (uint32_t i = 0; i < chunks_in(table) && !table->flat; i++)
		drop_chunk(&chunks_of(&table->data, copy)[i]);
}

/* ---- every copy of a chunk ---- */

/* Location of the pointer in the copy of an lcore, or for CTR_NON_LCORE the only copy; or NULL. */
static void **
chunk_of(const struct ctr_table *table, unsigned int lcore, uint32_t n)
{
	void *copy = table->domain->shared;

	if (table->data.size == 0 || table->flat || (copy != NULL && lcore != CTR_NON_LCORE))
		return NULL;
	if (copy == NULL)
		copy = ctr_slots_get(table->domain->slots, lcore);
	return copy != NULL ? &chunks_of(&table->data, copy)[n] : NULL;
}

/* Free a chunk in every copy, and of the common part; between ctr_slots_lock() and _unlock(). */
static void
drop_chunks(const struct ctr_table *table, uint32_t n)
{
	void **chunk;

	for (unsigned int lcore = 0; lcore < CTR_SLOTS; lcore++)
		if ((chunk = chunk_of(table, lcore, n)) != NULL)
			drop_chunk(chunk);
	if (commons_of(table) != NULL)
		drop_chunk(&commons_of(table)[n]);
}

int
ctr_core_provide(const struct ctr_table *table, uint32_t at)
{
	const uint32_t n = at >> table->chunk_bits;
	const size_t records = sizeof(struct ctr_chunk) +
			       ((size_t)table->record_size << table->chunk_bits);
	struct ctr_chunk **link = &table->state->retired;
	void *record, **chunk;
	int rc;

	if (records_of(table)[n] != NULL)
		return 0;
	/* Reuse a retired chunk. It lacks memory for copies that were added since. */
	while (*link != NULL && (*link)->number != n)
		link = &(*link)->next;
	record = *link;
	/* An lcore that registers waits, and then allocates the chunks that have records. */
	ctr_slots_lock();
	rc = reserve_chunk(&record, records, CTR_NON_LCORE);
	if (rc == 0 && commons_of(table) != NULL)
		rc = reserve_chunk(&commons_of(table)[n],
				   (size_t)table->common_size << table->chunk_bits, CTR_NON_LCORE);
	for (unsigned int lcore = 0; lcore < CTR_SLOTS && rc == 0; lcore++)
		if ((chunk = chunk_of(table, lcore, n)) != NULL)
			rc = reserve_chunk(chunk, copy_size(table), lcore);
	if (rc != 0 && *link == NULL) {
		drop_chunks(table, n);
		ctr_free(record);
	} else if (rc == 0) {
		ctr_store_release(&records_of(table)[n], (struct ctr_chunk *)record);
		if (*link != NULL) {
			if (table->state->retired->next == NULL)
				ctr_core_count_ending(table->domain, UINT32_MAX);
			*link = (*link)->next;
		}
	}
	ctr_slots_unlock();
	return rc;
}

/* ---- trimming ---- */

/* Whether a chunk is empty: an ended instance may still be in the FIFO. */
static bool
holds_nothing(const struct ctr_table *table, uint32_t n)
{
	const uint32_t first = n << table->chunk_bits, last = first + (1u << table->chunk_bits);

	if (ctr_bit_next(table->live, first, last) < last)
		return false;
	for (uint32_t at = first; at < last; at++)
		if (ctr_core_record(table, at)->next != 0)
			return false;
	return true;
}

/* Retire empty chunks; whether there are any. */
static bool
hide(const struct ctr_table *table)
{
	struct ctr_table_state *state = table->state;

	for (uint32_t n = 0; n < chunks_in(table); n++) {
		struct ctr_chunk *chunk = records_of(table)[n];

		if (chunk == NULL || !holds_nothing(table, n))
			continue;
		ctr_store_release(&records_of(table)[n], (struct ctr_chunk *)NULL);
		chunk->number = n;
		chunk->next = state->retired;
		state->retired = chunk;
	}
	if (state->retired == NULL)
		return false;
	ctr_core_count_ending(table->domain, 1);
	ctr_grace_start(&state->grace);
	return true;
}

/* Whether lcores have still to return shares of limits in the retired chunks. */
static bool
recalled(const struct ctr_table *table)
{
	const struct ctr_chunk *chunk = table->limits != NULL ? table->state->retired : NULL;
	bool some = false;

	for (; chunk != NULL && !some; chunk = chunk->next)
		some = table->limit_ops->recalled(table->limits, chunk->number << table->chunk_bits,
						  1u << table->chunk_bits);
	return some;
}

/* Whether no thread can still access the retired chunks. */
static bool
passed(const struct ctr_table *table)
{
	struct ctr_table_state *state = table->state;
	const struct ctr_domain *domain = table->domain;

	if (!ctr_grace_elapsed(&state->grace, &state->readers) || recalled(table))
		return false;
	return domain->drain_tokens == NULL ||
	       ctr_drained_since(domain->drain_tokens, state->grace.token);
}

int
ctr_life_trim(const struct ctr_table *table)
{
	struct ctr_control *control = table->domain->module->control;
	struct ctr_table_state *state = table->state;
	struct ctr_chunk *chunk;
	int rc = 0;

	if (!ctr_quiescent_used())
		return -ENOTSUP;
	ctr_control_lock(control);
	ctr_core_tidy(table);
	/* Chunks that an earlier call has retired, then others. */
	while (state->retired != NULL || hide(table)) {
		if (!passed(table))
			break;
		ctr_core_settle(table->domain);
		while ((chunk = state->retired) != NULL) {
			ctr_slots_lock();
			drop_chunks(table, chunk->number);
			ctr_slots_unlock();
			state->retired = chunk->next;
			ctr_free(chunk);
		}
		ctr_core_count_ending(table->domain, UINT32_MAX);
	}
	if (state->retired != NULL || state->line.first != 0)
		rc = -EINPROGRESS;
	ctr_control_unlock(control);
	return rc;
}

/* ---- which instances exist ---- */

bool
ctr_life_exists(const struct ctr_table *table, uint32_t at)
{
	uint32_t phase;
	bool lives;

	if (at >= table->max || !ctr_bit(table->live, at))
		return false;
	phase = ctr_srcu_read_lock(&table->state->readers);
	lives = ctr_core_lives(ctr_core_record(table, at));
	ctr_srcu_read_unlock(&table->state->readers, phase);
	return lives;
}

uint32_t
ctr_life_instances(const struct ctr_table *table)
{
	return ctr_load32(&table->state->occupancy.instances);
}

uint64_t
ctr_life_refused(const struct ctr_table *table)
{
	return ctr_load64(&table->state->occupancy.refused);
}

uint32_t
ctr_life_next(const struct ctr_table *table, uint32_t at)
{
	const uint32_t phase = ctr_srcu_read_lock(&table->state->readers);

	at = ctr_bit_next(table->live, at, table->max);
	while (at < table->max && !ctr_core_lives(ctr_core_record(table, at)))
		at = ctr_bit_next(table->live, at + 1, table->max);
	ctr_srcu_read_unlock(&table->state->readers, phase);
	return at;
}

void
ctr_life_check(const struct ctr_table *table, uint32_t at, const char *file, int line,
	       const char *function)
{
	const uint32_t phase = ctr_srcu_read_lock(&table->state->readers);
	const struct ctr_record *record = ctr_core_record(table, at);
	const uint32_t life = record != NULL ? ctr_load_acquire(&record->life) :
					       (uint32_t)CTR_LIFE_LIVE;
	const uint64_t token = record != NULL ? ctr_load64(&record->token) : 0;

	ctr_srcu_read_unlock(&table->state->readers, phase);
	if (table->holder != NULL)
		ctr_life_check(table->holder, at / table->stride, file, line, function);
	/* A reclaimed instance had waited for every lcore that reports. */
	if (life != CTR_LIFE_LIVE && token != 0 &&
	    ctr_quiescent_since(life == CTR_LIFE_FREE ? 1 : token))
		ctr_debug_stop(file, line, function, "this lcore has reported since it was destroyed");
}

/* ---- for tables ---- */

static void
chunks_free(const struct ctr_table *table)
{
	void **commons = commons_of(table);
	struct ctr_chunk *chunk;

	for (uint32_t i = 0; i < chunks_in(table); i++) {
		if (commons != NULL)
			ctr_free(commons[i]);
		ctr_free(records_of(table)[i]);
	}
	while ((chunk = table->state->retired) != NULL) {
		table->state->retired = chunk->next;
		ctr_free(chunk);
	}
}

static void
chunks_reinit(const struct ctr_table *table)
{
	struct ctr_table_state *state = table->state;

	for (uint32_t i = 0; i < chunks_in(table); i++) {
		records_of(table)[i] = NULL;
		if (commons_of(table) != NULL)
			commons_of(table)[i] = NULL;
	}
	for (uint32_t i = 0; i < (table->max + 63) / 64; i++)
		ctr_store64(&table->live[i], 0);
	state->retired = NULL;
	state->first = 0;
	state->occupancy.instances = 0;
	state->occupancy.refused = 0;
	state->line.first = state->line.last = 0;
}

static void
chunks_fork_child(const struct ctr_table *table)
{
	ctr_store64(&table->state->readers.inside[0].word, 0);
	ctr_store64(&table->state->readers.inside[1].word, 0);
}

static bool
chunks_lives(const struct ctr_table *table, uint32_t at)
{
	return ctr_core_lives(ctr_core_record(table, at));
}

const struct ctr_chunk_ops ctr_chunk_ops = {
	.next = ctr_life_next,
	.lives = chunks_lives,
	.base = ctr_core_stored_base,
	.grow = chunks_grow,
	.shrink = chunks_shrink,
	.free = chunks_free,
	.reinit = chunks_reinit,
	.fork_child = chunks_fork_child,
};
