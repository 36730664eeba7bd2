/* SPDX-License-Identifier: BSD-3-Clause */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>
#include <net-snmp/library/large_fd_set.h>

#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_claims.h"
#include "ctr_agentx_notify.h"
#include "ctr_agentx_session.h"

/* An index function of the application. */
struct mapping {
	struct mapping *next;
	const struct ctr_scope *scope;
	ctr_agentx_map_fn map;
};

static struct {
	bool open;                /* between _open() and _close() */
	struct ctr_agentx_state state;
	struct ctr_agentx_served *served;
	unsigned int num_served;
	struct mapping *mappings;
	const char *socket;       /* of the master */
	uint32_t most;            /* notifications in a second */
} agent = { .most = CTR_WATCH_MOST };

/* Parts of libnetsnmpagent that no installed header declares. */
extern int callback_master_num;
extern netsnmp_session *agentx_callback_sess;
int subagent_startup(int major, int minor, void *data, void *unused);
int handle_subagent_response(int op, netsnmp_session *session, int reqid, netsnmp_pdu *pdu,
		void *magic);

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
	if (agent.open)
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
	__atomic_fetch_add(&agent.state.changes, 1, __ATOMIC_RELAXED);
}

int
ctr_agentx_limit(uint32_t most)
{
	if (agent.open)
		return -EBUSY;
	agent.most = most;
	return 0;
}

/* The source of a group; all groups of a scope share it. */
static struct ctr_agentx_source *
find_source(const struct ctr_module *module, const struct ctr_scope *scope,
		const struct ctr_agentx_index *index)
{
	struct ctr_agentx_sources *sources = &agent.state.sources;
	struct ctr_agentx_source *source;
	uint32_t i;

	for (i = 0; i < sources->num; i++) {
		if (sources->source[i].scope == scope)
			return &sources->source[i];
	}
	source = &sources->source[sources->num];
	source->module = module;
	source->scope = scope;
	source->index = *index;
	source->total = 1;
	for (i = 0; i < scope->num_indexes; i++)
		source->total *= scope->index_maxima[i];
	if (ctr_discontinuity_open(module, scope, &source->discontinuity_ns) != 0)
		return NULL;
	sources->num++;
	return source;
}

static int
serve(const struct ctr_module *module, const struct ctr_agentx_group *group)
{
	const struct ctr_scope *scope = &module->scopes[group->scope];
	struct ctr_agentx_served *served = &agent.served[agent.num_served];
	ctr_agentx_map_fn map = find_map(scope);
	struct ctr_agentx_source *source;
	struct ctr_agentx_index index;
	oid name[MAX_OID_LEN];
	uint32_t i;

	if (scope->read == NULL || group->oid_len + 2 > MAX_OID_LEN ||
	    ctr_agentx_index_init(&index, module, group->scope, group->base, group->own) != 0)
		return -EINVAL;
	if (map == NULL && group->own == 0)
		map = find_map(index.base);
	if (group->mapped && map == NULL)
		return 0; /* nobody knows its indexes */
	source = find_source(module, scope, &index);
	if (source == NULL)
		return -ENOMEM;
	served->state = &agent.state;
	served->group = group;
	ctr_agentx_rows_init(&served->rows, source, group->cap, map);
	agent.num_served++;
	for (i = 0; i < group->oid_len; i++)
		name[i] = group->oid[i];
	if (group->alone)
		name[i++] = group->objects[0].number;
	served->registration = netsnmp_create_handler_registration(scope->name, ctr_agentx_handle,
			name, i, HANDLER_CAN_RONLY);
	if (served->registration == NULL)
		return -ENOMEM;
	served->registration->my_reg_void = served;
	if (netsnmp_register_handler(served->registration) != MIB_REGISTERED_OK) {
		served->registration = NULL;
		return -EIO;
	}
	return 0;
}

/* The library must not load MIB modules: most of them are not installed. */
static void
no_modules(void)
{
	(void)setenv("MIBS", "", 0);
}

static int
set_up(const char *socket)
{
	netsnmp_session unused;

	snmp_sess_init(&unused); /* makes the defaults that are changed here */
	/* The library must load no configuration, and must not log an error every second. */
	netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID,
			NETSNMP_DS_AGENT_NO_CONNECTION_WARNINGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_ROLE, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DISABLE_PERSISTENT_LOAD, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DISABLE_PERSISTENT_SAVE, 1);
	if (socket != NULL)
		netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, socket);
	if (init_agent(CTR_AGENTX_NAME) != 0)
		return -EIO;
	/* The session with the master is the agent's own: ctr_agentx_session.c. */
	(void)snmp_unregister_callback(SNMP_CALLBACK_LIBRARY, SNMP_CALLBACK_POST_READ_CONFIG,
			subagent_startup, NULL, 1);
	/* The library makes it only once. */
	if (agentx_callback_sess == NULL)
		agentx_callback_sess = netsnmp_callback_open(callback_master_num,
				handle_subagent_response, NULL, NULL);
	return agentx_callback_sess != NULL ? 0 : -EIO;
}

/* Connect, register, and log what has changed. */
static void
step(void)
{
	const uint64_t now = ctr_time_ns();

	ctr_agentx_session_tick(now);
	ctr_agentx_claims_tick(now, agent.socket != NULL ? agent.socket : "the default socket");
}

/* Connect for the first time. */
static int
begin_agent(void)
{
	int rc = ctr_agentx_claims_init(agent.served, agent.num_served);

	if (rc != 0)
		return rc;
	init_snmp(CTR_AGENTX_NAME);
	agent.socket = netsnmp_ds_get_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET);
	ctr_agentx_session_init(agent.socket);
	step();
	return 0;
}

static void
release_agent(void)
{
	free(agent.served);
	free(agent.state.sources.source);
	agent.served = NULL;
	agent.num_served = 0;
	memset(&agent.state.sources, 0, sizeof(agent.state.sources));
	memset(&agent.state.bursts, 0, sizeof(agent.state.bursts));
	agent.state.zero_ns = 0;
	agent.socket = NULL;
	agent.open = false;
}

static void
tear_down(void)
{
	unsigned int i;

	ctr_agentx_session_fini();
	ctr_agentx_claims_fini();
	for (i = 0; i < agent.num_served; i++) {
		if (agent.served[i].registration != NULL)
			(void)netsnmp_unregister_handler(agent.served[i].registration);
	}
	snmp_shutdown(CTR_AGENTX_NAME);
	shutdown_agent();
	agentx_callback_sess = NULL; /* snmp_shutdown() has closed it */
	ctr_agentx_notify_close();
	for (i = 0; i < agent.num_served; i++)
		ctr_agentx_rows_fini(&agent.served[i].rows);
	for (i = 0; i < agent.state.sources.num; i++) {
		ctr_discontinuity_close(agent.state.sources.source[i].module,
					agent.state.sources.source[i].scope,
					&agent.state.sources.source[i].discontinuity_ns);
		ctr_agentx_source_fini(&agent.state.sources.source[i]);
	}
	release_agent();
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
	if (groups == 0)
		groups = 1;
	agent.served = (struct ctr_agentx_served *)calloc(groups, sizeof(*agent.served));
	agent.state.sources.source = (struct ctr_agentx_source *)calloc(groups,
			sizeof(*agent.state.sources.source));
	if (agent.served == NULL || agent.state.sources.source == NULL) {
		release_agent();
		return -ENOMEM;
	}
	agent.open = true;
	no_modules();
	rc = set_up(socket);
	for (i = 0; i < count; i++) {
		for (j = 0; rc == 0 && j < modules[i]->num_groups; j++)
			rc = serve(modules[i]->module, &modules[i]->groups[j]);
	}
	ctr_agentx_choose_small(&agent.state.sources);
	if (rc == 0)
		rc = ctr_agentx_notify_open(modules, count, &agent.state, find_map, agent.most);
	if (rc == 0)
		rc = begin_agent();
	if (rc != 0)
		tear_down();
	return rc;
}

int
ctr_agentx_poll(unsigned int timeout_ms)
{
	const unsigned int wait_ms = ctr_agentx_notify_wait(timeout_ms);
	struct timeval wait = { (time_t)(wait_ms / 1000),
			(suseconds_t)(wait_ms % 1000) * 1000 };
	netsnmp_large_fd_set fds;
	int num = 0, block = 0, ready;

	if (!agent.open)
		return -EINVAL;
	step();
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
	step();
	ctr_agentx_notify_run();
	netsnmp_large_fd_set_cleanup(&fds);
	return 0;
}

void
ctr_agentx_close(void)
{
	if (agent.open)
		tear_down();
}
