/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A read-only AgentX subagent: it serves the values of modules to SNMP managers, through a master
 * such as net-snmp's snmpd, and sends the modules' notifications (ctr_watch.h).
 *
 * It uses tables of the backend `agentx` and descriptors. It has its own thread
 * (ctr_agentx_start()) or runs in a loop of the application (ctr_agentx_open() and _poll()), never
 * in a thread that counts. libnetsnmp is global to a process, so there is one agent. It needs
 * libnetsnmpagent and libnetsnmp, reads none of their configuration files, and sets the environment
 * variable MIBS to an empty string if it is not set. */
#ifndef CTR_AGENTX_H
#define CTR_AGENTX_H

#include "ctr_watch.h"

CTR_C_BEGIN

/** Maximum number of sub-identifiers of an index. */
#define CTR_AGENTX_INDEX_MAX 128

/** The SMI type of an object. */
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
	CTR_AGENTX_STAMP,     /**< TimeStamp of a state of type CTR_TIMESTAMP. */
	CTR_AGENTX_IPV4,      /**< InetAddressType of an IPv4 address: always ipv4(1). */
	CTR_AGENTX_DATE,      /**< DateAndTime of a state of type CTR_TIMESTAMP, in UTC. */
	CTR_AGENTX_OID,       /**< OBJECT IDENTIFIER that is text in C; 0.0 for other texts. */
	CTR_AGENTX_DISCONTINUITY, /**< TimeStamp of the last reset, creation or start. */
	CTR_AGENTX_INDEX_INTEGER,  /**< Integer32 that is part of the index. */
	CTR_AGENTX_INDEX_UNSIGNED, /**< Unsigned32 that is part of the index. */
	CTR_AGENTX_INDEX_TICKS,    /**< TimeTicks that is part of the index. */
	CTR_AGENTX_INDEX_IPADDRESS /**< IpAddress that is part of the index. */
};

/** An object: a scalar or a column. */
struct ctr_agentx_object {
	uint32_t number; /**< Its sub-identifier below the group. */
	uint32_t item;   /**< Item of the scope; of an INDEX object, its first sub-identifier. */
	enum ctr_agentx_syntax syntax; /**< Its SMI type. */
};

/** Scalars below one node, or the columns of a row. */
struct ctr_agentx_group {
	const uint32_t *oid;  /**< Of the node or row. */
	uint32_t oid_len;     /**< Length of @ref oid. */
	uint32_t scope;       /**< Number of the scope in the module. */
	/** The scope whose index is the beginning of its index: @ref scope, or a scope whose rows
	 * it or its outer scope augments. */
	uint32_t base;
	uint32_t own;         /**< Levels of the scope after that index, if it is not its own. */
	uint32_t cap;         /**< Maximum number of rows; 0 for all. */
	bool mapped;          /**< The application gives its index: ctr_agentx_map(). */
	bool alone;           /**< Only its single object is registered, not all of @ref oid. */
	const struct ctr_agentx_object *objects; /**< By ascending number. */
	uint32_t num_objects; /**< Length of @ref objects. */
};

/** An object of a notification. */
struct ctr_agentx_bind {
	const uint32_t *oid;           /**< Of the object, without an instance. */
	uint32_t oid_len;              /**< Length of @ref oid. */
	uint32_t item;                 /**< Item of the scope. */
	enum ctr_agentx_syntax syntax; /**< Its SMI type. */
};

/** A notification as it is sent. */
struct ctr_agentx_notification {
	const uint32_t *raised;  /**< Its OID. */
	uint32_t raised_len;     /**< Length of @ref raised. */
	const uint32_t *cleared; /**< OID of the notification that it has cleared, or NULL. */
	uint32_t cleared_len;    /**< Length of @ref cleared. */
	uint32_t base;           /**< As of struct ctr_agentx_group. */
	uint32_t own;            /**< Likewise. */
	bool mapped;             /**< Whether the index needs ctr_agentx_map(). */
	const struct ctr_agentx_bind *binds; /**< Its objects. */
	uint32_t num_binds;      /**< Length of @ref binds. */
};

/** The objects of a module that the agent serves. */
struct ctr_agentx_module {
	const struct ctr_module *module;       /**< The module. */
	const struct ctr_agentx_group *groups; /**< Its scalars and tables. */
	uint32_t num_groups;                   /**< Length of @ref groups. */
	/** Notifications of the module, in its order; NULL for none. */
	const struct ctr_agentx_notification *notifications;
};

/** Write the sub-identifiers that index an instance in its table, unique per instance; at most
 * CTR_AGENTX_INDEX_MAX. Returns their number, negative to hide it. In the agent's thread. */
typedef int (*ctr_agentx_map_fn)(const uint32_t *index, uint32_t *suffix);

/** Set a function that gives the indexes of a scope's instances, such as interface numbers, and of
 * scopes that augment it without a function. The default is the key (ctr_key.h), or the position
 * plus one. Call it before ctr_agentx_open() or _start(). 0; -EINVAL: no such scope; -EBUSY while
 * the agent runs; -ENOMEM. */
int ctr_agentx_map(const struct ctr_module *module, const char *scope, ctr_agentx_map_fn map);

/** Notify the agent of changed indexes or instances, otherwise found in a second. Any thread. */
void ctr_agentx_changed(void);

/** Start the agent of @p count modules in this thread, which then calls ctr_agentx_poll(). @p
 * socket is that of the master, as net-snmp writes it (`unix:/run/agentx.sock`), or NULL for its
 * default; the master need not run yet. 0; -EBUSY if the agent runs already; -EINVAL; -ENOMEM; -EIO
 * for an error of net-snmp. */
int ctr_agentx_open(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket);

/** Wait up to `timeout_ms` for requests and answer them. Call it at least every second: it also
 * reconnects. 0; -EINVAL when the agent is not open. */
int ctr_agentx_poll(unsigned int timeout_ms);

/** Stop the agent of ctr_agentx_open(); in the same thread. */
void ctr_agentx_close(void);

/** Start the agent in a thread that blocks all signals. As ctr_agentx_open(); -EAGAIN: no thread
 * can be created. */
int ctr_agentx_start(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket);

/** Stop the agent of ctr_agentx_start(); takes up to 0.2 s. */
void ctr_agentx_stop(void);

/** Registration state of the scalars or of a table of a scope. */
enum ctr_agentx_registration {
	CTR_AGENTX_WAITING,    /**< No master answers, or not yet. */
	CTR_AGENTX_REGISTERED, /**< This agent serves it. */
	CTR_AGENTX_STANDBY,    /**< Another agent serves it; this one takes over when that ends. */
	CTR_AGENTX_REFUSED     /**< The master refuses it; retried every five seconds. */
};

/** A group at the master. */
struct ctr_agentx_status {
	const struct ctr_module *module;   /**< Its module. */
	const char *scope;                 /**< Name of its scope. */
	const uint32_t *oid;               /**< Of the node or row. */
	uint32_t oid_len;                  /**< Length of @ref oid. */
	enum ctr_agentx_registration standing; /**< Its registration state. */
	/** Why it is not registered: 0 (not known yet), a negative errno (no connection to the
	 * master; -ETIMEDOUT: it does not answer), or res.error of RFC 2741, 6.2.16. */
	int reason;
	unsigned int priority; /**< Of its registration, 127 to 142; the lowest serves. 0: none. */
};

/** Get the status of at most @p max groups of a running agent, in the order of the modules. A group
 * that takes over is shown as CTR_AGENTX_STANDBY until the first request for one. Any thread.
 * Returns the number of groups, which may exceed @p max; -EINVAL if no agent runs. */
int ctr_agentx_status(struct ctr_agentx_status *status, unsigned int max);

/** Text of a reason of struct ctr_agentx_status. Any thread; always valid. */
const char *ctr_agentx_reason(int reason);

/** Called in the agent's thread with each new status. It may call ctr_agentx_status(), but neither
 * start nor stop the agent, and must return soon: the agent answers no request until then. */
typedef void (*ctr_agentx_status_fn)(const struct ctr_agentx_status *status, void *argument);

/** Set the function to call when a status changes; NULL: none. 0; -EBUSY while the agent runs. */
int ctr_agentx_on_status(ctr_agentx_status_fn changed, void *argument);

/** Set how many notifications the agent sends in a second, as ctr_watch_limit() does. Call it
 * before ctr_agentx_open() or _start(). 0; -EBUSY while the agent runs. */
int ctr_agentx_limit(uint32_t most);

/** Totals of the modules' notifications so far. Any thread, while the agent runs. */
void ctr_agentx_notified(struct ctr_watch_totals *totals);

CTR_C_END

#endif /* CTR_AGENTX_H */
