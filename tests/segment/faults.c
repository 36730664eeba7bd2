/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments under failures and next to each other: faults CASE [PATH]. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "ho_stats.h"

#define NEED(condition)                                                               \
	do {                                                                          \
		if (!(condition)) {                                                   \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                      \
		}                                                                     \
	} while (0)

#define SEGMENTS 3u

static const struct ctr_module *const modules[] = { &ho_stats_module };
static int stop;

/* ---- tables of discontinuities ---- */

static void *
resets(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		NEED(ho_stats_port_reset(1, NULL) == 0);
		(void)ho_stats_global_reset(NULL);
	}
	return NULL;
}

/* Several users of the tables close them in each order, while another thread resets. */
static void
tables(void)
{
	struct ctr_segment *segment[SEGMENTS];
	pthread_t thread;
	unsigned int order, i;

	NEED(ho_stats_init() == 0);
	NEED(pthread_create(&thread, NULL, resets, NULL) == 0);
	for (order = 0; order < 2 * SEGMENTS; order++) {
		const struct ctr_scope *scope = ctr_scope_find(&ho_stats_module, "port");
		uint64_t *table;

		for (i = 0; i < SEGMENTS; i++)
			NEED(ctr_segment_create(&segment[i], modules, 1, NULL) == 0);
		NEED(ctr_discontinuity_open(&ho_stats_module, scope, &table) == 0);
		for (i = 0; i < SEGMENTS; i++) {
			const unsigned int at = (order + (order % 2 ? i : 2 * i)) % SEGMENTS;

			ctr_segment_close(segment[at]);
			segment[at] = NULL;
			NEED(ho_stats_port_reset(0, NULL) == 0);
			NEED(__atomic_load_n(&table[0], __ATOMIC_RELAXED) != 0);
			if (segment[(at + 1) % SEGMENTS] != NULL)
				NEED(ctr_segment_publish(segment[(at + 1) % SEGMENTS]) == 0);
		}
		ctr_discontinuity_close(&ho_stats_module, scope, &table);
		ctr_discontinuity_close(&ho_stats_module, scope, &table);
		NEED(*scope->discontinuity_ns == NULL);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	NEED(pthread_join(thread, NULL) == 0);
	ho_stats_fini();
}

int
main(int argc, char **argv)
{
	NEED(argc >= 2);
	if (strcmp(argv[1], "tables") == 0)
		tables();
	else
		return 9;
	return 0;
}
