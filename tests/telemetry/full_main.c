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
#include "../support/need.h"

#define ROOM 255

int
main(int argc, char **argv)
{
	struct rte_metric_name names[RTE_METRICS_MAX_METRICS];
	struct rte_metric_value values[RTE_METRICS_MAX_METRICS];
	uint64_t n = 0;
	int i;

	NEED(rte_eal_init(argc, argv) >= 0);
	NEED(full_stats_init() == 0 && one_stats_init() == 0);
#define ADD(ITEM) full_stats_add_##ITEM(++n << 40);
	FULL_ITEMS(ADD)
	NEED(n == ROOM);
	NEED(ctr_metrics_register(&full_stats_module) == ROOM);
	NEED(ctr_metrics_register(&one_stats_module) == -ENOSPC);
	NEED(ctr_metrics_update() == 0);
	NEED(rte_metrics_get_names(names, RTE_METRICS_MAX_METRICS) == ROOM);
	NEED(rte_metrics_get_values(RTE_METRICS_GLOBAL, values, RTE_METRICS_MAX_METRICS) == ROOM);
	for (i = 0; i < ROOM; i++)
		printf("%s %" PRIu64 "\n", names[values[i].key].name, values[i].value);
	one_stats_fini();
	full_stats_fini();
	return 0;
}
