/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"
#include "ctr_fork.h"

#include <stdlib.h>

#include <net-snmp/library/large_fd_set.h>

/* The interval at which the agent's thread checks whether it must stop. */
#define WAIT_MS 200

static struct {
	struct ctr_agentx_state state;
	struct ctr_agentx_served *served; /* NULL but between _open() and _close() */
	unsigned int num_served;
	const char *socket;       /* of the master */
	uint32_t most;            /* notifications in a second */
	struct ctr_port_control thread;
	bool runs;                /* between _start() and _stop() */
	bool stop;                /* atomic: the thread is to end */
} agent = { .most = CTR_WATCH_MOST };

/* Parts of libnetsnmpagent that no installed header declares. */
extern int callback_master_num;
extern netsnmp_session *agentx_callback_sess;
int subagent_startup(int major, int minor, void *data, void *unused);
int handle_subagent_response(int op, netsnmp_session *session, int reqid, netsnmp_pdu *pdu,
		void *magic);

int
ctr_agentx_map(const struct ctr_module *module, const char *scope, ctr_agentx_map_fn map)
{
	const struct ctr_scope *found;

	if (module == NULL || scope == NULL || map == NULL)
		return -EINVAL;
	if (agent.served != NULL)
		return -EBUSY;
	found = ctr_scope_find(module, scope);
	if (found == NULL || found->read == NULL || found->num_indexes == 0)
		return -EINVAL;
	return ctr_agentx_index_map(found, map);
}

void
ctr_agentx_changed(void)
{
	__atomic_fetch_add(&agent.state.changes, 1, __ATOMIC_RELAXED);
}

int
ctr_agentx_limit(uint32_t most)
{
	if (agent.served != NULL)
		return -EBUSY;
	agent.most = most;
	return 0;
}

void
ctr_agentx_notified(struct ctr_watch_totals *totals)
{
	ctr_watch_totals(agent.state.watch, totals);
}

/* The source of a group; all groups of a scope share it. */
static struct ctr_agentx_source *
find_source(const struct ctr_module *module, const struct ctr_agentx_index *index)
{
	struct ctr_agentx_state *state = &agent.state;
	struct ctr_agentx_source *source = state->source;

	for (; source < state->source + state->num_sources; source++)
		if (source->scope == index->scope)
			return source;
	source->module = module;
	source->scope = index->scope;
	source->index = *index;
	if (ctr_discontinuity_open(module, index->scope, &source->discontinuity_ns) != 0)
		return NULL;
	state->num_sources++;
	return source;
}

static int
serve(const struct ctr_module *module, const struct ctr_agentx_group *group)
{
	struct ctr_agentx_served *served = &agent.served[agent.num_served];
	ctr_agentx_map_fn map;
	struct ctr_agentx_source *source;
	struct ctr_agentx_index index;
	oid name[MAX_OID_LEN];
	size_t length = 0;

	if (ctr_agentx_index_init(&index, &map, module, group->scope, group->base, group->own,
			group->mapped) != 0)
		return 0; /* its indexes are unknown */
	source = find_source(module, &index);
	if (source == NULL)
		return -ENOMEM;
	served->state = &agent.state;
	served->group = group;
	ctr_agentx_rows_init(&served->rows, source, group->cap, map);
	agent.num_served++;
	if (!ctr_agentx_append(name, &length, group->oid, group->oid_len) ||
	    !ctr_agentx_append(name, &length, &group->objects[0].number, group->alone ? 1 : 0))
		return -EINVAL;
	served->registration = netsnmp_create_handler_registration(source->scope->name,
			ctr_agentx_handle, name, length, HANDLER_CAN_RONLY);
	if (served->registration == NULL)
		return -ENOMEM;
	served->registration->my_reg_void = served;
	if (netsnmp_register_handler(served->registration) != MIB_REGISTERED_OK) {
		served->registration = NULL;
		return -EIO;
	}
	return 0;
}

static int
set_up(const char *socket)
{
	netsnmp_session unused;

	(void)setenv("MIBS", "", 0); /* most modules are not installed */
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

	ctr_agentx_session_tick(now, agent.socket);
	ctr_agentx_claims_tick(now, agent.socket != NULL ? agent.socket : "the default socket");
}

static void
tear_down(void)
{
	struct ctr_agentx_source *source;

	ctr_agentx_session_fini();
	ctr_agentx_claims_fini();
	for (unsigned int i = 0; i < agent.num_served; i++)
		if (agent.served[i].registration != NULL)
			(void)netsnmp_unregister_handler(agent.served[i].registration);
	snmp_shutdown(CTR_AGENTX_NAME);
	shutdown_agent();
	agentx_callback_sess = NULL; /* snmp_shutdown() has closed it */
	for (unsigned int i = 0; i < agent.num_served; i++)
		ctr_agentx_rows_fini(&agent.served[i].rows);
	for (source = agent.state.source; source < agent.state.source + agent.state.num_sources;
	     source++) {
		ctr_discontinuity_close(source->module, source->scope, &source->discontinuity_ns);
		ctr_agentx_source_fini(source);
	}
	ctr_watch_close(agent.state.watch);
	free(agent.state.modules);
	free(agent.served);
	free(agent.state.source);
	agent.served = NULL;
	agent.num_served = 0;
	memset(&agent.state, 0, offsetof(struct ctr_agentx_state, changes));
}

/* Begin to evaluate notifications: after their sources are made. */
static int
open_watch(const struct ctr_agentx_module *const *modules, unsigned int count)
{
	struct ctr_agentx_state *state = &agent.state;
	const struct ctr_module **watched = calloc(count, sizeof(void *));
	int rc = -ENOMEM;

	state->modules = calloc(count, sizeof(void *));
	if (watched != NULL && state->modules != NULL) {
		for (; state->num_modules < count; state->num_modules++) {
			state->modules[state->num_modules] = modules[state->num_modules];
			watched[state->num_modules] = modules[state->num_modules]->module;
		}
		rc = ctr_watch_open(&state->watch, watched, count, ctr_agentx_notify, state);
	}
	free(watched);
	return rc != 0 ? rc : ctr_watch_limit(state->watch, agent.most);
}

int
ctr_agentx_open(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket)
{
	unsigned int groups = 1, i; /* there may be none */
	int rc;

	if (modules == NULL || count == 0)
		return -EINVAL;
	if (agent.served != NULL)
		return -EBUSY;
	for (i = 0; i < count; i++)
		groups += modules[i]->num_groups;
	agent.served = (struct ctr_agentx_served *)calloc(groups, sizeof(*agent.served));
	agent.state.source = calloc(groups, sizeof(*agent.state.source));
	rc = set_up(socket);
	if (agent.served == NULL || agent.state.source == NULL)
		rc = -ENOMEM;
	for (i = 0; i < count; i++)
		for (uint32_t j = 0; rc == 0 && j < modules[i]->num_groups; j++)
			rc = serve(modules[i]->module, &modules[i]->groups[j]);
	if (rc == 0)
		rc = open_watch(modules, count);
	if (rc == 0)
		rc = ctr_agentx_claims_init(agent.served, agent.num_served);
	if (rc == 0) {
		init_snmp(CTR_AGENTX_NAME);
		agent.socket = netsnmp_ds_get_string(NETSNMP_DS_APPLICATION_ID,
				NETSNMP_DS_AGENT_X_SOCKET);
	} else {
		tear_down();
	}
	return rc;
}

int
ctr_agentx_poll(unsigned int timeout_ms)
{
	const uint32_t due_ms = ctr_watch_due(agent.state.watch);
	const unsigned int wait_ms = due_ms < timeout_ms ? due_ms : timeout_ms;
	struct timeval wait = { (time_t)(wait_ms / 1000), (suseconds_t)(wait_ms % 1000) * 1000 };
	netsnmp_large_fd_set fds;
	int num = 0, block = 0, ready;

	if (agent.served == NULL)
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
	(void)ctr_watch_run(agent.state.watch);
	netsnmp_large_fd_set_cleanup(&fds);
	return 0;
}

void
ctr_agentx_close(void)
{
	if (agent.served != NULL)
		tear_down();
}

static void *
run_agent(void *unused)
{
	while (!__atomic_load_n(&agent.stop, __ATOMIC_RELAXED))
		(void)ctr_agentx_poll(WAIT_MS);
	ctr_agentx_close();
	return unused;
}

int
ctr_agentx_start(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket)
{
	int rc = ctr_agentx_open(modules, count, socket);

	if (rc != 0)
		return rc;
	__atomic_store_n(&agent.stop, false, __ATOMIC_RELAXED);
	agent.thread.run = run_agent;
	rc = ctr_port_control_start(&agent.thread, "ctr-agentx");
	agent.runs = rc == 0;
	if (rc != 0)
		ctr_agentx_close();
	return rc;
}

void
ctr_agentx_stop(void)
{
	if (!agent.runs)
		return;
	__atomic_store_n(&agent.stop, true, __ATOMIC_RELAXED);
	ctr_port_control_join(&agent.thread);
	agent.runs = false;
}
