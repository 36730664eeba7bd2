/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The agent's session with its master (RFC 2741, 7.1): connects, opens, pings, reconnects,
 * and never waits for an answer. The agent's thread. Not installed; include the headers of
 * net-snmp before.
 */
#ifndef CTR_AGENTX_SESSION_H
#define CTR_AGENTX_SESSION_H

#include <stdbool.h>
#include <stdint.h>

/** Name of the subagent: in net-snmp's configuration and in messages. */
#define CTR_AGENTX_NAME "ctrgen"

/** PDU types of RFC 2741, 6.1, that the agent sends. */
enum ctr_agentx_pdu {
	CTR_AGENTX_PDU_OPEN = 1,
	CTR_AGENTX_PDU_CLOSE = 2,
	CTR_AGENTX_PDU_REGISTER = 3,
	CTR_AGENTX_PDU_NOTIFY = 12,
	CTR_AGENTX_PDU_PING = 13
};

/** Values of res.error of RFC 2741, 6.2.16, that the agent tells apart. */
enum ctr_agentx_error {
	CTR_AGENTX_OPEN_FAILED = 256,
	CTR_AGENTX_NOT_OPEN = 257,
	CTR_AGENTX_UNSUPPORTED_CONTEXT = 262,
	CTR_AGENTX_DUPLICATE = 263,
	CTR_AGENTX_PARSE_ERROR = 266,
	CTR_AGENTX_DENIED = 267,
	CTR_AGENTX_PROCESSING_ERROR = 268
};

/** The master, as seen from here. */
struct ctr_agentx_master {
	netsnmp_session *session; /**< The connection; NULL for none. */
	bool open;            /**< It has opened the session. */
	bool local;           /**< The connection is a unix socket. */
	bool doomed;          /**< The connection is to be closed. */
	int reason;           /**< Why it is not open or does not answer: as in the status. */
	uint32_t generation;  /**< Number of sessions so far. */
	uint64_t due_ns;      /**< When to connect or ping next. */
	uint64_t asked_ns;    /**< Since when it owes an answer; 0: it does not. */
};

/** Prepare; `socket` is as in ctr_agentx_open(), and stays valid. */
void ctr_agentx_session_init(const char *socket);

/** Connect, ping, or notice that the master is silent, if it is time to. */
void ctr_agentx_session_tick(uint64_t now);

/** The master. */
const struct ctr_agentx_master *ctr_agentx_session(void);

/** A PDU of a type for the open session; NULL without memory. */
netsnmp_pdu *ctr_agentx_pdu(enum ctr_agentx_pdu type);

/**
 * Send a PDU, which is freed if that fails. `done` gets the answer later, or is called with
 * NETSNMP_CALLBACK_OP_TIMED_OUT when the session ends.
 */
bool ctr_agentx_send(netsnmp_pdu *pdu, snmp_callback done, void *magic);

/** Close the session at the next tick, because of an error, and try again. */
void ctr_agentx_session_doom(int reason);

/** Close the session, and forget the master. */
void ctr_agentx_session_fini(void);

#endif /* CTR_AGENTX_SESSION_H */
