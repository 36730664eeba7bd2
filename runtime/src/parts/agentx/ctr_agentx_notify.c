/* SPDX-License-Identifier: BSD-3-Clause */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <poll.h>
#include <stdlib.h>

#include "ctr.h"
#include "ctr_agentx_notify.h"
#include "ctr_agentx_session.h"

static struct {
	struct ctr_watch *watch;
	const struct ctr_agentx_module *const *modules;
	unsigned int count;
	struct ctr_agentx_state *state;
	ctr_agentx_find_map_fn find_map;
} notify;

static const oid trap_oid[] = { 1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0 };

/* Whether the master takes a message without making the agent wait. A master that hangs reads
 * nothing, so that its socket fills up.
 */
static bool
is_ready(void)
{
	const struct ctr_agentx_master *master = ctr_agentx_session();
	const netsnmp_transport *transport;
	struct pollfd pollfd = { -1, POLLOUT, 0 };
	void *session;

	if (!master->open)
		return false;
	session = snmp_sess_pointer(master->session);
	transport = session != NULL ? snmp_sess_transport(session) : NULL;
	if (transport == NULL)
		return false;
	pollfd.fd = transport->sock;
	return poll(&pollfd, 1, 0) == 1 && (pollfd.revents & POLLOUT) != 0;
}

/* The index of an instance in its table. 0; -EAGAIN when it has no row now; -ENOENT when nobody
 * knows it.
 */
static int
find_place(const struct ctr_agentx_notification *what, const struct ctr_event *event,
		struct ctr_agentx_place *place)
{
	const uint32_t scope = event->notification->scope;
	ctr_agentx_map_fn map = notify.find_map(&event->module->scopes[scope]);
	struct ctr_agentx_index index;
	int length = 1;

	memset(place, 0, sizeof(*place)); /* the index of a scalar is a 0 */
	place->at = event->at;
	if (ctr_agentx_index_init(&index, event->module, scope, what->base, what->own) != 0)
		return -ENOENT;
	if (map == NULL && what->own == 0)
		map = notify.find_map(index.base);
	if (map == NULL && what->mapped)
		return -ENOENT;
	if (map != NULL)
		length = map(event->index, place->suffix);
	else if (index.levels != 0)
		length = ctr_agentx_index_suffix(&index, event->at, place->suffix, NULL);
	if (length <= 0 || length > CTR_AGENTX_INDEX_MAX)
		return map != NULL ? -ENOENT : -EAGAIN;
	place->length = (uint32_t)length;
	return 0;
}

/* Add the object of an instance, with its value. */
static bool
add_object(netsnmp_variable_list **vars, const struct ctr_agentx_bind *bind,
		const struct ctr_agentx_source *source, const struct ctr_agentx_place *place,
		const struct ctr_agentx_values *values)
{
	const struct ctr_agentx_object object = { 0, bind->item, bind->syntax };
	netsnmp_variable_list *made;
	oid name[MAX_OID_LEN];
	uint32_t i, j;

	if (!ctr_agentx_has(source, &object, values))
		return true; /* never set, or not available: there is no value to send */
	if (bind->oid_len + place->length > MAX_OID_LEN)
		return false;
	for (i = 0; i < bind->oid_len; i++)
		name[i] = bind->oid[i];
	for (j = 0; j < place->length; j++)
		name[i++] = place->suffix[j];
	made = snmp_varlist_add_variable(vars, name, i, ASN_NULL, NULL, 0);
	if (made == NULL)
		return false;
	ctr_agentx_put(made, source, &object, place, values, notify.state->zero_ns);
	return true;
}

/* The message: what it is, and the objects that it carries. NULL without memory. */
static netsnmp_variable_list *
make_message(const struct ctr_agentx_notification *what, const struct ctr_event *event,
		const struct ctr_agentx_place *place)
{
	const uint32_t *id = event->raised ? what->raised : what->cleared;
	const uint32_t id_len = event->raised ? what->raised_len : what->cleared_len;
	const struct ctr_agentx_values values = { (const uint8_t *)event->values, 0, 0 };
	struct ctr_agentx_source source;
	netsnmp_variable_list *vars = NULL;
	oid name[MAX_OID_LEN];
	bool all;
	uint32_t i;

	memset(&source, 0, sizeof(source));
	source.module = event->module;
	source.scope = &event->module->scopes[event->notification->scope];
	for (i = 0; i < id_len && i < MAX_OID_LEN; i++)
		name[i] = id[i];
	all = snmp_varlist_add_variable(&vars, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, name,
			      i * sizeof(*name)) != NULL;
	for (i = 0; all && i < what->num_binds; i++)
		all = add_object(&vars, &what->binds[i], &source, place, &values);
	if (all)
		return vars;
	snmp_free_varbind(vars);
	return NULL;
}

/* The master has taken a message, or not: there is nothing to do about it. */
static int
on_taken(int operation, netsnmp_session *session, int id, netsnmp_pdu *pdu, void *unused)
{
	(void)operation;
	(void)session;
	(void)id;
	(void)pdu;
	(void)unused;
	return 1;
}

/* Give a message to the master, without waiting. Not by send_v2trap(): that also makes an SNMPv1
 * trap, and logs that it cannot where there is a Counter64.
 */
static bool
give(netsnmp_variable_list *vars)
{
	netsnmp_pdu *pdu = ctr_agentx_pdu(CTR_AGENTX_PDU_NOTIFY);

	if (pdu == NULL) {
		snmp_free_varbind(vars);
		return false;
	}
	pdu->variables = vars;
	return ctr_agentx_send(pdu, on_taken, NULL);
}

/* Send a notification: told, later, or never as nobody knows the row. */
static int
send_event(const struct ctr_event *event, void *unused)
{
	const struct ctr_agentx_notification *what = NULL;
	struct ctr_agentx_place place;
	netsnmp_variable_list *vars;
	unsigned int i;
	int rc;

	(void)unused;
	for (i = 0; i < notify.count && what == NULL; i++) {
		if (notify.modules[i]->module == event->module)
			what = &notify.modules[i]->notifications[event->number];
	}
	rc = what != NULL ? find_place(what, event, &place) : -ENOENT;
	if (rc != 0)
		return rc;
	if (!is_ready())
		return -EAGAIN;
	ctr_agentx_follow_uptime(notify.state);
	vars = make_message(what, event, &place);
	return vars != NULL && give(vars) ? 0 : -EAGAIN;
}

int
ctr_agentx_notify_open(const struct ctr_agentx_module *const *modules, unsigned int count,
		struct ctr_agentx_state *state, ctr_agentx_find_map_fn find, uint32_t most)
{
	const struct ctr_module **watched;
	unsigned int num = 0, i;
	int rc;

	watched = (const struct ctr_module **)calloc(count, sizeof(void *));
	notify.modules = (const struct ctr_agentx_module *const *)calloc(count, sizeof(void *));
	if (watched == NULL || notify.modules == NULL) {
		free(watched);
		ctr_agentx_notify_close();
		return -ENOMEM;
	}
	memcpy((void *)notify.modules, modules, count * sizeof(void *));
	for (i = 0; i < count; i++) {
		if (modules[i]->notifications != NULL)
			watched[num++] = modules[i]->module;
	}
	notify.count = count;
	notify.state = state;
	notify.find_map = find;
	rc = ctr_watch_open(&notify.watch, watched, num, send_event, NULL);
	free(watched);
	if (rc == 0)
		rc = ctr_watch_limit(notify.watch, most);
	if (rc != 0)
		ctr_agentx_notify_close();
	return rc;
}

unsigned int
ctr_agentx_notify_wait(unsigned int timeout_ms)
{
	const uint32_t due = ctr_watch_due(notify.watch);

	return due < timeout_ms ? due : timeout_ms;
}

void
ctr_agentx_notify_run(void)
{
	(void)ctr_watch_run(notify.watch);
}

void
ctr_agentx_notified(struct ctr_watch_totals *totals)
{
	ctr_watch_totals(notify.watch, totals);
}

void
ctr_agentx_notify_close(void)
{
	ctr_watch_close(notify.watch);
	free((void *)notify.modules);
	memset(&notify, 0, sizeof(notify));
}
