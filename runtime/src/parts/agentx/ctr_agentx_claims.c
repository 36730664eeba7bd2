/* SPDX-License-Identifier: BSD-3-Clause */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_claims.h"
#include "ctr_agentx_session.h"

/* Priorities of RFC 2741: the lowest number serves. The agent that serves has the first, and
 * those that stand by have the following ones.
 */
#define FIRST 127u
#define LAST 142u

#define AGAIN_NS (5 * CTR_SECOND_NS) /* after a refusal */
#define LOOK_NS (CTR_SECOND_NS / 20) /* at what managers have asked for */
#define CROWDED_NS (30 * CTR_SECOND_NS) /* while all priorities are taken */

/* A group at the master. */
struct claim {
	struct ctr_agentx_served *served;
	unsigned int held;  /* priority of its registration; 0: none */
	unsigned int asked; /* priority that it has asked for; 0: none */
	bool refused;
	int reason;         /* of the last refusal */
	uint64_t again_ns;  /* not before that */
};

static struct {
	struct claim *claim;
	unsigned int num;
	uint32_t generation; /* of the session that they are registered in */
	uint64_t due_ns;     /* of the next look at all of them */
	bool open;           /* the session then */
	int reason;
	char said[224];      /* the last line of the log */
} claims;

static struct {
	pthread_mutex_t mutex;            /* guards the status of all groups */
	struct ctr_agentx_status *status; /* NULL: no agent runs */
	unsigned int num;
	ctr_agentx_status_fn changed;     /* not guarded: set before the agent starts */
	void *argument;
} display = { PTHREAD_MUTEX_INITIALIZER, NULL, 0, NULL, NULL };

static const struct {
	int reason;
	const char *text;
} reasons[] = {
	{ 0, "none" },
	{ -EACCES, "no permission to connect" },
	{ -ECONNREFUSED, "no master" },
	{ -ETIMEDOUT, "the master does not answer" },
	{ CTR_AGENTX_OPEN_FAILED, "session refused" },
	{ CTR_AGENTX_NOT_OPEN, "session unknown" },
	{ CTR_AGENTX_UNSUPPORTED_CONTEXT, "context not supported" },
	{ CTR_AGENTX_DUPLICATE, "duplicate registration" },
	{ CTR_AGENTX_PARSE_ERROR, "version or message not understood" },
	{ CTR_AGENTX_DENIED, "request denied" },
	{ CTR_AGENTX_PROCESSING_ERROR, "processing error" },
};

const char *
ctr_agentx_reason(int reason)
{
	unsigned int i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].reason == reason)
			return reasons[i].text;
	}
	return reason < 0 ? "no connection" : "other error";
}

int
ctr_agentx_status(struct ctr_agentx_status *status, unsigned int max)
{
	int num = -EINVAL;

	pthread_mutex_lock(&display.mutex);
	if (display.status != NULL) {
		num = (int)display.num;
		if (max > display.num)
			max = display.num;
		if (max != 0)
			memcpy(status, display.status, max * sizeof(*status));
	}
	pthread_mutex_unlock(&display.mutex);
	return num;
}

int
ctr_agentx_on_status(ctr_agentx_status_fn changed, void *argument)
{
	bool runs;

	pthread_mutex_lock(&display.mutex);
	runs = display.status != NULL;
	if (!runs) {
		display.changed = changed;
		display.argument = argument;
	}
	pthread_mutex_unlock(&display.mutex);
	return runs ? -EBUSY : 0;
}

int
ctr_agentx_claims_init(struct ctr_agentx_served *served, unsigned int num)
{
	struct ctr_agentx_status *status;
	unsigned int i;

	/* One element more: there may be no group, and NULL is no agent. */
	status = (struct ctr_agentx_status *)calloc(num + 1, sizeof(*status));
	claims.claim = (struct claim *)calloc(num + 1, sizeof(*claims.claim));
	if (status == NULL || claims.claim == NULL) {
		free(status);
		free(claims.claim);
		claims.claim = NULL;
		return -ENOMEM;
	}
	for (i = 0; i < num; i++) {
		claims.claim[i].served = &served[i];
		status[i].module = served[i].rows.source->module;
		status[i].scope = served[i].rows.source->scope->name;
		status[i].oid = served[i].group->oid;
		status[i].oid_len = served[i].group->oid_len;
		status[i].standing = CTR_AGENTX_WAITING;
	}
	claims.num = num;
	claims.generation = 0;
	claims.due_ns = 0;
	claims.said[0] = '\0';
	pthread_mutex_lock(&display.mutex);
	display.status = status;
	display.num = num;
	pthread_mutex_unlock(&display.mutex);
	return 0;
}

void
ctr_agentx_claims_fini(void)
{
	free(claims.claim);
	claims.claim = NULL;
	claims.num = 0;
	pthread_mutex_lock(&display.mutex);
	free(display.status);
	display.status = NULL;
	display.num = 0;
	pthread_mutex_unlock(&display.mutex);
}

static int on_answer(int op, netsnmp_session *session, int reqid, netsnmp_pdu *pdu, void *magic);

/* Ask for a registration. */
static void
claim_at(struct claim *claim, unsigned int priority)
{
	const netsnmp_handler_registration *registration = claim->served->registration;
	netsnmp_pdu *pdu = ctr_agentx_pdu(CTR_AGENTX_PDU_REGISTER);

	if (pdu != NULL) {
		pdu->priority = (u_char)priority;
		snmp_add_null_var(pdu, registration->rootoid, registration->rootoid_len);
	}
	if (ctr_agentx_send(pdu, on_answer, claim))
		claim->asked = priority;
	else
		ctr_agentx_session_doom(-EIO);
}

/* Whether the master has answered, and is asked nothing else. */
static bool
is_settled(const struct claim *claim)
{
	return claim->asked == 0 && (claim->held != 0 || claim->refused);
}

/* The first group of a claim's module. */
static struct claim *
leader(const struct claim *claim)
{
	struct claim *first = claims.claim;

	while (first->served->rows.source->module != claim->served->rows.source->module)
		first++;
	return first;
}

/* The first group of a module knows its place, so ask for the others. Two agents that meet a new
 * master at once do not get some groups each: who has not got the first one lets the other go on.
 */
static void
claim_others(const struct claim *first)
{
	unsigned int i;

	for (i = 0; i < claims.num; i++) {
		struct claim *claim = &claims.claim[i];

		if (claim->asked != 0 || is_settled(claim) || leader(claim) != first)
			continue;
		if (first->held == FIRST)
			claim_at(claim, FIRST);
		else
			claim->again_ns = ctr_time_ns() + CTR_SECOND_NS;
	}
}

/* The master has registered the group at the priority that was asked for. A former registration
 * is kept until the end: to remove one would pull it from under a GETBULK in progress.
 */
static void
hold(struct claim *claim)
{
	claim->held = claim->asked;
	claim->asked = 0;
	claim->refused = false;
	claim->served->asked = false;
	claim->served->stands_by = claim->held > FIRST;
	if (claim == leader(claim))
		claim_others(claim);
}

static void
refuse(struct claim *claim, int reason)
{
	const unsigned int wanted = claim->asked;

	claim->asked = 0;
	claim->reason = reason;
	claim->served->asked = false;
	if (claim->held == 0 && reason == CTR_AGENTX_DUPLICATE && wanted < LAST) {
		claim_at(claim, wanted + 1);
		return;
	}
	claim->refused = claim->held == 0;
	claim->again_ns = ctr_time_ns() + (reason == CTR_AGENTX_DUPLICATE ? CROWDED_NS : AGAIN_NS);
	if (claim == leader(claim))
		claim_others(claim);
}

static int
on_answer(int op, netsnmp_session *session, int reqid, netsnmp_pdu *pdu, void *magic)
{
	struct claim *claim = (struct claim *)magic;

	(void)reqid;
	if (op != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE ||
	    session != ctr_agentx_session()->session)
		return 1;
	claims.due_ns = 0;
	if (pdu->errstat == 0)
		hold(claim);
	else if (pdu->errstat == CTR_AGENTX_NOT_OPEN)
		ctr_agentx_session_doom(CTR_AGENTX_NOT_OPEN);
	else
		refuse(claim, (int)pdu->errstat);
	return 1;
}

/* In a new session nothing is registered. */
static void
start_over(void)
{
	unsigned int i;

	claims.generation = ctr_agentx_session()->generation;
	for (i = 0; i < claims.num; i++) {
		struct claim *claim = &claims.claim[i];

		claim->held = 0;
		claim->asked = 0;
		claim->refused = false;
		claim->reason = 0;
		claim->again_ns = 0;
		claim->served->asked = false;
		if (claim == leader(claim))
			claim_at(claim, FIRST);
	}
}

/* Move up when the agents before this one have ended: then the master asks this one. */
static void
move_up(uint64_t now)
{
	bool asked = false;
	unsigned int i;

	for (i = 0; i < claims.num; i++)
		asked = asked || (claims.claim[i].held > FIRST && claims.claim[i].served->asked);
	for (i = 0; i < claims.num; i++) {
		struct claim *claim = &claims.claim[i];

		if (claim->asked != 0 || now < claim->again_ns)
			continue;
		if (claim->refused || (asked && claim->held > FIRST) ||
		    (claim->held == 0 && is_settled(leader(claim))))
			claim_at(claim, FIRST);
	}
}

/* Show the status of a group; tell whether it has changed. */
static bool
show_claim(const struct claim *claim, const struct ctr_agentx_master *master,
		struct ctr_agentx_status *status)
{
	enum ctr_agentx_standing standing = CTR_AGENTX_WAITING;
	unsigned int held = claim->held;
	int reason = 0;

	if (!master->open || master->reason != 0) {
		reason = master->reason;
		held = 0;
	} else if (claim->refused) {
		standing = CTR_AGENTX_REFUSED;
		reason = claim->reason;
	} else if (held != 0) {
		standing = held == FIRST ? CTR_AGENTX_REGISTERED : CTR_AGENTX_STANDBY;
		reason = held == FIRST ? 0 : CTR_AGENTX_DUPLICATE;
	}
	if (status->standing == standing && status->reason == reason && status->priority == held)
		return false;
	pthread_mutex_lock(&display.mutex);
	status->standing = standing;
	status->reason = reason;
	status->priority = held;
	pthread_mutex_unlock(&display.mutex);
	return true;
}

/* How many groups are what. */
static void
describe(char *line, size_t size, const char *socket, const unsigned int *count, int refusal)
{
	static const char text[] = "AgentX master at %.100s: %u groups registered, "
				   "%u wait for the end of another agent, %u refused%s%s";

	(void)snprintf(line, size, text, socket, count[CTR_AGENTX_REGISTERED],
			count[CTR_AGENTX_STANDBY], count[CTR_AGENTX_REFUSED],
			refusal != 0 ? ": " : "", refusal != 0 ? ctr_agentx_reason(refusal) : "");
}

/* Log a line, unless it is the last one. */
static void
say(const char *socket)
{
	const struct ctr_agentx_master *master = ctr_agentx_session();
	unsigned int count[CTR_AGENTX_REFUSED + 1] = { 0 }, i;
	char line[sizeof(claims.said)];
	bool settled = true;
	int refusal = 0;

	for (i = 0; i < claims.num; i++) {
		settled = settled && is_settled(&claims.claim[i]);
		count[display.status[i].standing]++;
		if (display.status[i].standing == CTR_AGENTX_REFUSED)
			refusal = display.status[i].reason;
	}
	if (!master->open && master->reason == 0)
		return; /* it has not answered yet */
	if (!master->open || master->reason != 0)
		(void)snprintf(line, sizeof(line), "%s AgentX master at %.100s: %s, trying again",
				claims.generation == 0 ? "no" : "lost the", socket,
				ctr_agentx_reason(master->reason));
	else if (!settled)
		return; /* it has not answered all yet */
	else
		describe(line, sizeof(line), socket, count, refusal);
	if (strcmp(line, claims.said) == 0)
		return;
	memcpy(claims.said, line, sizeof(line));
	snmp_log(count[CTR_AGENTX_REGISTERED] == claims.num ? LOG_INFO : LOG_WARNING,
			CTR_AGENTX_NAME ": %s\n", line);
}

void
ctr_agentx_claims_tick(uint64_t now, const char *socket)
{
	const struct ctr_agentx_master *master = ctr_agentx_session();
	unsigned int i;

	if (now < claims.due_ns && claims.open == master->open && claims.reason == master->reason)
		return;
	claims.due_ns = now + LOOK_NS;
	claims.open = master->open;
	claims.reason = master->reason;
	if (master->open && !master->doomed) {
		if (claims.generation != master->generation)
			start_over();
		else
			move_up(now);
	}
	for (i = 0; i < claims.num; i++) {
		if (show_claim(&claims.claim[i], master, &display.status[i]) &&
		    display.changed != NULL)
			display.changed(&display.status[i], display.argument);
	}
	say(socket);
}
