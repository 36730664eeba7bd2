/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_rows.h"

/* Lifetime of the cached rows of a table with keys, indexes of the application, or a cap. */
#define REFRESH_NS UINT64_C(1000000000)

/* How much longer than it took to make them rows are kept. */
#define REST 4u

/* Whether the rows are in a list, as their order is not that of positions. */
static bool
listed(const struct ctr_agentx_rows *rows)
{
	return rows->map != NULL || rows->keyed;
}

/* Whether rows come and go. */
static bool
varies(const struct ctr_agentx_source *source)
{
	return source->scope->next != NULL || source->index.base->next != NULL;
}

void
ctr_agentx_rows_init(struct ctr_agentx_rows *rows, struct ctr_agentx_source *source, uint32_t cap,
		ctr_agentx_map_fn map)
{
	memset(rows, 0, sizeof(*rows));
	rows->source = source;
	rows->map = map;
	rows->keyed = map == NULL && source->index.keyed;
	rows->rest_ns = REFRESH_NS;
	rows->total = source->index.total;
	rows->cap = cap != 0 && cap < rows->total ? cap : rows->total;
	rows->limit = rows->total;
	if (!varies(source) && !listed(rows))
		rows->limit = rows->cap;
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
existing(const struct ctr_agentx_rows *rows, const struct ctr_agentx_view *view, uint64_t at)
{
	const struct ctr_agentx_source *source = rows->source;
	uint64_t from = UINT64_MAX;

	if (at < rows->limit && view != NULL && view->whole)
		from = at = ctr_agentx_view_next(view, at);
	/* Until what it augments exists as well. */
	for (; at < rows->limit && at != from; at = ctr_agentx_index_next(&source->index, at))
		from = at = source->scope->next != NULL ? source->scope->next((uint32_t)at) : at;
	return at < rows->limit ? at : rows->limit;
}

static int
compare_keys(const uint32_t *a, uint32_t a_length, const uint32_t *b, uint32_t b_length)
{
	uint32_t i;

	for (i = 0; i < a_length && i < b_length; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
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
 * `same` on, up to the first one that is no octet.
 */
static uint64_t
start_of(const struct ctr_agentx_rows *rows, const struct ctr_agentx_row *row, uint32_t same)
{
	const uint32_t *suffix = rows->pool + row->suffix;
	unsigned int shift = 64;
	uint64_t start = 0;
	uint32_t i;

	for (i = same; i < row->length && shift != 0; i++) {
		shift -= 8;
		if (suffix[i] >= UINT8_MAX)
			return start | (uint64_t)UINT8_MAX << shift;
		start |= (uint64_t)suffix[i] << shift;
	}
	return start;
}

/* Sort rows whose first `same` sub-identifiers are the same in all of them. Of the next ones, which
 * are octets more often than not, a word tells most rows apart: it looks at no other memory.
 */
static void
sort(struct ctr_agentx_rows *rows, uint32_t same)
{
	size_t n;

	for (n = 0; n < rows->num_rows; n++)
		rows->row[n].start = start_of(rows, &rows->row[n], same);
	sorting = rows->pool;
	qsort(rows->row, rows->num_rows, sizeof(*rows->row), compare_rows);
}

/* How many sub-identifiers two rows begin with are the same, of at most `most`. */
static uint32_t
alike(const struct ctr_agentx_rows *rows, const struct ctr_agentx_row *a,
		const struct ctr_agentx_row *b, uint32_t most)
{
	uint32_t i;

	for (i = 0; i < most && i < a->length && i < b->length; i++)
		if (rows->pool[a->suffix + i] != rows->pool[b->suffix + i])
			break;
	return i;
}

/* Room for one more row; false when there is no memory. */
static bool
grow_rows(struct ctr_agentx_rows *rows, uint32_t length)
{
	if (rows->num_rows == rows->max_rows) {
		size_t wanted = rows->max_rows != 0 ? rows->max_rows * 2 : 64;
		void *more = realloc(rows->row, wanted * sizeof(*rows->row));

		if (more == NULL)
			return false;
		rows->row = (struct ctr_agentx_row *)more;
		rows->max_rows = wanted;
	}
	if (rows->used + length > rows->max_pool) {
		size_t wanted = (rows->max_pool + length) * 2;
		void *more = realloc(rows->pool, wanted * sizeof(*rows->pool));

		if (more == NULL)
			return false;
		rows->pool = (uint32_t *)more;
		rows->max_pool = wanted;
	}
	return true;
}

/* The index of an instance; a negative number if it has none. */
static int
index_of(const struct ctr_agentx_rows *rows, uint32_t at, uint32_t *suffix, uint64_t *life)
{
	const struct ctr_agentx_source *source = rows->source;
	uint32_t index[CTR_AGENTX_LEVELS];

	if (rows->keyed)
		return ctr_agentx_index_suffix(&source->index, at, suffix, life);
	ctr_agentx_unflat(source->scope, at, index);
	*life = ctr_agentx_index_life(&source->index, at);
	return rows->map(index, suffix);
}

static void
collect(struct ctr_agentx_rows *rows)
{
	uint32_t suffix[CTR_AGENTX_INDEX_MAX];
	uint32_t same = CTR_AGENTX_INDEX_MAX;
	bool sorted = true;
	uint64_t at;

	rows->num_rows = 0;
	rows->used = 0;
	for (at = existing(rows, NULL, 0); at < rows->limit && rows->num_rows < rows->cap;
	     at = existing(rows, NULL, at + 1)) {
		struct ctr_agentx_row *row;
		uint64_t life;
		int length;

		length = index_of(rows, (uint32_t)at, suffix, &life);
		if (length <= 0 || length > CTR_AGENTX_INDEX_MAX)
			continue;
		if (!grow_rows(rows, (uint32_t)length))
			break;
		row = &rows->row[rows->num_rows++];
		row->at = (uint32_t)at;
		row->life = life;
		row->start = 0;
		row->length = (uint32_t)length;
		row->suffix = rows->used;
		memcpy(rows->pool + row->suffix, suffix, (size_t)length * sizeof(*suffix));
		rows->used += (size_t)length;
		sorting = rows->pool;
		sorted = sorted && (row == rows->row || compare_rows(row - 1, row) < 0);
		same = alike(rows, rows->row, row, same);
	}
	if (!sorted)
		sort(rows, same);
}

/* Whether the rows are those of a list: every key is what it was, and nothing else changes rows. */
static bool
as_listed(const struct ctr_agentx_rows *rows, uint64_t keys)
{
	return rows->keyed && rows->keys == keys &&
	       ctr_agentx_index_by_keys(&rows->source->index);
}

/* List the rows anew. Of a large table that takes a while: it is not done all the time. */
static void
list(struct ctr_agentx_rows *rows, uint64_t now, uint64_t keys)
{
	uint64_t taken;

	rows->keys = keys;
	collect(rows);
	taken = ctr_time_ns() - now;
	rows->rest_ns = taken > REFRESH_NS / REST ? taken * REST : REFRESH_NS;
}

void
ctr_agentx_rows_refresh(struct ctr_agentx_rows *rows, unsigned int changes)
{
	uint64_t now, at, count, keys;
	bool asked;

	if (!listed(rows) && (!varies(rows->source) || rows->cap == rows->total))
		return;
	now = ctr_time_ns();
	asked = rows->checked_ns == 0 || rows->changes != changes;
	if (!asked && now - rows->checked_ns < rows->rest_ns)
		return;
	rows->checked_ns = now;
	rows->changes = changes;
	if (listed(rows)) {
		keys = ctr_agentx_index_changes(&rows->source->index);
		if (asked || !as_listed(rows, keys))
			list(rows, now, keys);
		return;
	}
	rows->limit = rows->total;
	for (at = existing(rows, NULL, 0), count = 0;
	     at < rows->total && count < rows->cap; count++)
		at = existing(rows, NULL, at + 1);
	rows->limit = at;
}

/* Look up a row of a table whose rows are in a list. */
static bool
next_listed(const struct ctr_agentx_rows *rows, const struct ctr_agentx_view *view,
		const uint32_t *key, uint32_t length, bool inclusive,
		struct ctr_agentx_place *place)
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
	while (low < rows->num_rows &&
	       existing(rows, view, rows->row[low].at) != rows->row[low].at)
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
	uint32_t i;

	for (i = 0; i < levels; i++) {
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
ctr_agentx_rows_next(const struct ctr_agentx_rows *rows, const struct ctr_agentx_view *view,
		const uint32_t *key, uint32_t length, bool inclusive,
		struct ctr_agentx_place *place)
{
	const struct ctr_agentx_index *index = &rows->source->index;
	uint64_t at, left;
	uint32_t i;

	place->life = 0;
	if (listed(rows))
		return next_listed(rows, view, key, length, inclusive, place);
	if (index->levels == 0) { /* a scalar: its only instance is .0 */
		place->at = 0;
		place->length = 1;
		place->suffix[0] = 0;
		return length == 0 || (inclusive && length == 1 && key[0] == 0);
	}
	at = existing(rows, view, position_behind(index, key, length, inclusive));
	if (at >= rows->limit)
		return false;
	place->at = (uint32_t)at;
	place->length = index->levels;
	for (i = place->length, left = at; i-- > 0; left /= index->maxima[i])
		place->suffix[i] = 1 + (uint32_t)(left % index->maxima[i]);
	return true;
}
