/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <sys/socket.h>

#include <net-snmp/library/snmp_transport.h>

#define RETRY_NS (CTR_SECOND_NS / 2) /* between attempts to connect */
#define PING_NS CTR_SECOND_NS /* between an answer and the next ping */
#define SILENT_NS (2 * CTR_SECOND_NS) /* then the status is that the master does not answer */
#define LOST_NS (10 * CTR_SECOND_NS) /* then a connection over a network is closed */
#define NEVER_US (86400000000L) /* net-snmp's own timeout, which is not used */
#define SHUTDOWN 5 /* c.reason of the Close-PDU */
#define VERSION 193 /* of AgentX 1, in the library */

/* Functions of libnetsnmpagent that no installed header declares: they are the protocol. The
 * library's own sessions block for the master's answers, and do not return them. */
extern netsnmp_session *main_session;
int agentx_parse(netsnmp_session *session, netsnmp_pdu *pdu, u_char *data, size_t len);
int agentx_realloc_build(netsnmp_session *session, netsnmp_pdu *pdu, u_char **buf, size_t *buf_len,
		size_t *out_len);
int agentx_check_packet(u_char *data, size_t len);
int handle_agentx_packet(int op, netsnmp_session *session, int reqid, netsnmp_pdu *pdu,
		void *magic);

static struct ctr_agentx_master master;

const struct ctr_agentx_master *
ctr_agentx_session(void)
{
	return &master;
}

/* There is no session any more. */
static void
forget_master(int reason)
{
	if (master.open)
		(void)remove_trap_session(master.session);
	main_session = NULL;
	master = (struct ctr_agentx_master){
		.reason = reason,
		.generation = master.generation,
		.due_ns = ctr_time_ns() + RETRY_NS
	};
}

/* Unsolicited PDUs; net-snmp frees a session whose connection ends. */
static int
on_packet(int op, netsnmp_session *session, int reqid, netsnmp_pdu *pdu, void *magic)
{
	if (op != NETSNMP_CALLBACK_OP_DISCONNECT)
		return handle_agentx_packet(op, session, reqid, pdu, magic);
	if (session == master.session)
		forget_master(-ECONNREFUSED);
	return 0;
}

/* An answer to Open or Ping. */
static int
on_session_answer(int op, netsnmp_session *session, CTR_UNUSED int reqid, netsnmp_pdu *pdu,
		CTR_UNUSED void *magic)
{
	if (op != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE || session != master.session)
		return 1;
	master.asked_ns = 0;
	master.due_ns = ctr_time_ns() + PING_NS;
	if (pdu->errstat != 0) {
		ctr_agentx_session_abort((int)pdu->errstat);
		return 1;
	}
	master.reason = 0;
	(void)netsnmp_set_agent_uptime((u_long)pdu->time);
	if (!master.open) {
		session->sessid = pdu->sessid;
		main_session = session;
		(void)add_trap_session(session, CTR_AGENTX_PDU_NOTIFY, 1, VERSION);
		master.open = true;
		master.generation++;
	}
	return 1;
}

netsnmp_pdu *
ctr_agentx_pdu(enum ctr_agentx_pdu type)
{
	netsnmp_pdu *pdu = snmp_pdu_create((int)type);

	if (pdu != NULL) {
		pdu->time = 0;
		pdu->sessid = master.session->sessid;
	}
	return pdu;
}

bool
ctr_agentx_send(netsnmp_pdu *pdu, snmp_callback done, void *magic)
{
	if (pdu == NULL)
		return false;
	if (snmp_async_send(master.session, pdu, done, magic) != 0)
		return true;
	snmp_free_pdu(pdu);
	return false;
}

/* Send a PDU whose answer shows that the master is there. */
static void
ask(netsnmp_pdu *pdu, uint64_t now)
{
	master.asked_ns = now;
	if (!ctr_agentx_send(pdu, on_session_answer, NULL))
		ctr_agentx_session_abort(-EIO);
}

/* Connect and ask for a session. */
static void
connect_to(uint64_t now, const char *socket)
{
	static const oid nobody[] = { 0, 0 };
	netsnmp_transport *transport;
	netsnmp_session wanted;
	struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
	socklen_t length = sizeof(address);
	netsnmp_pdu *pdu;

	master.due_ns = now + RETRY_NS;
	errno = 0;
	transport = netsnmp_transport_open_client("agentx", socket);
	if (transport == NULL) {
		master.reason = errno == EACCES || errno == EPERM ? -EACCES : -ECONNREFUSED;
		return;
	}
	master.local = getsockname(transport->sock, (struct sockaddr *)&address, &length) == 0 &&
		       address.ss_family == AF_UNIX;
	snmp_sess_init(&wanted);
	wanted.version = VERSION;
	wanted.retries = 0;
	wanted.timeout = NEVER_US;
	wanted.flags |= SNMP_FLAGS_STREAM_SOCKET;
	wanted.callback = on_packet;
	wanted.securityModel = SNMP_DEFAULT_SECMODEL;
	master.session = snmp_add_full(&wanted, transport, NULL, agentx_parse, NULL, NULL,
			agentx_realloc_build, agentx_check_packet, NULL);
	if (master.session == NULL) {
		master.reason = -ENOMEM;
		return;
	}
	master.session->securityModel = SNMP_DEFAULT_SECMODEL;
	pdu = ctr_agentx_pdu(CTR_AGENTX_PDU_OPEN);
	if (pdu != NULL)
		snmp_pdu_add_variable(pdu, nobody, 2, ASN_OCTET_STR, "ctrgen", 6);
	ask(pdu, now);
}

void
ctr_agentx_session_abort(int reason)
{
	master.doomed = true;
	master.reason = reason;
}

/* A master behind a unix socket that hangs goes on in this session, or ends it; another
 * connection would only fill its queue. One over a network may fail without notice. */
void
ctr_agentx_session_tick(uint64_t now, const char *socket)
{
	const uint64_t owed = master.asked_ns != 0 ? now - master.asked_ns : 0;

	if (master.session != NULL && !master.local && owed > LOST_NS)
		ctr_agentx_session_abort(-ETIMEDOUT);
	if (master.doomed) {
		netsnmp_session *session = master.session;

		forget_master(master.reason);
		snmp_close(session);
	}
	if (master.session == NULL && now >= master.due_ns)
		connect_to(now, socket);
	else if (owed > SILENT_NS)
		master.reason = -ETIMEDOUT;
	else if (master.open && master.asked_ns == 0 && now >= master.due_ns)
		ask(ctr_agentx_pdu(CTR_AGENTX_PDU_PING), now);
}

void
ctr_agentx_session_fini(void)
{
	netsnmp_session *session = master.session;
	netsnmp_pdu *pdu = master.open ? ctr_agentx_pdu(CTR_AGENTX_PDU_CLOSE) : NULL;

	if (pdu != NULL) {
		pdu->errstat = SHUTDOWN;
		(void)ctr_agentx_send(pdu, on_session_answer, NULL);
	}
	forget_master(0);
	if (session != NULL)
		snmp_close(session);
	memset(&master, 0, sizeof(master));
}
