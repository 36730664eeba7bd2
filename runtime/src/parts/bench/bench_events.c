/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the processor through perf_event_open(2), counted by each worker
 * for itself. Virtual machines and locked-down kernels do not provide them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

/* As read with the format below: with more events than counters, each has a share of the time. */
struct reading {
	uint64_t value;
	uint64_t enabled; /* Nanoseconds since it was enabled, */
	uint64_t running; /* and of those in which it was counted. */
};

#define FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static __thread int fds[BENCH_NUM_EVENTS] = { -1, -1, -1, -1 };

static const struct {
	uint32_t type;
	uint64_t config;
} perf_events[BENCH_NUM_EVENTS] = {
	[BENCH_CYCLES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[BENCH_INSTRUCTIONS] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	[BENCH_L1D_MISSES] = { PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D |
			PERF_COUNT_HW_CACHE_OP_READ << 8 |
			PERF_COUNT_HW_CACHE_RESULT_MISS << 16 },
	[BENCH_LLC_MISSES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
};

void
bench_events_begin(void)
{
	unsigned int i;

	for (i = 0; i < BENCH_NUM_EVENTS; i++) {
		struct perf_event_attr attr = {
			.type = perf_events[i].type,
			.size = sizeof(attr),
			.config = perf_events[i].config,
			.read_format = FORMAT,
			.disabled = 1,
			.exclude_kernel = 1,
			.exclude_hv = 1,
		};

		fds[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	for (i = 0; i < BENCH_NUM_EVENTS; i++)
		if (fds[i] >= 0)
			(void)ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
}

void
bench_events_end(struct bench_events *events)
{
	unsigned int i;

	for (i = 0; i < BENCH_NUM_EVENTS; i++)
		if (fds[i] >= 0)
			(void)ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	for (i = 0; i < BENCH_NUM_EVENTS; i++) {
		struct reading r;

		events->valid[i] = fds[i] >= 0 &&
			read(fds[i], &r, sizeof(r)) == (ssize_t)sizeof(r) && r.running != 0;
		events->count[i] = 0;
		if (events->valid[i])
			events->count[i] = (uint64_t)((double)r.value *
					((double)r.enabled / (double)r.running));
		if (fds[i] >= 0)
			(void)close(fds[i]);
		fds[i] = -1;
	}
}
