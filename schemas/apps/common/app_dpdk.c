/* SPDX-License-Identifier: BSD-3-Clause */
/** @file Start and end of an example on the dpdk port: the EAL. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* CPU_SET(3) */
#endif
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_errno.h>

#include "app.h"

/** The --lcores option for one lcore that floats over all cores there are. */
static const char *
floating_lcore(void)
{
	static char option[8 * CPU_SETSIZE];
	size_t used = (size_t)snprintf(option, sizeof(option), "--lcores=0@(");
	const char *separator = "";
	cpu_set_t cpus;
	size_t cpu;

	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		used += (size_t)snprintf(option + used, sizeof(option) - used, "%s%zu", separator,
				cpu);
		separator = ",";
	}
	snprintf(option + used, sizeof(option) - used, ")");
	return option;
}

void
app_start(int argc, char **argv)
{
	const char *defaults[] = {
		argv[0], "--no-huge", "--no-pci", "--no-telemetry", "--no-shconf",
		"--log-level=lib.eal:error", "-m", "256", floating_lcore(), NULL,
	};
	char **args = argv;

	if (argc < 2) {
		argc = sizeof(defaults) / sizeof(defaults[0]) - 1;
		args = (char **)(uintptr_t)defaults;
	}
	if (rte_eal_init(argc, args) < 0) {
		fprintf(stderr, "EAL: %s\n", rte_strerror(rte_errno));
		exit(EXIT_FAILURE);
	}
}

void
app_stop(void)
{
	rte_eal_cleanup();
}
