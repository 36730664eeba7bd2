/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Declarations shared by the files of the agent. Not installed. */
#ifndef CTR_AGENTX_PRIVATE_H
#define CTR_AGENTX_PRIVATE_H

#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>

#include "ctr.h"
#include "ctr_agentx.h"

/* ---- indexes of rows without an index function of the application ---- */

/** The index of a scope's rows: that of a row of `base`, and behind it that of the scope's last
 * `own` levels. `base` is the scope itself with `own` 0, or the scope whose rows it augments, or
 * whose rows are augmented by the scope around it. */
struct ctr_agentx_index {
	const struct ctr_scope *scope; /**< Whose instances have the index. */
	const struct ctr_scope *base;  /**< Whose rows it begins with. */
	uint32_t own;                  /**< Levels of the scope behind that. */
	uint32_t each;                 /**< Instances for each row of @ref base. */
	uint64_t total;                /**< Instances that can have a row. */
	uint32_t levels;               /**< Numbers of an index without keys. */
	uint32_t maxima[2 * CTR_INDEXES_MAX]; /**< Each is from 1 to this. */
	bool keyed;                    /**< Whether there is a key in the index. */
	bool by_keys; /**< Rows come and go with their keys alone: all keys are all rows. */
};

/** Know a function of the application for the indexes of a scope; -ENOMEM. */
int ctr_agentx_index_map(const struct ctr_scope *scope, ctr_agentx_map_fn map);

/** Prepare the index of the scope with number @p scope, as struct ctr_agentx_group has it, and set
 * @p map to the application's function for it, or NULL. 0; -ENOENT where it must have one. */
int ctr_agentx_index_init(struct ctr_agentx_index *made, ctr_agentx_map_fn *map,
		const struct ctr_module *module, uint32_t scope, uint32_t base, uint32_t own,
		bool mapped);

/** The sub-identifiers of the instance at a position, at most CTR_AGENTX_INDEX_MAX: how many;
 * -ENOENT: a key is missing, or what it augments does not exist. */
int ctr_agentx_index_suffix(const struct ctr_agentx_index *of, uint32_t at, uint32_t *suffix);

/** A generation number that changes with each change of the keys in an instance's index. */
uint64_t ctr_agentx_index_life(const struct ctr_agentx_index *of, uint32_t at);

/** The first position from `at` on whose row may be there: what it augments exists. `total` or more
 * if there is none. */
uint64_t ctr_agentx_index_next(const struct ctr_agentx_index *of, uint64_t at);

/** A generation number that changes with each change of any key in the index. */
uint64_t ctr_agentx_index_changes(const struct ctr_agentx_index *of);

/* ---- views: the rows that parts of one request of a manager have read ---- */

/** Maximum number of requests in progress, each with its own view. */
#define CTR_AGENTX_BURSTS 4u

/** Maximum number of rows of one table that are cached for a request. */
#define CTR_AGENTX_CACHED 4096u

/** The values of an instance. */
struct ctr_agentx_values {
	const uint8_t *value;      /**< Its value struct. */
	uint64_t discontinuity_ns; /**< As in the scope's table; 0: none. */
	uint64_t life;             /**< Generation of its key: ctr_agentx_index_life(). */
};

/** A row of a view. */
struct ctr_agentx_cached {
	uint32_t at;    /**< Position of the instance. */
	uint32_t value; /**< Number of its value; UINT32_MAX: it does not exist. */
	struct ctr_agentx_values values; /**< Without the address of the value struct. */
};

/** Rows of a scope as one request sees them. */
struct ctr_agentx_view {
	uint32_t num;    /**< Used elements of @ref row. */
	uint32_t max;    /**< Available elements of @ref row; the values have one more. */
	struct ctr_agentx_cached *row; /**< By position. */
	uint8_t *values;             /**< Value structs, in the order in which they were read. */
};

/** A scope that is served. */
struct ctr_agentx_source {
	const struct ctr_module *module; /**< Its module. */
	const struct ctr_scope *scope;   /**< The scope. */
	struct ctr_agentx_index index;   /**< The index of its rows. */
	uint64_t *discontinuity_ns;      /**< Times of discontinuities, or NULL. */
	struct ctr_agentx_view view[CTR_AGENTX_BURSTS]; /**< One for each request. */
};

/** A request in progress. */
struct ctr_agentx_burst {
	int64_t transaction; /**< The master's number. */
	long session;        /**< The session with the master. */
	uint64_t used_ns;    /**< When it was last answered; 0 for none. */
};

/** Data that all groups share. */
struct ctr_agentx_state {
	struct ctr_agentx_source *source; /**< Scopes that are served, module by module. */
	uint32_t num_sources;             /**< Length of @ref source. */
	struct ctr_agentx_burst burst[CTR_AGENTX_BURSTS]; /**< Requests in progress. */
	uint64_t zero_ns;        /**< ctr_time_ns() when the master's sysUpTime was 0. */
	struct ctr_watch *watch; /**< Evaluates notifications; NULL for none. */
	const struct ctr_agentx_module **modules; /**< All that the agent serves. */
	unsigned int num_modules;                 /**< Length of @ref modules. */
	unsigned int changes; /**< Calls of ctr_agentx_changed(); atomic. */
};

/** Free the memory of a source. */
void ctr_agentx_source_fini(struct ctr_agentx_source *source);

/* ---- rows: which of a table exist, in the order of their OIDs ---- */

/** A row whose index is a key, or one that the application gives. */
struct ctr_agentx_row {
	uint32_t at;     /**< Position of the instance. */
	uint32_t length; /**< Length of the index. */
	size_t suffix;   /**< Where the index is in the pool. */
	uint64_t life;   /**< Generation of the key: ctr_agentx_index_life(). */
	uint64_t start;  /**< Orders rows that begin differently, once it is set. */
};

/** The rows of a group. */
struct ctr_agentx_rows {
	struct ctr_agentx_source *source; /**< The scope of the rows. */
	ctr_agentx_map_fn map;       /**< Index of an instance; NULL: key, or position + 1. */
	bool listed;                 /**< Rows are in @ref row: they have another order, or come and
				      * go up to a cap. */
	uint64_t cap;                /**< Maximum number of rows. */
	uint64_t limit;              /**< Positions from here on are beyond the cap. */
	uint64_t checked_ns;         /**< When `row` was made; 0 for never. */
	uint64_t rest_ns;            /**< How long that stays so. */
	unsigned int changes;        /**< Value of the counter of changes at that time. */
	uint64_t keys;               /**< Likewise of those of keys. */
	struct ctr_agentx_row *row;  /**< Of a listed table, sorted by index. */
	size_t num_rows, max_rows;   /**< Used and available elements of @ref row. */
	uint32_t *pool;              /**< Their indexes. */
	size_t used, max_pool;       /**< Used and available elements of @ref pool. */
};

/** A place among the rows. */
struct ctr_agentx_place {
	uint32_t at;                           /**< Position of the instance. */
	uint32_t length;                       /**< Length of the index. */
	uint64_t life;                         /**< Generation of its key. */
	uint32_t suffix[CTR_AGENTX_INDEX_MAX]; /**< The index. */
};

/** Prepare. */
void ctr_agentx_rows_init(struct ctr_agentx_rows *rows, struct ctr_agentx_source *source,
		uint32_t cap, ctr_agentx_map_fn map);

/** Free the rows. */
void ctr_agentx_rows_fini(struct ctr_agentx_rows *rows);

/** Update the rows, if they may have changed. */
void ctr_agentx_rows_refresh(struct ctr_agentx_rows *rows, unsigned int changes);

/** Find the first existing row whose index is greater than `key` (`inclusive`: or equal to it).
 * Whether there is one. */
bool ctr_agentx_rows_next(const struct ctr_agentx_rows *rows, const uint32_t *key, uint32_t length,
		bool inclusive, struct ctr_agentx_place *place);

/* ---- answers ---- */

/** Tolerated difference of the agent's and the master's clock, in hundredths of a second. */
#define CTR_AGENTX_SLACK_TICKS 3

/** Nanoseconds in a hundredth of a second. */
#define CTR_AGENTX_TICK_NS (CTR_SECOND_NS / 100)

/** A registered group. */
struct ctr_agentx_served {
	struct ctr_agentx_state *state;              /**< The data that all groups share. */
	const struct ctr_agentx_group *group;        /**< The generated description. */
	netsnmp_handler_registration *registration;  /**< NULL while it is not. */
	struct ctr_agentx_rows rows;                 /**< Its rows. */
	bool asked;         /**< The master has asked for it. */
	bool stands_by;     /**< Another agent serves it, until the master asks this one. */
	uint64_t served_ns; /**< ctr_time_ns() when this one took over from another agent, or 0. */
};

/** Take note of the master's sysUpTime, which times are shown in. */
void ctr_agentx_follow_uptime(struct ctr_agentx_state *state);

/** Append sub-identifiers to a name of MAX_OID_LEN; false if it is too short for them. */
bool ctr_agentx_append(oid *name, size_t *length, const uint32_t *from, uint32_t count);

/** Whether an instance has a value that the object's type has: an enumeration only has the values
 * of its labels (RFC 2578, 7.1.1), which the 0 of one that was never set need not be. */
bool ctr_agentx_has(const struct ctr_scope *scope, const struct ctr_agentx_object *object,
		const struct ctr_agentx_values *values);

/** Put a value of an instance into a variable. */
void ctr_agentx_put(netsnmp_variable_list *vb, const struct ctr_scope *scope,
		const struct ctr_agentx_object *object, const struct ctr_agentx_place *place,
		const struct ctr_agentx_values *values, uint64_t zero_ns);

/** Handler of a group: `my_reg_void` is its struct ctr_agentx_served. */
int ctr_agentx_handle(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
		netsnmp_agent_request_info *info, netsnmp_request_info *request);

/* ---- the session with the master (RFC 2741, 7.1): connects, opens, pings, reconnects, and never
 * waits for an answer ---- */

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

/** Values of res.error of RFC 2741, 6.2.16, that the agent handles. */
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

/** Connect, ping, or notice that the master is silent, if it is time to. `socket` is as in
 * ctr_agentx_open(), and stays valid. */
void ctr_agentx_session_tick(uint64_t now, const char *socket);

/** The master. */
const struct ctr_agentx_master *ctr_agentx_session(void);

/** A PDU of a type for the open session; NULL without memory. */
netsnmp_pdu *ctr_agentx_pdu(enum ctr_agentx_pdu type);

/** Send a PDU, which is freed if that fails. `done` gets the answer later, or is called with
 * NETSNMP_CALLBACK_OP_TIMED_OUT when the session ends. */
bool ctr_agentx_send(netsnmp_pdu *pdu, snmp_callback done, void *magic);

/** Close the session at the next tick, because of an error, and try again. */
void ctr_agentx_session_abort(int reason);

/** Close the session, and forget the master. */
void ctr_agentx_session_fini(void);

/* ---- registrations of the groups (RFC 2741, 7.1.5): standby where another agent serves them, and
 * the status of each ---- */

/** Begin to keep the status of groups; -ENOMEM. `served` stays valid until _fini(). */
int ctr_agentx_claims_init(struct ctr_agentx_served *served, unsigned int num);

/** Register unregistered groups when due; report and log changes of status. */
void ctr_agentx_claims_tick(uint64_t now, const char *socket);

/** Forget the groups. */
void ctr_agentx_claims_fini(void);

/** Send a notification to managers, through the master; @p context is the agent's state. 0;
 * -EAGAIN: later; -ENOENT: its index is unknown. */
int ctr_agentx_notify(const struct ctr_event *event, void *context);

#endif /* CTR_AGENTX_PRIVATE_H */
