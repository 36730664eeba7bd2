/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Huge pages go back to the system with the memory of flows that are gone.
 *
 * Options: HUGE, 1; FLOWS that come and go.
 */
#include "harness.h"
#include "many_stats.h"

#define FREE_PAGES "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"

static unsigned long
free_pages(void)
{
	unsigned long pages = 0;
	FILE *file = fopen(FREE_PAGES, "r");

	CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1, "no %s", FREE_PAGES);
	(void)fclose(file);
	return pages;
}

TEST(huge_pages)
{
	uint32_t flows = (uint32_t)option("FLOWS", 400000), i;
	unsigned long before, taken;

	EQUAL(many_stats_init(), 0);
	many_stats_quiescent();
	EQUAL(many_stats_flow_create(0), 0);
	before = free_pages();
	for (i = 1; i < flows; i++)
		EQUAL(many_stats_flow_create(i), 0);
	taken = before - free_pages();
	CHECK(taken > 2, "%u flows take %lu huge pages", flows, taken);
	for (i = 1; i < flows; i++)
		EQUAL(many_stats_flow_destroy(i, NULL), -EINPROGRESS);
	for (i = 0; i < 8 && many_stats_flow_trim() != 0; i++)
		many_stats_quiescent();
	printf("taken=%lu kept=%lu\n", taken, before - free_pages());
	CHECK(before - free_pages() <= 1, "%lu of %lu pages are still taken",
	      before - free_pages(), taken);
	many_stats_fini();
}
