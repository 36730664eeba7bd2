/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Modules in DPDK's telemetry, by their descriptors. Part `telemetry` of the runtime, on the DPDK
 * port only. docs/operations.md describes the commands of a module `ep`:
 * /ep/info  /ep/stats[,SCOPE[,INDEX..[,ITEM]]]  /ep/lcore,LCORE[,SCOPE..]
 * /ep/view,VIEW[,SCOPE..]  /ep/reset,VIEW
 *
 * A truncated reply has `/next`, the parameters of the next request; a failed one has `/error`. */
#ifndef CTR_TELEMETRY_H
#define CTR_TELEMETRY_H

#include "ctr_module.h"

/** Flag: clients of the telemetry socket may reset counts. */
#define CTR_TELEMETRY_RESET 0x1u

CTR_C_BEGIN

/** Register a module for telemetry, after rte_eal_init() and its `_init()`. From then on threads of
 * the library read it; they need no lcore id and block no update. Any thread; one at a time per
 * module.
 * @param module its descriptor
 * @param flags 0, or CTR_TELEMETRY_RESET
 * @return 0; -EINVAL: NULL, unknown flags, or generated code of another ABI; -EEXIST: a module of
 *   that name is registered; -EADDRINUSE: DPDK's own commands begin with that name; -ENAMETOOLONG:
 *   a module name of more than 48 characters may be too long; -ENOMEM */
int ctr_telemetry_register(const struct ctr_module *module, unsigned int flags);

/** Unregister a module: when this returns, no telemetry thread uses it. Call it before the
 * module's `_fini()`, outside its read sections; waits for replies in progress. Its commands
 * then reply that it is not registered. It can be registered again. Any thread.
 * @return 0; -ENOENT: it is not registered; -EINVAL: NULL */
int ctr_telemetry_unregister(const struct ctr_module *module);

CTR_C_END

#endif /* CTR_TELEMETRY_H */
