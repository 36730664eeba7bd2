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

/** What an update does that finds the ring full. */
enum ctr_delta_full {
	CTR_DELTA_APPLY, /**< It adds atomically. */
	CTR_DELTA_WAIT,  /**< It waits, or drains the ring. */
	CTR_DELTA_DROP   /**< It is lost, and counted. */
};

/** `own` of such a domain. */
struct ctr_delta_ring {
	struct ctr_ring_kind kind;        /**< That of the rings of lcores. */
	struct ctr_shared_ring *ring;     /**< The one that they share instead; else NULL. */
	size_t size;                      /**< Bytes of it with them. */
	struct ctr_ring_shape shape;      /**< What it is like. */
	uint32_t hints;                   /**< Ends of bursts between two looks of an lcore. */
	ctr_shared_ring_apply apply;      /**< Applies an entry. */
	enum ctr_delta_full full;         /**< What an update does without room. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `delta_ring`. */
extern const struct ctr_strategy ctr_strategy_delta_ring;

/** How many updates were lost, as they found a ring full or as their thread ended. Any thread. */
uint64_t ctr_delta_ring_lost(const struct ctr_domain *domain);

/** Count @p n updates of the calling lcore as lost; @p held is what it has in the slots. */
void ctr_delta_ring_drop(const struct ctr_delta_ring *own, void *held, uint64_t n) CTR_COLD;

/**
 * Send an add to one word where the lcore's ring has no room, as far as it knows, or through the
 * ring of all lcores. Without room now, or after a wait, do what is declared.
 *
 * @param own what rings are like
 * @param held what the calling lcore has in the slots
 * @param what the word, as in struct ctr_wb_add
 * @param n the amount
 */
void ctr_delta_ring_add(const struct ctr_delta_ring *own, void *held, uintptr_t what,
			uint64_t n) CTR_COLD;

/**
 * Where the calling lcore writes its next record, of its ring or of that of all lcores; with
 * CTR_DELTA_WAIT waits until there is room, or drains. NULL if there is none.
 */
void *ctr_delta_ring_room(const struct ctr_delta_ring *own, void *held) CTR_COLD;

#ifdef __cplusplus
}
#endif

#endif /* CTR_DELTA_RING_H */
