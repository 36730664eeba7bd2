/* SPDX-License-Identifier: BSD-3-Clause */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <string.h>

#include "ctr.h"
#include "ctr_agentx_serve.h"

/* Maximum number of rows that are read in one read section. */
#define SECTION 256u

/* The read sections in which the parts of a request are answered. */
struct section {
	const struct ctr_module *module; /* NULL: all rows were read before */
	unsigned int left;               /* rows that this one may still read */
};

/* Copy the part of a name that is below the group. Net-snmp 5.9 extends the sign of
 * sub-identifiers, hence the mask. Returns -1, 0 or 1 for a name before the
 * group, in the group, or after it.
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

/* The first object whose number is at least `wanted`. */
static uint32_t
first_object(const struct ctr_agentx_group *group, uint32_t wanted)
{
	uint32_t low = 0, high = group->num_objects;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (group->objects[middle].number < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
section_begin(struct section *section)
{
	section->left = SECTION;
	if (section->module != NULL)
		section->module->read_lock();
}

static void
section_end(const struct section *section)
{
	if (section->module != NULL)
		section->module->read_unlock();
}

/* The values of a row; false if it is gone. The instance may be there again with another key: what
 * was read of it is a row's if it had the key of the row then. A search that reads many rows lets
 * those go on in between who wait for the section.
 */
static bool
row_values(struct ctr_agentx_served *served, struct ctr_agentx_view *view, struct section *section,
		const struct ctr_agentx_place *place, struct ctr_agentx_values *values)
{
	const struct ctr_agentx_source *source = served->rows.source;
	const uint64_t began_ns = *source->module->began_ns;

	if (section->left == 0) {
		section_end(section);
		section_begin(section);
	}
	section->left--;
	if (!ctr_agentx_view_row(view, source, place->at, values) || values->life != place->life)
		return false;
	/* Its counts are this process's own: to a manager, they began when this one served them. */
	if (values->discontinuity_ns == 0) {
		values->discontinuity_ns = began_ns;
		if (began_ns < served->served_ns)
			values->discontinuity_ns = served->served_ns;
	}
	return true;
}

static void
answer_get(struct ctr_agentx_served *served, struct ctr_agentx_view *view, struct section *section,
		netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	const struct ctr_agentx_group *group = served->group;
	uint32_t rest[MAX_OID_LEN], length, object;
	struct ctr_agentx_values values;
	struct ctr_agentx_place place;

	if (below(group, request->requestvb, rest, &length) != 0 || length == 0)
		goto no_object;
	object = first_object(group, rest[0]);
	if (object == group->num_objects || group->objects[object].number != rest[0])
		goto no_object;
	if (length > 1 &&
	    ctr_agentx_rows_next(&served->rows, view, rest + 1, length - 1, true, &place) &&
	    place.length == length - 1 &&
	    memcmp(place.suffix, rest + 1, place.length * sizeof(*rest)) == 0 &&
	    row_values(served, view, section, &place, &values) &&
	    ctr_agentx_has(served->rows.source, &group->objects[object], &values)) {
		ctr_agentx_put(request->requestvb, served->rows.source, &group->objects[object],
				&place, &values, served->state->zero_ns);
		return;
	}
	netsnmp_set_request_error(info, request, SNMP_NOSUCHINSTANCE);
	return;
no_object:
	netsnmp_set_request_error(info, request, SNMP_NOSUCHOBJECT);
}

/* Whether the master cannot pass Counter64 on. It drops one that is for a manager of SNMPv1,
 * and asks for the object behind it, in the same transaction. The other requests that come
 * again and again are those of a GETBULK, but all their answers go into one message; and where
 * a view hides objects, it hides those of other types too.
 */
static bool
cannot_pass(const struct ctr_agentx_burst *burst)
{
	const uint64_t most = CTR_AGENTX_WIDE;

	return most != 0 && burst->wide > most && burst->other <= most / 16;
}

/* Add to the bytes of a request's answers: at least one for each sub-identifier but the
 * first, and the tags, lengths and the value of the name, the value and both.
 */
static void
count_answer(struct ctr_agentx_burst *burst, enum ctr_agentx_syntax syntax, size_t length)
{
	if (syntax == CTR_AGENTX_COUNTER64)
		burst->wide += length + 6;
	else
		burst->other += length + 6;
}

static void
get_next(struct ctr_agentx_served *served, struct ctr_agentx_view *view, struct section *section,
		struct ctr_agentx_burst *burst, netsnmp_request_info *request)
{
	const bool narrow = cannot_pass(burst);
	const struct ctr_agentx_group *group = served->group;
	bool inclusive = request->inclusive != 0;
	uint32_t rest[MAX_OID_LEN], length, object = 0, i;
	const uint32_t *key = rest;
	struct ctr_agentx_values values;
	struct ctr_agentx_place place;
	bool found = false;
	oid name[MAX_OID_LEN];
	int order;

	order = below(group, request->requestvb, rest, &length);
	if (order > 0)
		return;
	if (order < 0)
		length = 0;
	if (length != 0)
		object = first_object(group, rest[0]);
	/* The first column continues after the name; later columns start at their first row. */
	if (length > 1 && object < group->num_objects && group->objects[object].number == rest[0]) {
		key = rest + 1;
		length--;
	} else {
		length = 0;
	}
	while (object < group->num_objects) {
		if ((narrow && group->objects[object].syntax == CTR_AGENTX_COUNTER64) ||
		    !ctr_agentx_rows_next(&served->rows, view, key, length, inclusive, &place)) {
			object++;
			length = 0;
			continue;
		}
		found = row_values(served, view, section, &place, &values) &&
			ctr_agentx_has(served->rows.source, &group->objects[object], &values);
		if (found)
			break;
		/* It was destroyed in the meantime, or has no value here. */
		memcpy(rest, place.suffix, place.length * sizeof(*rest));
		key = rest;
		length = place.length;
		inclusive = false;
	}
	if (!found || group->oid_len + 1 + place.length > MAX_OID_LEN)
		return;
	for (i = 0; i < group->oid_len; i++)
		name[i] = group->oid[i];
	name[i++] = group->objects[object].number;
	memcpy(rest, place.suffix, place.length * sizeof(*rest));
	for (length = 0; length < place.length; length++)
		name[i++] = rest[length];
	snmp_set_var_objid(request->requestvb, name, i);
	ctr_agentx_put(request->requestvb, served->rows.source, &group->objects[object], &place,
			&values, served->state->zero_ns);
	count_answer(burst, group->objects[object].syntax, i);
}

void
ctr_agentx_follow_uptime(struct ctr_agentx_state *state)
{
	const uint64_t now = ctr_time_ns();
	const uint64_t zero = now - (uint64_t)netsnmp_get_agent_uptime() * 10000000u;
	const uint64_t apart = zero > state->zero_ns ? zero - state->zero_ns :
			state->zero_ns - zero;

	if (apart > CTR_AGENTX_SLACK_TICKS * UINT64_C(10000000))
		state->zero_ns = zero;
}

/* All parts of one request of a manager are answered from one view: the master gives
 * them the same transaction number. Returns the slot of the view.
 */
static uint32_t
begin_request(struct ctr_agentx_state *state, const netsnmp_agent_request_info *info)
{
	const netsnmp_pdu *pdu = info->asp != NULL ? info->asp->pdu : NULL;
	const int64_t transaction = pdu != NULL ? (int64_t)pdu->transid : -1;

	ctr_agentx_follow_uptime(state);
	return ctr_agentx_burst(&state->bursts, transaction, pdu != NULL ? pdu->sessid : 0,
			ctr_time_ns());
}

/* Answer all parts of a request. */
static void
answer_request(struct ctr_agentx_served *served, struct ctr_agentx_view *view,
		struct ctr_agentx_burst *burst, netsnmp_agent_request_info *info,
		netsnmp_request_info *request)
{
	struct section section = { view->whole ? NULL : served->rows.source->module, 0 };

	section_begin(&section);
	for (; request != NULL; request = request->next) {
		if (request->processed)
			continue;
		if (info->mode == MODE_GET)
			answer_get(served, view, &section, info, request);
		else if (info->mode == MODE_GETNEXT)
			get_next(served, view, &section, burst, request);
		else
			netsnmp_set_request_error(info, request, SNMP_ERR_NOTWRITABLE);
	}
	section_end(&section);
}

int
ctr_agentx_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
		netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	struct ctr_agentx_served *served =
			(struct ctr_agentx_served *)registration->my_reg_void;
	struct ctr_agentx_state *state = served->state;
	const uint32_t slot = begin_request(state, info);
	struct ctr_agentx_view *view;

	(void)handler;
	served->asked = true;
	if (served->stands_by) {
		served->stands_by = false;
		served->served_ns = ctr_time_ns();
	}
	ctr_agentx_rows_refresh(&served->rows, __atomic_load_n(&state->changes, __ATOMIC_RELAXED));
	view = ctr_agentx_view(&state->sources, served->rows.source, &state->bursts, slot);
	answer_request(served, view, &state->bursts.slot[slot], info, request);
	return SNMP_ERR_NOERROR;
}
