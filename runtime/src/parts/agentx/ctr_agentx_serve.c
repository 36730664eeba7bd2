/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <string.h>

/* Maximum number of rows that are read in one read section. */
#define SECTION 256u

/* The parts of a request that are of one group. */
struct answer {
	struct ctr_agentx_served *served;
	struct ctr_agentx_view *view;
	unsigned int left;               /* rows that may still be read in this section */
	struct ctr_agentx_place place;   /* the row that was found, and its values */
	struct ctr_agentx_values values;
};

/* Copy the part of a name that is below the group: -1, 0 or 1 for a name before the group, in it,
 * or after it. Net-snmp 5.9 extends the sign of sub-identifiers.
 */
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

static void
section_begin(struct answer *answer)
{
	answer->left = SECTION;
	answer->served->rows.source->module->read_lock();
}

static void
section_end(const struct answer *answer)
{
	answer->served->rows.source->module->read_unlock();
}

/* Read the row that was found: whether it has a value of an object, and still the key of the row. A
 * search that reads many rows leaves the section from time to time, for threads that wait.
 */
static bool
read_row_values(struct answer *answer, const struct ctr_agentx_object *object)
{
	const struct ctr_agentx_served *served = answer->served;
	const struct ctr_agentx_source *source = served->rows.source;
	const struct ctr_agentx_place *place = &answer->place;
	struct ctr_agentx_values *values = &answer->values;

	if (answer->left == 0) {
		section_end(answer);
		section_begin(answer);
	}
	answer->left--;
	if (!ctr_agentx_view_row(answer->view, source, place->at, values) ||
	    values->life != place->life)
		return false;
	/* Its counts are this process's own: to a manager, they began when this one served them. */
	if (values->discontinuity_ns == 0) {
		values->discontinuity_ns = *source->module->began_ns;
		if (values->discontinuity_ns < served->served_ns)
			values->discontinuity_ns = served->served_ns;
	}
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
	for (;; object++, length = 1) {
		if (object == end)
			return;
		if (find_row(answer, object, rest + 1, length - 1, request->inclusive != 0))
			break;
	}
	if (!ctr_agentx_append(name, &size, group->oid, group->oid_len) ||
	    !ctr_agentx_append(name, &size, &object->number, 1) ||
	    !ctr_agentx_append(name, &size, answer->place.suffix, answer->place.length))
		return;
	snmp_set_var_objid(request->requestvb, name, size);
	put_found(answer, request->requestvb, object);
}

bool
ctr_agentx_append(oid *name, size_t *length, const uint32_t *from, uint32_t count)
{
	uint32_t i;

	if (*length + count > MAX_OID_LEN)
		return false;
	for (i = 0; i < count; i++)
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
 * transaction number.
 */
int
ctr_agentx_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
		netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	struct ctr_agentx_served *served =
			(struct ctr_agentx_served *)registration->my_reg_void;
	struct ctr_agentx_source *source = served->rows.source;
	struct ctr_agentx_state *state = served->state;
	const netsnmp_pdu *pdu = info->asp != NULL ? info->asp->pdu : NULL;
	const uint32_t slot = ctr_agentx_burst(state, pdu != NULL ? (int64_t)pdu->transid : -1,
			pdu != NULL ? pdu->sessid : 0);
	struct answer answer = { .served = served };

	(void)handler;
	ctr_agentx_follow_uptime(state);
	served->asked = true;
	if (served->stands_by) {
		served->stands_by = false;
		served->served_ns = ctr_time_ns();
	}
	ctr_agentx_rows_refresh(&served->rows, __atomic_load_n(&state->changes, __ATOMIC_RELAXED));
	answer.view = ctr_agentx_view(state, source, slot);
	section_begin(&answer);
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
	section_end(&answer);
	return SNMP_ERR_NOERROR;
}
