/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_ring.h"

/* The first word of an entry that is drained, but not yet free. */
#define DRAINED CTR_RING_TAKEN

uint64_t
ctr_shared_ring_retry(struct ctr_ring_shape shape, struct ctr_shared_ring *ring, uint64_t at)
{
	const uint64_t in = ctr_load_acquire(&ring->in);
	uint64_t word;

	if (in == at) {
		/* Before the word: what that was in the turn before is not seen any more. */
		if ((int64_t)(in - ctr_load_acquire(&ring->out)) >= (int64_t)shape.entries)
			return CTR_RING_FULL;
		word = ctr_load_acquire((uint64_t *)ctr_shared_ring_at(&shape, ring, in));
		/* Of the turn before, unless others have passed the entry since. */
		if (word == DRAINED && ctr_load64(&ring->in) == in)
			return CTR_RING_FULL;
		if (word != ctr_shared_ring_free(&shape, in))
			ctr_shared_ring_pass(ring, in);
	}
	return ctr_load64(&ring->in);
}

/* An entry, the first that was not passed, is drained. Producers that find it full until it is free
 * look at `out` first; should the consumer end in between, free_last() frees it. */
static void
pass_out(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring, uint64_t at)
{
	uint64_t *entry = (uint64_t *)ctr_shared_ring_at(shape, ring, at);

	ctr_store_release(&ring->out, at + 1);
	ctr_store_release(entry, ctr_shared_ring_free(shape, at + shape->entries));
}

/* A former consumer may have ended before the last entry was free. */
static void
free_last(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring, uint64_t in)
{
	const uint64_t out = ctr_load64(&ring->out);

	if (out != 0 && in - out < shape->entries &&
	    ctr_load64((uint64_t *)ctr_shared_ring_at(shape, ring, out - 1)) == DRAINED)
		pass_out(shape, ring, out - 1);
}

/* Apply what is sent; the caller is the consumer. `gone`: a thread that has taken nothing, or 0.
 * Whether there was any entry. */
static bool
drain_entries(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
	      ctr_shared_ring_apply apply, uint32_t gone)
{
	const uint64_t busy = CTR_RING_TAKEN | ctr_pi_me();
	const uint64_t in = ctr_load_acquire(&ring->in);
	uint64_t begin;

	free_last(shape, ring, in);
	begin = ctr_load64(&ring->out);
	for (uint64_t at = begin; at != in; at++) {
		uint64_t *entry = (uint64_t *)ctr_shared_ring_at(shape, ring, at);
		const uint64_t word = ctr_load_acquire(entry);
		const bool first = at == ctr_load64(&ring->out);
		const uint32_t thread = (uint32_t)word;

		if ((word & CTR_RING_SENT) != 0) {
			/* If the caller ends in there, the entry is one of a thread that ended. */
			ctr_store64(entry, busy);
			__atomic_signal_fence(__ATOMIC_SEQ_CST);
			apply(word & ~CTR_RING_SENT, entry);
		} else if (word != DRAINED) {
			/* Only the first delays others, so only that is worth a system call. */
			if (!first || (thread != gone && !ctr_pi_ended(thread)))
				continue;
			ctr_store64(&ring->lost, ctr_load64(&ring->lost) + 1);
		}
		ctr_store64(entry, DRAINED);
		if (first)
			pass_out(shape, ring, at);
	}
	ctr_ring_consumed(&ring->consumer);
	return begin != in;
}

bool
ctr_shared_ring_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
		      ctr_shared_ring_apply apply)
{
	unsigned int spins = 0;

	while (!ctr_ring_consume(&ring->consumer, spins)) {
		if (ctr_load32(&ring->consumer) == ctr_pi_me())
			return false;
		ctr_spin_wait(&spins);
	}
	return drain_entries(shape, ring, apply, 0);
}

void
ctr_shared_ring_try_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			  ctr_shared_ring_apply apply)
{
	if (ctr_ring_consume(&ring->consumer, 0))
		(void)drain_entries(shape, ring, apply, 0);
}

void
ctr_shared_ring_burst_end(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			  struct ctr_ring_share *share, uint32_t hints, ctr_shared_ring_apply apply)
{
	if (ctr_likely(++share->calls < hints))
		return;
	/* Behind a look that found another consumer all is drained: some of it may be as old. */
	if (share->calls > hints || ctr_load64(&ring->out) < share->mark) {
		if (!ctr_ring_consume(&ring->consumer, share->calls))
			return;
		(void)drain_entries(shape, ring, apply, 0);
	}
	share->calls = 0;
	share->mark = ctr_load64(&ring->in);
}

void
ctr_shared_ring_leave(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
		      ctr_shared_ring_apply apply)
{
	if (ctr_ring_consume(&ring->consumer, 0))
		(void)drain_entries(shape, ring, apply, ctr_pi_me());
}
