/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_segment_private.h"

static struct ctr_segment_record *
record_of(const struct ctr_segment *segment, const struct ctr_segment_scope *place, uint32_t at)
{
	return (void *)(segment->map + place->records + (size_t)at * place->stride);
}

static uint64_t *
exists_at(const struct ctr_segment *segment, const struct ctr_segment_scope *place, uint64_t at)
{
	return (uint64_t *)(void *)(segment->map + place->exists) + at / 64;
}

/* Readers find the instance at a position. */
static void
set_exists(const struct ctr_segment *segment, const struct ctr_segment_scope *place, uint64_t at)
{
	uint64_t *word = exists_at(segment, place, at);
	const uint64_t bit = UINT64_C(1) << (at % 64);

	if ((*word & bit) == 0)
		__atomic_store_n(word, *word | bit, __ATOMIC_RELEASE);
}

static const void *
table_of(const struct ctr_segment *segment, enum ctr_segment_tables table)
{
	const struct ctr_segment_header *header = segment->header;

	return segment->map + header->directory + header->table[table].offset;
}

/* Offset of the key, if any, and the texts of all keys. */
static uint32_t
keys_at(const struct ctr_segment_scope *place)
{
	return place->key != 0 ? place->key : place->text;
}

/* ---- records ---- */

/* Write flags and the words of a row behind them into a record, unless it has them already. */
static void
write_record(struct ctr_segment_record *record, uint32_t flags, const uint64_t *row, size_t size)
{
	uint64_t *words = (uint64_t *)(void *)record;

	if (record->flags == flags && memcmp(words + 1, row + 1, size - sizeof(*row)) == 0)
		return;
	ctr_seq_write_begin(&record->seq);
	ctr_store32(&record->flags, flags);
	for (size_t i = 1; i < size / sizeof(*row); i++)
		ctr_store64(&words[i], row[i]);
	ctr_seq_write_end(&record->seq);
}

/* The instances from `at` to `end` do not exist. */
static void
clear_rows(struct ctr_segment *segment, const struct ctr_segment_scope *place, uint64_t at,
       uint64_t end)
{
	while (at < end) {
		uint64_t *word = exists_at(segment, place, at);
		const uint64_t bit = UINT64_C(1) << (at % 64);
		struct ctr_segment_record *record;

		if (*word >> (at % 64) == 0) {
			at += 64 - at % 64;
			continue;
		}
		if ((*word & bit) != 0) {
			record = record_of(segment, place, (uint32_t)at);
			ctr_seq_write_begin(&record->seq);
			ctr_store32(&record->flags, 0);
			ctr_store64(&record->life, 0);
			ctr_seq_write_end(&record->seq);
			__atomic_store_n(word, *word & ~bit, __ATOMIC_RELEASE);
		}
		at++;
	}
}

/* Put the keys of all levels into the row; returns whether there are all of them. */
static bool
write_keys(struct ctr_segment *segment, const struct ctr_segment_source *source, uint32_t at)
{
	const struct ctr_segment_scope *place = source->place;
	const struct ctr_scope *scope = source->scope;
	uint8_t *row = (uint8_t *)segment->row;
	char *text = (char *)row + place->text;
	const struct ctr_segment_index *index;
	const struct ctr_segment_part *parts, *part;
	uint32_t level, each = 1, i;
	bool all = true;

	index = table_of(segment, CTR_SEGMENT_INDEXES);
	index += place->first_index;
	parts = table_of(segment, CTR_SEGMENT_PARTS);
	memset(row + keys_at(place), 0, place->stride - keys_at(place));
	for (level = scope->num_indexes; level-- > 0; each *= scope->index_maxima[level]) {
		const struct ctr_keys *keys = scope->keys[level];

		if (keys == NULL)
			continue;
		if (ctr_keys_get(keys, at / each, segment->key, NULL) != 0) {
			all = false;
			continue;
		}
		if (level == scope->num_indexes - 1)
			memcpy(row + place->key, segment->key, place->key_size);
		part = parts + index[level].first_part;
		for (i = 0; i < keys->num_parts; i++, part++)
			(void)ctr_key_text(&keys->parts[i], segment->key, text + part->text,
					   part->room);
	}
	return all;
}

/* Read an instance into the row, or copy what was read of it: 0, -EAGAIN or what that gave. */
static int
read_into_row(const struct ctr_segment_source *source, const uint32_t *index, const uint8_t *values,
	    uint8_t *row)
{
	const struct ctr_segment_scope *place = source->place;
	const uint64_t each = CTR_SEGMENT_WORDS(place->value_size);
	int rc = 0, worst;

	if (values != NULL)
		memcpy(row + place->values, values, place->value_size);
	else
		rc = ctr_scope_read(source->scope, index, row + place->values);
	worst = rc;
	for (unsigned int view = 0; view < place->num_views && (rc == 0 || rc == -EAGAIN); view++) {
		rc = source->scope->view_read(view, index, row + place->views + view * each);
		if (rc != 0)
			worst = rc;
	}
	return worst;
}

/* Whether the record of an instance has memory. */
static bool
is_backed(const struct ctr_segment *segment, const struct ctr_segment_scope *place, uint32_t at)
{
	const uint64_t from = place->records + (uint64_t)at * place->stride;
	uint64_t page = from / segment->page;

	for (; page * segment->page < from + place->stride; page++)
		if ((segment->backed[page / 64] >> (page % 64) & 1) == 0)
			return false;
	return true;
}

/* Write the record of an instance, whose values were read or NULL: 0; -ENOENT: it does not exist;
 * -ENOSPC: the record has no memory. */
static int
write_instance(struct ctr_segment *segment, const struct ctr_segment_source *source, uint32_t at,
	       const uint8_t *values)
{
	const struct ctr_segment_scope *place = source->place;
	struct ctr_segment_record *record = record_of(segment, place, at);
	struct ctr_segment_record *head = (void *)segment->row;
	uint32_t index[CTR_SEGMENT_LEVELS], flags = CTR_SEGMENT_EXISTS;
	size_t size = place->text != 0 ? keys_at(place) : place->stride;
	uint64_t since_ns;
	int rc;

	ctr_scope_indexes(source->scope, at, index);
	rc = read_into_row(source, index, values, (uint8_t *)segment->row);
	if (rc != 0 && rc != -EAGAIN)
		return -ENOENT;
	if (!is_backed(segment, place, at))
		return -ENOSPC;
	if (rc == -EAGAIN)
		flags |= CTR_SEGMENT_TORN;
	since_ns = ctr_scope_since(source->scope, at);
	if (since_ns == 0)
		since_ns = *source->module->began_ns;
	head->since_ns = since_ns + segment->began_ns;
	head->life = 0;
	if (place->text != 0) {
		head->life = ctr_scope_life(source->scope, index);
		if (head->life == record->life && record->flags != 0) {
			flags |= record->flags & CTR_SEGMENT_KEYED;
		} else {
			flags |= write_keys(segment, source, at) ? CTR_SEGMENT_KEYED : 0;
			size = place->stride;
		}
	}
	write_record(record, flags, segment->row, size);
	return 0;
}

/* ---- scopes ---- */

/* How many instances from `at` on are read in one read section, at most. */
static uint32_t
section_size(const struct ctr_segment_scope *place, uint64_t at)
{
	const uint64_t left = place->total - at;
	uint32_t num = CTR_SEGMENT_ROWS;

	if (place->value_size > CTR_SEGMENT_ROOM / num)
		num = CTR_SEGMENT_ROOM / place->value_size;
	num = num == 0 ? 1 : num;
	return left < num ? (uint32_t)left : num;
}

/* Publish the instances from `at` on in one read section; returns the next position; none
 * in between exists. Memory is allocated outside of the section, which ends early for that. */
static uint64_t
write_section(struct ctr_segment *segment, const struct ctr_segment_source *source, uint64_t at)
{
	const struct ctr_segment_scope *place = source->place;
	const struct ctr_scope *scope = source->scope;
	const uint32_t num = section_size(place, at);
	int rc = 0, read[CTR_SEGMENT_ROWS];
	const uint8_t *values = NULL, *row = segment->rows;

	source->module->read_lock();
	if (scope->rows != NULL)
		scope->rows((uint32_t)at, num, segment->rows, read);
	for (uint32_t i = 0; i < num && at < place->total; i++, at++, row += place->value_size) {
		if (scope->next != NULL) {
			const uint32_t next = scope->next((uint32_t)at);

			clear_rows(segment, place, at, next);
			at = next;
			if (at >= place->total)
				break;
		}
		if (scope->rows != NULL)
			values = read[i] == 0 ? row : NULL;
		rc = write_instance(segment, source, (uint32_t)at, values);
		if (rc == -ENOSPC)
			break;
		if (rc != 0)
			clear_rows(segment, place, at, at + 1);
		else
			set_exists(segment, place, at);
	}
	source->module->read_unlock();
	if (rc != -ENOSPC)
		return at;
	if (segment->shortage == 0)
		segment->shortage = ctr_segment_back(
			segment, place->records + at * place->stride, place->stride);
	return segment->shortage == 0 ? at : at + 1;
}

int
ctr_segment_write(struct ctr_segment *segment)
{
	struct ctr_segment_header *header = segment->header;

	segment->shortage = 0;
	ctr_store64(&header->clock_ns, ctr_clock_ns(header->clock_ns));
	for (uint32_t i = 0; i < segment->num_sources; i++) {
		const struct ctr_segment_source *source = &segment->source[i];
		uint64_t at = 0;

		while (at < source->place->total)
			at = write_section(segment, source, at);
	}
	ctr_store64(&header->publications, header->publications + 1);
	__atomic_store_n(&header->published_ns, ctr_unix_ns(), __ATOMIC_RELEASE);
	__atomic_store_n(&segment->last, segment->shortage, __ATOMIC_RELAXED);
	return segment->shortage;
}
