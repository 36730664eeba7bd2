/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_rows.h"

/* Lifetime of the cached rows of a table with indexes of the application, or with a cap. */
#define REFRESH_NS UINT64_C(1000000000)

void
ctr_agentx_rows_init(struct ctr_agentx_rows *rows, struct ctr_agentx_source *source, uint32_t cap,
		ctr_agentx_map_fn map)
{
	memset(rows, 0, sizeof(*rows));
	rows->source = source;
	rows->map = map;
	rows->total = source->total;
	rows->cap = cap != 0 && cap < rows->total ? cap : rows->total;
	rows->limit = source->scope->next == NULL && map == NULL ? rows->cap : rows->total;
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

	return compare(sorting + left->suffix, left->length, sorting + right->suffix,
			right->length);
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

static void
collect(struct ctr_agentx_rows *rows)
{
	uint32_t index[CTR_AGENTX_LEVELS], suffix[CTR_AGENTX_INDEX_MAX];
	bool sorted = true;
	uint64_t at;

	rows->num_rows = 0;
	rows->used = 0;
	for (at = existing(rows, NULL, 0); at < rows->limit && rows->num_rows < rows->cap;
	     at = existing(rows, NULL, at + 1)) {
		struct ctr_agentx_row *row;
		int length;

		ctr_agentx_unflat(rows->source->scope, (uint32_t)at, index);
		length = rows->map(index, suffix);
		if (length <= 0 || length > CTR_AGENTX_INDEX_MAX)
			continue;
		if (!room(rows, (uint32_t)length))
			break;
		row = &rows->row[rows->num_rows++];
		row->at = (uint32_t)at;
		row->length = (uint32_t)length;
		row->suffix = rows->used;
		memcpy(rows->pool + row->suffix, suffix, (size_t)length * sizeof(*suffix));
		rows->used += (size_t)length;
		sorting = rows->pool;
		sorted = sorted && (row == rows->row || compare_rows(row - 1, row) < 0);
	}
	if (!sorted)
		qsort(rows->row, rows->num_rows, sizeof(*rows->row), compare_rows);
}

void
ctr_agentx_rows_refresh(struct ctr_agentx_rows *rows, unsigned int changes)
{
	uint64_t now, at, count;

	if (rows->map == NULL && (rows->source->scope->next == NULL || rows->cap == rows->total))
		return;
	now = ctr_time_ns();
	if (rows->checked_ns != 0 && rows->changes == changes &&
	    now - rows->checked_ns < REFRESH_NS)
		return;
	rows->checked_ns = now;
	rows->changes = changes;
	if (rows->map != NULL) {
		collect(rows);
		return;
	}
	rows->limit = rows->total;
	for (at = existing(rows, NULL, 0), count = 0;
	     at < rows->total && count < rows->cap; count++)
		at = existing(rows, NULL, at + 1);
	rows->limit = at;
}

/* Look up a row of a table whose index the application gives. */
static bool
next_mapped(const struct ctr_agentx_rows *rows, const struct ctr_agentx_view *view,
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

	if (rows->map != NULL)
		return next_mapped(rows, view, key, length, inclusive, place);
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
