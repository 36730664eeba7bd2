/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pattern of counting, as peers.c measures it: each instance has a counter of packets and one of
 * bytes. A pattern is one file (patterns/, strategy.c), which ends with PEER().
 */
#ifndef PEERS_H
#define PEERS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctr.h"

/** Packets handled at once. */
#define BURST 32u
/** Threads that count at most. */
#define THREADS 4u
/** CPUs that they run on: thread t on the one of number t % CPUS. */
#define CPUS 2u

/** What an instance counts. */
struct pair {
	uint64_t packets;
	uint64_t bytes;
};

/** A pattern. Functions that are NULL do nothing. */
struct peer {
	const char *name;
	/** Allocate so many instances; 0 or -errno. One thread, before all others. */
	int (*init)(uint32_t instances);
	/** Each thread that counts, once, before it does. */
	void (*begin)(unsigned int thread);
	/** Count BURST packets: arrays of their instances and of their bytes. */
	void (*burst)(unsigned int thread, const uint32_t *instance, const uint16_t *bytes);
	/** Each thread that counted, at the end of its turn: apply what it held back. */
	void (*end)(void);
	/** The control thread, from time to time. */
	void (*poll)(void);
	/** Any one thread, at any time. */
	void (*read)(uint32_t instance, struct pair *now);
	/** Likewise: read, and begin at 0. NULL: the pattern has no reset. */
	void (*reset)(uint32_t instance, struct pair *taken);
	/** Bytes of an instance, and more for each thread that counts; 0: run.py knows. */
	size_t bytes, more;
	uint32_t most; /**< Instances at most; 0: any number. */
};

/** Threads that count now: 0 to this, less one. A reset has to reckon with these. */
extern unsigned int peers_counting;

/** Numbers of the CPUs that threads run on. */
extern int peers_cpu[CPUS];

/** Put a pattern on the list of the program: a name for C, and fields of its struct. */
#define PEER(id, ...)                                               \
	static const struct peer peer_##id = { __VA_ARGS__ };       \
	static const struct peer *const peer_entry_##id             \
		__attribute__((section("peers"), used)) = &peer_##id

/** In front of each packet, as the application's work is: no word stays in a register. */
#define PEER_PACKET() __asm__ volatile("" : : : "memory")

/** Define burst() by calls of update(thread, instance, bytes), behind what `first` does. */
#define PEER_BURST(update, first)                                                             \
	static void burst(unsigned int thread, const uint32_t *instance, const uint16_t *bytes) \
	{                                                                                     \
		first;                                                                        \
		for (uint32_t i = 0; i < BURST; i++) {                                        \
			PEER_PACKET();                                                        \
			update(thread, instance[i], bytes[i]);                                \
		}                                                                             \
	}

/** An array of `count` elements in memory as all patterns have it; NULL without. */
#define PEER_ARRAY(type, count) ((type *)ctr_alloc((count) * sizeof(type), CTR_NON_LCORE))

/** Define of_thread[], an array of instances for each thread, and init(), which allocates them. */
#define PEER_OF_THREADS(type)                                              \
	static type *of_thread[THREADS];                                   \
	static int init(uint32_t instances)                                \
	{                                                                  \
		for (unsigned int t = 0; t < THREADS; t++) {               \
			of_thread[t] = PEER_ARRAY(type, instances);        \
			if (of_thread[t] == NULL)                          \
				return -ENOMEM;                            \
		}                                                          \
		return 0;                                                  \
	}

/** A word that another thread writes. */
static inline uint64_t
peer_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/** Add a pair to a sum, word by word. */
static inline void
peer_sum(struct pair *sum, const struct pair *part)
{
	sum->packets += peer_load(&part->packets);
	sum->bytes += peer_load(&part->bytes);
}

#endif /* PEERS_H */
