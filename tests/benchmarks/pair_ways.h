/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ways to keep two counters so that a reader sees both of one moment, and what they are compared
 * with: the update of schemas/ep.yaml, which counts a packet and its bytes for all and for a flow.
 * Lookups are those of generated code. x86-64 with AVX only: that an aligned load or store of 16
 * bytes is atomic there is said by Intel (SDM, volume 3, 9.1.1) and AMD (APM, volume 2, 7.3.2).
 *
 * A way has `NAME_update` and `NAME_single`, for the thread that owns the copy, and `NAME_global`
 * and `NAME_session`, which read into *out on any thread and return whether that was a pair.
 */
#ifndef PAIR_WAYS_H
#define PAIR_WAYS_H

#include <stdlib.h>

#include "ctr_port.h"
#include "ctr_seqcount.h"
#include "ctr_word.h"

#define TURNS 8u

typedef uint64_t words_t __attribute__((vector_size(16), may_alias));

/* Two counters of an update. */
struct sums {
	uint64_t pkts, bytes;
} CTR_ALIGNED(16);

/* The owner's sums, and what readers see of them. */
struct twin {
	struct sums own, shown;
} CTR_ALIGNED(32);

/* Pairs that are added to in turn; a reader adds them up. */
struct turns_of_8 {
	struct sums part[TURNS];
} CTR_CACHE_ALIGNED;

/* Likewise, fewer of them. */
struct turns_of_2 {
	struct sums part[2];
} CTR_ALIGNED(32);

struct turns_of_4 {
	struct sums part[4];
} CTR_ALIGNED(64);

#define COPY(name, total, flow)        \
	struct name {                  \
		uint32_t turn, seq;    \
		struct total global;   \
		struct flow session[]; \
	} CTR_CACHE_ALIGNED;           \
	static void *name##_slots[CTR_SLOTS]

#define SELF(name) ((struct name *)own_slot(name##_slots))

static inline void *
own_slot(void *const *slots)
{
	unsigned int lcore = ctr_lcore_id();

	if (ctr_unlikely(lcore >= CTR_MAX_LCORE))
		abort();
	CTR_ASSUME(slots[lcore] != NULL);
	return slots[lcore];
}

/* ---- adds ---- */

static inline void
sums_add(struct sums *at, uint64_t pkts, uint64_t bytes)
{
	ctr_add64(&at->pkts, pkts);
	ctr_add64(&at->bytes, bytes);
}

/* By one load and one store. */
static inline void
vector_add(struct sums *at, uint64_t pkts, uint64_t bytes)
{
	words_t sum = { pkts, bytes };

	sum += *(const words_t *)at;
	__asm__ volatile("vmovdqa\t%1, %0" : "=m"(*(words_t *)at) : "x"(sum));
}

/* Loads of 8 bytes: one of 16 behind stores of 8 waits until these are in the cache. */
static inline void
twin_add(struct twin *at, uint64_t pkts, uint64_t bytes)
{
	words_t sum;

	if (pkts != 0)
		ctr_add64(&at->own.pkts, pkts);
	ctr_add64(&at->own.bytes, bytes);
	__asm__ volatile("vmovq\t%1, %0" : "=x"(sum) : "m"(at->own.pkts));
	__asm__ volatile("vmovhps\t%1, %0, %0" : "+x"(sum) : "m"(at->own.bytes));
	__asm__ volatile("vmovdqa\t%1, %0" : "=m"(*(words_t *)&at->shown) : "x"(sum));
}

/* Which pair it is the turn of: an offset. */
static inline uint32_t
next_turn(uint32_t *turn)
{
	ctr_add32(turn, sizeof(struct sums));
	return *turn & (sizeof(struct turns_of_8) - sizeof(struct sums));
}

static inline void
turn_add(struct sums *part, uint32_t turn, uint64_t pkts, uint64_t bytes)
{
	vector_add((struct sums *)(void *)((char *)part + turn), pkts, bytes);
}

/* Odd sums of twice the bytes and the packets: only in the middle of an update of one packet. */
static inline void
parity_add(struct sums *at, uint64_t bytes)
{
	ctr_add64(&at->pkts, 1);
	ctr_add64(&at->bytes, 2 * bytes + 1);
}

/* ---- reads ---- */

static inline void
sums_read(const struct sums *at, struct sums *out)
{
	out->pkts = ctr_load64(&at->pkts);
	out->bytes = ctr_load64(&at->bytes);
}

static inline bool
vector_read(const struct sums *at, struct sums *out)
{
	words_t both;

	__asm__ volatile("vmovdqa\t%1, %0" : "=x"(both) : "m"(*(const words_t *)at));
	*(words_t *)out = both;
	return true;
}

static inline bool
seq_read(const uint32_t *seq, const struct sums *at, struct sums *out)
{
	uint32_t begin = ctr_seq_read_begin(seq);

	sums_read(at, out);
	return !ctr_seq_read_retry(seq, begin);
}

static inline bool
turns_read(const struct sums *at, unsigned int parts, struct sums *out)
{
	struct sums part;

	out->pkts = out->bytes = 0;
	for (unsigned int i = 0; i < parts; i++) {
		(void)vector_read(&at[i], &part);
		out->pkts += part.pkts;
		out->bytes += part.bytes;
	}
	return true;
}

static inline bool
parity_read(const struct sums *at, struct sums *out)
{
	uint64_t pkts = __atomic_load_n(&at->pkts, __ATOMIC_ACQUIRE);
	uint64_t both = __atomic_load_n(&at->bytes, __ATOMIC_ACQUIRE);

	out->pkts = pkts;
	out->bytes = (both - pkts) / 2;
	return (both - pkts) % 2 == 0 && ctr_load64(&at->pkts) == pkts;
}

/* ---- ways ---- */

#define UPDATE(name)       \
	static inline void \
	name##_update(uint32_t flow, uint16_t size)
#define SINGLE(name)       \
	static inline void \
	name##_single(uint16_t size)
#define READS(name, global_read, session_read)                            \
	static inline bool                                                \
	name##_global(const void *copy, struct sums *out)                 \
	{                                                                 \
		const struct name *self = (const struct name *)copy;      \
                                                                          \
		return global_read;                                       \
	}                                                                 \
	static inline bool                                                \
	name##_session(const void *copy, uint32_t flow, struct sums *out) \
	{                                                                 \
		const struct name *self = (const struct name *)copy;      \
                                                                          \
		return session_read;                                      \
	}

COPY(per_core, sums, sums);
UPDATE(per_core)
{
	struct per_core *self = SELF(per_core);

	sums_add(&self->global, 1, size);
	sums_add(&self->session[flow], 1, size);
}
SINGLE(per_core)
{
	ctr_add64(&SELF(per_core)->global.bytes, size);
}
READS(per_core, (sums_read(&self->global, out), true), (sums_read(&self->session[flow], out), true))

COPY(seqcount, sums, sums);
UPDATE(seqcount)
{
	struct seqcount *self = SELF(seqcount);

	ctr_seq_update_begin(&self->seq);
	sums_add(&self->global, 1, size);
	sums_add(&self->session[flow], 1, size);
	ctr_seq_update_end(&self->seq);
}
SINGLE(seqcount)
{
	struct seqcount *self = SELF(seqcount);

	ctr_seq_update_begin(&self->seq);
	ctr_add64(&self->global.bytes, size);
	ctr_seq_update_end(&self->seq);
}
READS(seqcount, seq_read(&self->seq, &self->global, out),
      seq_read(&self->seq, &self->session[flow], out))

/* The sketch: 16 bytes are loaded, added to and stored. */
COPY(vector, sums, sums);
UPDATE(vector)
{
	struct vector *self = SELF(vector);

	vector_add(&self->global, 1, size);
	vector_add(&self->session[flow], 1, size);
}
SINGLE(vector)
{
	vector_add(&SELF(vector)->global, 0, size);
}
READS(vector, vector_read(&self->global, out), vector_read(&self->session[flow], out))

/* The same with singles of 8 bytes, behind which a load of 16 waits. */
COPY(vector_8, sums, sums);
UPDATE(vector_8)
{
	struct vector_8 *self = SELF(vector_8);

	vector_add(&self->global, 1, size);
	vector_add(&self->session[flow], 1, size);
}
SINGLE(vector_8)
{
	ctr_add64(&SELF(vector_8)->global.bytes, size);
}
READS(vector_8, vector_read(&self->global, out), vector_read(&self->session[flow], out))

/* Sums of the owner, and a store of 16 bytes of what they are. */
COPY(twins, twin, twin);
UPDATE(twins)
{
	struct twins *self = SELF(twins);

	twin_add(&self->global, 1, size);
	twin_add(&self->session[flow], 1, size);
}
SINGLE(twins)
{
	twin_add(&SELF(twins)->global, 0, size);
}
READS(twins, vector_read(&self->global.shown, out), vector_read(&self->session[flow].shown, out))

/* Sums of the owner where each packet counts, pairs for flows. */
COPY(twin_global, twin, sums);
UPDATE(twin_global)
{
	struct twin_global *self = SELF(twin_global);

	twin_add(&self->global, 1, size);
	vector_add(&self->session[flow], 1, size);
}
SINGLE(twin_global)
{
	twin_add(&SELF(twin_global)->global, 0, size);
}
READS(twin_global, vector_read(&self->global.shown, out), vector_read(&self->session[flow], out))

/*
 * Several pairs in turn where each packet counts, one for a flow. A single goes to the first: a word
 * of the turn that is changed in several places of the code is waited for.
 */
COPY(turns, turns_of_8, sums);
UPDATE(turns)
{
	struct turns *self = SELF(turns);

	turn_add(self->global.part, next_turn(&self->turn), 1, size);
	vector_add(&self->session[flow], 1, size);
}
SINGLE(turns)
{
	struct turns *self = SELF(turns);

	turn_add(self->global.part, 0, 0, size);
}
READS(turns, turns_read(self->global.part, TURNS, out), vector_read(&self->session[flow], out))

/* Two pairs in turn for a flow. */
COPY(turns_2, turns_of_8, turns_of_2);
UPDATE(turns_2)
{
	struct turns_2 *self = SELF(turns_2);
	uint32_t turn = next_turn(&self->turn);

	turn_add(self->global.part, turn, 1, size);
	turn &= sizeof(struct turns_of_2) - sizeof(struct sums);
	turn_add(self->session[flow].part, turn, 1, size);
}
SINGLE(turns_2)
{
	struct turns_2 *self = SELF(turns_2);

	turn_add(self->global.part, 0, 0, size);
}
READS(turns_2, turns_read(self->global.part, TURNS, out),
      turns_read(self->session[flow].part, 2, out))

/* Four: a line for each flow. */
COPY(turns_4, turns_of_8, turns_of_4);
UPDATE(turns_4)
{
	struct turns_4 *self = SELF(turns_4);
	uint32_t turn = next_turn(&self->turn);

	turn_add(self->global.part, turn, 1, size);
	turn &= sizeof(struct turns_of_4) - sizeof(struct sums);
	turn_add(self->session[flow].part, turn, 1, size);
}
SINGLE(turns_4)
{
	struct turns_4 *self = SELF(turns_4);

	turn_add(self->global.part, 0, 0, size);
}
READS(turns_4, turns_read(self->global.part, TURNS, out),
      turns_read(self->session[flow].part, 4, out))

/* No vector, no count: one bit of the bytes says whether they have the packet. */
COPY(parity, sums, sums);
UPDATE(parity)
{
	struct parity *self = SELF(parity);

	parity_add(&self->global, size);
	parity_add(&self->session[flow], size);
}
SINGLE(parity)
{
	ctr_add64(&SELF(parity)->global.bytes, 2 * (uint64_t)size);
}
READS(parity, parity_read(&self->global, out), parity_read(&self->session[flow], out))

#endif /* PAIR_WAYS_H */
