/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the program: its own data and what DPDK has, on which pages, and touched before. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>

#include <rte_malloc.h>
#include <rte_memory.h>

#include "bench.h"

extern char __data_start[], _end[]; /* the program's data */

void
bench_choose_pages(const char *word)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)__data_start + page - 1) / page * page;
	uintptr_t end = (uintptr_t)_end / page * page;

	if (strcmp(word, "small") == 0)
		(void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	else if (strcmp(word, "huge") == 0 && begin < end)
		(void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

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
void __attribute__((no_sanitize_address))
bench_touch(void *begin, size_t size)
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
	bench_touch(segment->addr, segment->len);
	return 0;
}

void
bench_fault_in(void)
{
	bench_touch(__data_start, (size_t)(_end - __data_start));
	(void)rte_memseg_walk(touch_segment, NULL);
}

static int
print_list(const struct rte_memseg_list *list, void *printed)
{
	bool *more = (bool *)printed;

	if (list->external || list->memseg_arr.count == 0)
		return 0;
	printf("%s[%" PRIuPTR ", %" PRIuPTR "]", *more ? ", " : "", (uintptr_t)list->base_va,
	       (uintptr_t)list->base_va + list->len);
	*more = true;
	return 0;
}

void
bench_print_memory(void)
{
	bool more = false;

	printf("\"data\": [%" PRIuPTR ", %" PRIuPTR "], \"memory\": [", (uintptr_t)__data_start,
	       (uintptr_t)_end);
	(void)rte_memseg_list_walk(print_list, &more);
	printf("]");
}
