/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Modules in DPDK's metrics library (librte_metrics), by name. Part `metrics` of the runtime, on
 * the DPDK port only.
 *
 * The library has room for 255 numbers, with names of up to 63 characters; `ctrgen build --only
 * rte_metrics` reports what of a schema fits. `pkts` of a module `ep` is the metric `ep_pkts`, that
 * of instance 3 of a scope `session` `ep_session_3_pkts`, with labels instead of numbers. No
 * metrics are text, addresses, times, dynamic scopes, and scopes that do not fit as a whole, in the
 * order of the schema. */
#ifndef CTR_METRICS_H
#define CTR_METRICS_H

#include "ctr_module.h"

CTR_C_BEGIN

/** Register the metrics of a module, after rte_eal_init() and the module's `_init()`, for ever. Not
 * thread-safe.
 * @return how many; -EINVAL: NULL, or generated code of another ABI; -EEXIST; -ENOSPC: global does
 *   not fit; -ENAMETOOLONG: a name of more than 63 characters; -ENOMEM; or an error of the library.
 *   After an error, none is registered */
int ctr_metrics_register(const struct ctr_module *module);

/** Read the registered modules, which are initialised, and store their values in the library, under
 * RTE_METRICS_GLOBAL. On a control thread; one at a time. 0, or the first error of the library. */
int ctr_metrics_update(void);

CTR_C_END

#endif /* CTR_METRICS_H */
