/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Descriptors of modules, for exporters, command lines and agents.
 *
 * Every generated module has one constant `struct ctr_module`. With it, generic
 * code can list, read and reset all items without knowing the module.
 */
#ifndef CTR_MODULE_H
#define CTR_MODULE_H

#include "ctr_common.h"

/** The kind of an item. */
enum ctr_kind {
	CTR_COUNTER, /**< Only grows, until it wraps at 2^width. */
	CTR_GAUGE,   /**< Goes up and down within a range. */
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
	CTR_STRING     /**< char[size], terminated */
};

/** A value of an enum state. */
struct ctr_label {
	const char *name; /**< Name in the schema. */
	int32_t value;    /**< Value in the schema. */
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
	const struct ctr_label *labels; /**< Of an enum; NULL for others. */
	unsigned int num_labels;        /**< Length of @ref labels. */
};

/** How the instances of a scope are stored. */
enum ctr_storage {
	CTR_STATIC,  /**< All instances exist. */
	CTR_DYNAMIC, /**< Instances are created and destroyed. */
	CTR_EMBEDDED /**< In the application's objects; not reachable from here. */
};

/** One scope. Accessors take the indexes outermost first and return 0 or -errno. */
struct ctr_scope {
	const char *name;        /**< Name in the schema. */
	const char *description; /**< Description in the schema. */
	const char *strategy;    /**< Name of the synchronization strategy. */
	enum ctr_storage storage; /**< Where its instances are. */
	bool consistent;         /**< Whether the counters of one read belong together. */
	unsigned int num_indexes;         /**< 0 for global. */
	const char *const *index_names;   /**< One per index. */
	const uint32_t *index_maxima;     /**< Indexes run from 0 to one less. */
	const struct ctr_item *items;     /**< In the order of the schema. */
	unsigned int num_items;           /**< Length of @ref items. */
	size_t value_size;                /**< Bytes of the scope's value struct. */
	/** Read an instance; NULL for embedded scopes. */
	int (*read)(const uint32_t *index, void *out);
	/** Read and reset an instance; last may be NULL. NULL if the scope has no reset. */
	int (*reset)(const uint32_t *index, void *last);
	/**
	 * Position (row-major) of the first existing instance from `at` on, or the number of
	 * possible instances if there is none; NULL if all instances exist. Any thread.
	 */
	uint32_t (*next)(uint32_t at);
	/**
	 * Set this pointer to a table with one entry per position, and the module
	 * stores there the time (ctr_time_ns()) of the last discontinuity of each instance:
	 * its reset or creation. NULL if the scope has neither. Set it inside read_lock()
	 * and read_unlock().
	 */
	uint64_t **discontinuity_ns;
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
};

/** The initialiser of an item: member @p m of struct @p values, with flags in @p values_valid. */
#define CTR_ITEM(values, m, kind_, type_, width_, low, high, labels_, count, unit_, text) \
	{                                                                                  \
		.name = #m,                                                                \
		.unit = unit_,                                                             \
		.description = text,                                                       \
		.kind = kind_,                                                             \
		.type = type_,                                                             \
		.width = width_,                                                           \
		.offset = offsetof(struct values, m),                                      \
		.size = sizeof(((struct values *)0)->m),                                   \
		.valid = offsetof(struct values##_valid, m),                               \
		.minimum = low,                                                            \
		.maximum = high,                                                           \
		.labels = labels_,                                                         \
		.num_labels = count,                                                       \
	}
/** The initialiser of a counter of @p n bits. */
#define CTR_COUNTER_ITEM(values, m, n, unit, text) \
	CTR_ITEM(values, m, CTR_COUNTER, CTR_U##n, n, 0, UINT##n##_MAX, NULL, 0, unit, text)
/** The initialiser of a gauge of @p width bits that goes from @p low to @p high. */
#define CTR_GAUGE_ITEM(values, m, width, low, high, unit, text) \
	CTR_ITEM(values, m, CTR_GAUGE, CTR_U##width, width, low, high, NULL, 0, unit, text)
/** The initialiser of a state of the enum ctr_type @p type. */
#define CTR_STATE_ITEM(values, m, type, unit, text) \
	CTR_ITEM(values, m, CTR_STATE, type, 0, 0, 0, NULL, 0, unit, text)
/** The initialiser of a state that is one of @p count labels. */
#define CTR_ENUM_ITEM(values, m, labels, count, unit, text) \
	CTR_ITEM(values, m, CTR_STATE, CTR_ENUM, 0, 0, 0, labels, count, unit, text)

/** Flag of an item of a snapshot: the value was read. */
#define CTR_VALID 0x01u
/** Flag of an item of a snapshot: it is consistent with the other items of its instance. */
#define CTR_CONSISTENT 0x02u

/** Set the flags of the @p count items of an instance that was read; @p consistent: its counters
 * belong together. */
static inline void
ctr_items_valid(const struct ctr_item *items, unsigned int count, void *valid, bool consistent)
{
	for (unsigned int i = 0; i < count; i++) {
		bool together = consistent && items[i].kind == CTR_COUNTER;

		((uint8_t *)valid)[items[i].valid] = CTR_VALID | (together ? CTR_CONSISTENT : 0u);
	}
}

#endif /* CTR_MODULE_H */
