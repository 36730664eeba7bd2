/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_view.h"

/* A request without an answer for this time is over: the master's timeout is shorter. */
#define REST_NS UINT64_C(5000000000)

#define ABSENT UINT32_MAX

void
ctr_agentx_source_fini(struct ctr_agentx_source *source)
{
	unsigned int i;

	for (i = 0; i < CTR_AGENTX_BURSTS; i++) {
		free(source->view[i].row);
		free(source->view[i].values);
	}
	memset(source->view, 0, sizeof(source->view));
}

void
ctr_agentx_choose_small(struct ctr_agentx_sources *sources)
{
	uint64_t rows = 0;
	uint32_t i;

	for (i = 0; i < sources->num; i++) {
		struct ctr_agentx_source *source = &sources->source[i];

		if (i == 0 || source->module != source[-1].module)
			rows = 0;
		source->small = source->total <= CTR_AGENTX_VIEW - rows;
		if (source->small)
			rows += source->total;
	}
}

uint32_t
ctr_agentx_burst(struct ctr_agentx_bursts *bursts, int64_t transaction, long session,
		uint64_t now)
{
	uint32_t oldest = 0, i;

	for (i = 0; i < CTR_AGENTX_BURSTS; i++) {
		if (bursts->slot[i].number != 0 && transaction >= 0 &&
		    bursts->slot[i].transaction == transaction &&
		    bursts->slot[i].session == session &&
		    now - bursts->slot[i].used_ns < REST_NS) {
			bursts->slot[i].used_ns = now;
			return i;
		}
		if (bursts->slot[i].used_ns < bursts->slot[oldest].used_ns)
			oldest = i;
	}
	bursts->slot[oldest].transaction = transaction;
	bursts->slot[oldest].session = session;
	bursts->slot[oldest].number = ++bursts->last;
	bursts->slot[oldest].used_ns = now;
	bursts->slot[oldest].wide = 0;
	bursts->slot[oldest].other = 0;
	return oldest;
}

/* Position of a row in the sorted array, or where to insert it. */
static uint32_t
lower(const struct ctr_agentx_view *view, uint64_t at)
{
	uint32_t low = 0, high = view->num;

	if (high != 0 && view->row[high - 1].at < at) /* most come in order */
		return high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (view->row[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Room for one more row; false when there is none. */
static bool
room(struct ctr_agentx_view *view, size_t value_size)
{
	const uint32_t wanted = view->max != 0 ? view->max * 2 : 8;
	void *more;

	if (view->num < view->max)
		return true;
	if (view->max >= CTR_AGENTX_KEPT)
		return false;
	/* One more value, for rows that do not fit. */
	more = realloc(view->values, (wanted + 1) * value_size);
	if (more == NULL)
		return false;
	view->values = (uint8_t *)more;
	more = realloc(view->row, wanted * sizeof(*view->row));
	if (more == NULL)
		return false;
	view->row = (struct ctr_agentx_kept *)more;
	view->max = wanted;
	return true;
}

/* Read an instance into a row and into the value with its number. In a read section, so
 * that no reset happens between the values and their time of discontinuity, and no key changes.
 * One whose row augments one that does not exist has no row either.
 */
static void
read_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source, uint32_t at,
		uint32_t value, struct ctr_agentx_kept *row)
{
	const struct ctr_scope *scope = source->scope;
	uint32_t index[CTR_AGENTX_LEVELS];
	unsigned int tries;
	int rc = ctr_agentx_index_exists(&source->index, at) ? -EAGAIN : -ENOENT;

	ctr_agentx_unflat(scope, at, index);
	for (tries = 0; tries < CTR_EAGAIN_TRIES && rc == -EAGAIN; tries++)
		rc = scope->read(index, view->values + value * scope->value_size);
	row->at = at;
	row->value = rc == 0 || rc == -EAGAIN ? value : ABSENT;
	row->discontinuity_ns = 0;
	row->life = ctr_agentx_index_life(&source->index, at);
	if (source->discontinuity_ns != NULL)
		row->discontinuity_ns =
			__atomic_load_n(&source->discontinuity_ns[at], __ATOMIC_RELAXED);
}

/* Read all rows there are. */
static void
read_whole(struct ctr_agentx_view *view, const struct ctr_agentx_source *source)
{
	const struct ctr_scope *scope = source->scope;
	uint32_t at;

	for (at = 0; at < source->total; at++) {
		if (scope->next != NULL)
			at = scope->next(at);
		if (at >= source->total)
			break;
		if (!room(view, scope->value_size))
			return;
		read_row(view, source, at, view->num, &view->row[view->num]);
		if (view->row[view->num].value != ABSENT)
			view->num++;
	}
	view->whole = true;
}

/* Look at a module anew. */
static void
join_burst(const struct ctr_agentx_sources *sources, const struct ctr_module *module,
		uint64_t burst, uint32_t slot)
{
	uint32_t i;

	module->read_lock();
	for (i = 0; i < sources->num; i++) {
		struct ctr_agentx_source *source = &sources->source[i];
		struct ctr_agentx_view *view = &source->view[slot];

		if (source->module != module)
			continue;
		view->burst = burst;
		view->num = 0;
		view->whole = false;
		if (source->small)
			read_whole(view, source);
	}
	module->read_unlock();
}

struct ctr_agentx_view *
ctr_agentx_view(const struct ctr_agentx_sources *sources, struct ctr_agentx_source *source,
		const struct ctr_agentx_bursts *bursts, uint32_t slot)
{
	struct ctr_agentx_view *view = &source->view[slot];

	if (view->burst != bursts->slot[slot].number)
		join_burst(sources, source->module, bursts->slot[slot].number, slot);
	return view;
}

bool
ctr_agentx_view_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source,
		uint32_t at, struct ctr_agentx_values *values)
{
	const size_t size = source->scope->value_size;
	const uint32_t place = lower(view, at);
	struct ctr_agentx_kept now, *row = &now;

	if (place < view->num && view->row[place].at == at) {
		row = &view->row[place];
	} else if (view->whole) {
		return false;
	} else if (room(view, size)) {
		row = &view->row[place];
		memmove(row + 1, row, (view->num - place) * sizeof(*row));
		read_row(view, source, at, view->num++, row);
	} else if (view->max != 0) {
		read_row(view, source, at, view->max, row);
	} else {
		return false;
	}
	if (row->value == ABSENT)
		return false;
	values->value = view->values + row->value * size;
	values->discontinuity_ns = row->discontinuity_ns;
	values->life = row->life;
	return true;
}

uint32_t
ctr_agentx_view_next(const struct ctr_agentx_view *view, uint64_t at)
{
	const uint32_t place = lower(view, at);

	return place < view->num ? view->row[place].at : UINT32_MAX;
}
