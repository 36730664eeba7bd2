/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Sends notifications to managers, through the master. Not installed; include the headers of
 * net-snmp before.
 */
#ifndef CTR_AGENTX_NOTIFY_H
#define CTR_AGENTX_NOTIFY_H

#include "ctr_agentx_serve.h"

/** The function of the application for the indexes of a scope, or NULL. */
typedef ctr_agentx_map_fn (*ctr_agentx_find_map_fn)(const struct ctr_scope *scope);

/**
 * Begin to evaluate the notifications of modules; after their sources are made.
 *
 * @param modules what the agent serves
 * @param count number of modules
 * @param state what the groups of the agent share
 * @param find_map says who knows the indexes of a scope
 * @param most notifications in a second; 0: no limit
 * @return 0; -EINVAL; -ENOMEM
 */
int ctr_agentx_notify_open(const struct ctr_agentx_module *const *modules, unsigned int count,
		struct ctr_agentx_state *state, ctr_agentx_find_map_fn find_map, uint32_t most);

/** Milliseconds until something is due, at most `timeout_ms`. */
unsigned int ctr_agentx_notify_wait(unsigned int timeout_ms);

/** Evaluate and send what is due. */
void ctr_agentx_notify_run(void);

/** Stop; before the sources end. */
void ctr_agentx_notify_close(void);

#endif /* CTR_AGENTX_NOTIFY_H */
