/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rings of records in all executions: each record is applied once, by whoever drains; who does
 * sees all of it, and who writes over it comes after who has read it.
 *
 * SENDS records each; UNITS of a ring; DRAINS by another thread, which may be none. Without SHARED
 * an lcore (ctr_ring.h) sends and may drain its ring as well. With SHARED so many SENDERS, 1 or 2,
 * share a ring (SHARED). With ENDS the first of them ends before it sends its last
 * record, or with ENDS=2 the consumer before any of its stores. Executions in which a thread would
 * wait end there. With LOOKS each sender ends two bursts after each record, and looks in both: what it
 * has sent is applied then, unless it found another consumer in the second look.
 */
#define ORDERS_LOCATIONS 28
#include <pthread.h>
#include <stddef.h>

#include "orders.h"

static bool waited;

/* The calling thread takes no further step. */
static inline void
stop(void)
{
	orders_me()->done = true;
	(void)swapcontext(&orders_me()->context, &orders.scheduler);
}

/* A thread that waits does nothing until another has gone on: there are executions in which it need
 * not. Behind all others there is none to wait for. */
static inline void
wait_for_others(void)
{
	CHECK(orders_me()->writes);
	waited = true;
	stop();
}

/* Threads have an id. The kernel says that one has ended after all that it did. */
#define CTR_PI_H
static uint32_t ended;

static inline uint32_t
ctr_pi_me(void)
{
	return orders_me()->number + 1;
}

static inline bool
ctr_pi_ended(uint32_t thread)
{
	if (thread != ended)
		return false;
	orders_join(&orders_me()->now, &orders.thread[thread - 1].now);
	return true;
}

#ifndef SENDERS
#define SENDERS 1
#endif

#define CTR_NO_ASM
#include "ctr_port.h"
#define ctr_spin_wait(spins) ((void)(spins), wait_for_others())

#ifndef ENDS
#define ENDS 0
#endif

#include "ctr_ring.h"

#ifdef SHARED
/* Before a store the consumer may end, and others go on. */
static inline void
before_a_store(bool steps)
{
	if (ENDS == 2 && orders_me()->writes && ended == 0 && orders_me()->number == SENDERS &&
	    orders_pick(2) != 0) {
		ended = ctr_pi_me();
		stop();
	}
	if (steps)
		orders_step();
}

#undef ctr_store_release
#define ctr_store_release(at, value) \
	(before_a_store(sizeof(*(at)) == 8), __atomic_store_n(at, value, __ATOMIC_RELEASE))
#define ctr_store64(at, value) (before_a_store(false), __atomic_store_n(at, value, __ATOMIC_RELAXED))
#endif
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
#ifndef LOOKS
#define LOOKS 0
#endif

#define MOST 16

static uint32_t drained[MOST]; /* For each unit, how often it was read. */
static uint64_t applied[MOST];
static uint32_t reads; /* Of all consumers: one comes after the other. */

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
	sees(&reads, sizeof(reads));
	ctr_store32(&reads, reads + 1);
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

	sees(&reads, sizeof(reads));
	while (at < end) {
		if (LOOKS && orders_me()->writes)
			orders_step();
		read_record((const uint64_t *)ctr_ring_at(ring, at), at / 16);
		at += 16;
		ctr_store_release(&ring->done, at);
	}
}

static const struct ctr_ring_kind kind = { 16 * (UNITS - 1), 16, 1, apply };

/* End as many bursts as the bound is after record @p sent. */
static void
end_bursts(uint64_t sent)
{
	for (unsigned int i = 0; i < 2; i++) {
		orders_step();
		ctr_ring_burst_end(&kind, &own.ring);
	}
	for (uint64_t i = 1; i <= sent; i++)
		CHECK(applied[i] == 1 || own.ring.calls != 0);
}

static void
sender(unsigned int number)
{
	for (uint64_t i = 1; i <= SENDS; i++) {
		if (ctr_ring_has_room(&own.ring) || ctr_ring_update_limit(&kind, &own.ring)) {
			write_record((uint64_t *)ctr_ring_next(&own.ring), own.ring.sent / 16, i);
			ctr_ring_send(&own.ring, 16);
		} else {
			applied[i]++;
		}
		if (LOOKS)
			end_bursts(i);
		else if (i % 2 == 0 && orders_pick(2) != 0)
			(void)ctr_ring_drain(&kind, &own.ring, false);
	}
	(void)number;
}

static void
drainer(unsigned int number)
{
	for (unsigned int i = 0; i < DRAINS; i++)
		(void)ctr_ring_drain(&kind, &own.ring, false);
	(void)number;
}

static void
finish(unsigned int number)
{
	(void)number;
	orders_latest();
	(void)ctr_ring_drain(&kind, &own.ring, false);
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
	uint64_t entry[UNITS][2];
} all;

static struct ctr_ring_share share[SENDERS];

static void
apply(uint64_t what, const void *entry)
{
	const uint64_t *record = (const uint64_t *)entry + 1;

	CHECK(what == *record);
	read_record(record, (unsigned int)(record - all.entry[0]) / 2);
}

static const struct ctr_delta_ring every = {
	.kind = { .largest = 16, .hints = 1 }, .ring = &all.ring, .entries = UNITS, .apply = apply,
};

static void
sender(unsigned int number)
{
	for (uint64_t i = 1; i <= SENDS; i++) {
		const uint64_t value = number * SENDS + i;
		uint64_t *record = (uint64_t *)ctr_shared_ring_next(&every);

		if (record == NULL) {
			applied[value]++;
			continue;
		}
		if (ENDS == 1 && number == 0 && i == SENDS) {
			ended = ctr_pi_me();
			return;
		}
		write_record(record + 1, (unsigned int)(record - all.entry[0]) / 2, value);
		ctr_shared_ring_send(record, value);
		for (unsigned int n = 0; LOOKS && n < 2; n++) {
			orders_step();
			ctr_shared_ring_burst_end(&every, &share[number]);
		}
		CHECK(!LOOKS || applied[value] == 1 || share[number].calls != 0);
	}
}

static void
drainer(unsigned int number)
{
	for (unsigned int i = 0; i < DRAINS; i++)
		(void)ctr_shared_ring_drain(&every, 0, false);
	(void)number;
}

static void
finish(unsigned int number)
{
	const uint64_t in = ctr_load_acquire(&all.ring.in);
	uint64_t sum = 0, times = 0;

	(void)number;
	if (waited)
		return;
	/* Whatever it sees of the position, entries before are taken, and the last of one thread is
	 * sent: it has returned. */
	for (uint64_t i = 0; DRAINS == 0 && i < in; i++)
		CHECK(ctr_load64(&all.entry[i][0]) != 0);
	orders_latest();
	(void)ctr_shared_ring_drain(&every, 0, true);
	for (unsigned int i = 1; i < MOST; i++) {
		CHECK(applied[i] <= (i <= SENDERS * SENDS));
		sum += applied[i];
	}
	/* What is not applied is counted, but for a consumer that ended just before. */
	sum += all.ring.lost;
	CHECK(ENDS == 2 ? sum + 1 >= SENDERS * SENDS && sum <= SENDERS * SENDS + 1 :
			  sum == SENDERS * SENDS);
	CHECK(all.ring.lost == 0 || ended != 0);
	/* All is free again. */
	for (uint64_t i = 0; i < UNITS; i++)
		times += ctr_shared_ring_next(&every) != NULL;
	CHECK(times == UNITS);
}

static void
reset(void)
{
	memset(&all, 0, sizeof(all));
	memset(share, 0, sizeof(share));
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
		reads = 0;
		waited = false;
		ended = 0;
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
