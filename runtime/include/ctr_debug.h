/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Checks of updates in debug builds (-DCTR_DEBUG), which abort on misuse.
 *
 * Release builds have nothing of them. Objects of both kinds may be in one program, with any
 * runtime.
 */
#ifndef CTR_DEBUG_H
#define CTR_DEBUG_H

#include "ctr_common.h"

#if defined(CTR_DEBUG) && !defined(CTR_NO_INDEX_CHECKS)
#include "ctr_debug_update.h"

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

#endif /* CTR_DEBUG_H */
