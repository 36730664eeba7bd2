/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Per-lcore write buffers in front of counters that a lock protects.
 *
 * An update appends operations to its lcore's buffer; they are applied under
 * the lock when the buffer is full, past a soft threshold when the lock is
 * free, and on the flush calls. Only its own lcore touches a buffer. After the
 * pattern "shared counters with per core buffering" of the statistics chapter.
 */
#ifndef CTR_WB_H
#define CTR_WB_H

#include "ctr_lock.h"
#include "ctr_word.h"

/** A buffered add. */
struct ctr_wb_op {
	uintptr_t word;   /**< Address of the word; bit 0 is set for a word of 32 bits. */
	uint64_t operand; /**< The amount to add, modulo the word's width. */
};

/** The buffer of one lcore; its operations follow it in memory. */
struct ctr_wb {
	uint32_t used;  /**< Operations in the buffer. */
	uint32_t hints; /**< Hints since the last flush. */
	uint64_t reserved; /**< Keeps the operations aligned to 16 bytes. */
};

/** Data that all buffers of a module share. */
struct ctr_wb_pool {
	struct ctr_spin lock; /**< Protects the counters. */
	uint32_t size;        /**< Operations that fit into a buffer. */
	uint32_t soft;        /**< Beyond this number of operations a flush is tried. */
	uint32_t hints;       /**< A flush is tried after this number of hints. */
} CTR_CACHE_ALIGNED;

#ifdef __cplusplus
extern "C" {
#endif

/** Apply all operations; the caller has taken the lock. */
void ctr_wb_apply(struct ctr_wb *wb);
/** Wait for the lock and apply all operations. */
void ctr_wb_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Apply all operations if the lock is free; whether it was. */
bool ctr_wb_try_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Count a hint; every `pool->hints`-th tries to flush. */
void ctr_wb_hint_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Make room for @p n operations: flush if there is too little room, else try to flush. */
void ctr_wb_make_room(struct ctr_wb_pool *pool, struct ctr_wb *wb, uint32_t n) CTR_COLD;

#ifdef __cplusplus
}
#endif

/**
 * Make sure that @p n operations, at most the size of the buffer, fit, so that a
 * transaction is never split. @p soft is the pool's soft threshold, which is a
 * constant in generated code.
 */
static inline void
ctr_wb_reserve(struct ctr_wb_pool *pool, struct ctr_wb *wb, uint32_t n, uint32_t soft)
{
	if (ctr_unlikely(wb->used + n > soft))
		ctr_wb_make_room(pool, wb, n);
}

/** Append an operation; the caller made sure that there is room. */
static inline void
ctr_wb_append(struct ctr_wb *wb, uintptr_t word, uint64_t operand)
{
	struct ctr_wb_op *op = (struct ctr_wb_op *)(void *)(wb + 1) + wb->used++;

	op->word = word;
	op->operand = operand;
}

/** Buffer an add to a word of 64 bits. */
static inline void
ctr_wb_add64(struct ctr_wb *wb, uint64_t *word, uint64_t n)
{
	ctr_wb_append(wb, (uintptr_t)word, n);
}

/** Buffer an add to a word of 32 bits. */
static inline void
ctr_wb_add32(struct ctr_wb *wb, uint32_t *word, uint32_t n)
{
	ctr_wb_append(wb, (uintptr_t)word | 1u, n);
}

/** Buffer a subtraction from a word of 64 bits, as an add of the negated operand. */
static inline void
ctr_wb_sub64(struct ctr_wb *wb, uint64_t *word, uint64_t n)
{
	ctr_wb_append(wb, (uintptr_t)word, 0 - n);
}

#endif /* CTR_WB_H */
