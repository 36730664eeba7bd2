/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What checks updates in debug builds. Include ctr_debug.h instead.
 */
#ifndef CTR_DEBUG_UPDATE_H
#define CTR_DEBUG_UPDATE_H

#include "ctr_common.h"

/** An update in progress. Zero-initialise. */
struct ctr_debug_update {
	void (*read_unlock)(void);      /**< Ends read sections of its module: identifies that. */
	const char *strategy;           /**< The strategy, with what else identifies the domain. */
	struct ctr_debug_update *outer; /**< The update that this one interrupts. */
};

/** What a strategy allows, and what is to be checked. */
enum ctr_debug_flags {
	CTR_DEBUG_NESTS = 1,   /**< An update may interrupt another one of its thread. */
	CTR_DEBUG_SIGNALS = 2, /**< Likewise a read section: the schema says so. */
	CTR_DEBUG_OWN = 4,     /**< Lcores write words of their own. */
	/** An update may interrupt another one where an add is one instruction. */
	CTR_DEBUG_NESTS_X86_64 = CTR_ASM_X86_64 * CTR_DEBUG_NESTS
};

#ifdef __cplusplus
extern "C" {
#endif

/** Begin an update; @p update is on its stack. Aborts if it is in another update of its thread or
 * in a read section of its module, and may not be, or if another thread has updated with this
 * lcore id. Async-signal-safe. */
void ctr_debug_begin(struct ctr_debug_update *update, const char *file, int line,
		     const char *function, void (*read_unlock)(void), const char *strategy,
		     unsigned int flags) CTR_COLD;
/** End it. */
void ctr_debug_end(const struct ctr_debug_update *update) CTR_COLD;
/** The thread with an lcore id may be another one from now on. For ctr_slots.c. */
void ctr_debug_lcore_up(unsigned int lcore);
/** Whether ctr_debug_lcore_up() is called, without which no second writer is found. Likewise. */
void ctr_debug_watch(bool watching);

#ifdef __cplusplus
}
#endif

#endif /* CTR_DEBUG_UPDATE_H */
