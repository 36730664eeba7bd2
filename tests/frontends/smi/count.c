/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counts with an imported module from several threads, and prints what it reads.
 * STATS(x) is the name of a function, COUNT() counts one packet in a row, and
 * OCTETS() and PACKETS() read a row.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include MODULE_H

#define WORKERS 4
#define ROUNDS 100000u

static void *
work(void *arg)
{
	unsigned int *failed = arg;
	uint32_t i;

	if (ctr_thread_register() < 0) {
		*failed = 1;
		return NULL;
	}
	for (i = 0; i < ROUNDS; i++)
		COUNT(i % ROWS, (uint16_t)(i % 1000));
	ctr_thread_unregister();
	return NULL;
}

int
main(void)
{
	unsigned int failed[WORKERS] = {0}, i;
	uint64_t octets = 0, packets = 0;
	pthread_t threads[WORKERS];

	if (STATS(init)() != 0)
		return 1;
	for (i = 0; i < WORKERS; i++) {
		if (pthread_create(&threads[i], NULL, work, &failed[i]) != 0)
			return 1;
	}
	for (i = 0; i < WORKERS; i++) {
		pthread_join(threads[i], NULL);
		if (failed[i])
			return 1;
	}
	for (i = 0; i < ROWS; i++) {
		octets += OCTETS(i);
		packets += PACKETS(i);
	}
	printf("octets %" PRIu64 " packets %" PRIu64 "\n", octets, packets);
	STATS(fini)();
	return 0;
}
