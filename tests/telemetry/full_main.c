/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Registers as many numbers as the metrics library has room for, and one more.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_metrics.h>

#include "ctr_metrics.h"
#include "full.h" /* FULL_ITEMS(X): the counters of full */
#include "full_stats.h"
#include "one_stats.h"

#define ROOM 255
#define EXPECT(condition)                                              \
	do {                                                           \
		if (!(condition)) {                                    \
			fprintf(stderr, "line %d fails\n", __LINE__); \
			exit(1);                                       \
		}                                                      \
	} while (0)

int
main(int argc, char **argv)
{
	struct rte_metric_name names[RTE_METRICS_MAX_METRICS];
	struct rte_metric_value values[RTE_METRICS_MAX_METRICS];
	uint64_t n = 0;
	int i;

	EXPECT(rte_eal_init(argc, argv) >= 0);
	EXPECT(full_stats_init() == 0 && one_stats_init() == 0);
#define ADD(ITEM) full_stats_add_##ITEM(++n << 40);
	FULL_ITEMS(ADD)
	EXPECT(n == ROOM);
	EXPECT(ctr_metrics_register(&full_stats_module) == ROOM);
	EXPECT(ctr_metrics_register(&one_stats_module) == -ENOSPC);
	EXPECT(ctr_metrics_update() == 0);
	EXPECT(rte_metrics_get_names(names, RTE_METRICS_MAX_METRICS) == ROOM);
	EXPECT(rte_metrics_get_values(RTE_METRICS_GLOBAL, values, RTE_METRICS_MAX_METRICS) == ROOM);
	for (i = 0; i < ROOM; i++)
		printf("%s %" PRIu64 "\n", names[values[i].key].name, values[i].value);
	one_stats_fini();
	full_stats_fini();
	return 0;
}
