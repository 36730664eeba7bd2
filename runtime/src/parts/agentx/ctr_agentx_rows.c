/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <stdlib.h>

/* Lifetime of the cached rows of a table with keys, indexes of the application, or a cap. */
#define REFRESH_NS CTR_SECOND_NS

/* How much longer than it took to make them rows are kept. */
#define REST 4u

void
ctr_agentx_rows_init(struct ctr_agentx_rows *rows, struct ctr_agentx_source *source, uint32_t cap,
		ctr_agentx_map_fn map)
{
	const uint64_t total = source->index.total;

	memset(rows, 0, sizeof(*rows));
	rows->source = source;
	rows->map = map;
	rows->rest_ns = REFRESH_NS;
	rows->cap = cap != 0 && cap < total ? cap : total;
	rows->listed = map != NULL || source->index.keyed ||
		       (rows->cap < total && (source->scope->next != NULL ||
					      source->index.base->next != NULL));
	rows->limit = rows->listed ? total : rows->cap;
}

void
ctr_agentx_rows_fini(struct ctr_agentx_rows *rows)
{
	free(rows->row);
	free(rows->pool);
	memset(rows, 0, sizeof(*rows));
}

/* Position of the first existing instance from `at` on; `limit` if there is none. */
static uint64_t
existing(const struct ctr_agentx_rows *rows, uint64_t at)
{
	const struct ctr_agentx_source *source = rows->source;
	uint64_t from = UINT64_MAX;

	/* Until what it augments exists as well. */
	for (; at < rows->limit && at != from; at = ctr_agentx_index_next(&source->index, at))
		from = at = ctr_scope_next(source->scope, at);
	return at < rows->limit ? at : rows->limit;
}

static int
compare_keys(const uint32_t *a, uint32_t a_length, const uint32_t *b, uint32_t b_length)
{
	for (uint32_t i = 0; i < a_length && i < b_length; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return a_length < b_length ? -1 : a_length > b_length;
}

/* The pool of the table that is being sorted; a static, as a process has one agent. */
static const uint32_t *sorting;

static int
compare_rows(const void *a, const void *b)
{
	const struct ctr_agentx_row *left = (const struct ctr_agentx_row *)a;
	const struct ctr_agentx_row *right = (const struct ctr_agentx_row *)b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return compare_keys(sorting + left->suffix, left->length, sorting + right->suffix,
			right->length);
}

/* A word that is less for a row that comes before another, or the same: of the sub-identifiers from
 * `same` on, up to the first one that is no octet. */
static uint64_t
start_of(const struct ctr_agentx_rows *rows, const struct ctr_agentx_row *row, uint32_t same)
{
	const uint32_t *suffix = rows->pool + row->suffix;
	unsigned int shift = 64;
	uint64_t start = 0;

	for (uint32_t i = same; i < row->length && shift != 0; i++) {
		shift -= 8;
		if (suffix[i] >= UINT8_MAX)
			return start | (uint64_t)UINT8_MAX << shift;
		start |= (uint64_t)suffix[i] << shift;
	}
	return start;
}

/* Sort the rows. Behind the first sub-identifiers, which may be the same in all of them, are octets
 * more often than not: a word of these tells most rows apart, and looks at no other memory. */
static void
sort(struct ctr_agentx_rows *rows)
{
	const uint32_t *first = rows->pool + rows->row[0].suffix;
	uint32_t same = rows->row[0].length, i;

	for (size_t n = 1; n < rows->num_rows; n++, same = i) {
		const uint32_t *suffix = rows->pool + rows->row[n].suffix;

		for (i = 0; i < same && i < rows->row[n].length && suffix[i] == first[i];)
			i++;
	}
	for (size_t n = 0; n < rows->num_rows; n++)
		rows->row[n].start = start_of(rows, &rows->row[n], same);
	sorting = rows->pool;
	qsort(rows->row, rows->num_rows, sizeof(*rows->row), compare_rows);
}

/* An array that has room for `needed` elements; NULL when there is no memory, and it stays. */
static void *
grow(void *array, size_t *max, size_t needed, size_t size)
{
	void *more = needed > *max ? realloc(array, 2 * needed * size) : array;

	if (more != NULL && needed > *max)
		*max = 2 * needed;
	return more;
}

/* Append a row; false when there is no memory. */
static bool
append_row(struct ctr_agentx_rows *rows, uint32_t at, uint64_t life, const uint32_t *suffix,
		uint32_t length)
{
	struct ctr_agentx_row *row = grow(rows->row, &rows->max_rows, rows->num_rows + 1,
			sizeof(*row));
	uint32_t *pool = grow(rows->pool, &rows->max_pool, rows->used + length, sizeof(*pool));

	rows->row = row != NULL ? row : rows->row;
	rows->pool = pool != NULL ? pool : rows->pool;
	if (row == NULL || pool == NULL)
		return false;
	rows->row[rows->num_rows++] = (struct ctr_agentx_row){ at, length, rows->used, life, 0 };
	memcpy(rows->pool + rows->used, suffix, length * sizeof(*suffix));
	rows->used += length;
	return true;
}

/* List the rows. The generation of a key is read first: a row whose key has changed since is
 * omitted, so that no row shows the counts of another. */
static void
collect(struct ctr_agentx_rows *rows)
{
	const struct ctr_agentx_index *of = &rows->source->index;
	uint32_t suffix[CTR_AGENTX_INDEX_MAX], index[CTR_INDEXES_MAX];
	bool sorted = true;
	uint64_t at, life;
	int length;

	rows->num_rows = 0;
	rows->used = 0;
	for (at = 0; (at = existing(rows, at)) < rows->limit && rows->num_rows < rows->cap; at++) {
		const struct ctr_agentx_row *row;

		life = ctr_agentx_index_life(of, (uint32_t)at);
		ctr_scope_indexes(of->scope, at, index);
		length = rows->map != NULL ? rows->map(index, suffix) :
					     ctr_agentx_index_suffix(of, (uint32_t)at, suffix);
		if (length <= 0 || length > CTR_AGENTX_INDEX_MAX)
			continue;
		if (!append_row(rows, (uint32_t)at, life, suffix, (uint32_t)length))
			break;
		row = &rows->row[rows->num_rows - 1];
		sorting = rows->pool;
		sorted = sorted && (row == rows->row || compare_rows(row - 1, row) < 0);
	}
	if (!sorted)
		sort(rows);
}

/* List the rows again, unless no key has changed and nothing else changes rows. The longer that
 * takes, the longer the list is used. */
void
ctr_agentx_rows_refresh(struct ctr_agentx_rows *rows, unsigned int changes)
{
	const struct ctr_agentx_index *index = &rows->source->index;
	const bool asked = rows->checked_ns == 0 || rows->changes != changes;
	const uint64_t now = ctr_time_ns();
	uint64_t keys, taken;

	if (!rows->listed || (!asked && now - rows->checked_ns < rows->rest_ns))
		return;
	rows->checked_ns = now;
	rows->changes = changes;
	keys = ctr_agentx_index_changes(index);
	if (!asked && rows->map == NULL && rows->keys == keys && index->by_keys)
		return;
	rows->keys = keys;
	collect(rows);
	taken = ctr_time_ns() - now;
	rows->rest_ns = taken > REFRESH_NS / REST ? taken * REST : REFRESH_NS;
}

/* Look up a row of a table whose rows are in a list. */
static bool
next_listed(const struct ctr_agentx_rows *rows, const uint32_t *key, uint32_t length,
		bool inclusive, struct ctr_agentx_place *place)
{
	size_t low = 0, high = rows->num_rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ctr_agentx_row *row = &rows->row[middle];
		int order = compare_keys(rows->pool + row->suffix, row->length, key, length);

		if (order < 0 || (order == 0 && !inclusive))
			low = middle + 1;
		else
			high = middle;
	}
	/* Skip rows whose instance was destroyed since the table was built. */
	while (low < rows->num_rows && existing(rows, rows->row[low].at) != rows->row[low].at)
		low++;
	if (low == rows->num_rows)
		return false;
	place->at = rows->row[low].at;
	place->life = rows->row[low].life;
	place->length = rows->row[low].length;
	memcpy(place->suffix, rows->pool + rows->row[low].suffix,
			place->length * sizeof(*place->suffix));
	return true;
}

/* Position of the first instance after `key`, existing or not. */
static uint64_t
position_behind(const struct ctr_agentx_index *index, const uint32_t *key, uint32_t length,
		bool inclusive)
{
	const uint32_t levels = index->levels;
	bool settled = false;
	uint64_t at = 0;

	for (uint32_t i = 0; i < levels; i++) {
		at *= index->maxima[i];
		if (settled)
			continue;
		if (i >= length || key[i] == 0) {
			settled = true;
		} else if (key[i] > index->maxima[i]) {
			at += index->maxima[i]; /* all that start like this are before it */
			settled = true;
		} else {
			at += key[i] - 1;
		}
	}
	return settled || (inclusive && length == levels) ? at : at + 1;
}

bool
ctr_agentx_rows_next(const struct ctr_agentx_rows *rows, const uint32_t *key, uint32_t length,
		bool inclusive, struct ctr_agentx_place *place)
{
	const struct ctr_agentx_index *index = &rows->source->index;
	uint64_t at, left;
	uint32_t i;

	place->life = 0;
	if (rows->listed)
		return next_listed(rows, key, length, inclusive, place);
	if (index->levels == 0) { /* a scalar: its only instance is .0 */
		place->at = 0;
		place->length = 1;
		place->suffix[0] = 0;
		return length == 0 || (inclusive && length == 1 && key[0] == 0);
	}
	at = existing(rows, position_behind(index, key, length, inclusive));
	if (at >= rows->limit)
		return false;
	place->at = (uint32_t)at;
	place->length = index->levels;
	for (i = place->length, left = at; i-- > 0; left /= index->maxima[i])
		place->suffix[i] = 1 + (uint32_t)(left % index->maxima[i]);
	return true;
}
