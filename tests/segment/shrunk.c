/* SPDX-License-Identifier: BSD-3-Clause */
/* The second scope of a module, with fewer instances in the next process: shrunk PATH. */
#include <stdio.h>

#include "ctr_segment.h"
#include "sh_stats.h"

static const struct ctr_module *const modules[] = { &sh_stats_module };

static void
report(const struct ctr_segment_change *change, void *unused)
{
	(void)unused;
	if (change->fate == CTR_SEGMENT_LOST)
		printf("%s %u\n", change->scope, change->at);
}

int
main(int argc, char **argv)
{
	struct ctr_segment_former former = { .path = argv[argc - 1], .report = report };
	struct ctr_segment_options options = { .path = former.path, .former = &former };
	struct ctr_segment *segment;

	if (sh_stats_init() != 0)
		return 1;
	if (SH_STATS_QUEUE_MAX == 8)
		sh_stats_queue_add_pkts(5, 7);
	if (ctr_segment_create(&segment, modules, 1, &options) != 0)
		return 2;
	printf("%u\n", (unsigned int)sh_stats_queue_get_pkts(1));
	if (ctr_segment_final(segment) != 0)
		return 3;
	ctr_segment_close(segment);
	sh_stats_fini();
	return 0;
}
