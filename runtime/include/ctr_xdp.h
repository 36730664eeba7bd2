/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counters of programs in the kernel (`ctrgen runtime --with xdp`, libbpf): attaches a module to
 * the maps of its program. It loads no program and writes no counter: copies are mapped for reads,
 * and a reset stores a baseline in the reading process.
 *
 * The first process that attaches has all counts since the program was loaded; a later process
 * starts at 0. One process at a time is attached, in one PID namespace; others read its segment. */
#ifndef CTR_XDP_H
#define CTR_XDP_H

#include "ctr_common.h"

struct bpf_object;
struct ctr_module_state;
struct ctr_table;
struct ring_buffer;

/** Align a struct that is a map to pages of any size. */
#define CTR_MAP_ALIGNED CTR_ALIGNED(65536)

/** Events that are taken from the ring at a time; all ends among them wait for programs once. */
#define CTR_XDP_BATCH 1024u

/** An event of a program; ctr_bpf.h has the same. @ref words of the key follow. */
struct ctr_xdp_event {
	uint32_t index;   /**< Of the instance. */
	uint32_t kind;    /**< An enum ctr_xdp_event_kind. */
	uint64_t words[]; /**< 0, and those of the key. */
};

/** Kinds of events. */
enum ctr_xdp_event_kind {
	CTR_XDP_LOST,  /**< Another CPU created the instance with the key: the index is free. */
	CTR_XDP_BEGUN, /**< An instance was created. */
	CTR_XDP_ENDED  /**< An instance is to be destroyed. */
};

/** Instances that programs create and destroy; one thread at a time. */
struct ctr_xdp_lives {
	struct ring_buffer *ring; /**< Events. */
	void *taken;    /**< Events taken from it; NULL: programs may not create instances. */
	int free_fd;    /**< Indexes that programs may take. */
	uint32_t most;  /**< Intended number of these. */
	uint32_t spare; /**< Number of these, and of those in events not taken yet. */
	uint32_t num;   /**< Length of `taken`. */
	uint32_t next;  /**< Number of the event to return next. */
	bool ends;      /**< Whether any of them is an end. */
};

/** Keys with which a program finds indexes. */
struct ctr_xdp_keys {
	const struct ctr_table *table; /**< Its scope. */
	const char *map;               /**< Name of the map by key. */
	const char *events;            /**< Name of the ring of events; NULL: only user space */
	const char *free;              /**< begins instances. Name of the stack of indexes. */
	struct ctr_xdp_lives *lives;   /**< Its state. */
};

/** A module whose updates are in the kernel. */
struct ctr_xdp {
	const struct ctr_module_state *module; /**< The module. */
	const char *common;      /**< Name of the map that is mapped over its common part. */
	const char *const *maps; /**< Names of maps with copies, by domain; NULL: no counters. */
	uint64_t *process; /**< In the common part: the process that is attached, or 0. */
	const struct ctr_xdp_keys *keys; /**< Keys of its scopes. */
	uint32_t num_keys;               /**< Length of `keys`. */
};

CTR_C_BEGIN

/** Map the maps of a loaded @p object, or those that bpf_object__pin_maps() has pinned in
 * @p folder (the other one is NULL), and initialise the module. P_fini() undoes it. Not
 * thread-safe.
 * @return 0; -EALREADY; -EBUSY: another process is attached; -ENOENT: a map is missing, as in a
 *   program that was built from another schema; -EPROTO: a map has another form; -EOPNOTSUPP: the
 *   kernel has no arrays that can be mapped (before 5.5), no MEMBARRIER_CMD_GLOBAL for dynamic
 *   scopes, or a program of @p object that counts in copies by CPU is of a type that another may
 *   interrupt there, or one that counts in a dynamic scope may sleep; -E2BIG: there are more CPUs
 *   than copies in the map, or than CTR_MAX_LCORE; or an error of bpf(), mmap() or
 *   ctr_module_init(). Its reason is on stderr. */
int ctr_xdp_attach(const struct ctr_xdp *xdp, const struct bpf_object *object, const char *folder);

/** Set the number of copies of an @p object that is not loaded yet to that of the CPUs that the
 * machine may ever have, online or not. Not thread-safe.
 * @return 0; -ENOENT: a map is missing; or an error of libbpf: -EBUSY: the object is loaded */
int ctr_xdp_prepare(const struct ctr_xdp *xdp, struct bpf_object *object);

/** Allow programs to begin up to @p n instances ahead of what ctr_xdp_next() has taken: as many
 * indexes, or all that are free, are reserved for them, and it reserves others for those taken.
 * After ctr_xdp_attach(); the same thread as of ctr_xdp_next(), or no other one in there.
 * @return 0; -ENODEV: not attached; -ENOMEM; or an error of bpf() */
int ctr_xdp_stock(const struct ctr_xdp_keys *of, uint32_t n);

/** Take the next event of programs, in their order; waits up to @p timeout_ms for one (-1: without
 * end). An instance that a program began exists for readers from here on, with all that was counted
 * since. An instance that a program ended is destroyed here, with all inside of it; it counts until
 * then. Up to CTR_XDP_BATCH ends wait together for the programs that run, some 20 ms.
 * One thread at a time.
 * @param of the keys of the scope
 * @param timeout_ms in milliseconds; 0: do not wait
 * @param index its index
 * @param key the struct of its key, which for CTR_XDP_BEGUN is set unless ctr_table_key_set()
 *   refuses it: then programs do not find the instance either
 * @param last for CTR_XDP_ENDED the final counts
 * @return CTR_XDP_BEGUN; CTR_XDP_ENDED; 0: there is none; -ENODEV: no ctr_xdp_stock();
 *   -EINPROGRESS: an lcore that reports has not done so since; call again; or an error of bpf() */
int ctr_xdp_next(const struct ctr_xdp_keys *of, int timeout_ms, void *key, uint32_t *index,
		 void *last);

CTR_C_END

#endif /* CTR_XDP_H */
