/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Rings of records in front of the only copy: the strategy `delta_ring`.
 *
 * `held` of such a domain are the rings of lcores (ctr_ring.h), or with one ring of all lcores
 * (ctr_ring_shared.h) what each knows of it.
 */
#ifndef CTR_DELTA_RING_H
#define CTR_DELTA_RING_H

#include "ctr_ring.h"
#include "ctr_ring_shared.h"
#include "ctr_table.h"

/** `own` of such a domain. */
struct ctr_delta_ring {
	const struct ctr_ring_kind *kind; /**< That of the rings of lcores; NULL: they share one. */
	struct ctr_shared_ring *ring;     /**< That one, with its entries behind it. */
	size_t size;                      /**< Bytes of it with them. */
	struct ctr_ring_shape shape;      /**< What it is like. */
	uint32_t hints;                   /**< Ends of bursts between two looks of an lcore. */
	ctr_shared_ring_apply apply;      /**< Applies an entry. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `delta_ring`. */
extern const struct ctr_strategy ctr_strategy_delta_ring;

/** How many updates were lost, as they found a ring full or as their thread ended. Any thread. */
uint64_t ctr_delta_ring_lost(const struct ctr_domain *domain);

/** Take an entry of the ring of all lcores, and wait until there is one: drains it, or spins. */
void *ctr_delta_ring_room(const struct ctr_delta_ring *own, struct ctr_ring_taken *taken) CTR_COLD;

#ifdef __cplusplus
}
#endif

#endif /* CTR_DELTA_RING_H */
