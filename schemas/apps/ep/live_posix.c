/* SPDX-License-Identifier: BSD-3-Clause */
/** @file Traffic of live.c without DPDK: made-up packets, a ring for each queue. */
#include <stddef.h>

#include "app.h"
#include "ep_stats.h"
#include "live.h"

#define RING_SIZE 4096u	/* a power of two */

/** Packets from the sender to one receiver. */
struct ring {
	uint32_t head;	/* how many were put in; written by the sender, atomic */
	uint32_t tail;	/* how many were taken; written by the receiver, atomic */
	struct live_packet packet[RING_SIZE];
};

static struct ring rings[LIVE_QUEUES];
static uint64_t dice = 1;
static uint32_t next_session;

/** A session: each one is half as likely as one with half its number. */
static uint32_t
roll(void)
{
	uint32_t below = 1 + app_random(&dice, EP_STATS_SESSION_MAX);

	return app_random(&dice, below);
}

void
live_traffic_start(void)
{
	next_session = roll();
}

void
live_traffic_stop(void)
{
}

bool
live_send(void)
{
	struct ring *ring = &rings[next_session % LIVE_QUEUES];
	struct live_packet *packet = &ring->packet[ring->head % RING_SIZE];

	if (ring->head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) == RING_SIZE)
		return false;
	packet->session = next_session;
	packet->size = (uint16_t)(64 + app_random(&dice, 1400));
	packet->opens = app_random(&dice, 50) != 0;
	packet->closes = !packet->opens;
	__atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
	next_session = roll();
	return true;
}

unsigned int
live_receive(unsigned int queue, struct live_packet packet[LIVE_BURST])
{
	struct ring *ring = &rings[queue];
	uint32_t there = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) - ring->tail;
	unsigned int n;

	for (n = 0; n < LIVE_BURST && n < there; n++)
		packet[n] = ring->packet[(ring->tail + n) % RING_SIZE];
	__atomic_store_n(&ring->tail, ring->tail + n, __ATOMIC_RELEASE);
	return n;
}
