/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Per-lcore write buffers in front of counters that a lock protects: the strategy
 * `shared_buffered`.
 *
 * An update appends a record to its lcore's buffer. Records are applied under the lock when the
 * next one might not fit, past a soft threshold when the lock is free, and on the flush calls. Only
 * its own lcore touches a buffer; when its thread leaves, the holder of the lock applies it, or the
 * next thread with its id takes it over. A record takes whole units of 16 bytes and is never split.
 * Its first word is a number of the generated code, or the address of the word of an add. */
#ifndef CTR_WB_H
#define CTR_WB_H

#include "ctr_lock.h"
#include "ctr_word.h"

/** Bytes of @p units of a buffer. */
#define CTR_WB_BYTES(units) ((units) * 16u)
/** Bytes that a record takes in a buffer. */
#define CTR_WB_SIZE(record) ((sizeof(record) + 15u) / 16u * 16u)
/** A flush waits for the lock after this many times `hints` ends of bursts. */
#define CTR_WB_PATIENCE 16u
/** The first word of records with this number; no address of a word. */
#define CTR_WB_RECORD(number) ((number) * UINT64_C(4) + 3)

/** A buffered add to one word, a record of one unit. */
struct ctr_wb_add {
	uint64_t what; /**< Address of the word; bit 0 is set for a word of 32 bits. */
	uint64_t n;    /**< The amount to add, modulo the word's width. */
};

/** The buffer of one lcore; its records follow it in memory. */
struct ctr_wb {
	uint32_t used;       /**< Bytes in the buffer; at least one more record has room. */
	uint32_t hints;      /**< Ends of bursts since the last flush. */
	struct ctr_wb *next; /**< Next buffer in `pool->left`; NULL is the end. */
};

/** Data that all buffers of a module share. */
struct ctr_wb_pool {
	struct ctr_spin lock; /**< Protects the counters. */
	uint32_t size;        /**< Bytes that fit into a buffer. */
	uint32_t largest;     /**< Bytes of the largest record. */
	uint32_t hints;       /**< Ends of bursts after which a flush is tried. */
	/** Protects `left`, while that is applied; never held while anything is waited for. */
	struct ctr_spin leaving;
	struct ctr_wb *left; /**< Buffers whose threads have left, with records in them. */
	/** Apply the records from @p at to @p end; the lock is taken. */
	void (*apply)(const char *at, const char *end);
} CTR_CACHE_ALIGNED;

CTR_C_BEGIN

/** Take the lock, and apply buffers whose threads have left. */
void ctr_wb_lock(struct ctr_wb_pool *pool);
/** Release the lock; applies buffers whose threads left while it was held. */
void ctr_wb_unlock(struct ctr_wb_pool *pool);
/** The owner of a buffer leaves: its records are applied at once if the lock is free, else at the
 * latest when it is released. Does not wait for the lock. */
void ctr_wb_leave(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** A buffer gets an owner again, or is freed; its records are still applied by the holder of the
 * lock. Without memory for a copy of them the new owner has them. Does not wait for the lock. */
void ctr_wb_takeover(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Apply buffers whose threads have left; @p locked: the caller has taken the lock. */
void ctr_wb_drain_orphans(struct ctr_wb_pool *pool, bool locked);
/** Apply all records; the caller has taken the lock. */
void ctr_wb_apply(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Wait for the lock and apply all records. */
void ctr_wb_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Apply all records if the lock is free; whether it was. */
bool ctr_wb_try_flush(struct ctr_wb_pool *pool, struct ctr_wb *wb);
/** Flush if there may be too little room for one more record, else try to. */
void ctr_wb_make_room(struct ctr_wb_pool *pool, struct ctr_wb *wb) CTR_COLD;

CTR_C_END

/** Where the next record is written, of any size up to the largest; ctr_wb_added() follows. */
static inline void *
ctr_wb_next(struct ctr_wb *wb)
{
	return (char *)(wb + 1) + wb->used;
}

/** Append the record at ctr_wb_next(), of CTR_WB_SIZE() bytes, and make room for the next one
 * beyond @p most bytes: the soft threshold, or what leaves room for the largest record if that
 * is less. */
static inline void
ctr_wb_added(struct ctr_wb_pool *pool, struct ctr_wb *wb, uint32_t size, uint32_t most)
{
	/* In a child of fork() another thread applies the buffer: only whole records. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
	wb->used += size;
	if (ctr_unlikely(wb->used > most))
		ctr_wb_make_room(pool, wb);
}

/** Append an add to one word; @p what as in struct ctr_wb_add, @p most as of ctr_wb_added(). */
static inline void
ctr_wb_append(struct ctr_wb_pool *pool, struct ctr_wb *wb, uintptr_t what, uint64_t n,
	      uint32_t most)
{
	struct ctr_wb_add *add = (struct ctr_wb_add *)ctr_wb_next(wb);

	add->what = what;
	add->n = n;
	ctr_wb_added(pool, wb, CTR_WB_SIZE(*add), most);
}

/** Apply an add to one word. */
static inline void
ctr_wb_apply_add(const struct ctr_wb_add *add)
{
	if (ctr_likely((add->what & 1) == 0))
		ctr_add64((uint64_t *)add->what, add->n);
	else
		ctr_add32((uint32_t *)(add->what - 1), (uint32_t)add->n);
}

#endif /* CTR_WB_H */
