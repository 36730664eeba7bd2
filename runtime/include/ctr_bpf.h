/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What generated updates call in a program for the kernel (`M_stats.bpf.h`): the functions of
 * ctr_word.h, ctr_bits.h, ctr_peak.h and ctr_histogram.h, in a form that clang -target bpf -mcpu=v3
 * compiles and the verifier accepts. Includes vmlinux.h's types or those of linux/bpf.h, whichever
 * the program has included. Atomic operations that return a value are full barriers, others are
 * relaxed, as in the kernel's memory model. */
#ifndef CTR_BPF_H
#define CTR_BPF_H

/** @cond INTERNAL */
#ifndef __bpf__
#error "M_stats.bpf.h is for clang -target bpf -mcpu=v3; in user space include M_stats_xdp.h"
#endif

#include <stddef.h>
#ifndef __VMLINUX_H__
#include <linux/bpf.h>
#include <stdbool.h>

#ifndef UINT64_MAX /* Without <stdint.h>, which needs a libc for the target. */
typedef __u8 uint8_t;
typedef __u16 uint16_t;
typedef __u32 uint32_t;
typedef __s32 int32_t;
typedef __u64 uint64_t;
typedef __s64 int64_t;
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615ull
#define UINT64_C(n) n##ull
#define INT64_C(n) n##ll
#define INT32_MIN (-2147483647 - 1)
#endif
#endif
#include <bpf/bpf_helpers.h>

#define ctr_likely(x) __builtin_expect(!!(x), 1)
#define ctr_unlikely(x) __builtin_expect(!!(x), 0)
#define CTR_ALIGNED(n) __attribute__((aligned(n)))
#define CTR_CACHE_ALIGNED CTR_ALIGNED(64)
/** Begin a struct that is a map on pages of its own, whatever their size is. */
#define CTR_MAP_ALIGNED CTR_ALIGNED(65536)
#define CTR_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#define CTR_ASSERT(condition) ((void)0)
#define CTR_ASSUME(condition) ((void)0)
#define CTR_CHECK_INDEX(table, at) ((void)0)
#define CTR_CHECK_LIST(table, base, list, num) ((void)0)
#define CTR_DEBUG_UPDATE(unlock, domain, flags) ((void)0)
#define CTR_MEMBER(type, object, at) (*(type *)(void *)((char *)&(object) + (at)))
#define CTR_NTH(type, object, member, n) \
	(*(type *)(void *)((char *)&(object).member + (n) * sizeof(type)))
#define CTR_ASSERT_ROW(type, first, last, n, size)                                      \
	CTR_STATIC_ASSERT(offsetof(type, last) == offsetof(type, first) + (n) * (size), \
			  "the buckets of " #first " are a row")
#define CTR_ADD64(scope, member, ...) \
	scope##_add64(offsetof(struct scope##_data, member), __VA_ARGS__)
#define CTR_ADD32(scope, member, ...) \
	scope##_add32(offsetof(struct scope##_data, member), __VA_ARGS__)

#define ENOENT 2
#define EEXIST 17
#define ENOSPC 28

/** Words of a key of @p bytes, as in ctr_key.h. */
#define CTR_KEY_WORDS(bytes) (((bytes) + 7u) / 8u)
/** Most bytes of a key: the stack of a program has 512. */
#define CTR_KEY_ROOM 256u

/** An IP address of either version in a key: @ref type is 1 for IPv4, 2 for IPv6. */
struct ctr_ip_address {
	uint32_t type;      /**< The version. */
	uint8_t octets[16]; /**< In network byte order; those of an IPv4 address are the first 4. */
};

/** Words of a state of @p octets, which user space sets. */
#define CTR_CELL_WORDS(octets) (((octets) + 7) / 8)

/** Functions between these are inlined: the verifier knows what indexes a caller has checked. */
#define CTR_BEGIN_DECLS \
	_Pragma("clang attribute push(__attribute__((always_inline)), apply_to = function)")
#define CTR_END_DECLS _Pragma("clang attribute pop")

/** A word on a cache line of its own. */
struct ctr_padded64 {
	uint64_t word; /**< The word. */
} CTR_CACHE_ALIGNED;

/** How many CPUs there are copies for, unless P_xdp_prepare() sets their number before the load. */
#ifndef CTR_XDP_CPUS
#define CTR_XDP_CPUS 128
#endif

/** Bytes of the ring of events about instances that a program begins and ends. */
#ifndef CTR_XDP_EVENTS
#define CTR_XDP_EVENTS 262144
#endif

/** An event in it; ctr_xdp.h has the same. @ref words of the key follow. */
struct ctr_xdp_event {
	uint32_t index;   /**< Of the instance. */
	uint32_t kind;    /**< An enum ctr_xdp_event_kind. */
	uint64_t words[]; /**< 0, and those of the key. */
};

/** What an event is about. */
enum ctr_xdp_event_kind {
	CTR_XDP_LOST,  /**< Another CPU began the instance with the key: the index is free. */
	CTR_XDP_BEGUN, /**< An instance was begun. */
	CTR_XDP_ENDED  /**< An instance is to be ended. */
};

/** How often a peak is raised in competition with other CPUs. Each attempt that fails means that
 * another CPU raised it, or a reset emptied it; an observation that fails as often is counted in
 * P_late(). */
#define CTR_BPF_TRIES 64

/** Raise a peak; 0 where the value was not stored. The verifier follows all attempts of a function
 * that is not static once, and not for each call. */
__attribute__((weak, noinline)) int
ctr_bpf_raise(uint64_t *word, uint64_t value)
{
	uint64_t seen, found;

	if (word == NULL)
		return 0;
	seen = *(const volatile uint64_t *)word;
	for (int i = 0; i < CTR_BPF_TRIES && seen < value; i++) {
		found = __sync_val_compare_and_swap(word, seen, value);
		if (found == seen)
			return 1;
		seen = found;
	}
	return value <= seen;
}

/** A number of which the verifier knows nothing any more. */
__attribute__((weak, noinline)) uint32_t
ctr_bpf_unknown(uint32_t n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

CTR_BEGIN_DECLS

/* ---- words: as in ctr_word.h ---- */

static inline uint64_t
ctr_load64(const uint64_t *word)
{
	return *(const volatile uint64_t *)word;
}

static inline void
ctr_store64(uint64_t *word, uint64_t value)
{
	*(volatile uint64_t *)word = value;
}

static inline void
ctr_add64(uint64_t *word, uint64_t n)
{
	ctr_store64(word, ctr_load64(word) + n);
}

static inline void
ctr_atomic_add64(uint64_t *word, uint64_t n)
{
	(void)__sync_fetch_and_add(word, n);
}

static inline void
ctr_atomic_sub64(uint64_t *word, uint64_t n)
{
	ctr_atomic_add64(word, -n);
}

static inline void
ctr_store32(uint32_t *word, uint32_t value)
{
	*(volatile uint32_t *)word = value;
}

static inline void
ctr_add32(uint32_t *word, uint32_t n)
{
	ctr_store32(word, *(const volatile uint32_t *)word + n);
}

static inline void
ctr_atomic_add32(uint32_t *word, uint32_t n)
{
	(void)__sync_fetch_and_add(word, n);
}

/** Begin or end an update under the sequence counter of a CPU. An atomic operation whose value is
 * used is a full barrier: the counter is odd before the first word changes, even after the last. */
static inline void
ctr_bpf_seq_step(uint32_t *seq)
{
	const uint32_t former = __sync_fetch_and_add(seq, 1);

	__asm__ volatile("" : : "r"(former) : "memory");
}

/** ctr_time_ns() of user space: CLOCK_MONOTONIC. */
static inline uint64_t
ctr_time_ns(void)
{
	return bpf_ktime_get_ns();
}

/* ---- keys ---- */

/** The index of the instance with a key: 0; -ENOENT. */
static inline int
ctr_bpf_key_find(void *keys, const uint64_t *words, uint32_t *index)
{
	const uint32_t *found = (const uint32_t *)bpf_map_lookup_elem(keys, words);

	if (found == NULL)
		return -ENOENT;
	*index = *found;
	return 0;
}

/** Find an instance, or begin it. One CPU enters the key into the map; the index that another one
 * took goes back by way of user space. Room for the event comes first: what is begun is known, and
 * events are in the order in which that room was taken, so an end follows its beginning.
 * @p size, of all @p words, is a constant. */
static inline int
ctr_bpf_key_create(void *keys, void *indexes, void *events, const uint64_t *words, uint64_t size,
		   uint32_t *index)
{
	struct ctr_xdp_event *event;
	uint32_t at = 0;
	int rc;

	if (ctr_bpf_key_find(keys, words, index) == 0)
		return 0;
	if (bpf_map_peek_elem(indexes, &at) != 0)
		return -ENOSPC; /* What is discarded takes room from ends. */
	event = (struct ctr_xdp_event *)bpf_ringbuf_reserve(events, sizeof(*event) + size, 0);
	if (event == NULL)
		return -ENOSPC;
	if (bpf_map_pop_elem(indexes, &at) != 0) {
		bpf_ringbuf_discard(event, 0);
		return -ENOSPC;
	}
	rc = (int)bpf_map_update_elem(keys, words, &at, BPF_NOEXIST);
	event->index = at;
	event->kind = rc == 0 ? CTR_XDP_BEGUN : CTR_XDP_LOST;
	__builtin_memcpy(event->words, words, size);
	bpf_ringbuf_submit(event, 0);
	*index = at;
	return rc == -EEXIST ? ctr_bpf_key_find(keys, words, index) : rc;
}

/** Have user space end an instance. */
static inline int
ctr_bpf_key_end(void *keys, void *events, const uint64_t *words, uint64_t size)
{
	struct ctr_xdp_event *event;
	uint32_t at;

	if (ctr_bpf_key_find(keys, words, &at) != 0)
		return -ENOENT;
	event = (struct ctr_xdp_event *)bpf_ringbuf_reserve(events, sizeof(*event) + size, 0);
	if (event == NULL)
		return -ENOSPC;
	event->index = at;
	event->kind = CTR_XDP_ENDED;
	__builtin_memcpy(event->words, words, size);
	bpf_ringbuf_submit(event, 0);
	return 0;
}

/* ---- dropped updates: as in ctr_bits.h; a loaded program is initialised ---- */

/** Whether the variable @p index is not below @p max. It is checked by itself and where it is: from
 * then on, the verifier knows the bounds of what the compiler uses. */
#define ctr_index_outside(index, max)                  \
	({                                             \
		__asm__ volatile("" : "+r"(index));    \
		(index) >= (max);                      \
	})

/** Whether an update is @p outside; then @p note gets the @p n updates that are dropped. */
#define ctr_update_outside(outside, note, n) (ctr_unlikely(outside) ? (note(n), true) : false)
#define ctr_update_unborn(live, at, note, n)                                               \
	ctr_update_outside(((live)[(at) / 64] >> ((at) % 64) & 1) == 0, note, n)
#define ctr_update_early(ready, note, n) false

/** The greatest of @p num indexes, as in ctr_list.h. The verifier wants @p most to exist. */
static inline uint32_t
ctr_list_greatest(const uint32_t *list, uint32_t num, uint32_t most)
{
	uint32_t greatest = 0;

	if (num > most)
		return UINT32_MAX;
	for (uint32_t i = 0; i < num; i++)
		if (list[i] > greatest)
			greatest = list[i];
	return greatest;
}
#define ctr_ready_add64(ready, note, word, n) ctr_atomic_add64(word, n)
#define ctr_ready_sub64(ready, note, word, n) ctr_atomic_sub64(word, n)
#define ctr_ready_set64(ready, note, word, v) ctr_store64(word, v)
#define ctr_ready_set32(ready, note, word, v) ctr_store32(word, v)

/* ---- peaks: as in ctr_peak.h; false where the value was not stored ---- */

static inline bool
ctr_peak_highest(uint64_t *word, uint64_t value)
{
	return ctr_bpf_raise(word, value) != 0;
}

static inline bool
ctr_peak_lowest(uint64_t *word, uint64_t value)
{
	return ctr_peak_highest(word, ~value);
}

#define ctr_mark_highest(mark, now) ctr_peak_highest(mark, now)
#define ctr_mark_lowest(mark, now) ctr_peak_lowest(mark, now)

/* These return a value: a full barrier before the peak is loaded. */

static inline uint64_t
ctr_gauge_add(uint64_t *gauge, uint64_t n)
{
	return __sync_fetch_and_add(gauge, n) + n;
}

static inline uint64_t
ctr_gauge_sub(uint64_t *gauge, uint64_t n)
{
	return ctr_gauge_add(gauge, -n);
}

static inline uint64_t
ctr_gauge_set(uint64_t *gauge, uint64_t v)
{
	(void)__sync_lock_test_and_set(gauge, v);
	return v;
}

static inline uint64_t
ctr_latch(uint64_t raw, uint64_t minimum, uint64_t maximum)
{
	if ((raw >> 63) != 0 || raw < minimum)
		return minimum;
	return raw > maximum ? maximum : raw;
}

/* ---- histograms: as in ctr_histogram.h ---- */

/** The number of digits of a number but 0, without branches, each of which the verifier follows.
 * clang 14 does not compile __builtin_clzll(). */
static inline uint64_t
ctr_bpf_digits(uint64_t n)
{
	n |= n >> 1;
	n |= n >> 2;
	n |= n >> 4;
	n |= n >> 8;
	n |= n >> 16;
	n |= n >> 32;
	n -= n >> 1 & UINT64_C(0x5555555555555555);
	n = (n & UINT64_C(0x3333333333333333)) + (n >> 2 & UINT64_C(0x3333333333333333));
	n = (n + (n >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return n * UINT64_C(0x0101010101010101) >> 56;
}

/** The bucket of a value. The verifier does not know its range: it is bounded again, where the
 * compiler cannot find that to be without effect. */
static inline size_t
ctr_histogram_log2(uint64_t value, unsigned int power, unsigned int bounds)
{
	const unsigned int more = power == 0 ? 1 : 0;
	const uint64_t most = UINT64_C(1) << (power + bounds - 1);
	const uint64_t least = (UINT64_C(1) << (power + more)) - 1;
	uint64_t below = value - (value != 0 ? 1u : 0u), bucket;

	below = below < most ? below : most;
	bucket = ctr_bpf_digits(below << more | least) - more - power;
	__asm__ volatile("" : "+r"(bucket));
	return bucket < bounds ? bucket : bounds;
}

CTR_END_DECLS

/** @endcond */

#endif /* CTR_BPF_H */
