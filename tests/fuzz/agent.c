/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * The agent's answers to requests of managers: any OIDs, in any order, while instances
 * come and go. What GETNEXT names is behind what was asked, inside the group, and there
 * for a GET of the same request.
 */
#include "ctr_agentx_private.h"

#include <stdlib.h>
#include <string.h>

#include "agx_stats_agentx.h"
#include "target.h"

#define GROUPS 8u
#define NAMES 4u
#define PEER "peer"

/* A group as ctr_agentx.c has it when it is registered. */
struct place {
	netsnmp_handler_registration registration;
	struct ctr_agentx_served served;
};

static struct ctr_agentx_state state;
static struct place places[GROUPS];

/* Indexes of an application: two sub-identifiers, in another order; some have none. */
static int
map(const uint32_t *index, uint32_t *suffix)
{
	if (index[0] % 5 == 4)
		return -1;
	suffix[0] = 3 - index[0] % 3;
	suffix[1] = index[0] * 7 % 300;
	return 2;
}

static void
begin(void)
{
	const struct ctr_agentx_module *shown = &agx_stats_agentx;
	ctr_agentx_map_fn unused;
	uint32_t i;

	expect(agx_stats_init() == 0 && shown->num_groups <= GROUPS);
	memset(&state, 0, sizeof(state));
	state.source = (struct ctr_agentx_source *)calloc(GROUPS, sizeof(*state.source));
	expect(state.source != NULL);
	state.num_sources = shown->num_groups;
	for (i = 0; i < shown->num_groups; i++) {
		struct ctr_agentx_source *source = &state.source[i];
		const struct ctr_agentx_group *group = &shown->groups[i];

		source->module = shown->module;
		source->scope = &shown->module->scopes[group->scope];
		(void)ctr_agentx_index_init(&source->index, &unused, shown->module, group->scope,
				group->base, group->own, false);
		memset(&places[i], 0, sizeof(places[i]));
		places[i].served.state = &state;
		places[i].served.group = group;
		places[i].registration.my_reg_void = &places[i].served;
		ctr_agentx_rows_init(&places[i].served.rows, source, group->cap,
				strcmp(source->scope->name, PEER) == 0 ? map : NULL);
	}
}

static void
end(void)
{
	uint32_t i;

	for (i = 0; i < state.num_sources; i++) {
		ctr_agentx_rows_fini(&places[i].served.rows);
		ctr_agentx_source_fini(&state.source[i]);
	}
	free(state.source);
	agx_stats_fini();
}

/* An instance comes, goes or counts. */
static void
happen(struct input *in)
{
	const uint32_t what = take(in, 1), index = take(in, 2);

	switch (what % 8) {
	case 0:
		(void)agx_stats_flow_create(index);
		break;
	case 1:
		(void)agx_stats_peer_create(index);
		break;
	case 2:
		(void)agx_stats_few_create(index);
		break;
	case 3:
		(void)agx_stats_flow_destroy(index, NULL);
		(void)agx_stats_peer_destroy(index, NULL);
		break;
	case 4:
		(void)agx_stats_reset();
		break;
	case 5:
		agx_stats_add_wide((uint64_t)index << 40);
		break;
	case 6:
		state.changes++;
		break;
	default:
		(void)agx_stats_set_title((const char[]){ (char)index, (char)(index >> 8), 0 });
		break;
	}
}

/* A name: some of the group's, then anything. Returns its length. */
static size_t
take_name(struct input *in, const struct ctr_agentx_group *group, oid *name)
{
	size_t length = take(in, 1) % 32, i;

	if (length > group->oid_len || length < 8)
		length = group->oid_len;
	for (i = 0; i < length; i++)
		name[i] = group->oid[i];
	for (length = i + take(in, 1) % 8; i < length; i++) {
		const uint32_t how = take(in, 1);

		name[i] = how < 200 ? how : how == 255 ? (oid)(int32_t)take(in, 4) : take(in, 2);
	}
	return take(in, 1) == 0 ? MAX_OID_LEN : length;
}

static void
ask(struct place *place, int mode, long transaction, netsnmp_variable_list *names, bool inclusive)
{
	netsnmp_request_info request[NAMES];
	netsnmp_agent_request_info info;
	netsnmp_agent_session session;
	netsnmp_pdu pdu;
	unsigned int i = 0;

	memset(request, 0, sizeof(request));
	memset(&info, 0, sizeof(info));
	memset(&session, 0, sizeof(session));
	memset(&pdu, 0, sizeof(pdu));
	pdu.transid = transaction;
	session.pdu = &pdu;
	info.asp = &session;
	info.mode = mode;
	for (; names != NULL; names = names->next_variable, i++) {
		request[i].requestvb = names;
		request[i].inclusive = inclusive;
		request[i].next = names->next_variable != NULL ? &request[i + 1] : NULL;
	}
	expect(ctr_agentx_handle(NULL, &place->registration, &info, request) == SNMP_ERR_NOERROR);
}

/* What one GETNEXT found is there for a GET of the same request. */
static void
check(struct place *place, long transaction, const netsnmp_variable_list *found,
		const oid *asked, size_t length, bool inclusive)
{
	const struct ctr_agentx_group *group = place->served.group;
	netsnmp_variable_list *again = NULL;
	uint32_t i;
	int order;

	if (found->type == ASN_NULL)
		return;
	order = snmp_oid_compare(asked, length, found->name, found->name_length);
	expect(order < 0 || (order == 0 && inclusive));
	expect(found->name_length > group->oid_len + 1);
	for (i = 0; i < group->oid_len; i++)
		expect((uint32_t)found->name[i] == group->oid[i]);
	expect(snmp_varlist_add_variable(&again, found->name, found->name_length, ASN_NULL, NULL,
			0) != NULL);
	ask(place, MODE_GET, transaction, again, false);
	expect(again->type == found->type && again->val_len == found->val_len);
	expect(memcmp(again->val.string, found->val.string, found->val_len) == 0);
	snmp_free_varbind(again);
}

static void
request(struct input *in)
{
	static const int modes[] = { MODE_GETNEXT, MODE_GETNEXT, MODE_GET, MODE_SET_RESERVE1 };
	struct place *place = &places[take(in, 1) % state.num_sources];
	const uint32_t how = take(in, 1);
	const bool inclusive = (how & 4) != 0;
	const int mode = modes[how % 4];
	netsnmp_variable_list *names = NULL, *name;
	oid asked[NAMES][MAX_OID_LEN];
	size_t length[NAMES];
	unsigned int i, count = 1 + (how >> 3) % NAMES;
	long transaction = (long)(how >> 5);

	memset(asked, 0, sizeof(asked));
	for (i = 0; i < count; i++) {
		length[i] = take_name(in, place->served.group, asked[i]);
		expect(snmp_varlist_add_variable(&names, asked[i], length[i], ASN_NULL, NULL, 0) !=
		       NULL);
	}
	ask(place, mode, transaction, names, inclusive);
	for (name = names, i = 0; mode == MODE_GETNEXT && i < count; name = name->next_variable, i++) {
		size_t part;

		for (part = 0; part < length[i]; part++)
			asked[i][part] &= 0xffffffffu; /* as the handler takes them */
		check(place, transaction, name, asked[i], length[i], inclusive);
	}
	snmp_free_varbind(names);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snmp_disable_log();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };

	begin();
	while (in.size != 0) {
		if (take(&in, 1) % 3 == 0)
			happen(&in);
		else
			request(&in);
	}
	end();
	return 0;
}
