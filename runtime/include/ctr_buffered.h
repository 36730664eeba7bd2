/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Scopes behind a lock, with a write buffer for each lcore (ctr_wb.h): the strategy
 * `shared_buffered`. `own` of such a domain is its struct ctr_wb_pool, and `held` are its buffers.
 */
#ifndef CTR_BUFFERED_H
#define CTR_BUFFERED_H

#include "ctr_table.h"
#include "ctr_wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `shared_buffered`. */
extern const struct ctr_strategy ctr_strategy_shared_buffered;

#ifdef __cplusplus
}
#endif

#endif /* CTR_BUFFERED_H */
