/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Compiler helpers shared by every runtime header. */
#ifndef CTR_COMMON_H
#define CTR_COMMON_H

/* A missing file ends the compilation here, unlike an #error. */
#if __SIZEOF_POINTER__ != 8
#include "ctrgen needs a 64-bit target"
#endif

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

#ifdef __has_feature
#define CTR_HAS_FEATURE(feature) __has_feature(feature)
#else
/** Whether @p feature, as a sanitizer, is enabled; 0 if the compiler cannot report that. */
#define CTR_HAS_FEATURE(feature) 0
#endif

#if defined(CTR_NO_ASM) || !defined(__GNUC__) ||                                       \
	defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION) ||                           \
	defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||               \
	CTR_HAS_FEATURE(address_sanitizer) || CTR_HAS_FEATURE(thread_sanitizer) ||     \
	CTR_HAS_FEATURE(memory_sanitizer) || CTR_HAS_FEATURE(hwaddress_sanitizer)
/** Whether words may be accessed by inline assembly, which sanitizers and checkers do not see. */
#define CTR_ASM 0
#else
#define CTR_ASM 1
#endif

#if CTR_ASM && defined(__x86_64__)
#define CTR_ASM_X86_64 1
#else
/** Whether there is inline assembly for x86-64. */
#define CTR_ASM_X86_64 0
#endif

#if CTR_ASM && defined(__aarch64__)
#define CTR_ASM_AARCH64 1
#else
/** Whether there is inline assembly for arm64. */
#define CTR_ASM_AARCH64 0
#endif

#ifdef CTR_DYNAMIC_TLS
#define CTR_THREAD_LOCAL __thread
#else
/** A variable of each thread whose address needs no call, in shared libraries too. With
 * CTR_DYNAMIC_TLS, for all that is compiled with it, dlopen() needs no room in the static TLS
 * block. */
#define CTR_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) __thread
#endif

#if defined(__SANITIZE_THREAD__) && !defined(__clang__) && __GNUC__ >= 11
/* gcc's ThreadSanitizer models no fences, and warns of each. */
/* clang-format off */
#define ctr_fence(order)                                     \
	do {                                                 \
		_Pragma("GCC diagnostic push")               \
		_Pragma("GCC diagnostic ignored \"-Wtsan\"") \
		__atomic_thread_fence(order);                \
		_Pragma("GCC diagnostic pop")                \
	} while (0)
/* clang-format on */
#else
/** A fence between atomic accesses of the calling thread; @p order as of __atomic builtins. */
#define ctr_fence(order) __atomic_thread_fence(order)
#endif

/** A function that a file may not use. */
#define CTR_UNUSED __attribute__((unused))

/** Align a type or an object to @p n bytes. */
#define CTR_ALIGNED(n) __attribute__((aligned(n)))
/** Size of a cache line in bytes, as the layout of generated structs assumes it. */
#define CTR_CACHE_LINE 64
/** Start a type or an object on a cache line of its own. */
#define CTR_CACHE_ALIGNED CTR_ALIGNED(CTR_CACHE_LINE)
#ifdef __has_attribute
#define CTR_HAS_ATTRIBUTE(name) __has_attribute(name)
#else
/** Whether the compiler knows an attribute. */
#define CTR_HAS_ATTRIBUTE(name) 0
#endif
#if CTR_HAS_ATTRIBUTE(retain)
#define CTR_RETAINED __attribute__((used, retain))
#else
/** Keep an unused variable; with `retain`, also from the linker's --gc-sections. */
#define CTR_RETAINED __attribute__((used))
#endif
#ifdef __cplusplus
#define CTR_C_BEGIN extern "C" {
#define CTR_C_END }
#define CTR_END_DECLS \
	} \
	_Pragma("GCC diagnostic pop")
#else
/** Begin declarations of functions in C, in headers of the runtime. */
#define CTR_C_BEGIN
/** End them. */
#define CTR_C_END
/** Ends CTR_BEGIN_DECLS and ctr_begin.h. */
#define CTR_END_DECLS
#endif
/** Around the declarations of generated headers: linkage of C in C++. */
#define CTR_BEGIN_DECLS CTR_C_BEGIN
/** Place a constant object in section @p name: --gc-sections removes it if unused. */
#define CTR_OPTIONAL(name) __attribute__((section(".data.rel.ro." #name)))
/** A function that only the library calls; not an exported symbol. */
#define CTR_HIDDEN __attribute__((visibility("hidden")))
/** Keep a function out of the fast path's instruction cache lines. */
#define CTR_COLD __attribute__((cold, noinline))

#ifdef __cplusplus
#define CTR_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
/** Fail the compilation with @p text unless @p condition holds. */
#define CTR_STATIC_ASSERT(condition, text) __extension__ _Static_assert(condition, text)
#endif

#if defined(CTR_DEBUG) || defined(RTE_ENABLE_ASSERT)
#define CTR_ASSERT(condition) assert(condition)
#else
/** Abort on a programming error, with CTR_DEBUG or RTE_ENABLE_ASSERT; otherwise not evaluated. */
#define CTR_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#if defined(CTR_DEBUG) && !defined(CTR_NO_INDEX_CHECKS)
/** Whether updates check indexes of ended instances. */
#define CTR_INDEX_CHECKS 1
#define CTR_CHECK_INDEX(table, at) ctr_life_check(&(table), at, __FILE__, __LINE__, __func__)
#else
/** With CTR_DEBUG, abort if an update uses an index past the lcore's quiescent state. */
#define CTR_CHECK_INDEX(table, at) ((void)0)
#endif

CTR_C_BEGIN

/** Report misuse of @p function, found at @p line of @p file, to stderr and abort. Any thread. */
void ctr_debug_stop(const char *file, int line, const char *function, const char *text)
	CTR_COLD __attribute__((noreturn));

CTR_C_END

/** State a fact the compiler may rely on; checked in debug builds. */
#define CTR_ASSUME(condition)                    \
	do {                                     \
		CTR_ASSERT(condition);           \
		if (!(condition))                \
			__builtin_unreachable(); \
	} while (0)

/** The member of type @p type at offset @p at of the struct @p object, as an lvalue. */
#define CTR_MEMBER(type, object, at) (*(type *)(void *)((char *)&(object) + (at)))

/** Nanoseconds of a second. */
#define CTR_SECOND_NS UINT64_C(1000000000)

/** Number of elements that a bulk call handles between two synchronizations. */
#define CTR_BULK 32u

/** Prefetch the cache line of @p address, which is about to be written. */
static inline void
ctr_prefetch(const void *address)
{
	/* gcc finds that a function which only prefetches has no effect, and drops calls of it. */
	__asm__ volatile("");
	__builtin_prefetch(address, 1, 3);
}

#endif /* CTR_COMMON_H */
