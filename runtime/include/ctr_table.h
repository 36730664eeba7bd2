/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * How a scope is stored: tables from which the library (ctr_access.h) reads, resets and creates
 * instances. A generated module has a constant `struct ctr_table` per scope, with its mutable state
 * in a `struct ctr_table_state`. A `struct ctr_strategy` has the operations of a strategy. */
#ifndef CTR_TABLE_H
#define CTR_TABLE_H

#include "ctr_read_ctx.h"
#include "ctr_slots.h"
#include "ctr_access.h"

struct ctr_item;
struct ctr_keys;

/** Arguments of a sum of the counters of instances at positions from `at` on, in one chunk. */
struct ctr_sum {
	void *const *copies; /**< Words in these are added. */
	uint32_t num;        /**< How many copies. */
	uint32_t at;         /**< The first position. */
	uint32_t n;          /**< How many instances. */
	bool more;           /**< Whether sums are added to the values, which are set otherwise. */
	const char *base;    /**< The baseline of the first, which is subtracted; or NULL. */
	char *values;        /**< An array of value structs; what is no counter stays. */
};

/** Counters of one width in a row, in the same order in an element of storage, in a value struct
 * and in a baseline. Offsets are in bytes, of the first of them. */
struct ctr_run {
	uint32_t data;   /**< In an element of storage. */
	uint32_t value;  /**< In the struct of values. */
	uint32_t base;   /**< In a baseline; names a counter also where there are no baselines. */
	uint32_t common; /**< In the common part: wide words, if `stored` is less than `bits`. */
	uint16_t num;    /**< How many there are. */
	uint8_t bits;    /**< Of each: 64 or 32. */
	uint8_t stored;  /**< Bits of the word in an element. */
};

/** The initialiser of a run of @p n counters from @p first on, members of struct @p data and of
 * struct @p values; @p at and @p wide are offsets in a baseline and in the common part. */
#define CTR_RUN(data, values, first, at, n, bits, stored, wide) \
	{ offsetof(struct data, first), offsetof(struct values, first), at, wide, n, bits, stored }

/** A counter of an instance, for `add` of a strategy. */
struct ctr_target {
	void *copy;    /**< The copy. */
	void *element; /**< The instance in it. */
	void *word;    /**< The word of the counter in that. */
	void *sum;     /**< Its wide word in the common part, or NULL. */
	uint8_t bits;  /**< 64 or 32. */
};

/** How a gauge, a peak or a state is stored. */
enum ctr_form {
	CTR_FORM_PLAIN,   /**< As it is. */
	CTR_FORM_BOOL,    /**< 0 or 1. */
	CTR_FORM_LATCHED, /**< Cut to its range: ctr_latch(). */
	CTR_FORM_SIGNED,  /**< Likewise, of a signed number. */
	CTR_FORM_HIGHEST, /**< The greatest that was observed. */
	CTR_FORM_LOWEST,  /**< The least that was observed. */
	CTR_FORM_MARK_HIGHEST, /**< The greatest that a gauge had. */
	CTR_FORM_MARK_LOWEST,  /**< The least that a gauge had. */
	CTR_FORM_LIMIT_LEFT,   /**< What remains of a limit: struct ctr_limit_account. */
	CTR_FORM_LIMIT_SINCE,  /**< What was counted since its last crossing, likewise. */
	CTR_FORM_LIMIT_STATE,  /**< Its state, in the same account. */
	CTR_FORM_CELL     /**< Octets behind a sequence counter: ctr_seqcount.h. */
};

/** A gauge, a peak or a state in storage. */
struct ctr_value {
	uint32_t at;    /**< Offset of its word, or cell, in the common part or in an element. */
	uint32_t value; /**< Offset in the struct of values. */
	uint32_t gauge; /**< Offset of the word of the gauge that a mark is of. */
	uint16_t octets; /**< Of a cell: how many it holds. Of a limit: its number. */
	uint8_t form;   /**< A value of enum ctr_form. */
	uint8_t bits;   /**< Of the word: 64 or 32. */
	uint8_t size;   /**< Bytes in the struct of values; of a cell, none. */
	uint64_t low;   /**< Least value; of CTR_FORM_SIGNED as two's complement. */
	uint64_t high;  /**< Greatest value. */
};

/** The initialiser of member @p m of struct @p part, in storage, and of struct @p values; @p of is
 * its gauge (itself, of what is no mark), @p how an enum ctr_form, @p n the bits of its word. */
#define CTR_VALUE(part, values, m, of, how, n, least, most)     \
	{                                                       \
		.at = offsetof(struct part, m),                 \
		.value = offsetof(struct values, m),            \
		.gauge = offsetof(struct part, of),             \
		.form = how,                                    \
		.bits = n,                                      \
		.size = sizeof(((struct values *)0)->m),        \
		.low = (uint64_t)(least),                       \
		.high = (uint64_t)(most),                       \
	}
/** The same of a cell that holds @p n octets. */
#define CTR_CELL(part, values, m, n) \
	{ offsetof(struct part, m), offsetof(struct values, m), 0, n, CTR_FORM_CELL, 0, 0, 0, 0 }

/** The same of limit @p number, whose account is member @p m of @p part: @p value is its item. */
#define CTR_LIMIT_VALUE(part, values, m, value_, how, number)                                  \
	{                                                                                      \
		offsetof(struct part, m), offsetof(struct values, value_), 0, number, how, 0, \
		sizeof(((struct values *)0)->value_), 0, 0                                     \
	}

/** External and derived items of a scope (ctr_source.h). */
struct ctr_table_sources {
	const struct ctr_source_ops *ops; /**< What the library does with them. */
	struct ctr_sourced *sourced;   /**< What was reported last; NULL: nothing is. */
	struct ctr_rates *rates;       /**< Samples of its rates; NULL: there are none. */
	uint32_t *devices;             /**< Ports of devices by the outermost index, or NULL. */
	/** ctr_device_read(). */
	uint32_t (*device_read)(const struct ctr_item *items, unsigned int count,
				const char *const *const *labels, uint32_t port,
				const uint32_t *index, void *values);
	const char *const *const *labels; /**< What it takes as such. */
	struct ctr_provider *provider; /**< The application, or NULL. */
	/** Call it with the values of an instance. */
	void (*provide)(const uint32_t *index, void *values);
	/** Work out what is derived; rates at a time, or not if @p want is 0. NULL: nothing is. */
	void (*derive)(uint32_t at, void *values, uint64_t want);
	const struct ctr_item *items;  /**< All items of the scope. */
	uint32_t num_items;            /**< Length of `items`. */
};

/* Operations for few scopes, called by pointers, so that other programs do not link them. */

/** Gauges, peaks and states. */
struct ctr_value_ops {
	/** Read those of @p n instances to their values; @p restart begins an epoch of peaks. */
	void (*read)(const struct ctr_table *table, uint32_t at, uint32_t n, void *values,
		     bool restart);
	/** Those in an element, likewise. */
	void (*beside)(const struct ctr_table *table, const void *element, void *values);
	/** They are 0 in a new instance. */
	void (*clear)(const struct ctr_table *table, uint32_t at);
	/** Set them to the values of another process; peaks observe these. */
	void (*restore)(const struct ctr_table *table, uint32_t at, const char *values);
	/** Reinitialise in a child of fork(): end the write sections of setters. */
	void (*fork_child)(const struct ctr_table *table);
};

/** Instances that are created and destroyed: the memory of a scope. */
struct ctr_chunk_ops {
	/** The first position from @p at on where one exists, or `max`. */
	uint32_t (*next)(const struct ctr_table *table, uint32_t at);
	/** Whether an instance exists; among readers or under the control lock. */
	bool (*lives)(const struct ctr_table *table, uint32_t at);
	/** The baseline of one that exists, in a view. */
	char *(*base)(const struct ctr_table *table, uint32_t at, unsigned int view);
	/** Allocate the chunks of other copies in a new copy: 0; -ENOMEM. */
	int (*grow)(const struct ctr_table *table, void *copy, unsigned int lcore);
	/** Free the chunks of a copy. */
	void (*shrink)(const struct ctr_table *table, void *copy);
	/** Free all but the chunks of copies, when the module ends. */
	void (*free)(const struct ctr_table *table);
	/** No instance exists; no memory is freed. */
	void (*reinit)(const struct ctr_table *table);
	/** Reinitialise in a child of fork(): there are no readers. */
	void (*fork_child)(const struct ctr_table *table);
};

/** Keys of instances: as ctr_keys_clear(), ctr_keys_free() and ctr_keys_forget(). */
struct ctr_key_ops {
	void (*clear)(struct ctr_keys *keys, uint32_t at); /**< An instance has none. */
	void (*free)(struct ctr_keys *keys);               /**< Free all memory. */
	void (*forget)(struct ctr_keys *keys);             /**< No keys; no memory is freed. */
};

/** External and derived items. */
struct ctr_source_ops {
	/** Query the sources of an instance: 0; -ENOENT; -ERANGE; -ENOMEM. */
	int (*query)(const struct ctr_table *table, uint32_t at);
	/** Store the last reported values to *values; with @p reset begin a new epoch. */
	void (*reported)(const struct ctr_table *table, unsigned int view, uint32_t at,
			 void *values, bool reset);
	/** Another instance begins, or counts of another process are handed over. */
	void (*restart)(const struct ctr_table *table, uint32_t at, bool rates);
	void (*forget)(const struct ctr_table *table); /**< Forget what was reported. */
	void (*free)(const struct ctr_table *table); /**< Free it, when the module ends. */
};

/** The control thread that drains. */
struct ctr_poll_ops {
	int (*start)(const struct ctr_module_state *module); /**< 0, or an error of threads. */
	void (*stop)(const struct ctr_module_state *module); /**< Ends it, if it runs. */
};

extern const struct ctr_poll_ops ctr_poll_ops;     /**< For modules with a `poller`. */
extern const struct ctr_value_ops ctr_value_ops;   /**< For tables with such items. */
extern const struct ctr_chunk_ops ctr_chunk_ops;   /**< For those of dynamic scopes. */
extern const struct ctr_key_ops ctr_key_ops;       /**< For those with keys. */
extern const struct ctr_source_ops ctr_source_ops; /**< For those with such items. */

/** Where the instances of a scope are in a struct. */
struct ctr_place {
	size_t at;      /**< Offset of the array of elements, or of that of pointers to chunks. */
	uint32_t first; /**< Offset of the first element in a chunk. */
	uint32_t size;  /**< Bytes of an element; 0: there are none. */
};

/** A module in storage. */
struct ctr_module_state {
	struct ctr_control *control;  /**< Excludes changes of epochs and lives. */
	struct ctr_flag *ready;       /**< Whether the module is initialised. */
	struct ctr_padded64 *dropped;   /**< Updates with an index out of range. */
	struct ctr_padded64 *late;      /**< Updates that found nothing to count in. */
	struct ctr_module_fork *fork; /**< What a child of fork() is to do. */
	struct ctr_module_poller *poller; /**< Drains what lcores send; NULL: no thread. */
	const struct ctr_poll_ops *poll_ops; /**< Where there is a `poller`. */
	const struct ctr_domain *const *domains; /**< Its scopes by strategy. */
	const struct ctr_table *const *tables;   /**< Its scopes, in the order of the schema. */
	uint32_t num_domains;         /**< Length of `domains`. */
	uint32_t num_tables;          /**< Length of `tables`. */
	void *common;                 /**< What exists once for all copies; or NULL. */
	size_t common_size;           /**< Bytes of that. */
	bool at_once;                 /**< Whether no update of it is deferred; false is safe. */
	bool alone;                   /**< CTR_PORT_ALONE, as the module is compiled. */
	void (*read_unlock)(void);    /**< `_read_unlock()`: debug builds know the module by it. */
};

/** A domain: scopes under one strategy with the same tunables. */
struct ctr_domain {
	const struct ctr_strategy *strategy;   /**< What its strategy does differently. */
	const struct ctr_module_state *module; /**< What all scopes share. */
	const struct ctr_table *const *tables; /**< Its scopes. */
	uint32_t num_tables;         /**< Length of `tables`. */
	uint32_t retries;            /**< How often a read waits for one writer. */
	struct ctr_slots *slots;     /**< A copy for each lcore, or CPU; NULL: there is one copy. */
	void *(*find)(void);         /**< ctr_slots_find() of these or of `held`, or NULL. */
	/** Shares of limits in `slots`: a domain without tables, which does not open these. */
	const struct ctr_domain *shares;
	struct ctr_slots *held;      /**< Pending updates of the only copy: buffers, rings. */
	void *shared;                /**< The only copy, where there is one. */
	size_t size;                 /**< Bytes of that. */
	uint32_t most_cpus;          /**< How many CPUs have a copy at most. */
	struct ctr_padded32 *ending;   /**< How many instances are ending; NULL: nothing is held. */
	struct ctr_drain_tokens *drain_tokens; /**< When each lcore last had no pending updates. */
	struct ctr_spin *others;     /**< Lock of threads without an lcore id, if they have one. */
	const void *own;             /**< What the strategy knows of it: a struct of its header. */
};

/** Operations of a strategy; NULL: the default. Several instances are @p n from position @p at on,
 * in one chunk, with an array of value structs and one of return codes. */
struct ctr_strategy {
	/* ---- reads: of any thread, while lcores count ---- */

	/** Add one copy of some instances to their values; *rc of an instance becomes -EAGAIN if
	 * its counters may not be mutually consistent. Default: ctr_load_plain(). */
	void (*load)(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n,
		     void *values, int *rc, struct ctr_read_ctx *reading);
	/** Add all copies of some instances to their values. Default: `load` of each. */
	void (*sum)(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
		    struct ctr_read_ctx *reading);
	/** The counters of an instance of a table that `gathers`, to @p values, less a baseline
	 * unless that is NULL. A quick try: 0; -EAGAIN: use `sum`. Without a baseline it does not
	 * fail, and is one access to all words. Default: `load` or `sum`, else sums of relaxed
	 * loads. */
	int (*gather)(const struct ctr_table *table, uint32_t at, const uint64_t *base,
		      uint64_t *values);
	/** The counters of an instance of a table of `words`, to *values; the rest stays. A quick
	 * try: 0; -EAGAIN: use `load`. Of an only copy one access to all words, as `take` is.
	 * Default: `load` or `sum`, else sums of relaxed loads. */
	int (*words)(const struct ctr_table *table, uint32_t at, void *values);
	/** A run of one over all copies. Default: a sum of relaxed loads, also with a `load`. */
	uint64_t (*get)(const struct ctr_table *table, uint32_t at, const struct ctr_run *run);
	/** Move the counters of an element of the only copy, or of an object of the application, to
	 * *values, and set them to 0. Default: ctr_take_atomic(). */
	void (*take)(const struct ctr_table *table, void *element, void *values);
	/** Set the gauges and states in an element to 0. Default: ctr_clear_plain(). */
	void (*clear)(const struct ctr_table *table, void *element);

	/** Add to a counter from a thread without an lcore id. Any thread. Default: atomic. */
	void (*add)(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n);

	/* ---- under the control lock ---- */

	/** Begin, or end, an outermost read section. Default: `flush` at the beginning. */
	void (*section)(const struct ctr_domain *domain, bool begin);
	/** Apply records that lcores have sent; whether there were any. */
	bool (*poll)(const struct ctr_domain *domain);
	/** Apply pending updates whose lcore has left. Default: `poll`. */
	void (*drain_orphans)(const struct ctr_domain *domain);

	/* ---- of the module ---- */

	/** Apply the pending updates of the calling lcore. */
	void (*flush)(const struct ctr_domain *domain, enum ctr_flush how);
	/** Before copies are allocated: initialise everything else. 0 or -errno. */
	int (*open)(const struct ctr_domain *domain);
	/** Undo `open`, when the copies are freed. */
	void (*close)(const struct ctr_domain *domain);
	/** In a child of fork(): end the write sections of others. */
	void (*fork_child)(const struct ctr_domain *domain);
	/** Drop all counts, when the only copy is already zero. */
	void (*reinit)(const struct ctr_domain *domain);

	/* ---- of copies, or of pending updates of the only one; as of struct ctr_slots ---- */

	/** Initialise one before it is published, when it has its chunks. 0 or -errno. */
	int (*prepare)(const struct ctr_domain *domain, void *copy);
	/** A thread gets one that a former owner has left, perhaps during an update. Runs in the
	 * new owner, under the port's locks, DPDK's lcore lock among them; never waits. */
	void (*takeover)(const struct ctr_domain *domain, void *copy);
	/** Its owner leaves. Runs in it, or in a child of fork() without it; likewise. */
	void (*leave)(const struct ctr_domain *domain, void *copy);
	void (*drop)(const struct ctr_domain *domain, void *copy); /**< It is about to be freed. */
};

/** Header of a chunk of a dynamic scope; the records follow. */
struct ctr_chunk {
	struct ctr_chunk *next; /**< The next retired chunk. */
	uint32_t number;        /**< Its number, when retired. */
	uint32_t reserved;      /**< Keeps the records aligned. */
};

/** Record of an instance of a dynamic scope; its baselines follow. */
struct ctr_record {
	uint32_t life;   /**< A value of enum ctr_life. */
	uint32_t next;   /**< The next to reclaim: position + 1, its own of the last; 0: none. */
	uint64_t token; /**< Token of its retirement. */
};

/** Mutable state of a scope. */
struct ctr_table_state {
	struct ctr_epochs epochs; /**< Excludes reads of two epochs. */
	uint64_t *discontinuity_ns; /**< As ctr_scope has it. */
	struct ctr_chunk *retired;  /**< Retired chunks, which hold nothing. */
	struct ctr_grace grace;     /**< Their grace period. */
	struct ctr_srcu readers; /**< Reads without the control lock. */
	uint32_t first;             /**< No instance before this position is free. */
	struct ctr_occupancy occupancy; /**< How many instances exist, and creations refused. */
	struct ctr_fifo line;       /**< Retired instances to reclaim without a caller. */
};

/** A scope in storage. Positions are row-major. */
struct ctr_table {
	const struct ctr_domain *domain;  /**< Its strategy, and the copies. */
	struct ctr_table_state *state;    /**< What changes. */
	const struct ctr_run *runs;       /**< Its counters. */
	const struct ctr_value *values;   /**< What is in the common part. */
	const struct ctr_value *beside;   /**< What is in elements apart from counters. */
	uint16_t num_runs;                /**< Length of `runs`. */
	uint16_t num_values;              /**< Length of `values`. */
	uint16_t num_beside;              /**< Length of `beside`. */
	uint8_t num_indexes;              /**< 0 for global. */
	bool dynamic;                     /**< Whether instances are created. */
	bool flat;                        /**< Whether these have memory from the start: no chunks
					   * but of records. */
	const uint32_t *index_maxima;     /**< Indexes run from 0 to one less. */
	uint32_t max;                     /**< How many instances there may be. */
	uint32_t chunk_bits;              /**< A chunk of a dynamic scope has 2^chunk_bits. */
	uint32_t value_size;              /**< Bytes of a value struct. */
	struct ctr_place data;            /**< Elements in a copy. */
	struct ctr_place offset;          /**< Baselines of one lcore in a copy. */
	void *common;                     /**< The common parts, or pointers to chunks; or NULL. */
	uint32_t common_size;             /**< Bytes of one. */
	void *records;                    /**< Baselines, or pointers to ctr_chunk; or NULL. */
	uint32_t record_size;             /**< Bytes stored for an instance. */
	uint32_t base_size;               /**< Bytes of a baseline; 0: resets take the words. */
	uint16_t bases;                   /**< Baselines of an instance: one, or one a view. */
	uint16_t view;                    /**< Which of them `_read()` and `_reset()` use. */
	/** Read an instance: ctr_read_1() or another of those below. */
	int (*read)(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);
	/** Read the counter at an offset of the value struct: ctr_get_few(), ctr_get_any(). */
	uint64_t (*get)(const struct ctr_table *table, uint32_t at, size_t value);
	/** Read an lcore's contribution: ctr_part_few(), ctr_part_any(); NULL: not available. */
	int (*part)(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values);
	/** Sum up counters: ctr_sum_1() or another. */
	void (*sum)(const struct ctr_table *table, const struct ctr_sum *sum);
	/** Collect counts before resets, creations and ends: ctr_collect_few() or another. */
	int (*collect)(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		       struct ctr_read_ctx *reading);
	uint64_t *torn;    /**< By baseline and position: whether it is torn; or NULL. */
	uint64_t *live;    /**< By position: whether it exists; NULL unless dynamic. */
	bool resets;       /**< Whether it can be reset. */
	bool gathers;      /**< Whether it is static, its counters are one run of up to 4 of
			    * 64 bits, and elements have nothing else that is read. */
	bool words;        /**< Whether elements have counters and nothing else that is read. */
	bool padded;       /**< Whether values are of several widths, with padding, which is 0. */
	bool periodic;     /**< Whether reads can meet resets, creations or ends. */
	struct ctr_keys *keys;            /**< Keys of its instances, or NULL. */
	const struct ctr_table *holder;   /**< The dynamic scope that it is inside of. */
	uint32_t stride;                  /**< How many are inside of each of these. */
	const struct ctr_table *const *inner; /**< Scopes whose holder it is. */
	uint16_t num_inner;               /**< Length of `inner`. */
	uint16_t num_ending;              /**< Length of `ending`. */
	/** Domains in which lcores may defer updates of an instance, or inside of it. */
	const struct ctr_domain *const *ending;
	const struct ctr_table_sources *sources; /**< Items that are not stored, or NULL. */
	const struct ctr_value_ops *value_ops;   /**< Where there are `values` or `beside`. */
	const struct ctr_chunk_ops *chunk_ops;   /**< If it is dynamic. */
	const struct ctr_key_ops *key_ops;       /**< Where there are `keys`. */
	const struct ctr_limits *limits;         /**< Its limits, or NULL. */
	const struct ctr_limit_ops *limit_ops;   /**< Where there are `limits`. */
	/** Hand the final counts of an instance to the function of the scope in @p ops, if any. */
	void (*ended)(const struct ctr_life_ops *ops, uint32_t at, const void *last);
};

/** The members of a snapshot that belong to a scope: their offsets in it. */
struct ctr_snapshot_scope {
	const struct ctr_table *table; /**< The scope in storage. */
	const struct ctr_scope *scope; /**< Its items. */
	uint32_t values;     /**< The value struct of global; of others the pointer to an array. */
	uint32_t valid;      /**< The flags, likewise. */
	uint32_t valid_size; /**< Bytes of the flags of an instance. */
	uint32_t index;      /**< Of a dynamic scope: the pointer to positions of entries. */
	uint32_t num;        /**< Of a dynamic scope: how many entries there are, uint32_t. */
	uint32_t room;       /**< Of a dynamic scope: how many there is room for, uint32_t. */
};

/** The initialiser of one: members @p values_ and @p flags of struct @p snap; @p at, @p count and
 * @p most are the offsets that only a dynamic scope has, else 0. */
#define CTR_SNAPSHOT_SCOPE(table_, scope_, snap, values_, flags, type, at, count, most) \
	{                                                                               \
		.table = table_,                                                        \
		.scope = scope_,                                                        \
		.values = offsetof(struct snap, values_),                               \
		.valid = offsetof(struct snap, flags),                                  \
		.valid_size = sizeof(struct type),                                      \
		.index = at,                                                            \
		.num = count,                                                           \
		.room = most,                                                           \
	}

/** The snapshots of a module. */
struct ctr_snapshots {
	const struct ctr_module_state *module;   /**< Its read sections. */
	const struct ctr_snapshot_scope *scopes; /**< In the order of the schema. */
	uint32_t num_scopes;                     /**< Length of `scopes`. */
	uint32_t size;                           /**< Bytes of a snapshot. */
	uint32_t start_ns;                       /**< Offset of the time of the first value. */
	uint32_t end_ns;                         /**< Offset of the time of the last value. */
};

/** An element of a place in @p in at a position; NULL if its chunk does not exist. */
static inline void *
ctr_element(const struct ctr_table *table, const struct ctr_place *place, const void *in,
	    uint32_t at)
{
	const char *array = (const char *)in + place->at;
	const char *chunk;

	if (!table->dynamic || table->flat)
		return (void *)(uintptr_t)(array + (size_t)at * place->size);
	chunk = (const char *)ctr_load_acquire((void *const *)(const void *)array +
					       (at >> table->chunk_bits));
	if (chunk == NULL)
		return NULL;
	return (void *)(uintptr_t)(chunk + place->first +
				   (size_t)(at & ((1u << table->chunk_bits) - 1)) * place->size);
}

/** The operations of strategies that use all defaults. */
extern const struct ctr_strategy ctr_strategy_plain;

/** The `read` of static tables of `words` with one copy, and without baselines and `values`. */
int ctr_read_one(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/** The `read` of tables that gather, which the strategy reads by plain loads, without `values`,
 * `offset` and `torn`: several copies with baselines, or one without; of 1 to 4 counters. @{ */
int ctr_read_1(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);
int ctr_read_2(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);
int ctr_read_3(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);
int ctr_read_4(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);
/** @} */

/** The `read` of dynamic tables of `words`. */
int ctr_read_flow(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/** The `read` of any table of `words`. */
int ctr_read_any(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/** The `read` of any table. */
int ctr_read_slowly(const struct ctr_table *table, unsigned int view, uint32_t at, void *values);

/** The `get` of tables of few counters. */
uint64_t ctr_get_few(const struct ctr_table *table, uint32_t at, size_t value);

/** The `get` of any table. */
uint64_t ctr_get_any(const struct ctr_table *table, uint32_t at, size_t value);

/** The `part` of tables of few counters. */
int ctr_part_few(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values);

/** The `part` of any table. */
int ctr_part_any(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values);

/** The `sum` of these. @{ */
void ctr_sum_1(const struct ctr_table *table, const struct ctr_sum *sum);
void ctr_sum_2(const struct ctr_table *table, const struct ctr_sum *sum);
void ctr_sum_3(const struct ctr_table *table, const struct ctr_sum *sum);
void ctr_sum_4(const struct ctr_table *table, const struct ctr_sum *sum);
/** @} */

/** The `sum` of any table. Also copies the gauges and states in elements. */
void ctr_sum_any(const struct ctr_table *table, const struct ctr_sum *sum);

/** The `collect` of tables with baselines: the sums of an instance over all copies, to *out. Under
 * the control lock. 0; -EAGAIN if counters may not be mutually consistent. */
int ctr_collect_sum(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		    struct ctr_read_ctx *reading);

/** That of tables of few counters. */
int ctr_collect_few(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		    struct ctr_read_ctx *reading);

/** That of tables with an `offset`: with @p parts, it becomes the current contents of each copy. */
int ctr_collect_parts(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		      struct ctr_read_ctx *reading);

/** That of tables without baselines: the words are set to 0. */
int ctr_collect_take(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		     struct ctr_read_ctx *reading);

/** Add the words of one copy of some instances to their values, with relaxed loads. */
void ctr_load_plain(const struct ctr_table *table, const void *copy, uint32_t at, uint32_t n,
		    void *values);

/** The same of @p n elements in a row; also copies the gauges and states in them. */
void ctr_load_element(const struct ctr_table *table, const void *element, uint32_t n, void *values);

/** The same of the only copy, where all counters of the values are 0. */
void ctr_load_only(const struct ctr_table *table, const void *element, uint32_t n, void *values);

#endif /* CTR_TABLE_H */
