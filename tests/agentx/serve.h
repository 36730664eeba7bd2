/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What programs of tests do while a thread of the agent serves.
 */
#ifndef SERVE_H
#define SERVE_H

#include <stdio.h>
#include <unistd.h>

#include "ctr_agentx.h"

/* Serve a module, and answer each line on standard input with a number, up to `quit`. A program that
 * obeys nothing else has no `obey`. `then` is called before each answer is sent. Returns the exit
 * status.
 */
static inline int
serve(const struct ctr_agentx_module *module, const char *socket, int (*obey)(const char *line),
		void (*then)(void))
{
	char line[64];

	if (ctr_agentx_start(&module, 1, socket) != 0)
		return 2;
	printf("0\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL && line[0] != 'q') {
		printf("%d\n", obey != NULL ? obey(line) : 0);
		if (then != NULL)
			then();
		fflush(stdout);
	}
	ctr_agentx_stop();
	module->module->fini();
	printf("end\n");
	return 0;
}

/* Wait for so many passes of groups of notifications. */
static inline int
judge(unsigned int passes)
{
	struct ctr_watch_totals totals;
	uint64_t wanted;

	ctr_agentx_notified(&totals);
	for (wanted = totals.passes + passes; totals.passes < wanted;) {
		usleep(20000);
		ctr_agentx_notified(&totals);
	}
	return 0;
}

#endif
