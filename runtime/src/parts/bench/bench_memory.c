/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the program: its own data and what DPDK has, touched before. */
#include <rte_malloc.h>
#include <rte_memory.h>

#include "bench.h"

extern char __data_start[], _end[]; /* the program's data */

size_t
bench_allocated(void)
{
	struct rte_malloc_socket_stats stats;
	size_t sum = 0;
	int socket;

	for (socket = 0; socket < RTE_MAX_NUMA_NODES; socket++)
		if (rte_malloc_get_socket_stats(socket, &stats) == 0)
			sum += stats.heap_allocsz_bytes;
	return sum;
}

/* Also between the objects, which a sanitizer would report. */
static void __attribute__((no_sanitize_address))
touch(void *begin, size_t size)
{
	volatile char *at = (volatile char *)begin, *end = at + size;

	for (; at < end; at += 4096)
		*at = *at;
}

static int
touch_segment(const struct rte_memseg_list *list, const struct rte_memseg *segment, void *unused)
{
	(void)list;
	(void)unused;
	touch(segment->addr, segment->len);
	return 0;
}

void
bench_fault_in(void)
{
	touch(__data_start, (size_t)(_end - __data_start));
	(void)rte_memseg_walk(touch_segment, NULL);
}
