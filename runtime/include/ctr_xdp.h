/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counters of programs in the kernel (`ctrgen runtime --with xdp`, libbpf): attaches a module to
 * the maps that its program counts in. Nothing is loaded here, and no counter is written: copies
 * are mapped for reads, and a reset is a baseline of the reading process.
 *
 * The first process that attaches has all counts since the program was loaded; a later one, with
 * the program still there, begins at 0, as each process does that counts by itself. */
#ifndef CTR_XDP_H
#define CTR_XDP_H

#include "ctr_common.h"

struct bpf_object;
struct ctr_keys;
struct ctr_module_state;

/** Align a struct that is a map to pages, whatever their size is. */
#define CTR_MAP_ALIGNED CTR_ALIGNED(65536)

/** Keys that a program finds indexes by. */
struct ctr_xdp_keys {
	struct ctr_keys *keys; /**< The keys in user space, which are set. */
	const char *map;       /**< Name of the map by key. */
};

/** A module whose updates are in the kernel. */
struct ctr_xdp {
	const struct ctr_module_state *module; /**< The module. */
	const char *common;      /**< Name of the map that is mapped over its common part. */
	const char *const *maps; /**< Names of maps with copies, by domain; NULL: no counters. */
	uint64_t *process; /**< In the common part: whether a process has attached before. */
	const struct ctr_xdp_keys *keys; /**< Keys of its scopes. */
	uint32_t num_keys;               /**< Length of `keys`. */
};

CTR_C_BEGIN

/** Map the maps of a loaded @p object, or those that bpf_object__pin_maps() has pinned in
 * @p folder (the other one is NULL), and initialise the module. P_fini() undoes it. Not
 * thread-safe.
 * @return 0; -EALREADY; -ENOENT: a map is missing, as in a program that was built from another
 *   schema; -EPROTO: a map has another form; -EOPNOTSUPP: the kernel has no arrays that can be
 *   mapped (before 5.5), no MEMBARRIER_CMD_GLOBAL for dynamic scopes, or a program of @p object
 *   that counts in copies by CPU is of a type that another may interrupt there; -E2BIG: there are
 *   more CPUs than copies in the map, or than CTR_MAX_LCORE; or an error of bpf(), mmap() or
 *   ctr_module_init(). Its reason is on stderr. */
int ctr_xdp_attach(const struct ctr_xdp *xdp, const struct bpf_object *object, const char *folder);

/** Set the number of copies of an @p object that is not loaded yet to that of the CPUs that the
 * machine may ever have, online or not. Not thread-safe.
 * @return 0; -ENOENT: a map is missing; or an error of libbpf: -EBUSY: the object is loaded */
int ctr_xdp_prepare(const struct ctr_xdp *xdp, struct bpf_object *object);

CTR_C_END

#endif /* CTR_XDP_H */
