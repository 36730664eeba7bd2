/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Answers to requests. Not installed; include the headers of net-snmp before.
 */
#ifndef CTR_AGENTX_SERVE_H
#define CTR_AGENTX_SERVE_H

#include "ctr_agentx_rows.h"

/** Tolerated difference of the agent's and the master's clock, in hundredths of a second. */
#define CTR_AGENTX_SLACK_TICKS 3

/** Data that all groups share. */
struct ctr_agentx_state {
	struct ctr_agentx_sources sources; /**< Scopes that are served. */
	struct ctr_agentx_bursts bursts;   /**< Requests in progress. */
	uint64_t zero_ns;     /**< ctr_time_ns() when the master's sysUpTime was 0. */
	unsigned int changes; /**< Calls of ctr_agentx_changed(); atomic. */
};

/** A registered group. */
struct ctr_agentx_served {
	struct ctr_agentx_state *state;                /**< The data that all groups share. */
	const struct ctr_agentx_group *group;          /**< The generated description. */
	netsnmp_handler_registration *registration;    /**< NULL while it is not. */
	struct ctr_agentx_rows rows;                   /**< Its rows. */
	bool asked;                                    /**< The master has asked for it. */
	bool stands_by;     /**< Another agent serves it, until the master asks this one. */
	uint64_t served_ns; /**< ctr_time_ns() when this one took over from another agent, or 0. */
};

/** Take note of the master's sysUpTime, which times are shown in. */
void ctr_agentx_follow_uptime(struct ctr_agentx_state *state);

/**
 * Whether an instance has a value that the object's type has: an enumeration only has the values
 * of its labels (RFC 2578, 7.1.1), which the 0 of one that was never set need not be.
 */
bool ctr_agentx_has(const struct ctr_agentx_source *source, const struct ctr_agentx_object *object,
		const struct ctr_agentx_values *values);

/** Put a value of an instance into a variable. */
void ctr_agentx_put(netsnmp_variable_list *vb, const struct ctr_agentx_source *source,
		const struct ctr_agentx_object *object, const struct ctr_agentx_place *place,
		const struct ctr_agentx_values *values, uint64_t zero_ns);

/** Handler of a group: `my_reg_void` is its struct ctr_agentx_served. */
int ctr_agentx_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
		netsnmp_agent_request_info *info, netsnmp_request_info *request);

#endif /* CTR_AGENTX_SERVE_H */
