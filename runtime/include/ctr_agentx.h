/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A read-only AgentX subagent: what modules count, for SNMP managers, through a
 * master such as net-snmp's snmpd.
 *
 * It works from tables that the backend `agentx` generates, and from the
 * modules' descriptors. It has a thread of its own (ctr_agentx_start()) or runs
 * in a loop of the application (ctr_agentx_open() and _poll()); it never runs in
 * a thread that counts, and takes no lock that an update waits for other than
 * what the read functions of the module's strategy take. libnetsnmp is global
 * to a process, so there is one agent, for one or more modules. It needs
 * libnetsnmpagent and libnetsnmp, reads none of their configuration files, and
 * sets MIBS to nothing in the environment where it is not set.
 */
#ifndef CTR_AGENTX_H
#define CTR_AGENTX_H

#include "ctr_module.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most sub-identifiers that an index can have. */
#define CTR_AGENTX_INDEX_MAX 64

/**
 * Scopes with up to this many instances in all, of a module, are read together when
 * a manager's request begins. More of them show one moment, and take longer to read.
 */
#ifndef CTR_AGENTX_VIEW
#define CTR_AGENTX_VIEW 256
#endif

/** How an object is shown. */
enum ctr_agentx_syntax {
	CTR_AGENTX_INTEGER,   /**< Integer32 and enumerations: clamped. */
	CTR_AGENTX_TRUTH,     /**< TruthValue: true(1), false(2). */
	CTR_AGENTX_COUNTER32, /**< Counter32: wraps. */
	CTR_AGENTX_COUNTER64, /**< Counter64, and CounterBasedGauge64. */
	CTR_AGENTX_GAUGE32,   /**< Gauge32 and Unsigned32: latch at the maximum. */
	CTR_AGENTX_TICKS,     /**< TimeTicks. */
	CTR_AGENTX_IPADDRESS, /**< IpAddress. */
	CTR_AGENTX_OCTETS,    /**< Octets: strings and addresses. */
	CTR_AGENTX_IPV6,      /**< InetAddressType of an IPv6 address: always ipv6(2). */
	CTR_AGENTX_JUMP,      /**< TimeStamp of the instance's last reset or creation. */
	CTR_AGENTX_INDEX_INTEGER,  /**< Integer32 that is part of the index. */
	CTR_AGENTX_INDEX_UNSIGNED, /**< Unsigned32 that is part of the index. */
	CTR_AGENTX_INDEX_TICKS,    /**< TimeTicks that is part of the index. */
	CTR_AGENTX_INDEX_IPADDRESS /**< IpAddress that is part of the index. */
};

/** An object: a scalar or a column. */
struct ctr_agentx_object {
	uint32_t number; /**< Its place below the group. */
	uint32_t item;   /**< Which item of the scope; of an INDEX where in the index it begins. */
	enum ctr_agentx_syntax syntax; /**< How it is shown. */
};

/** Scalars below one node, or the columns of a row. */
struct ctr_agentx_group {
	const uint32_t *oid;  /**< Of the node or row. */
	uint32_t oid_len;     /**< Length of @ref oid. */
	uint32_t scope;       /**< Which scope of the module. */
	uint32_t base;        /**< The scope whose rows it augments, and whose index is its own. */
	uint32_t cap;         /**< Most rows that are shown; 0 for all. */
	bool mapped;          /**< Its index is the application's: ctr_agentx_map(). */
	bool alone;           /**< Only its one object is registered, not all below @ref oid. */
	const struct ctr_agentx_object *objects; /**< By ascending number. */
	uint32_t num_objects; /**< Length of @ref objects. */
};

/** What the agent shows of a module. */
struct ctr_agentx_module {
	const struct ctr_module *module;       /**< The module. */
	const struct ctr_agentx_group *groups; /**< Its scalars and tables. */
	uint32_t num_groups;                   /**< Length of @ref groups. */
};

/**
 * The sub-identifiers that index an instance in its table: their number, at
 * most CTR_AGENTX_INDEX_MAX, or a negative number for an instance that is not
 * shown. Two instances must not have the same. Called in the agent's thread.
 */
typedef int (*ctr_agentx_map_fn)(const uint32_t *index, uint32_t *suffix);

/**
 * Give the instances of a scope other indexes than their position plus one
 * (interface numbers, keys of sessions). It holds for a scope that augments that
 * one, too, unless it has a function of its own. Before ctr_agentx_open() or _start().
 *
 * @return 0; -EINVAL for no such scope; -EBUSY while the agent runs; -ENOMEM
 */
int ctr_agentx_map(const struct ctr_module *module, const char *scope, ctr_agentx_map_fn map);

/**
 * Tell the agent that what a ctr_agentx_map_fn returns, or which instances it
 * has, changed; without this it finds out within a second. Any thread.
 */
void ctr_agentx_changed(void);

/**
 * Start the agent in this thread, which then calls ctr_agentx_poll().
 *
 * @param modules what to show
 * @param count how many modules
 * @param socket of the master, as net-snmp writes it (`unix:/run/agentx.sock`);
 *   NULL for net-snmp's default. The master need not run yet.
 * @return 0; -EBUSY when the agent runs already; -EINVAL; -ENOMEM; -EIO for
 *   what net-snmp cannot do
 */
int ctr_agentx_open(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket);

/**
 * Answer what there is to answer, after waiting up to `timeout_ms` for it.
 * Call it at least every second: it is also what reconnects.
 *
 * @return 0; -EINVAL when the agent is not open
 */
int ctr_agentx_poll(unsigned int timeout_ms);

/** End what ctr_agentx_open() started; in the same thread. */
void ctr_agentx_close(void);

/**
 * Start the agent in a thread of its own, which blocks all signals.
 *
 * @return as ctr_agentx_open(), or -EAGAIN when there can be no thread
 */
int ctr_agentx_start(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket);

/** End what ctr_agentx_start() started; takes up to a fifth of a second. */
void ctr_agentx_stop(void);

#ifdef __cplusplus
}
#endif

#endif /* CTR_AGENTX_H */
