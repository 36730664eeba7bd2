/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <poll.h>

static const oid trap_oid[] = { 1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0 };

/* Whether the master takes a message without making the agent wait. A master that hangs reads
 * nothing, so that its socket fills up. */
static bool
is_ready(void)
{
	const struct ctr_agentx_master *master = ctr_agentx_session();
	struct pollfd pollfd = { -1, POLLOUT, 0 };
	void *session = master->open ? snmp_sess_pointer(master->session) : NULL;
	const netsnmp_transport *transport = session != NULL ? snmp_sess_transport(session) : NULL;

	if (transport == NULL)
		return false;
	pollfd.fd = transport->sock;
	return poll(&pollfd, 1, 0) == 1 && (pollfd.revents & POLLOUT) != 0;
}

/* The index of an instance in its table. 0; -EAGAIN when it has no row now; -ENOENT if unknown. */
static int
find_place(const struct ctr_agentx_notification *what, const struct ctr_event *event,
		struct ctr_agentx_place *place)
{
	ctr_agentx_map_fn map;
	struct ctr_agentx_index index;
	int length = 1;

	memset(place, 0, sizeof(*place)); /* the index of a scalar is a 0 */
	place->at = event->at;
	if (ctr_agentx_index_init(&index, &map, event->module, event->notification->scope,
			what->base, what->own, what->mapped) != 0)
		return -ENOENT;
	if (map != NULL)
		length = map(event->index, place->suffix);
	else if (index.levels != 0)
		length = ctr_agentx_index_suffix(&index, event->at, place->suffix);
	if (length <= 0 || length > CTR_AGENTX_INDEX_MAX)
		return map != NULL ? -ENOENT : -EAGAIN;
	place->length = (uint32_t)length;
	return 0;
}

/* Add the object of an instance, with its value; true if there is none, or it was added. */
static bool
add_object(netsnmp_variable_list **vars, const struct ctr_agentx_bind *bind,
		const struct ctr_scope *scope, const struct ctr_agentx_place *place,
		const struct ctr_agentx_values *values, uint64_t zero_ns)
{
	const struct ctr_agentx_object object = { 0, bind->item, bind->syntax };
	netsnmp_variable_list *made;
	oid name[MAX_OID_LEN];
	size_t length = 0;

	if (!ctr_agentx_has(scope, &object, values))
		return true; /* never set, or not available: there is no value to send */
	if (!ctr_agentx_append(name, &length, bind->oid, bind->oid_len) ||
	    !ctr_agentx_append(name, &length, place->suffix, place->length))
		return false;
	made = snmp_varlist_add_variable(vars, name, length, ASN_NULL, NULL, 0);
	if (made != NULL)
		ctr_agentx_put(made, scope, &object, place, values, zero_ns);
	return made != NULL;
}

/* The master has taken a message, or not: there is nothing to do about it. */
static int
on_taken(CTR_UNUSED int operation, CTR_UNUSED netsnmp_session *session, CTR_UNUSED int id,
		CTR_UNUSED netsnmp_pdu *pdu, CTR_UNUSED void *unused)
{
	return 1;
}

/* Give a message to the master, without waiting: what it is, and the objects that it carries. Not
 * with send_v2trap(): that makes an SNMPv1 trap as well, and logs an error where there is a
 * Counter64. */
static bool
give(const struct ctr_agentx_notification *what, const struct ctr_event *event,
		const struct ctr_agentx_place *place, uint64_t zero_ns)
{
	const struct ctr_agentx_values values = { (const uint8_t *)event->values, 0, 0 };
	const struct ctr_scope *scope = &event->module->scopes[event->notification->scope];
	netsnmp_pdu *pdu = ctr_agentx_pdu(CTR_AGENTX_PDU_NOTIFY);
	oid name[MAX_OID_LEN];
	size_t length = 0;
	bool all;

	if (pdu == NULL)
		return false;
	all = ctr_agentx_append(name, &length, event->raised ? what->raised : what->cleared,
			event->raised ? what->raised_len : what->cleared_len);
	all = all && snmp_pdu_add_variable(pdu, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID,
			name, length * sizeof(*name)) != NULL;
	for (uint32_t i = 0; all && i < what->num_binds; i++)
		all = add_object(&pdu->variables, &what->binds[i], scope, place, &values, zero_ns);
	if (all)
		return ctr_agentx_send(pdu, on_taken, NULL);
	snmp_free_pdu(pdu);
	return false;
}

int
ctr_agentx_notify(const struct ctr_event *event, void *context)
{
	struct ctr_agentx_state *state = (struct ctr_agentx_state *)context;
	const struct ctr_agentx_notification *what = NULL;
	struct ctr_agentx_place place;
	int rc;

	for (unsigned int i = 0; i < state->num_modules && what == NULL; i++)
		if (state->modules[i]->module == event->module)
			what = &state->modules[i]->notifications[event->number];
	rc = what != NULL ? find_place(what, event, &place) : -ENOENT;
	if (rc != 0)
		return rc;
	if (!is_ready())
		return -EAGAIN;
	ctr_agentx_follow_uptime(state);
	return give(what, event, &place, state->zero_ns) ? 0 : -EAGAIN;
}
