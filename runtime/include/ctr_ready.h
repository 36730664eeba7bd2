/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What updates ask before they change anything: whether the module is initialised, and an index in
 * range.
 */
#ifndef CTR_READY_H
#define CTR_READY_H

#include "ctr_word.h"

/** Whether @p n updates are of a module that is not initialised; then @p note gets them. */
static inline bool
ctr_update_early(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t n)
{
	if (ctr_unlikely(!ready->set)) {
		note(n);
		return true;
	}
	return false;
}

/** Add to a gauge in the common part; of a module that is not initialised, pass 1 to @p note. */
static inline void
ctr_ready_add64(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t *word, uint64_t n)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_atomic_add64(word, n);
}

/** Subtract from one, likewise. */
static inline void
ctr_ready_sub64(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t *word, uint64_t n)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_atomic_sub64(word, n);
}

/** Set one, or a state, likewise. */
static inline void
ctr_ready_set64(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t *word, uint64_t v)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_store64(word, v);
}

/** Set a state of 32 bits, likewise. */
static inline void
ctr_ready_set32(const struct ctr_flag *ready, void (*note)(uint64_t n), uint32_t *word, uint32_t v)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_store32(word, v);
}

/** Pass @p n updates to @p note if an index of theirs is @p outside of its range; returns that. */
static inline bool
ctr_update_outside(bool outside, void (*note)(uint64_t n), uint64_t n)
{
	if (ctr_unlikely(outside)) {
		note(n);
		return true;
	}
	return false;
}

#endif /* CTR_READY_H */
