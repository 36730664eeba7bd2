/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads without an lcore id that move from CPU to CPU. Option: RESETS. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "on_cpus.h"

#include <unistd.h>

#include "../../run/ep.h"

#define SIZE 10

static uint32_t stop;

static void
count_and_move(struct worker *me)
{
	uint64_t *counted = (uint64_t *)me->data;

	while (!is_set(&stop)) {
		if (*counted % 64 == 0)
			go_to(cpus[draw(me) % num_cpus]);
		ep_stats_update_packet(3, SIZE);
		ep_stats_session_add_pkts(4, 1);
		++*counted;
	}
}

/* More threads than CPUs, which move all the time; resets beside them. */
TEST(wanderers)
{
	const uint64_t resets = option("RESETS", 300);
	struct ep_stats_session last;
	uint64_t counted[5], sum = 0, pkts = 0, bytes = 0;
	struct worker workers[5];

	memset(workers, 0, sizeof(workers));
	memset(counted, 0, sizeof(counted));
	find_cpus();
	EQUAL(ep_stats_init(), 0);
	for (unsigned int i = 0; i < 5; i++) {
		workers[i].number = i;
		workers[i].data = &counted[i];
		worker_start(&workers[i], count_and_move, false);
	}
	workers_go();
	for (uint64_t i = 0; i < resets; i++) {
		(void)ep_stats_session_reset(3, &last);
		pkts += last.pkts;
		bytes += last.bytes;
		usleep(500);
	}
	set_flag(&stop, 1);
	workers_join(workers, 5);
	EQUAL(ep_stats_session_reset(3, &last), 0);
	for (unsigned int i = 0; i < 5; i++)
		sum += counted[i];
	EQUAL(pkts + last.pkts, sum);
	EQUAL(bytes + last.bytes, sum * SIZE);
	EQUAL(ep_stats_session_get_pkts(4), sum);
	EQUAL(ep_stats_get_total_pkts(), sum);
	ep_stats_fini();
}
