/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_ring.h"

/* The first word of an entry that is drained, but not yet free. */
#define DRAINED CTR_RING_TAKEN
/* No position: the ring is full. */
#define FULL UINT64_MAX

/* The entry at a position. */
static uint64_t *
entry_at(const struct ctr_delta_ring *own, uint64_t at)
{
	const uint64_t number = at & (own->entries - 1);

	return (uint64_t *)(void *)((char *)(own->ring + 1) + number * own->kind.largest);
}

/* The first word of an entry that is free for the turn of a position. */
static uint64_t
free_at(const struct ctr_delta_ring *own, uint64_t at)
{
	return at & ~(uint64_t)(own->entries - 1);
}

/* The entry at a position is taken: go to the next one, unless another thread has. */
static void
pass_in(struct ctr_shared_ring *ring, uint64_t at)
{
	/* Release: who sees that sees the entry at least taken. */
	(void)__atomic_compare_exchange_n(&ring->in, &at, at + 1, false, __ATOMIC_RELEASE,
					  __ATOMIC_RELAXED);
}

/* Where to try next after the entry at a position was not free, or FULL. */
static CTR_COLD uint64_t
retry(const struct ctr_delta_ring *own, uint64_t at)
{
	struct ctr_shared_ring *ring = own->ring;
	const uint64_t in = ctr_load_acquire(&ring->in);
	uint64_t word;

	if (in == at) {
		/* Before the word: what that was in the turn before is not seen any more. */
		if ((int64_t)(in - ctr_load_acquire(&ring->out)) >= (int64_t)own->entries)
			return FULL;
		word = ctr_load_acquire(entry_at(own, in));
		/* Of the turn before, unless others have passed the entry since. */
		if (word == DRAINED && ctr_load64(&ring->in) == in)
			return FULL;
		if (word != free_at(own, in))
			pass_in(ring, in);
	}
	return ctr_load64(&ring->in);
}

void *
ctr_shared_ring_next(const struct ctr_delta_ring *own)
{
	const uint64_t mine = CTR_RING_TAKEN | ctr_pi_me();
	uint64_t at = ctr_load64(&own->ring->in);

	do {
		uint64_t *entry = entry_at(own, at), word = free_at(own, at);

		if (ctr_likely(__atomic_compare_exchange_n(entry, &word, mine, false,
							   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) {
			pass_in(own->ring, at);
			return entry;
		}
		at = retry(own, at);
	} while (at != FULL);
	return NULL;
}

/* An entry, the first that was not passed, is drained. Producers that find it full until it is free
 * look at `out` first; should the consumer end in between, free_last() frees it. */
static void
pass_out(const struct ctr_delta_ring *own, uint64_t at)
{
	uint64_t *entry = entry_at(own, at);

	ctr_store_release(&own->ring->out, at + 1);
	ctr_store_release(entry, free_at(own, at + own->entries));
}

/* A former consumer may have ended before the last entry was free. */
static void
free_last(const struct ctr_delta_ring *own, uint64_t in)
{
	const uint64_t out = ctr_load64(&own->ring->out);

	if (out != 0 && in - out < own->entries &&
	    ctr_load64(entry_at(own, out - 1)) == DRAINED)
		pass_out(own, out - 1);
}

/* Apply what is sent; the caller is the consumer. `gone`: a thread that has taken nothing, or 0.
 * Whether there was any entry. */
static bool
drain_entries(const struct ctr_delta_ring *own, uint32_t gone)
{
	const uint64_t busy = CTR_RING_TAKEN | ctr_pi_me();
	struct ctr_shared_ring *ring = own->ring;
	const uint64_t in = ctr_load_acquire(&ring->in);
	uint64_t begin;

	free_last(own, in);
	begin = ctr_load64(&ring->out);
	for (uint64_t at = begin; at != in; at++) {
		uint64_t *entry = entry_at(own, at);
		const uint64_t word = ctr_load_acquire(entry);
		const bool first = at == ctr_load64(&ring->out);
		const uint32_t thread = (uint32_t)word;

		if ((word & CTR_RING_SENT) != 0) {
			/* If the caller ends in there, the entry is one of a thread that ended. */
			ctr_store64(entry, busy);
			__atomic_signal_fence(__ATOMIC_SEQ_CST);
			own->apply(word & ~CTR_RING_SENT, entry);
		} else if (word != DRAINED) {
			/* Only the first delays others, so only that is worth a system call. */
			if (!first || (thread != gone && !ctr_pi_ended(thread)))
				continue;
			ctr_store64(&ring->lost, ctr_load64(&ring->lost) + 1);
		}
		ctr_store64(entry, DRAINED);
		if (first)
			pass_out(own, at);
	}
	ctr_ring_consumed(&ring->consumer);
	return begin != in;
}

bool
ctr_shared_ring_drain(const struct ctr_delta_ring *own, uint32_t gone, bool waits)
{
	return ctr_ring_consume_now(&own->ring->consumer, waits) && drain_entries(own, gone);
}

void
ctr_shared_ring_burst_end(const struct ctr_delta_ring *own, struct ctr_ring_share *share)
{
	if (ctr_likely(++share->calls < own->kind.hints))
		return;
	/* Behind a look that found another consumer all is drained: some of it may be as old. */
	if (share->calls > own->kind.hints || ctr_load64(&own->ring->out) < share->mark) {
		if (!ctr_ring_consume(&own->ring->consumer, share->calls))
			return;
		(void)drain_entries(own, 0);
	}
	share->calls = 0;
	share->mark = ctr_load64(&own->ring->in);
}
