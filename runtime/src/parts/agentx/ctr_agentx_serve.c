/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <stdlib.h>

/* Maximum number of rows that are read in one read section. */
#define SECTION 256u

/* A request without an answer for this time is over: the master's timeout is shorter. */
#define REST_NS (5 * CTR_SECOND_NS)

#define ABSENT UINT32_MAX

/* ---- views ---- */

void
ctr_agentx_source_fini(struct ctr_agentx_source *source)
{
	for (unsigned int i = 0; i < CTR_AGENTX_BURSTS; i++) {
		free(source->view[i].row);
		free(source->view[i].values);
	}
	memset(source->view, 0, sizeof(source->view));
}

/* The slot of a request; for a new request, the least recently used slot. */
static uint32_t
find_burst(struct ctr_agentx_state *state, int64_t transaction, long session)
{
	const uint64_t now = ctr_time_ns();
	struct ctr_agentx_burst *burst = state->burst;
	uint32_t oldest = 0, i;

	for (i = 0; i < CTR_AGENTX_BURSTS; i++) {
		if (burst[i].used_ns != 0 && transaction >= 0 &&
		    burst[i].transaction == transaction && burst[i].session == session &&
		    now - burst[i].used_ns < REST_NS) {
			burst[i].used_ns = now;
			return i;
		}
		if (burst[i].used_ns < burst[oldest].used_ns)
			oldest = i;
	}
	burst[oldest] = (struct ctr_agentx_burst){ transaction, session, now };
	for (i = 0; i < state->num_sources; i++)
		state->source[i].view[oldest].num = 0;
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
room(struct ctr_agentx_view *view, const struct ctr_agentx_source *source)
{
	const uint64_t total = source->index.total;

	view->max = total < CTR_AGENTX_CACHED ? (uint32_t)total : CTR_AGENTX_CACHED;
	if (view->row == NULL)
		view->row = malloc(view->max * sizeof(*view->row));
	/* One more value, for rows that do not fit. */
	if (view->values == NULL)
		view->values = malloc((view->max + 1) * source->scope->value_size);
	return view->row != NULL && view->values != NULL && view->num < view->max;
}

/* Read an instance into a row and into the value with its number. In a read section, so that
 * neither a reset nor a change of its key happens in between. */
static void
read_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source, uint32_t at,
		uint32_t value, struct ctr_agentx_cached *row)
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

/* The values of an instance, the same in all parts of a request; false if it does not exist. Valid
 * until the next call for this view. Inside read_lock(). */
static bool
view_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source,
		uint32_t at, struct ctr_agentx_values *values)
{
	const size_t size = source->scope->value_size;
	const uint32_t place = lower(view, at);
	struct ctr_agentx_cached now, *row = &now;

	if (place < view->num && view->row[place].at == at) {
		row = &view->row[place];
	} else if (room(view, source)) {
		row = &view->row[place];
		memmove(row + 1, row, (view->num - place) * sizeof(*row));
		read_row(view, source, at, view->num++, row);
	} else if (view->values != NULL) {
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

/* ---- answers ---- */

/* The parts of a request that are of one group. */
struct answer {
	struct ctr_agentx_served *served;
	struct ctr_agentx_view *view;
	unsigned int left;               /* rows that may still be read in this section */
	struct ctr_agentx_place place;   /* the row that was found, and its values */
	struct ctr_agentx_values values;
};

/* Copy the part of a name that is below the group: -1, 0 or 1 for a name before the group, in it,
 * or after it. Net-snmp 5.9 extends the sign of sub-identifiers. */
static int
below(const struct ctr_agentx_group *group, const netsnmp_variable_list *vb, uint32_t *rest,
		uint32_t *length)
{
	size_t i;

	*length = 0;
	for (i = 0; i < vb->name_length; i++) {
		uint32_t id = (uint32_t)vb->name[i];

		if (i >= group->oid_len)
			rest[(*length)++] = id;
		else if (id != group->oid[i])
			return id < group->oid[i] ? -1 : 1;
	}
	return i < group->oid_len ? -1 : 0;
}

/* The first object whose number is at least `number`, or the end of the objects. */
static const struct ctr_agentx_object *
first_object(const struct ctr_agentx_group *group, uint32_t number)
{
	const struct ctr_agentx_object *object = group->objects;

	while (object < group->objects + group->num_objects && object->number < number)
		object++;
	return object;
}

/* Read the row that was found: whether it has a value of an object, and still the key of the row. A
 * search that reads many rows leaves the section from time to time, for threads that wait. */
static bool
read_row_values(struct answer *answer, const struct ctr_agentx_object *object)
{
	const struct ctr_agentx_served *served = answer->served;
	const struct ctr_agentx_source *source = served->rows.source;
	const struct ctr_agentx_place *place = &answer->place;
	struct ctr_agentx_values *values = &answer->values;

	if (answer->left == 0) {
		source->module->read_unlock();
		source->module->read_lock();
		answer->left = SECTION;
	}
	answer->left--;
	if (!view_row(answer->view, source, place->at, values) || values->life != place->life)
		return false;
	if (values->discontinuity_ns == 0)
		values->discontinuity_ns = *source->module->began_ns | CTR_OWN_TIME;
	/* Counts of this process's own: to a manager, they began when this one served them. */
	if ((values->discontinuity_ns & CTR_OWN_TIME) != 0 &&
	    values->discontinuity_ns < served->served_ns)
		values->discontinuity_ns = served->served_ns;
	return ctr_agentx_has(source->scope, object, values);
}

static void
put_found(const struct answer *answer, netsnmp_variable_list *vb,
		const struct ctr_agentx_object *object)
{
	ctr_agentx_put(vb, answer->served->rows.source->scope, object, &answer->place,
			&answer->values, answer->served->state->zero_ns);
}

static void
answer_get(struct answer *answer, netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	const struct ctr_agentx_group *group = answer->served->group;
	const struct ctr_agentx_object *end = &group->objects[group->num_objects], *object = end;
	struct ctr_agentx_place *place = &answer->place;
	uint32_t rest[MAX_OID_LEN], length;

	if (below(group, request->requestvb, rest, &length) == 0 && length != 0)
		object = first_object(group, rest[0]);
	if (object == end || object->number != rest[0])
		netsnmp_set_request_error(info, request, SNMP_NOSUCHOBJECT);
	else if (length > 1 &&
		 ctr_agentx_rows_next(&answer->served->rows, rest + 1, length - 1, true, place) &&
		 place->length == length - 1 &&
		 memcmp(place->suffix, rest + 1, place->length * sizeof(*rest)) == 0 &&
		 read_row_values(answer, object))
		put_found(answer, request->requestvb, object);
	else
		netsnmp_set_request_error(info, request, SNMP_NOSUCHINSTANCE);
}

/* Find the first row behind a key that has a value of an object. */
static bool
find_row(struct answer *answer, const struct ctr_agentx_object *object, const uint32_t *key,
		uint32_t length, bool inclusive)
{
	struct ctr_agentx_place *place = &answer->place;

	while (ctr_agentx_rows_next(&answer->served->rows, key, length, inclusive, place)) {
		if (read_row_values(answer, object))
			return true;
		/* It was destroyed in the meantime, or has no value here. */
		key = place->suffix;
		length = place->length;
		inclusive = false;
	}
	return false;
}

static void
answer_next(struct answer *answer, netsnmp_request_info *request)
{
	const struct ctr_agentx_group *group = answer->served->group;
	const struct ctr_agentx_object *object = group->objects, *end = object + group->num_objects;
	uint32_t rest[MAX_OID_LEN], length;
	oid name[MAX_OID_LEN];
	size_t size = 0;
	const int order = below(group, request->requestvb, rest, &length);

	if (order > 0)
		return;
	if (order == 0 && length != 0)
		object = first_object(group, rest[0]);
	/* The first column continues after the name; later columns start at their first row. */
	if (order < 0 || length == 0 || object == end || object->number != rest[0])
		length = 1;
	for (; object != end; object++, length = 1)
		if (find_row(answer, object, rest + 1, length - 1, request->inclusive != 0))
			break;
	if (object == end || !ctr_agentx_append(name, &size, group->oid, group->oid_len) ||
	    !ctr_agentx_append(name, &size, &object->number, 1) ||
	    !ctr_agentx_append(name, &size, answer->place.suffix, answer->place.length))
		return;
	snmp_set_var_objid(request->requestvb, name, size);
	put_found(answer, request->requestvb, object);
}

bool
ctr_agentx_append(oid *name, size_t *length, const uint32_t *from, uint32_t count)
{
	if (*length + count > MAX_OID_LEN)
		return false;
	for (uint32_t i = 0; i < count; i++)
		name[(*length)++] = from[i];
	return true;
}

void
ctr_agentx_follow_uptime(struct ctr_agentx_state *state)
{
	const uint64_t slack = CTR_AGENTX_SLACK_TICKS * CTR_AGENTX_TICK_NS;
	const uint64_t zero = ctr_time_ns() - netsnmp_get_agent_uptime() * CTR_AGENTX_TICK_NS;

	if (zero - state->zero_ns + slack > 2 * slack)
		state->zero_ns = zero;
}

/* Parts of one request of a manager share the rows that were read: the master gives them the same
 * transaction number. */
int
ctr_agentx_handle(CTR_UNUSED netsnmp_mib_handler *handler,
		netsnmp_handler_registration *registration, netsnmp_agent_request_info *info,
		netsnmp_request_info *request)
{
	struct ctr_agentx_served *served = registration->my_reg_void;
	struct ctr_agentx_source *source = served->rows.source;
	struct ctr_agentx_state *state = served->state;
	const netsnmp_pdu *pdu = info->asp != NULL ? info->asp->pdu : NULL;
	const uint32_t slot = find_burst(state, pdu != NULL ? (int64_t)pdu->transid : -1,
			pdu != NULL ? pdu->sessid : 0);
	struct answer answer = { .served = served, .left = SECTION };

	ctr_agentx_follow_uptime(state);
	served->asked = true;
	if (served->stands_by) {
		served->stands_by = false;
		served->served_ns = ctr_time_ns();
	}
	ctr_agentx_rows_refresh(&served->rows, __atomic_load_n(&state->changes, __ATOMIC_RELAXED));
	answer.view = &source->view[slot];
	source->module->read_lock();
	for (; request != NULL; request = request->next) {
		if (request->processed)
			continue;
		if (info->mode == MODE_GET)
			answer_get(&answer, info, request);
		else if (info->mode == MODE_GETNEXT)
			answer_next(&answer, request);
		else
			netsnmp_set_request_error(info, request, SNMP_ERR_NOTWRITABLE);
	}
	source->module->read_unlock();
	return SNMP_ERR_NOERROR;
}
