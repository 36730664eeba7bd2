/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The groups at the master: registers them (RFC 2741, 7.1.5), stands by where another agent
 * serves them, and knows the status of each. The agent's thread, but for what ctr_agentx.h
 * says. Not installed; include the headers of net-snmp before.
 */
#ifndef CTR_AGENTX_CLAIMS_H
#define CTR_AGENTX_CLAIMS_H

#include "ctr_agentx_serve.h"

/** Begin to keep the status of groups; -ENOMEM. `served` stays valid until _fini(). */
int ctr_agentx_claims_init(struct ctr_agentx_served *served, unsigned int num);

/** Register what is not, if it is time to; tell and log what has changed. */
void ctr_agentx_claims_tick(uint64_t now, const char *socket);

/** Forget the groups. */
void ctr_agentx_claims_fini(void);

#endif /* CTR_AGENTX_CLAIMS_H */
