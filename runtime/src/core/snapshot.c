/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "core.h"
#include "ctr_module.h"

/* Bytes of values, and instances, that are read at a time. The same offset in all copies maps to
 * one set of a first-level cache, so with more they evict each other: 64 instances of 8 counters
 * took 1.6 times as long as 16. */
#define SNAPSHOT_BYTES 1024u
#define SNAPSHOT_BLOCK 128u

/* Set the flags of the items of an instance that was read; whether its counters are consistent. */
static void
mark_valid(const struct ctr_scope *scope, uint8_t *valid, bool consistent)
{
	const struct ctr_item *item = scope->items, *const end = item + scope->num_items;

	for (; item != end; item++) {
		valid[item->valid] = CTR_VALID;
		if (consistent && (item->kind == CTR_COUNTER || item->together))
			valid[item->valid] |= CTR_CONSISTENT;
	}
}

static void *
member(void *snap, uint32_t offset)
{
	return (char *)snap + offset;
}

/* Pointers in the snapshot have types of their own. */
typedef void *__attribute__((may_alias)) any_pointer;

static any_pointer *
pointer(void *snap, uint32_t offset)
{
	return (any_pointer *)member(snap, offset);
}

/* The first value struct, or flags, of a scope. */
static char *
entries(const struct ctr_snapshot_scope *part, void *snap, uint32_t offset)
{
	return part->table->num_indexes == 0 ? member(snap, offset) : *pointer(snap, offset);
}

static uint32_t *
number(void *snap, uint32_t offset)
{
	return (uint32_t *)member(snap, offset);
}

/* ---- memory ---- */

static void
drop_scope(const struct ctr_snapshot_scope *part, void *snap)
{
	free(*pointer(snap, part->values));
	*pointer(snap, part->values) = NULL;
	*pointer(snap, part->valid) = NULL;
	if (!part->table->dynamic)
		return;
	*pointer(snap, part->index) = NULL;
	*number(snap, part->num) = 0;
	*number(snap, part->room) = 0;
}

/* Values, positions, aligned, and flags are in one allocation. */
static int
reserve_scope(const struct ctr_snapshot_scope *part, void *snap, uint32_t n)
{
	const size_t positions = part->table->dynamic ? sizeof(uint32_t) : 0;
	const size_t values = ((size_t)n * part->table->value_size + 3) & ~(size_t)3;
	char *memory = NULL;

	drop_scope(part, snap);
	if (n != 0) /* It is 0 for more than there can be. */
		memory = calloc(1, values + n * (positions + part->valid_size));
	if (memory == NULL)
		return -ENOMEM;
	*pointer(snap, part->values) = memory;
	memory += values;
	if (part->table->dynamic) {
		*pointer(snap, part->index) = memory;
		*number(snap, part->room) = n;
	}
	*pointer(snap, part->valid) = memory + n * positions;
	return 0;
}

int
ctr_snapshot_create(const struct ctr_snapshots *snapshots, void *snap)
{
	const struct ctr_snapshot_scope *part;
	void *created;

	if (snap == NULL)
		return -EINVAL;
	created = calloc(1, snapshots->size);
	if (created == NULL)
		return -ENOMEM;
	for (unsigned int i = 0; i < snapshots->num_scopes; i++) {
		part = &snapshots->scopes[i];
		if (part->table->dynamic || part->table->num_indexes == 0)
			continue;
		if (reserve_scope(part, created, part->table->max) != 0) {
			ctr_snapshot_free(snapshots, created);
			return -ENOMEM;
		}
	}
	memcpy(snap, &created, sizeof(created));
	return 0;
}

void
ctr_snapshot_free(const struct ctr_snapshots *snapshots, void *snap)
{
	for (unsigned int i = 0; snap != NULL && i < snapshots->num_scopes; i++)
		if (snapshots->scopes[i].table->num_indexes != 0)
			drop_scope(&snapshots->scopes[i], snap);
	free(snap);
}

/* ---- values ---- */

/* One scope of one snapshot. */
struct filling {
	const struct ctr_snapshot_scope *part;
	char *values; /* Of the first entry. */
	char *valid;
	struct ctr_read_ctx *reading; /* The whole snapshot: it waits for long only once. */
	bool reset;
	int worst;
	uint8_t *flags; /* Of a block of instances that are consistent as far as they can be. */
	uint8_t *doubt; /* Of one that may not be. */
};

/* How many instances of a table are read at a time. */
static uint32_t
block_of(const struct ctr_table *table)
{
	const uint32_t n = SNAPSHOT_BYTES / table->value_size;

	if (n > SNAPSHOT_BLOCK)
		return SNAPSHOT_BLOCK;
	return n != 0 ? n : 1;
}

/* How many of the instances that have begun exist, before the first that does not. */
static uint32_t
count_existing(const struct ctr_table *table, uint32_t at, uint32_t n)
{
	const char *record = ctr_core_stored(table, at);
	uint32_t found = 0;

	while (found < n && ctr_core_lives((const void *)record)) {
		record += table->record_size;
		found++;
	}
	return found;
}

/* Read instances of consecutive positions in one chunk into entries from `entry` on: how many. */
static uint32_t
fill_block(struct filling *f, uint32_t at, uint32_t n, uint32_t entry)
{
	const struct ctr_table *table = f->part->table;
	char *values = f->values + (size_t)entry * table->value_size;
	char *valid = f->valid + (size_t)entry * f->part->valid_size;
	static const int read[SNAPSHOT_BLOCK];
	int rc[SNAPSHOT_BLOCK];

	if (!f->reset)
		ctr_core_total(table, table->view, at, n, values, rc, f->reading);
	/* After the sums, whose baselines are in the same lines. */
	if (table->dynamic)
		n = count_existing(table, at, n);
	if (!f->reset) {
		ctr_core_values(table, at, n, values, false);
		for (uint32_t i = 0; table->sources != NULL && i < n; i++)
			ctr_core_reported(table, table->view, at + i,
					  values + (size_t)i * table->value_size, false);
	}
	for (uint32_t i = 0; f->reset && i < n; i++)
		rc[i] = ctr_core_renew(table, table->view, at + i,
				       values + (size_t)i * table->value_size, f->reading);
	memcpy(valid, f->flags, (size_t)n * f->part->valid_size);
	if (ctr_likely(memcmp(rc, read, n * sizeof(*rc)) == 0))
		return n;
	for (uint32_t i = 0; i < n; i++) {
		if (rc[i] == 0)
			continue;
		memcpy(valid + (size_t)i * f->part->valid_size, f->doubt, f->part->valid_size);
		f->worst = -EAGAIN;
	}
	return n;
}

/* The next instances that have begun, of consecutive positions in one chunk: how many of `most`. */
static uint32_t
next_block(const struct ctr_table *table, uint32_t *at, uint32_t most)
{
	uint32_t last = table->max;

	if (table->dynamic) {
		*at = ctr_bit_next(table->live, *at, last);
		last = *at | ((1u << table->chunk_bits) - 1);
		last = last < table->max ? last + 1 : table->max;
	}
	if (last - *at > most)
		last = *at + most;
	return (table->dynamic ? ctr_bit_find(table->live, *at, last, UINT64_MAX) : last) - *at;
}

static int
fill_scope(const struct ctr_snapshot_scope *part, void *snap, bool reset,
	   struct ctr_read_ctx *reading)
{
	const struct ctr_table *table = part->table;
	uint32_t *index = table->dynamic ? *pointer(snap, part->index) : NULL;
	const uint32_t room = table->dynamic ? *number(snap, part->room) : table->max;
	const uint32_t block = block_of(table);
	uint32_t at = 0, entry = 0, n, found;
	struct filling f;

	memset(&f, 0, sizeof(f));
	f.part = part;
	f.values = entries(part, snap, part->values);
	f.valid = entries(part, snap, part->valid);
	f.reset = reset && table->resets;
	f.reading = reading;
	f.flags = __builtin_alloca((size_t)block * part->valid_size + 1);
	f.doubt = __builtin_alloca((size_t)part->valid_size + 1);
	mark_valid(part->scope, f.flags, part->scope->consistent);
	mark_valid(part->scope, f.doubt, false);
	for (uint32_t i = 1; i < block; i++)
		memcpy(f.flags + (size_t)i * part->valid_size, f.flags, part->valid_size);
	while ((n = next_block(table, &at, room - entry < block ? room - entry : block)) != 0) {
		found = fill_block(&f, at, n, entry);
		for (uint32_t i = 0; index != NULL && i < found; i++)
			index[entry + i] = at + i;
		entry += found;
		at += found < n ? found + 1 : n;
	}
	if (table->dynamic)
		*number(snap, part->num) = entry;
	return f.worst;
}

/* Compute derived items and correct the flags, after the read section. */
static void
derive(const struct ctr_snapshot_scope *part, void *snap, uint64_t want)
{
	const struct ctr_table *table = part->table;
	const struct ctr_item *item, *const end = part->scope->items + part->scope->num_items;
	char *values = entries(part, snap, part->values);
	char *valid = entries(part, snap, part->valid);
	const uint32_t n = table->dynamic ? *number(snap, part->num) : table->max;
	const uint32_t *index = table->dynamic ? *pointer(snap, part->index) : NULL;

	for (uint32_t i = 0; table->sources != NULL && i < n; i++) {
		ctr_core_derive(table, index != NULL ? index[i] : i, values, want, 0);
		/* What is not available is not valid, and what is no counter of the module is of
		 * another time. */
		for (item = part->scope->items; item != end; item++) {
			uint8_t *flags = (uint8_t *)valid + item->valid;

			if (item->source != CTR_STORED && !item->together)
				*flags &= (uint8_t)~CTR_CONSISTENT;
			if (item->source != CTR_STORED && !ctr_item_available(item, values))
				*flags = 0;
		}
		values += table->value_size;
		valid += part->valid_size;
	}
}

int
ctr_snapshot_read(const struct ctr_snapshots *snapshots, void *snap, bool reset)
{
	struct ctr_control *control = snapshots->module->control;
	struct ctr_read_ctx reading;
	uint64_t *start_ns;
	int rc = 0;

	if (snap == NULL)
		return -EINVAL;
	start_ns = member(snap, snapshots->start_ns);
	*start_ns = ctr_time_ns();
	/* Query the sources of all instances. Without memory nothing is reset. */
	for (unsigned int i = 0; i < snapshots->num_scopes; i++)
		if (ctr_core_query_all(snapshots->scopes[i].table) != 0 && reset &&
		    snapshots->scopes[i].table->resets)
			return -ENOMEM;
	/* Instances stay until they are read; only creations and resets wait for the allocation. */
	ctr_control_hold(control);
	ctr_read_ctx_init(&reading, control);
	for (unsigned int i = 0; i < snapshots->num_scopes && rc == 0; i++) {
		const struct ctr_snapshot_scope *part = &snapshots->scopes[i];
		const uint32_t n = part->table->state->occupancy.instances;

		if (part->table->dynamic && n > *number(snap, part->room))
			rc = reserve_scope(part, snap, n + n / 4); /* And some more. */
	}
	if (rc == 0) {
		ctr_module_read_lock(snapshots->module);
		if (reset)
			ctr_control_lock(control);
		for (unsigned int i = 0; i < snapshots->num_scopes; i++)
			if (fill_scope(&snapshots->scopes[i], snap, reset, &reading) != 0)
				rc = -EAGAIN;
		*(uint64_t *)member(snap, snapshots->end_ns) = ctr_time_ns();
		if (reset)
			ctr_control_unlock(control);
		ctr_module_read_unlock(snapshots->module);
	}
	ctr_control_release(control);
	for (unsigned int i = 0; (rc == 0 || rc == -EAGAIN) && i < snapshots->num_scopes; i++)
		derive(&snapshots->scopes[i], snap,
		       reset && snapshots->scopes[i].table->resets ? 0 : *start_ns);
	return rc;
}
