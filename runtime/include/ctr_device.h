/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Items that DPDK ports count: `source: device` in the schema. On POSIX none is available. */
#ifndef CTR_DEVICE_H
#define CTR_DEVICE_H

#include "ctr_module.h"

/** The device of an index that has none. */
#define CTR_DEVICE_NONE UINT16_MAX

CTR_C_BEGIN

/** Fill in the items of an instance with source CTR_DEVICE that the driver of @p port provides,
 * and their flags. Basic statistics are from one rte_eth_stats_get(), extended ones from one
 * rte_eth_xstats_get_by_id() per 64. @p labels are names of the values of each index, or NULL. Any
 * thread; not in an update.
 * @return a number of the device, from 1, which changes if the port gets another device; 0: none */
uint32_t ctr_device_read(const struct ctr_item *items, unsigned int count,
			 const char *const *const *labels, uint32_t port, const uint32_t *index,
			 void *values);

/** Exclude readers from devices until ctr_device_unlock(), while the application configures,
 * closes or removes a port. Any thread; may be nested. Reads wait, updates do not. */
void ctr_device_lock(void);

/** Undo ctr_device_lock(). Readers then look up the names of statistics again. */
void ctr_device_unlock(void);

CTR_C_END

#endif /* CTR_DEVICE_H */
