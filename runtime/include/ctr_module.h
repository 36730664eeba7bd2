/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Module descriptors, with which generic code lists, reads and resets the items of any module.
 * Every generated module has one constant `struct ctr_module`. */
#ifndef CTR_MODULE_H
#define CTR_MODULE_H

#include "ctr_common.h"

/** The kind of an item. */
enum ctr_kind {
	CTR_COUNTER, /**< Only grows, until it wraps at 2^width. */
	CTR_GAUGE,   /**< Goes up and down within a range, as a gauge or a peak does. */
	CTR_STATE    /**< The value that was set last. */
};

/** The type of an item in its scope's value struct. */
enum ctr_type {
	CTR_U32,       /**< uint32_t */
	CTR_U64,       /**< uint64_t */
	CTR_BOOL,      /**< bool */
	CTR_I32,       /**< int32_t */
	CTR_ENUM,      /**< an enum, stored as uint32_t or int32_t size */
	CTR_TIMETICKS, /**< uint32_t, hundredths of a second */
	CTR_IPV4,      /**< uint32_t in network byte order */
	CTR_IPV6,      /**< uint8_t[16] */
	CTR_MAC,       /**< uint8_t[6] */
	CTR_STRING,    /**< char[size], terminated */
	CTR_TIMESTAMP  /**< uint64_t, ctr_time_ns() of the last event; 0: never */
};

/** A value of an enum state. */
struct ctr_label {
	const char *name; /**< Name in the schema. */
	int32_t value;    /**< Value in the schema. */
};

/** Source of an item's value (docs/schema.md). */
enum ctr_source {
	CTR_STORED,   /**< Stored in the module. */
	CTR_DEVICE,   /**< Read from a DPDK ethdev port. */
	CTR_CALLBACK, /**< Returned by a callback of the application. */
	CTR_DERIVED   /**< Computed from other items of the instance. */
};

/** One counter, gauge or state. */
struct ctr_item {
	const char *name;        /**< Name in the schema. */
	const char *unit;        /**< Unit in the schema; empty for none. */
	const char *description; /**< Description in the schema. */
	enum ctr_kind kind;      /**< Its kind. */
	enum ctr_type type;      /**< Its type in the value struct. */
	uint32_t width;    /**< Bits of a counter or gauge; 0 for states. */
	size_t offset;     /**< Offset in the scope's value struct. */
	size_t size;       /**< Bytes in the value struct. */
	size_t valid;      /**< Offset of its flags in the scope's validity struct. */
	uint64_t minimum;  /**< Least value of a gauge. */
	uint64_t maximum;  /**< Greatest value of a gauge or counter. */
	const struct ctr_label *labels; /**< Labels of an enum; NULL for others. */
	unsigned int num_labels;        /**< Length of @ref labels. */
	/** Offset in the value struct of a bool: whether the item has a value; 0: always. */
	size_t available;
	enum ctr_source source; /**< Source of its value. */
	const char *statistic;  /**< Name in the device, "{0}" for the first index; or NULL. */
	bool together; /**< Derived from stored counters only: as consistent as these. */
};

/** How the instances of a scope are stored. */
enum ctr_storage {
	CTR_STATIC,  /**< All instances exist. */
	CTR_DYNAMIC, /**< Instances are created and destroyed. */
	CTR_EMBEDDED /**< In the application's objects; not reachable from here. */
};

/** Display text for a name in a scope; functions take and return the name itself. */
struct ctr_display {
	/** "value INDEX LABEL", "part INDEX PART LABEL" of a key, "label ITEM LABEL" of an enum,
	 * "item NAME" of an item or histogram; or "metric NAME", for its name in Prometheus. */
	const char *of;
	const char *text; /**< In UTF-8. */
};

/** One scope. Accessors take the indexes outermost first and return 0 or -errno. */
struct ctr_scope {
	const char *name;        /**< Name in the schema. */
	const char *description; /**< Description in the schema. */
	const char *strategy;    /**< Name of the synchronization strategy. */
	enum ctr_storage storage; /**< Where its instances are. */
	bool consistent;         /**< Whether the counters of one read are mutually consistent. */
	unsigned int num_indexes;         /**< 0 for global. */
	const char *const *index_names;   /**< One per index. */
	const uint32_t *index_maxima;     /**< Indexes run from 0 to one less. */
	/** One per index: index_maxima[] names of its values, or NULL; NULL: no index has names. */
	const char *const *const *index_labels;
	/** One per index: the keys of that level (ctr_key.h), or NULL; NULL: no level has keys. */
	const struct ctr_keys *const *keys;
	const struct ctr_item *items;     /**< In the order of the schema. */
	unsigned int num_items;           /**< Length of @ref items. */
	/** Its histograms. Their counters are among the items. */
	const struct ctr_histogram *const *histograms;
	unsigned int num_histograms;      /**< Length of @ref histograms. */
	size_t value_size;                /**< Bytes of the scope's value struct. */
	/** Read an instance; NULL for embedded scopes. */
	int (*read)(const uint32_t *index, void *out);
	/** Read @p count instances from position @p at (row-major) on into an array of value
	 * structs, and store the result of `read` for each to @p rc. Call it between read_lock()
	 * and read_unlock() of the same thread. NULL: use `read`, as with external items. */
	void (*rows)(uint32_t at, uint32_t count, void *values, int *rc);
	/** Read and reset an instance; last may be NULL. NULL if the scope has no reset. */
	int (*reset)(const uint32_t *index, void *last);
	/** Read the contribution of one lcore (or CTR_NON_LCORE) to an instance. NULL where lcores
	 * share words, and for embedded scopes. */
	int (*lcore_read)(unsigned int lcore, const uint32_t *index, void *out);
	/** Read an instance in one of the `views` of its module; the first view is never reset.
	 * NULL in a module without views, and for scopes without reset. */
	int (*view_read)(unsigned int view, const uint32_t *index, void *out);
	/** Read and reset an instance in a view but the first; last may be NULL. As view_read. */
	int (*view_reset)(unsigned int view, const uint32_t *index, void *last);
	/** Take over the values of another process (docs/segment.md): add counters, set gauges
	 * and states, observe peaks. Any thread; -ENOENT if the instance does not exist. NULL for
	 * embedded scopes. */
	int (*adopt)(const uint32_t *index, const void *values);
	/** Mark the counters of an existing instance as possibly inconsistent: reads return -EAGAIN
	 * in all views except the first, each until it is reset. Any thread. NULL where a reset
	 * never returns -EAGAIN. */
	void (*tear)(const uint32_t *index);
	/** Create an instance; NULL unless the scope is dynamic. */
	int (*create)(const uint32_t *index);
	/** Position (row-major) of the first existing instance from `at` on, or the number of
	 * possible instances if there is none; NULL if all instances exist. Any thread. */
	uint32_t (*next)(uint32_t at);
	/** The table of ctr_discontinuity_open(): by position, the time (ctr_time_ns()) of the last
	 * discontinuity of each instance: a reset, its creation, a restart of the source of its
	 * counters, or the last one in a process whose counts it took over; 0: none since the
	 * module's `began_ns`. Even if taken over, else odd (CTR_OWN_TIME). Points to NULL while it
	 * is not open. NULL for embedded scopes. */
	uint64_t **discontinuity_ns;
	const struct ctr_display *displays; /**< Display texts of some names. */
	unsigned int num_displays;          /**< Length of @ref displays. */
};

/** A renamed scope, item or key part: `renamed_from` in the schema. */
struct ctr_rename {
	const char *scope;  /**< Current name of the scope. */
	const char *item;   /**< Current name of the item or part; NULL: the scope itself. */
	const char *former; /**< The former name. */
};

/** One generated module. */
struct ctr_module {
	uint32_t abi;            /**< CTR_ABI of the generated code. */
	const char *name;        /**< Name in the schema. */
	const char *description; /**< Description in the schema. */
	const struct ctr_scope *scopes; /**< In the order of the schema. */
	unsigned int num_scopes;        /**< Length of @ref scopes. */
	int (*init)(void);              /**< The module's `_init()`. */
	void (*fini)(void);             /**< The module's `_fini()`. */
	int (*reset)(void);             /**< The module's `_reset()`. */
	void (*flush)(void);            /**< The module's `_flush()`. */
	void (*read_lock)(void);        /**< The module's `_read_lock()`. */
	void (*read_unlock)(void);      /**< The module's `_read_unlock()`. */
	uint64_t (*drops)(void);        /**< The module's `_drops()`. */
	const struct ctr_notification *notifications; /**< In the order of the schema. */
	unsigned int num_notifications; /**< Length of @ref notifications. */
	/** Names of the views, by their numbers: "raw", "default", those of the schema. */
	const char *const *views;
	unsigned int num_views;         /**< Length of `views`: 0 for a module without. */
	const bool *ready; /**< Whether it is initialised; load it atomically. */
	const struct ctr_rename *renames; /**< Renamed scopes, items and key parts. */
	unsigned int num_renames;       /**< Length of @ref renames. */
	const uint64_t *began_ns; /**< ctr_time_ns() of its last `_init()`. */
	/** 1 if `scopes[num_scopes]` is the scope CTR_HEALTH of the module's own counters: existing
	 * instances, creations refused, updates that were late, dropped or lost. Else 0. */
	unsigned int num_health;
};

/** Name of the scope of a module's own counters; reserved in schemas. */
#define CTR_HEALTH "_module"

/** Number of scopes that readers show: those of the schema, then CTR_HEALTH. */
static inline unsigned int
ctr_scopes_shown(const struct ctr_module *module)
{
	return module->num_scopes + module->num_health;
}

/** Flag of an item of a snapshot: the value was read. */
#define CTR_VALID 0x01u
/** Flag of an item of a snapshot: it is consistent with the other items of its instance. */
#define CTR_CONSISTENT 0x02u

/** Whether an item has a value in the value struct of its scope. */
static inline bool
ctr_item_available(const struct ctr_item *item, const void *values)
{
	return item->available == 0 || *((const uint8_t *)values + item->available) != 0;
}

/** When a notification is raised. */
enum ctr_condition {
	CTR_RISES_ABOVE, /**< The watched value is greater than a threshold. */
	CTR_FALLS_BELOW, /**< The watched value is less than a threshold. */
	CTR_BECOMES      /**< A state has one of some values. */
};

/** A notification. The watched value of a counter is its rate, in units per second since the last
 * evaluation; of other items their value. */
struct ctr_notification {
	const char *name;        /**< Name in the schema. */
	const char *description; /**< Description in the schema. */
	uint32_t scope;          /**< Number of the scope in the module. */
	uint32_t item;           /**< Number of the item in the scope. */
	enum ctr_condition condition; /**< When it is raised. */
	bool cleared;            /**< Whether a notification is also sent when it clears. */
	int64_t raise;           /**< The threshold; unused by CTR_BECOMES. */
	int64_t clear;           /**< It clears when the value is back past this one. */
	const int32_t *values;   /**< Values of CTR_BECOMES; NULL for others. */
	uint32_t num_values;     /**< Length of @ref values. */
	uint32_t every_s;        /**< Seconds between two evaluations; at least 1. */
	uint32_t lasts_s;        /**< Seconds that the condition must hold before it is raised. */
	uint32_t most;           /**< Most raises of an instance in a window; 0: no limit. */
	uint32_t window_s;       /**< Seconds of that window. */
};

#endif /* CTR_MODULE_H */
