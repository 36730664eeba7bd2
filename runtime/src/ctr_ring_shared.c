/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_ring_shared.h"

/* So many entries are applied before others may fill them again. */
#define AT_ONCE 32u

static bool
apply_some(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
	   void (*apply)(const void *entry))
{
	struct ctr_ring_taken taken = ctr_ring_take(shape, &ring->out, &ring->in, 0, AT_ONCE);
	uint32_t i;

	if (taken.n == 0)
		return false;
	for (i = 0; i < taken.n; i++) {
		uint64_t *entry = (uint64_t *)ctr_shared_ring_at(shape, ring, taken.at + i);

		if (*entry != 0)
			apply(entry);
		ctr_store64(entry, 0);
	}
	ctr_ring_taken_done(shape, &ring->out, taken);
	return true;
}

void
ctr_shared_ring_try_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
			  void (*apply)(const void *entry))
{
	while (apply_some(shape, ring, apply))
		;
}

void
ctr_shared_ring_drain(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring,
		      void (*apply)(const void *entry))
{
	const uint32_t end = (uint32_t)ctr_load_acquire(&ring->in.head);
	unsigned int spins = 0;

	while ((int32_t)(ctr_ring_tail(&ring->out, shape->mode) - end) < 0)
		if (!apply_some(shape, ring, apply))
			ctr_spin_wait(&spins);
}

/* Both halves of a head are what they are when nobody is between it and the tail. */
static void
mend(enum ctr_ring_mode mode, struct ctr_ring_end *end, uint32_t at)
{
	const uint64_t times = mode == CTR_RING_RTS ? end->head >> 32 : 0;

	ctr_store64(&end->head, (mode == CTR_RING_HTS ? (uint64_t)at : times) << 32 | at);
	ctr_store64(&end->tail, times << 32 | at);
}

void
ctr_shared_ring_mend(const struct ctr_ring_shape *shape, struct ctr_shared_ring *ring)
{
	mend(shape->mode, &ring->out, ctr_ring_tail(&ring->out, shape->mode));
	mend(shape->mode, &ring->in, (uint32_t)ring->in.head);
}
