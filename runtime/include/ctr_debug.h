/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Checks of updates in debug builds (-DCTR_DEBUG), which abort on misuse. Objects of debug and
 * release builds may be in one program, with any runtime. */
#ifndef CTR_DEBUG_H
#define CTR_DEBUG_H

#include "ctr_common.h"

#if defined(CTR_DEBUG) && !defined(CTR_NO_INDEX_CHECKS)

/** Declare an update from here to the end of the block; arguments as of ctr_debug_begin(). */
#define CTR_DEBUG_UPDATE(read_unlock, strategy, flags)                                        \
	struct ctr_debug_update debug_update __attribute__((cleanup(ctr_debug_end)));         \
	const int debug_begun __attribute__((unused)) =                                       \
		(ctr_debug_begin(&debug_update, __FILE__, __LINE__, __func__, read_unlock,    \
				 strategy, flags),                                            \
		 0)
#else
/** Nothing, in release builds. */
#define CTR_DEBUG_UPDATE(read_unlock, strategy, flags) CTR_STATIC_ASSERT(1, strategy)
#endif

/** An update in progress. Zero-initialise. */
struct ctr_debug_update {
	void (*read_unlock)(void);      /**< Ends read sections of its module: identifies that. */
	const char *strategy;           /**< The strategy, with what else identifies the domain. */
	struct ctr_debug_update *outer; /**< The update that this one interrupts. */
};

/** Flags: what a strategy allows, and what to check. */
enum ctr_debug_flags {
	CTR_DEBUG_NESTS = 1, /**< An update may interrupt another one of its thread. */
	CTR_DEBUG_OWN = 2,   /**< Lcores write words of their own. */
	/** An update may interrupt another one where an add is one instruction. */
	CTR_DEBUG_NESTS_X86_64 = CTR_ASM_X86_64 * CTR_DEBUG_NESTS
};

CTR_C_BEGIN

/** Begin an update. Aborts if it is within another update or a read section of its thread and must
 * not be, or if another thread has updated with this lcore id. Async-signal-safe. */
void ctr_debug_begin(struct ctr_debug_update *update, const char *file, int line,
		     const char *function, void (*read_unlock)(void), const char *strategy,
		     unsigned int flags) CTR_COLD;
/** End it. */
void ctr_debug_end(const struct ctr_debug_update *update) CTR_COLD;
/** The thread with an lcore id may be another one from now on. For ctr_slots.c. */
void ctr_debug_lcore_up(unsigned int lcore) CTR_HIDDEN;
/** Whether ctr_debug_lcore_up() is called, without which no second writer is found. Likewise. */
void ctr_debug_watch(bool watching) CTR_HIDDEN;

CTR_C_END

#endif /* CTR_DEBUG_H */
