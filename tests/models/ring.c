/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings of records in all executions: each record is applied once, by whoever drains; who does
 * sees all of it, and who writes over it comes after who has read it.
 *
 * SENDS records each; UNITS of a ring; DRAINS by another thread, which may be none. Without SHARED
 * an lcore (ctr_ring.h) sends and may drain its ring as well. With SHARED so many SENDERS, 1 or 2,
 * share a ring of a MODE (ctr_ring_shared.h). Executions in which somebody would wait end there.
 */
#define ORDERS_LOCATIONS 24
#include <pthread.h>
#include <stddef.h>

#include "orders.h"

static bool waited;

/* Who waits does nothing until another has gone on: there are executions in which it need not. */
static inline void
wait_for_others(void)
{
	waited = true;
	orders_me()->done = true;
	(void)swapcontext(&orders_me()->context, &orders.scheduler);
}

#define CTR_NO_ASM
#include "ctr_port.h"
#define ctr_spin_wait(spins) ((void)(spins), wait_for_others())
#include "ctr_ring.c"
#include "ctr_ring_shared.c"

#ifndef SENDS
#define SENDS 4
#endif
#ifndef UNITS
#define UNITS 3
#endif
#ifndef DRAINS
#define DRAINS 2
#endif

#ifndef MODE
#define MODE CTR_RING_RTS
#endif
#ifndef SENDERS
#define SENDERS 1
#endif

#define MOST 16

static uint32_t drained[MOST]; /* For each unit, how often it was read. */
static uint64_t applied[MOST];

/* The calling thread sees the last store: nothing races with its access. */
static void
sees(const void *word, unsigned int size)
{
	unsigned int x = orders_find(word, size);

	CHECK(orders_me()->now.at[x] == orders.location[x].num - 1);
}

static void
write_record(uint64_t *record, unsigned int unit, uint64_t value)
{
	sees(&drained[unit], sizeof(drained[unit]));
	ctr_store64(record, value);
}

static void
read_record(const uint64_t *record, unsigned int unit)
{
	sees(record, sizeof(*record));
	CHECK(*record > 0 && *record < MOST);
	applied[*record]++;
	ctr_store32(&drained[unit], drained[unit] + 1);
}

#ifndef SHARED
static struct {
	struct ctr_ring ring;
	uint64_t word[2 * UNITS];
} own;

static void
apply(struct ctr_ring *ring, uint32_t end)
{
	uint32_t at = ring->done;

	sees(&ring->done, sizeof(ring->done));
	while (at < end) {
		read_record((const uint64_t *)ctr_ring_at(ring, at), at / 16);
		at += 16;
		ctr_store_release(&ring->done, at);
	}
}

static const struct ctr_ring_kind kind = { 16 * (UNITS - 1), 16, apply };

static void
sender(unsigned int number)
{
	for (uint64_t i = 1; i <= SENDS; i++) {
		if (ctr_ring_has_room(&own.ring) || ctr_ring_renew(&kind, &own.ring)) {
			write_record((uint64_t *)ctr_ring_next(&own.ring), own.ring.sent / 16, i);
			ctr_ring_send(&own.ring, 16);
		} else {
			applied[i]++;
		}
		if (i % 2 == 0 && orders_pick(2) != 0)
			ctr_ring_try_drain(&kind, &own.ring, true);
	}
	(void)number;
}

static void
drainer(unsigned int number)
{
	for (unsigned int i = 0; i < DRAINS; i++)
		ctr_ring_try_drain(&kind, &own.ring, false);
	(void)number;
}

static void
finish(unsigned int number)
{
	(void)number;
	orders_latest();
	ctr_ring_try_drain(&kind, &own.ring, false);
	for (unsigned int i = 1; i < MOST; i++)
		CHECK(applied[i] == (i <= SENDS));
}

static void
reset(void)
{
	memset(&own, 0, sizeof(own));
}
#else
static struct {
	struct ctr_shared_ring ring;
	uint64_t entry[UNITS];
} all;

static const struct ctr_ring_shape shape = { MODE, UNITS, 8 };

static void
apply(const void *entry)
{
	const uint64_t *record = (const uint64_t *)entry;

	read_record(record, (unsigned int)(record - all.entry));
}

static void
sender(unsigned int number)
{
	for (uint64_t i = 1; i <= SENDS; i++) {
		const uint64_t value = number * SENDS + i;
		struct ctr_ring_taken taken;
		uint64_t *record = (uint64_t *)ctr_shared_ring_next(&shape, &all.ring, &taken);

		if (taken.n == 0) {
			applied[value]++;
			continue;
		}
		/* Who drains has set it to 0. */
		sees(record, sizeof(*record));
		CHECK(*record == 0);
		sees(&drained[record - all.entry], sizeof(drained[0]));
		orders_step();
		ctr_shared_ring_send(&shape, &all.ring, taken, value);
	}
}

static void
drainer(unsigned int number)
{
	for (unsigned int i = 0; i < DRAINS; i++)
		ctr_shared_ring_try_drain(&shape, &all.ring, apply);
	(void)number;
}

static void
finish(unsigned int number)
{
	const uint32_t tail = ctr_ring_tail(&all.ring.in, shape.mode);

	(void)number;
	if (waited)
		return;
	/* Whatever it sees of the tail, what is before is whole. */
	for (uint32_t i = 0; DRAINS == 0 && i < tail; i++) {
		sees(&all.entry[i], sizeof(all.entry[i]));
		CHECK(all.entry[i] != 0);
	}
	orders_latest();
	ctr_shared_ring_drain(&shape, &all.ring, apply);
	for (unsigned int i = 1; i < MOST; i++)
		CHECK(applied[i] == (i <= SENDERS * SENDS));
}

static void
reset(void)
{
	memset(&all, 0, sizeof(all));
}
#endif

/* Of the port: nobody waits here. */
void
ctr_yield(void)
{
	abort();
}

int
ctr_port_check(bool alone)
{
	return alone ? 0 : -1;
}

int
main(void)
{
	while (orders_next()) {
		memset(drained, 0, sizeof(drained));
		memset(applied, 0, sizeof(applied));
		waited = false;
		reset();
		orders_thread(sender, true);
#if SENDERS > 1
		orders_thread(sender, true);
#endif
#if DRAINS > 0
		orders_thread(drainer, true);
#endif
		orders_thread(finish, false);
		orders_run();
	}
	printf("%llu executions\n", (unsigned long long)orders.executions);
	return 0;
}
