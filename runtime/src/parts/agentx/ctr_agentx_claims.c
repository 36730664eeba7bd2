/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <pthread.h>
#include <stdlib.h>

/* Priorities of RFC 2741: the lowest number serves. The agent that serves has the first, and
 * standby agents have the following ones. */
#define FIRST 127u
#define LAST 142u

#define AGAIN_NS (5 * CTR_SECOND_NS) /* after a refusal */
#define LOOK_NS (CTR_SECOND_NS / 20) /* at what managers have asked for */
#define CROWDED_NS (30 * CTR_SECOND_NS) /* while all priorities are taken */

/* A group at the master. */
struct claim {
	struct ctr_agentx_served *served;
	struct claim *first; /* of the groups of its module */
	unsigned int held;   /* priority of its registration; 0: none */
	unsigned int asked;  /* priority that it has requested; 0: none */
	bool refused;
	int reason;          /* of the last refusal */
	uint64_t again_ns;   /* not before that */
	struct ctr_agentx_status status; /* guarded by the mutex */
};

static struct {
	pthread_mutex_t mutex; /* of what other threads read: the status of groups, how many */
	struct claim *claim;   /* NULL: no agent runs */
	unsigned int num;
	ctr_agentx_status_fn changed; /* set before the agent starts */
	void *argument;
	uint32_t generation;   /* of the session that they are registered in */
	uint64_t due_ns;       /* of the next look at all of them */
	bool open;             /* the session then */
	int reason;
	char said[224];        /* the last line of the log */
} claims = { .mutex = PTHREAD_MUTEX_INITIALIZER };

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
	for (unsigned int i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].reason == reason)
			return reasons[i].text;
	return reason < 0 ? "no connection" : "other error";
}

int
ctr_agentx_status(struct ctr_agentx_status *status, unsigned int max)
{
	int num;

	pthread_mutex_lock(&claims.mutex);
	num = claims.claim != NULL ? (int)claims.num : -EINVAL;
	for (unsigned int i = 0; num > 0 && i < claims.num && i < max; i++)
		status[i] = claims.claim[i].status;
	pthread_mutex_unlock(&claims.mutex);
	return num;
}

int
ctr_agentx_on_status(ctr_agentx_status_fn changed, void *argument)
{
	bool runs;

	pthread_mutex_lock(&claims.mutex);
	runs = claims.claim != NULL;
	if (!runs) {
		claims.changed = changed;
		claims.argument = argument;
	}
	pthread_mutex_unlock(&claims.mutex);
	return runs ? -EBUSY : 0;
}

int
ctr_agentx_claims_init(struct ctr_agentx_served *served, unsigned int num)
{
	/* One more: there may be no group, and NULL is no agent. */
	struct claim *made = (struct claim *)calloc(num + 1, sizeof(*made)), *claim = made;

	if (made == NULL)
		return -ENOMEM;
	for (; claim < made + num; claim++, served++) {
		claim->served = served;
		claim->status.module = served->rows.source->module;
		claim->status.scope = served->rows.source->scope->name;
		claim->status.oid = served->group->oid;
		claim->status.oid_len = served->group->oid_len;
		claim->first = claim;
		if (claim > made && claim[-1].status.module == claim->status.module)
			claim->first = claim[-1].first;
	}
	claims.generation = 0;
	claims.due_ns = 0;
	claims.said[0] = '\0';
	pthread_mutex_lock(&claims.mutex);
	claims.claim = made;
	claims.num = num;
	pthread_mutex_unlock(&claims.mutex);
	return 0;
}

void
ctr_agentx_claims_fini(void)
{
	pthread_mutex_lock(&claims.mutex);
	free(claims.claim);
	claims.claim = NULL;
	claims.num = 0;
	pthread_mutex_unlock(&claims.mutex);
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
		ctr_agentx_session_abort(-EIO);
}

/* Whether the master has answered, and is asked nothing else. */
static bool
is_settled(const struct claim *claim)
{
	return claim->asked == 0 && (claim->held != 0 || claim->refused);
}

/* The first group of a module knows its place, so ask for the others. Two agents that meet a new
 * master at once do not get some groups each: the one without the first group waits. */
static void
claim_others(const struct claim *first)
{
	struct claim *claim;

	for (claim = claims.claim; claim < claims.claim + claims.num; claim++) {
		if (claim->asked != 0 || is_settled(claim) || claim->first != first)
			continue;
		if (first->held == FIRST)
			claim_at(claim, FIRST);
		else
			claim->again_ns = ctr_time_ns() + CTR_SECOND_NS;
	}
}

/* The master has registered the group at the priority that was asked for, or refused to. A
 * previous registration stays until the end: its removal would break a GETBULK in progress. */
static void
take_answer(struct claim *claim, int reason)
{
	const unsigned int asked = claim->asked;

	claim->asked = 0;
	claim->served->asked = false;
	if (claim->held == 0 && reason == CTR_AGENTX_DUPLICATE && asked < LAST) {
		claim_at(claim, asked + 1);
		return;
	}
	if (reason == 0) {
		/* It takes over groups that no manager has requested from it yet, too. */
		if (claim->held != 0 && claim->served->stands_by)
			claim->served->served_ns = ctr_time_ns();
		claim->held = asked;
		claim->served->stands_by = asked > FIRST;
	} else {
		claim->reason = reason;
		claim->again_ns = ctr_time_ns() +
				  (reason == CTR_AGENTX_DUPLICATE ? CROWDED_NS : AGAIN_NS);
	}
	claim->refused = claim->held == 0;
	if (claim == claim->first)
		claim_others(claim);
}

static int
on_answer(int op, netsnmp_session *session, CTR_UNUSED int reqid, netsnmp_pdu *pdu, void *magic)
{
	if (op != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE || session != ctr_agentx_session()->session)
		return 1;
	claims.due_ns = 0;
	if (pdu->errstat == CTR_AGENTX_NOT_OPEN)
		ctr_agentx_session_abort(CTR_AGENTX_NOT_OPEN);
	else
		take_answer((struct claim *)magic, (int)pdu->errstat);
	return 1;
}

/* In a new session nothing is registered. */
static void
start_over(void)
{
	struct claim *claim;

	claims.generation = ctr_agentx_session()->generation;
	for (claim = claims.claim; claim < claims.claim + claims.num; claim++) {
		claim->held = 0;
		claim->asked = 0;
		claim->refused = false;
		claim->again_ns = 0;
		claim->served->asked = false;
		if (claim == claim->first)
			claim_at(claim, FIRST);
	}
}

/* Move up when the agents before this one have ended: then the master asks this one. */
static void
move_up(uint64_t now)
{
	struct claim *claim, *end = claims.claim + claims.num;
	bool asked = false;

	for (claim = claims.claim; claim < end; claim++)
		asked = asked || (claim->held > FIRST && claim->served->asked);
	for (claim = claims.claim; claim < end; claim++) {
		if (claim->asked != 0 || now < claim->again_ns)
			continue;
		if (claim->refused || (asked && claim->held > FIRST) ||
		    (claim->held == 0 && is_settled(claim->first)))
			claim_at(claim, FIRST);
	}
}

/* Publish the status of a group, and notify the application if it has changed. */
static void
show_claim(struct claim *claim, const struct ctr_agentx_master *master)
{
	struct ctr_agentx_status *status = &claim->status;
	enum ctr_agentx_registration standing = CTR_AGENTX_WAITING;
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
		return;
	pthread_mutex_lock(&claims.mutex);
	status->standing = standing;
	status->reason = reason;
	status->priority = held;
	pthread_mutex_unlock(&claims.mutex);
	if (claims.changed != NULL)
		claims.changed(status, claims.argument);
}

/* Log what the master is like, or how many groups are what, unless that is the last line. */
static void
say(const char *socket)
{
	static const char text[] = "AgentX master at %.100s: %u groups registered, "
				   "%u wait for the end of another agent, %u refused%s%s";
	const struct ctr_agentx_master *master = ctr_agentx_session();
	const bool lost = !master->open || master->reason != 0;
	unsigned int count[CTR_AGENTX_REFUSED + 1] = { 0 };
	const char *refusal = NULL;
	const struct claim *claim;
	char line[sizeof(claims.said)];
	bool settled = true;

	for (claim = claims.claim; claim < claims.claim + claims.num; claim++) {
		settled = settled && is_settled(claim);
		count[claim->status.standing]++;
		if (claim->status.standing == CTR_AGENTX_REFUSED)
			refusal = ctr_agentx_reason(claim->status.reason);
	}
	if (lost ? master->reason == 0 : !settled)
		return; /* it has not answered yet, or not all */
	if (lost)
		(void)snprintf(line, sizeof(line), "%s AgentX master at %.100s: %s, trying again",
				claims.generation == 0 ? "no" : "lost the", socket,
				ctr_agentx_reason(master->reason));
	else
		(void)snprintf(line, sizeof(line), text, socket, count[CTR_AGENTX_REGISTERED],
				count[CTR_AGENTX_STANDBY], count[CTR_AGENTX_REFUSED],
				refusal != NULL ? ": " : "", refusal != NULL ? refusal : "");
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
	struct claim *claim;

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
	for (claim = claims.claim; claim < claims.claim + claims.num; claim++)
		show_claim(claim, master);
	say(socket);
}
