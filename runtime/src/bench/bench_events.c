/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the processor through perf_event_open(2), counted by each worker
 * for itself. Virtual machines and locked-down kernels do not give them.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#define EVENTS 4

static __thread int fds[EVENTS] = { -1, -1, -1, -1 };

static const struct {
	uint32_t type;
	uint64_t config;
} wanted[EVENTS] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 |
			PERF_COUNT_HW_CACHE_RESULT_MISS << 16 },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
};

static void
close_all(void)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++) {
		if (fds[i] >= 0)
			(void)close(fds[i]);
		fds[i] = -1;
	}
}

void
bench_events_begin(struct bench_events *events)
{
	unsigned int i;

	memset(events, 0, sizeof(*events));
	for (i = 0; i < EVENTS; i++) {
		struct perf_event_attr attr = {
			.type = wanted[i].type,
			.size = sizeof(attr),
			.config = wanted[i].config,
			.disabled = i == 0,
			.exclude_kernel = 1,
			.exclude_hv = 1,
		};

		fds[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, fds[0], 0);
		if (fds[i] < 0) {
			close_all();
			return;
		}
	}
	if (ioctl(fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) != 0)
		close_all();
}

void
bench_events_end(struct bench_events *events)
{
	uint64_t found[EVENTS];
	unsigned int i;

	if (fds[0] < 0)
		return;
	(void)ioctl(fds[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	events->valid = true;
	for (i = 0; i < EVENTS; i++)
		if (read(fds[i], &found[i], sizeof(found[i])) != (ssize_t)sizeof(found[i]))
			events->valid = false;
	close_all();
	if (!events->valid)
		return;
	events->cycles = found[0];
	events->instructions = found[1];
	events->l1d_misses = found[2];
	events->llc_misses = found[3];
}
