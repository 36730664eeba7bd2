/* SPDX-License-Identifier: BSD-3-Clause */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>
#include <net-snmp/library/large_fd_set.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_rows.h"

#define NAME "ctrgen"

/* Values read for one request are its own for no longer than this. */
#define REQUEST_NS UINT64_C(1000000000)

/* How far the agent's and the master's clock may be apart, in hundredths of a second. */
#define SLACK_TICKS 3

/* How long the thread waits before it looks whether it is to stop. */
#define WAIT_MS 200

/* A registered group. */
struct served {
	const struct ctr_agentx_group *group;
	const struct ctr_module *module;
	netsnmp_handler_registration *registration;
	struct ctr_agentx_rows rows;
};

/* An index function of the application. */
struct mapping {
	struct mapping *next;
	const struct ctr_scope *scope;
	ctr_agentx_map_fn map;
};

static struct {
	bool open;                /* between _open() and _close() */
	struct served *served;
	unsigned int num_served;
	struct mapping *mappings;
	unsigned int changes;     /* atomic: calls of ctr_agentx_changed() */
	uint64_t request;         /* number of the request that is being answered */
	int64_t transaction;      /* the master's number of that request */
	uint64_t started_ns;      /* when it came */
	uint64_t zero_ns;         /* ctr_time_ns() when the master's sysUpTime was 0 */
	pthread_t thread;
	bool threaded;            /* there is a thread */
	bool stop;                /* atomic: it is to end */
} agent;

/* ---- values ---- */

/* A number as the value struct holds it; a negative one as its two's complement. */
static uint64_t
number(const struct ctr_item *item, const uint8_t *value)
{
	uint64_t wide;
	uint32_t narrow;
	int32_t negative;

	switch (item->type) {
	case CTR_U64:
		memcpy(&wide, value + item->offset, sizeof(wide));
		return wide;
	case CTR_BOOL:
		return value[item->offset] != 0;
	case CTR_I32:
	case CTR_ENUM:
		memcpy(&negative, value + item->offset, sizeof(negative));
		return (uint64_t)(int64_t)negative;
	default:
		memcpy(&narrow, value + item->offset, sizeof(narrow));
		return narrow;
	}
}

static long
clamped(const struct ctr_item *item, uint64_t n)
{
	if (item->type == CTR_I32 || item->type == CTR_ENUM)
		return (long)(int64_t)n;
	return n > INT32_MAX ? INT32_MAX : (long)n;
}

/* sysUpTime when an instance jumped; 0 when that was before the master started. */
static u_long
jump_ticks(const struct served *served, uint32_t at)
{
	const u_long now = netsnmp_get_agent_uptime();
	uint64_t when = 0;
	u_long ticks;

	if (served->rows.jumps != NULL)
		when = __atomic_load_n(&served->rows.jumps[at], __ATOMIC_RELAXED);
	if (when <= agent.zero_ns)
		return 0;
	ticks = (u_long)((when - agent.zero_ns) / 10000000u) & 0xffffffffu;
	return ticks > now && ticks - now <= SLACK_TICKS ? now : ticks;
}

static void
put_octets(netsnmp_variable_list *vb, const struct ctr_item *item, const uint8_t *value)
{
	const char *text = (const char *)value + item->offset;
	size_t length = item->type == CTR_STRING ? strnlen(text, item->size) : item->size;

	snmp_set_var_typed_value(vb, ASN_OCTET_STR, text, length);
}

static void
put(netsnmp_variable_list *vb, const struct served *served, const struct ctr_agentx_object *object,
		uint32_t at, const uint8_t *value)
{
	const struct ctr_item *item = &served->rows.scope->items[object->item];
	struct counter64 split;
	uint64_t n;

	switch (object->syntax) {
	case CTR_AGENTX_JUMP:
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS, (long)jump_ticks(served, at));
		return;
	case CTR_AGENTX_IPV6:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, 2);
		return;
	case CTR_AGENTX_OCTETS:
		put_octets(vb, item, value);
		return;
	case CTR_AGENTX_IPADDRESS:
		snmp_set_var_typed_value(vb, ASN_IPADDRESS, value + item->offset, 4);
		return;
	default:
		break;
	}
	n = number(item, value);
	switch (object->syntax) {
	case CTR_AGENTX_TRUTH:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, n != 0 ? 1 : 2);
		break;
	case CTR_AGENTX_COUNTER32:
		snmp_set_var_typed_integer(vb, ASN_COUNTER, (long)(n & 0xffffffffu));
		break;
	case CTR_AGENTX_COUNTER64:
		split.high = (u_long)(n >> 32);
		split.low = (u_long)(n & 0xffffffffu);
		snmp_set_var_typed_value(vb, ASN_COUNTER64, &split, sizeof(split));
		break;
	case CTR_AGENTX_GAUGE32:
		snmp_set_var_typed_integer(vb, ASN_GAUGE, (long)(n > UINT32_MAX ? UINT32_MAX : n));
		break;
	case CTR_AGENTX_TICKS:
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS, (long)(n & 0xffffffffu));
		break;
	default:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, clamped(item, n));
		break;
	}
}

/* ---- requests ---- */

/* Copy what of a name is below the group. Net-snmp 5.9 extends the sign of
 * sub-identifiers, hence the mask. Returns -1, 0 or 1 for a name before the
 * group, of the group, or behind it.
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
get(struct served *served, netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	const struct ctr_agentx_group *group = served->group;
	uint32_t rest[MAX_OID_LEN], length, object;
	struct ctr_agentx_place place;
	const uint8_t *value;

	if (below(group, request->requestvb, rest, &length) != 0 || length == 0)
		goto no_object;
	object = first_object(group, rest[0]);
	if (object == group->num_objects || group->objects[object].number != rest[0])
		goto no_object;
	if (length > 1 &&
	    ctr_agentx_rows_next(&served->rows, rest + 1, length - 1, true, &place) &&
	    place.length == length - 1 &&
	    memcmp(place.suffix, rest + 1, place.length * sizeof(*rest)) == 0) {
		value = ctr_agentx_rows_read(&served->rows, place.at, agent.request);
		if (value != NULL) {
			put(request->requestvb, served, &group->objects[object], place.at, value);
			return;
		}
	}
	netsnmp_set_request_error(info, request, SNMP_NOSUCHINSTANCE);
	return;
no_object:
	netsnmp_set_request_error(info, request, SNMP_NOSUCHOBJECT);
}

static void
get_next(struct served *served, netsnmp_request_info *request)
{
	const struct ctr_agentx_group *group = served->group;
	bool inclusive = request->inclusive != 0;
	uint32_t rest[MAX_OID_LEN], length, object = 0, i;
	const uint32_t *key = rest;
	struct ctr_agentx_place place;
	const uint8_t *value = NULL;
	oid name[MAX_OID_LEN];
	int order;

	order = below(group, request->requestvb, rest, &length);
	if (order > 0)
		return;
	if (order < 0)
		length = 0;
	if (length != 0)
		object = first_object(group, rest[0]);
	/* Where the first column goes on; the others start anew. */
	if (length > 1 && object < group->num_objects && group->objects[object].number == rest[0]) {
		key = rest + 1;
		length--;
	} else {
		length = 0;
	}
	while (object < group->num_objects) {
		if (!ctr_agentx_rows_next(&served->rows, key, length, inclusive, &place)) {
			object++;
			length = 0;
			continue;
		}
		value = ctr_agentx_rows_read(&served->rows, place.at, agent.request);
		if (value != NULL)
			break;
		/* It went in the meantime. */
		memcpy(rest, place.suffix, place.length * sizeof(*rest));
		key = rest;
		length = place.length;
		inclusive = false;
	}
	if (value == NULL || group->oid_len + 1 + place.length > MAX_OID_LEN)
		return;
	for (i = 0; i < group->oid_len; i++)
		name[i] = group->oid[i];
	name[i++] = group->objects[object].number;
	memcpy(rest, place.suffix, place.length * sizeof(*rest));
	for (length = 0; length < place.length; length++)
		name[i++] = rest[length];
	snmp_set_var_objid(request->requestvb, name, i);
	put(request->requestvb, served, &group->objects[object], place.at, value);
}

/* What belongs to one request of a manager is answered with values of one moment:
 * the master gives all that it asks for it the same transaction.
 */
static void
begin_request(const netsnmp_agent_request_info *info)
{
	const netsnmp_pdu *pdu = info->asp != NULL ? info->asp->pdu : NULL;
	int64_t transaction = pdu != NULL ? (int64_t)pdu->transid : -1;
	uint64_t now = ctr_time_ns();
	uint64_t zero = now - (uint64_t)netsnmp_get_agent_uptime() * 10000000u;
	uint64_t apart = zero > agent.zero_ns ? zero - agent.zero_ns : agent.zero_ns - zero;

	if (apart > SLACK_TICKS * UINT64_C(10000000))
		agent.zero_ns = zero;
	if (transaction >= 0 && transaction == agent.transaction &&
	    now - agent.started_ns < REQUEST_NS)
		return;
	agent.transaction = transaction;
	agent.started_ns = now;
	agent.request++;
}

static int
handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
		netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	struct served *served = (struct served *)registration->my_reg_void;

	(void)handler;
	begin_request(info);
	ctr_agentx_rows_refresh(&served->rows, __atomic_load_n(&agent.changes, __ATOMIC_RELAXED));
	for (; request != NULL; request = request->next) {
		if (request->processed)
			continue;
		if (info->mode == MODE_GET)
			get(served, info, request);
		else if (info->mode == MODE_GETNEXT)
			get_next(served, request);
		else
			netsnmp_set_request_error(info, request, SNMP_ERR_NOTWRITABLE);
	}
	return SNMP_ERR_NOERROR;
}

/* ---- life ---- */

static const struct ctr_scope *
find_scope(const struct ctr_module *module, const char *name)
{
	unsigned int i;

	for (i = 0; i < module->num_scopes; i++) {
		if (strcmp(module->scopes[i].name, name) == 0 && module->scopes[i].read != NULL)
			return &module->scopes[i];
	}
	return NULL;
}

static ctr_agentx_map_fn
find_map(const struct ctr_scope *scope)
{
	const struct mapping *mapping;

	for (mapping = agent.mappings; mapping != NULL; mapping = mapping->next) {
		if (mapping->scope == scope)
			return mapping->map;
	}
	return NULL;
}

int
ctr_agentx_map(const struct ctr_module *module, const char *scope, ctr_agentx_map_fn map)
{
	const struct ctr_scope *found;
	struct mapping *made;

	if (module == NULL || scope == NULL || map == NULL)
		return -EINVAL;
	if (agent.open || agent.threaded)
		return -EBUSY;
	found = find_scope(module, scope);
	if (found == NULL || found->num_indexes == 0 || found->num_indexes > CTR_AGENTX_LEVELS)
		return -EINVAL;
	made = (struct mapping *)malloc(sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	made->next = agent.mappings;
	made->scope = found;
	made->map = map;
	agent.mappings = made;
	return 0;
}

void
ctr_agentx_changed(void)
{
	__atomic_fetch_add(&agent.changes, 1, __ATOMIC_RELAXED);
}

/* Have the module note the moments of resets, or no longer. A scope can be in
 * more than one group: they share the table.
 */
static int
watch(struct served *served)
{
	const struct ctr_scope *scope = served->rows.scope;

	if (scope->jumps == NULL)
		return 0;
	served->module->read_lock();
	if (*scope->jumps == NULL)
		*scope->jumps = (uint64_t *)calloc(served->rows.total, sizeof(uint64_t));
	served->rows.jumps = *scope->jumps;
	served->module->read_unlock();
	return served->rows.jumps != NULL ? 0 : -ENOMEM;
}

static void
unwatch(struct served *served)
{
	const struct ctr_scope *scope = served->rows.scope;

	if (served->rows.jumps == NULL)
		return;
	served->module->read_lock();
	if (*scope->jumps != NULL) {
		free(*scope->jumps);
		*scope->jumps = NULL;
	}
	served->module->read_unlock();
	served->rows.jumps = NULL;
}

static int
serve(const struct ctr_module *module, const struct ctr_agentx_group *group)
{
	const struct ctr_scope *scope = &module->scopes[group->scope];
	struct served *served = &agent.served[agent.num_served];
	ctr_agentx_map_fn map = find_map(scope);
	oid name[MAX_OID_LEN];
	uint32_t i;
	int rc;

	if (scope->read == NULL || scope->num_indexes > CTR_AGENTX_LEVELS ||
	    group->oid_len + 2 > MAX_OID_LEN)
		return -EINVAL;
	if (group->mapped && map == NULL)
		return 0; /* nobody knows its indexes */
	served->group = group;
	served->module = module;
	rc = ctr_agentx_rows_init(&served->rows, scope, group->cap, map);
	if (rc != 0)
		return rc;
	agent.num_served++;
	rc = watch(served);
	if (rc != 0)
		return rc;
	for (i = 0; i < group->oid_len; i++)
		name[i] = group->oid[i];
	served->registration = netsnmp_create_handler_registration(scope->name, handle, name,
			group->oid_len, HANDLER_CAN_RONLY);
	if (served->registration == NULL)
		return -ENOMEM;
	served->registration->my_reg_void = served;
	if (netsnmp_register_handler(served->registration) != MIB_REGISTERED_OK) {
		served->registration = NULL;
		return -EIO;
	}
	return 0;
}

/* The library is to load no MIB modules, of which it would not find most. */
static void
no_modules(void)
{
	(void)setenv("MIBS", "", 0);
}

static int
set_up(const char *socket)
{
	/* The library is to load no configuration. */
	netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_ROLE, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DISABLE_PERSISTENT_LOAD, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DISABLE_PERSISTENT_SAVE, 1);
	if (socket != NULL)
		netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, socket);
	if (init_agent(NAME) != 0)
		return -EIO;
	/* Only now: init_agent() would put it back. It is what finds a new master soon. */
	netsnmp_ds_set_int(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_AGENTX_PING_INTERVAL, 1);
	return 0;
}

static void
tear_down(void)
{
	unsigned int i;

	for (i = 0; i < agent.num_served; i++) {
		if (agent.served[i].registration != NULL)
			(void)netsnmp_unregister_handler(agent.served[i].registration);
	}
	snmp_shutdown(NAME);
	shutdown_agent();
	for (i = 0; i < agent.num_served; i++) {
		unwatch(&agent.served[i]);
		ctr_agentx_rows_fini(&agent.served[i].rows);
	}
	free(agent.served);
	agent.served = NULL;
	agent.num_served = 0;
	agent.open = false;
}

int
ctr_agentx_open(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket)
{
	unsigned int groups = 0, i;
	uint32_t j;
	int rc;

	if (modules == NULL || count == 0)
		return -EINVAL;
	if (agent.open)
		return -EBUSY;
	for (i = 0; i < count; i++)
		groups += modules[i]->num_groups;
	agent.served = (struct served *)calloc(groups != 0 ? groups : 1, sizeof(*agent.served));
	if (agent.served == NULL)
		return -ENOMEM;
	agent.open = true;
	agent.request = 1;
	agent.transaction = -1;
	agent.zero_ns = 0;
	no_modules();
	rc = set_up(socket);
	for (i = 0; i < count; i++) {
		for (j = 0; rc == 0 && j < modules[i]->num_groups; j++)
			rc = serve(modules[i]->module, &modules[i]->groups[j]);
	}
	if (rc == 0)
		init_snmp(NAME);
	else
		tear_down();
	return rc;
}

int
ctr_agentx_poll(unsigned int timeout_ms)
{
	struct timeval wait = { (time_t)(timeout_ms / 1000), (suseconds_t)(timeout_ms % 1000) * 1000 };
	netsnmp_large_fd_set fds;
	int num = 0, block = 0, ready;

	if (!agent.open)
		return -EINVAL;
	netsnmp_large_fd_set_init(&fds, FD_SETSIZE);
	NETSNMP_LARGE_FD_ZERO(&fds);
	snmp_select_info2(&num, &fds, &wait, &block); /* shortens the wait to the next alarm */
	ready = netsnmp_large_fd_set_select(num, &fds, NULL, NULL, &wait);
	if (ready > 0)
		snmp_read2(&fds);
	else if (ready == 0)
		snmp_timeout();
	run_alarms();
	netsnmp_check_outstanding_agent_requests();
	netsnmp_large_fd_set_cleanup(&fds);
	return 0;
}

void
ctr_agentx_close(void)
{
	if (agent.open)
		tear_down();
}

/* ---- a thread of its own ---- */

/* What the thread is told, and tells. */
struct start {
	const struct ctr_agentx_module *const *modules;
	unsigned int count;
	const char *socket;
	pthread_mutex_t mutex;
	pthread_cond_t done;
	bool known;
	int rc;
};

static void *
run(void *argument)
{
	struct start *start = (struct start *)argument;
	int rc = ctr_agentx_open(start->modules, start->count, start->socket);

	pthread_mutex_lock(&start->mutex);
	start->rc = rc;
	start->known = true;
	pthread_cond_signal(&start->done);
	pthread_mutex_unlock(&start->mutex);
	if (rc != 0)
		return NULL;
	while (!__atomic_load_n(&agent.stop, __ATOMIC_RELAXED))
		(void)ctr_agentx_poll(WAIT_MS);
	ctr_agentx_close();
	return NULL;
}

int
ctr_agentx_start(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket)
{
	struct start start = { modules, count, socket, PTHREAD_MUTEX_INITIALIZER,
			PTHREAD_COND_INITIALIZER, false, 0 };
	sigset_t all, former;
	int rc;

	if (agent.threaded || agent.open)
		return -EBUSY;
	no_modules(); /* the environment is not to change in another thread */
	__atomic_store_n(&agent.stop, false, __ATOMIC_RELAXED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	rc = pthread_create(&agent.thread, NULL, run, &start);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (rc != 0)
		return -rc;
	pthread_mutex_lock(&start.mutex);
	while (!start.known)
		pthread_cond_wait(&start.done, &start.mutex);
	pthread_mutex_unlock(&start.mutex);
	if (start.rc != 0)
		pthread_join(agent.thread, NULL);
	else
		agent.threaded = true;
	return start.rc;
}

void
ctr_agentx_stop(void)
{
	if (!agent.threaded)
		return;
	__atomic_store_n(&agent.stop, true, __ATOMIC_RELAXED);
	pthread_join(agent.thread, NULL);
	agent.threaded = false;
}
