/* SPDX-License-Identifier: BSD-3-Clause */
/* What readers see of a pattern and do to it, and what a reset loses, while one thread counts. */
#include <inttypes.h>
#include <stdio.h>
#include <x86intrin.h>

#include "checks.h"

#define PAUSE 2000 /* cycles between two resets */

static uint32_t
cycles_of(double share)
{
	uint64_t all = 0, seen = 0;
	uint32_t cycles = 0;

	for (uint32_t i = 0; i < BINS; i++)
		all += turn_bursts[i];
	for (; cycles < BINS - 1; cycles++) {
		seen += turn_bursts[cycles];
		if ((double)seen >= share * (double)all)
			break;
	}
	return cycles;
}

void
check_reads(const struct job *same, double ms)
{
	const struct peer *peer = same->peer;
	struct job job = *same;
	struct pair first = { 0 }, now;
	uint64_t reads = 0, torn = 0;
	uint64_t end;

	job.timed = true;
	if (peer->read != NULL)
		peer->read(0, &first);
	turn_begin(&job, 1);
	for (end = ctr_time_ns() + (uint64_t)(ms * 1e6); ctr_time_ns() < end;) {
		if (peer->poll != NULL)
			peer->poll();
		if (peer->read == NULL)
			continue;
		peer->read(0, &now);
		reads++;
		torn += now.bytes - first.bytes != same->bytes[0] * (now.packets - first.packets);
	}
	(void)turn_end();
	printf("reads %s %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 "\n", peer->name, reads,
	       torn, cycles_of(0.5), cycles_of(0.999));
}

void
check_resets(const struct job *same, uint32_t resets)
{
	const struct peer *peer = same->peer;
	struct pair taken, last;
	uint64_t sum = 0;
	struct turn turn;

	if (peer->reset == NULL || resets == 0)
		return;
	peer->reset(0, &taken);
	turn_begin(same, 1);
	for (uint32_t i = 0; i < resets; i++) {
		const uint64_t begin = __rdtsc();

		peer->reset(0, &taken);
		sum += taken.packets;
		if (peer->poll != NULL)
			peer->poll();
		while (__rdtsc() - begin < PAUSE)
			ctr_pause();
	}
	turn = turn_end();
	peer->read(0, &last);
	printf("resets %s %" PRIu64 " %" PRIu64 "\n", peer->name, turn.packets,
	       sum + last.packets);
}
