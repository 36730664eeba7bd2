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

void
ctr_agentx_rows_init(struct ctr_agentx_rows *rows, struct ctr_agentx_source *source, uint32_t cap,
		ctr_agentx_map_fn map)
{
	memset(rows, 0, sizeof(*rows));
	rows->source = source;
	rows->map = map;
	rows->keyed = map == NULL && source->scope->keys != NULL;
	rows->rest_ns = REFRESH_NS;
	rows->total = source->total;
	rows->cap = cap != 0 && cap < rows->total ? cap : rows->total;
	rows->limit = rows->total;
	if (source->scope->next == NULL && !listed(rows))
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
	if (at < rows->limit && view != NULL && view->whole)
		at = ctr_agentx_view_next(view, at);
	else if (at < rows->limit && rows->source->scope->next != NULL)
		at = rows->source->scope->next((uint32_t)at);
	return at < rows->limit ? at : rows->limit;
}

static int
compare(const uint32_t *a, uint32_t a_length, const uint32_t *b, uint32_t b_length)
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
	return compare(sorting + left->suffix, left->length, sorting + right->suffix,
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
room(struct ctr_agentx_rows *rows, uint32_t length)
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
index_of(const struct ctr_agentx_rows *rows, const uint32_t *index, uint32_t *suffix,
		uint64_t *life)
{
	if (rows->keyed)
		return ctr_scope_suffix(rows->source->scope, index, suffix, life);
	*life = ctr_scope_life(rows->source->scope, index);
	return rows->map(index, suffix);
}

static void
collect(struct ctr_agentx_rows *rows)
{
	uint32_t index[CTR_AGENTX_LEVELS], suffix[CTR_AGENTX_INDEX_MAX];
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

		ctr_agentx_unflat(rows->source->scope, (uint32_t)at, index);
		length = index_of(rows, index, suffix, &life);
		if (length <= 0 || length > CTR_AGENTX_INDEX_MAX)
			continue;
		if (!room(rows, (uint32_t)length))
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

/* A number that is another one after each change of a key that is part of the index. */
static uint64_t
changes_of_keys(const struct ctr_scope *scope)
{
	uint64_t changes = 0;
	unsigned int i;

	for (i = 0; scope->keys != NULL && i < scope->num_indexes; i++)
		changes += scope->keys[i] != NULL ? ctr_keys_changes(scope->keys[i]) : 0;
	return changes;
}

/* Whether the rows are those of a list: every key is what it was, and with an instance goes its
 * key, or it always exists.
 */
static bool
as_listed(const struct ctr_agentx_rows *rows, uint64_t keys)
{
	const struct ctr_scope *scope = rows->source->scope;

	return rows->keyed && rows->keys == keys &&
	       (scope->next == NULL || scope->keys[scope->num_indexes - 1] != NULL);
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

	if (!listed(rows) && (rows->source->scope->next == NULL || rows->cap == rows->total))
		return;
	now = ctr_time_ns();
	asked = rows->checked_ns == 0 || rows->changes != changes;
	if (!asked && now - rows->checked_ns < rows->rest_ns)
		return;
	rows->checked_ns = now;
	rows->changes = changes;
	if (listed(rows)) {
		keys = changes_of_keys(rows->source->scope);
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
		int order = compare(rows->pool + row->suffix, row->length, key, length);

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
position_behind(const struct ctr_scope *scope, const uint32_t *key, uint32_t length,
		bool inclusive)
{
	const uint32_t levels = scope->num_indexes;
	bool settled = false;
	uint64_t at = 0;
	uint32_t i;

	for (i = 0; i < levels; i++) {
		at *= scope->index_maxima[i];
		if (settled)
			continue;
		if (i >= length || key[i] == 0) {
			settled = true;
		} else if (key[i] > scope->index_maxima[i]) {
			at += scope->index_maxima[i]; /* all that start like this are before it */
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
	const struct ctr_scope *scope = rows->source->scope;
	uint64_t at;
	uint32_t i;

	place->life = 0;
	if (listed(rows))
		return next_listed(rows, view, key, length, inclusive, place);
	if (scope->num_indexes == 0) { /* a scalar: its only instance is .0 */
		place->at = 0;
		place->length = 1;
		place->suffix[0] = 0;
		return length == 0 || (inclusive && length == 1 && key[0] == 0);
	}
	at = existing(rows, view, position_behind(scope, key, length, inclusive));
	if (at >= rows->limit)
		return false;
	place->at = (uint32_t)at;
	place->length = scope->num_indexes;
	ctr_agentx_unflat(scope, place->at, place->suffix);
	for (i = 0; i < place->length; i++)
		place->suffix[i]++;
	return true;
}
