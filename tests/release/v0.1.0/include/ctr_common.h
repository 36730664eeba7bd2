/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Compiler helpers shared by every runtime header.
 */
#ifndef CTR_COMMON_H
#define CTR_COMMON_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Tell the compiler that @p x is nearly always true. */
#define ctr_likely(x) __builtin_expect(!!(x), 1)
/** Tell the compiler that @p x is nearly always false. */
#define ctr_unlikely(x) __builtin_expect(!!(x), 0)

/** Align a type or an object to @p n bytes. */
#define CTR_ALIGNED(n) __attribute__((aligned(n)))
/** Size of a cache line in bytes, as the layout of generated structs assumes it. */
#define CTR_CACHE_LINE 64
/** Start a type or an object on a cache line of its own. */
#define CTR_CACHE_ALIGNED CTR_ALIGNED(CTR_CACHE_LINE)
/** Keep a function out of the fast path's instruction cache lines. */
#define CTR_COLD __attribute__((cold, noinline))

#ifdef __cplusplus
#define CTR_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
/** Fail the compilation with @p text unless @p condition holds. */
#define CTR_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

#if defined(CTR_DEBUG) || defined(RTE_ENABLE_ASSERT)
#define CTR_ASSERT(condition) assert(condition)
#else
/**
 * Abort on a programming error. Does so with CTR_DEBUG or RTE_ENABLE_ASSERT, and
 * without NDEBUG; otherwise the condition is not even evaluated.
 */
#define CTR_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

/** State a fact the compiler may rely on; checked in debug builds. */
#define CTR_ASSUME(condition)                    \
	do {                                     \
		CTR_ASSERT(condition);           \
		if (!(condition))                \
			__builtin_unreachable(); \
	} while (0)

/** The member of type @p type at offset @p at of the struct @p object, as an lvalue. */
#define CTR_MEMBER(type, object, at) (*(type *)(void *)((char *)&(object) + (at)))

/** Number of elements that a bulk call handles between two synchronizations. */
#define CTR_BULK 32u

/** Ask for the cache line of @p address, which is about to be written. */
static inline void
ctr_prefetch(const void *address)
{
	__builtin_prefetch(address, 1, 3);
}

#endif /* CTR_COMMON_H */
