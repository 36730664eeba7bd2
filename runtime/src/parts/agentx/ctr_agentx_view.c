/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <stdlib.h>
#include <string.h>

/* A request without an answer for this time is over: the master's timeout is shorter. */
#define REST_NS (5 * CTR_SECOND_NS)

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

uint32_t
ctr_agentx_burst(struct ctr_agentx_state *state, int64_t transaction, long session)
{
	const uint64_t now = ctr_time_ns();
	struct ctr_agentx_burst *burst = state->burst;
	uint32_t oldest = 0, i;

	for (i = 0; i < CTR_AGENTX_BURSTS; i++) {
		if (burst[i].number != 0 && transaction >= 0 &&
		    burst[i].transaction == transaction && burst[i].session == session &&
		    now - burst[i].used_ns < REST_NS) {
			burst[i].used_ns = now;
			return i;
		}
		if (burst[i].used_ns < burst[oldest].used_ns)
			oldest = i;
	}
	burst[oldest] = (struct ctr_agentx_burst){ transaction, session, ++state->last_burst, now };
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

/* Read an instance into a row and into the value with its number. In a read section, so that
 * neither a reset nor a change of its key happens in between.
 */
static void
read_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source, uint32_t at,
		uint32_t value, struct ctr_agentx_kept *row)
{
	const struct ctr_scope *scope = source->scope;
	uint32_t index[CTR_INDEXES_MAX];
	int rc = -ENOENT;

	ctr_scope_indexes(scope, at, index);
	if (ctr_agentx_index_next(&source->index, at) == at)
		rc = ctr_scope_read(scope, index, view->values + value * scope->value_size);
	row->at = at;
	row->value = rc == 0 || rc == -EAGAIN ? value : ABSENT;
	row->values.discontinuity_ns = ctr_scope_since(scope, at);
	row->values.life = ctr_agentx_index_life(&source->index, at);
}

struct ctr_agentx_view *
ctr_agentx_view(const struct ctr_agentx_state *state, struct ctr_agentx_source *source,
		uint32_t slot)
{
	const uint64_t burst = state->burst[slot].number;
	struct ctr_agentx_view *view = &source->view[slot];

	if (view->burst != burst) {
		view->burst = burst;
		view->num = 0;
	}
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
	*values = row->values;
	values->value = view->values + row->value * size;
	return true;
}
