/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Modules in DPDK's telemetry: what dpdk-telemetry.py and other clients of the library's socket
 * read. Part `telemetry` of the runtime, on the DPDK port only.
 *
 * Everything follows from the descriptor. The commands of a module `ep` are
 *
 *     /ep/info[,START]                  module, layout, process, views, scopes, lcores
 *     /ep/list[,START]                  scopes, indexes, items, labels, histograms
 *     /ep/stats[,SCOPE[,START]]         all instances of a scope; without one, of global
 *     /ep/scope,SCOPE[,INDEX..][,START] one instance; also /ep/SCOPE[,INDEX..][,START], unless
 *                                       the scope is called as one of these commands
 *     /ep/lcore,LCORE[,SCOPE[,START]]   what an lcore (or non_lcore) has counted
 *     /ep/view,VIEW[,SCOPE[,START]]     as /ep/stats, in a view
 *     /ep/reset,VIEW                    reset all counts in a view, where that is allowed
 *
 * A reply that cannot have all has `/next`: the parameters that go on. One that has nothing for
 * what was asked has `/error`, a sentence. docs/telemetry.md describes them.
 */
#ifndef CTR_TELEMETRY_H
#define CTR_TELEMETRY_H

#include "ctr_module.h"

/** Flag: whoever may connect to the socket may reset counts. */
#define CTR_TELEMETRY_RESET 0x1u

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Offer a module to telemetry. Call it after rte_eal_init() and the module's `_init()`. From then
 * on threads of the library read the module, one for each client; they need no lcore id, and no
 * update waits for them.
 *
 * The module keeps the times of discontinuities from then on, 8 octets for each possible instance,
 * for as long as the process lives.
 *
 * Any thread; one at a time for each module.
 *
 * @param module its descriptor
 * @param flags 0, or CTR_TELEMETRY_RESET
 * @return 0; -EINVAL: NULL, unknown flags, or generated code of another ABI; -EEXIST: a module of
 *   that name is registered; -EADDRINUSE: DPDK's own commands begin with that name; -ENAMETOOLONG:
 *   the library has no commands that long (module names of up to 48 characters always fit);
 *   -ENOMEM. Scopes for whose own commands there is no room, as with long names, are no error:
 *   `/ep/scope` shows them.
 */
int ctr_telemetry_register(const struct ctr_module *module, unsigned int flags);

/**
 * Take a module back: when this returns, no thread of telemetry uses it. Call it before the
 * module's `_fini()`, and before unloading what has the descriptor. The library never forgets
 * commands; those of the module then reply that it is not registered. It can be registered again.
 *
 * Without this call, commands reply that the module is not initialised once `_fini()` has returned,
 * but one under way meanwhile may read memory that is freed.
 *
 * Any thread, in no read section of the module; waits for replies under way.
 *
 * @return 0; -ENOENT: it is not registered; -EINVAL: NULL
 */
int ctr_telemetry_unregister(const struct ctr_module *module);

#ifdef __cplusplus
}
#endif

#endif /* CTR_TELEMETRY_H */
