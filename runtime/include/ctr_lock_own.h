/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Scopes behind a lock that writers and readers take: the strategy `shared_lock`.
 */
#ifndef CTR_LOCK_OWN_H
#define CTR_LOCK_OWN_H

#include "ctr_lock.h"
#include "ctr_pi.h"
#include "ctr_table.h"

/** Kinds of locks. */
enum ctr_lock_kind {
	CTR_LOCK_SPIN,   /**< struct ctr_spin. */
	CTR_LOCK_TICKET, /**< struct ctr_ticket. */
	CTR_LOCK_MCS,    /**< struct ctr_mcs. */
	CTR_LOCK_PI      /**< struct ctr_pi. */
};

/** `own` of such a domain. */
struct ctr_lock_own {
	/** The lock of the domain; NULL: each element begins with a lock. */
	void *lock;
	/** With CTR_LOCK_MCS and a lock of the domain: the node of a read section. */
	struct ctr_mcs_node *reader;
	enum ctr_lock_kind kind; /**< The kind of either. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `shared_lock`. */
extern const struct ctr_strategy ctr_strategy_shared_lock;

#ifdef __cplusplus
}
#endif

#endif /* CTR_LOCK_OWN_H */
