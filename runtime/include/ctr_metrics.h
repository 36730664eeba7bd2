/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Modules in DPDK's metrics library (librte_metrics), by name. Part `metrics` of the runtime, on
 * the DPDK port only.
 *
 * The library has room for 255 numbers of a process (it refuses the last of the 256 of
 * RTE_METRICS_MAX_METRICS), with names of up to 63 characters. `ctrgen build --only rte_metrics`
 * says what of a schema fits, before anything is compiled.
 *
 * A counter, gauge or number `pkts` of a module `ep` is the metric `ep_pkts`; of instance 3 of a
 * scope `session` it is `ep_session_3_pkts`. An index with labels has those instead of numbers.
 * Text, addresses and times are no metrics. Scopes are taken in the order of the schema, global
 * first, each with all of its instances or not at all: those that are created and destroyed, and
 * those that no longer fit, are left out.
 */
#ifndef CTR_METRICS_H
#define CTR_METRICS_H

#include "ctr_module.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Register the metrics of a module, after rte_eal_init() and the module's `_init()`; the library is
 * initialised if it is not. Not thread-safe: the library itself is not. The library never forgets
 * metrics.
 *
 * @return how many metrics were registered; -EINVAL: NULL, or generated code of another ABI;
 *   -EEXIST: the module is registered; -ENOSPC: global does not fit; -ENAMETOOLONG: a name has more
 *   than 63 characters; -ENOMEM; or an error of the library. After an error, nothing is registered
 */
int ctr_metrics_register(const struct ctr_module *module);

/**
 * Read the registered modules, and store their values in the library, where
 * rte_metrics_get_values() finds them under RTE_METRICS_GLOBAL. Call it before the values are asked
 * for, or from time to time, on a control thread; one thread at a time. The modules are
 * initialised.
 *
 * @return 0, or the first error of the library
 */
int ctr_metrics_update(void);

#ifdef __cplusplus
}
#endif

#endif /* CTR_METRICS_H */
