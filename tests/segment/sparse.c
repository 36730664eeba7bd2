/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments with few instances. Options: MEMORY, 1 for one without a name, else it is the file app.seg;
 * LOCKED, 1 in a process that locks its memory, if it may. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "sp_stats.h"
#include "../run/harness.h"
#include "../support/need.h"

#define CASE(name) TEST_BETWEEN(name, begin(), sp_stats_fini())

#define FLOWS 200u
#define APART 4999u /* Positions between two flows: each on a page of its own. */

static const struct ctr_module *const modules[] = { &sp_stats_module };
static struct ctr_segment_options options;
static bool refuses;

#define LOCKED ((size_t)1 << 30) /* More than a test maps. */

static void
begin(void)
{
	void *all;

	options.path = option("MEMORY", 0) != 0 ? NULL : "app.seg";
	if (option("LOCKED", 0) != 0) {
		all = mmap(NULL, LOCKED, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_LOCKED, -1, 0);
		NEED(all == MAP_FAILED || mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
		NEED(all == MAP_FAILED || munmap(all, LOCKED) == 0);
	}
	NEED(sp_stats_init() == 0);
}

int __real_fallocate(int fd, int mode, off_t at, off_t size);
int __wrap_fallocate(int fd, int mode, off_t at, off_t size);
int
__wrap_fallocate(int fd, int mode, off_t at, off_t size)
{
	if (!__atomic_load_n(&refuses, __ATOMIC_RELAXED))
		return __real_fallocate(fd, mode, at, size);
	errno = ENOSPC;
	return -1;
}

/* ---- a publication while a block is read ---- */

static struct ctr_segment *written;
static size_t block; /* Bytes of it; its second read, of the values, is cut in two. */
static unsigned int reads;
static unsigned int calls; /* Of pread(), of any size. */
static uint64_t copied;    /* Bytes of all of them. */

#define HALF 32 /* The first flow's head and `pkts`. */

ssize_t __real_pread(int fd, void *to, size_t size, off_t at);
ssize_t __wrap_pread(int fd, void *to, size_t size, off_t at);
ssize_t
__wrap_pread(int fd, void *to, size_t size, off_t at)
{
	calls++;
	copied += size;
	if (size != block || ++reads != 2)
		return __real_pread(fd, to, size, at);
	NEED(__real_pread(fd, to, HALF, at) == HALF);
	sp_stats_flow_add_pkts(0, 1);
	sp_stats_flow_add_bytes(0, 100);
	NEED(ctr_segment_publish(written) == 0);
	return HALF + __real_pread(fd, (uint8_t *)to + HALF, size - HALF, at + HALF);
}

static int
check_pair(uint32_t at, const void *values, const struct ctr_segment_info *info, void *context)
{
	const struct sp_stats_flow *flow = (const struct sp_stats_flow *)values;

	(void)info;
	NEED(at == (*(uint32_t *)context)++ && flow->bytes == flow->pkts * 100);
	return 0;
}

CASE(walk)
{
	struct ctr_segment_reader *reader;
	const struct ctr_segment_scope *scope;
	const struct ctr_segment_item *item;
	uint32_t i, count = 0;
	uint64_t value;

	for (i = 0; i < 10; i++) {
		NEED(sp_stats_flow_create(i) == 0);
		sp_stats_flow_add_pkts(i, 1 + i);
		sp_stats_flow_add_bytes(i, 100 + i * 100);
	}
	NEED(ctr_segment_create(&written, modules, 1, &options) == 0);
	NEED(ctr_segment_open_fd(&reader, ctr_segment_fd(written)) == 0);
	scope = ctr_segment_find_scope(reader, "sp", "flow");
	block = 10 * (size_t)scope->stride;
	NEED(scope->values + sizeof(uint64_t) == HALF);
	NEED(ctr_segment_walk(reader, scope, check_pair, &count) == 0 && count == 10);
	NEED(options.path == NULL || reads == 3);
	item = ctr_segment_find_item(reader, scope, "bytes");
	calls = 0;
	NEED(ctr_segment_get(reader, scope, item, 9, &value) == 0 && value == 1000);
	NEED(calls == (options.path == NULL ? 0 : 3));
	ctr_segment_leave(reader);
	ctr_segment_close(written);
}

/* ---- memory ---- */

static void
make_flow(uint32_t number)
{
	const struct sp_stats_flow_key key = { .number = number };
	const uint32_t at = number * APART;

	NEED(sp_stats_flow_create(at) == 0 && sp_stats_flow_key_set(at, &key) == 0);
	sp_stats_flow_add_pkts(at, number + 1);
	sp_stats_flush();
}

/* Whether readers find a flow with its count. */
static bool
shown(struct ctr_segment_reader *reader, uint32_t number)
{
	const struct ctr_segment_scope *scope = ctr_segment_find_scope(reader, "sp", "flow");
	const struct ctr_segment_item *item = ctr_segment_find_item(reader, scope, "pkts");
	uint64_t value;

	return ctr_segment_get(reader, scope, item, number * APART, &value) == 0 &&
	       value == number + 1 &&
	       ctr_segment_next(reader, scope, number * APART) == number * APART;
}

static struct stat
status(const struct ctr_segment *segment)
{
	struct stat found;

	NEED(fstat(ctr_segment_fd(segment), &found) == 0);
	return found;
}

/* Count the flows of a walk, which must be these. */
static int
visit(uint32_t at, const void *values, const struct ctr_segment_info *info, void *context)
{
	uint32_t *count = (uint32_t *)context;
	const struct sp_stats_flow *flow = (const struct sp_stats_flow *)values;

	NEED(at == *count * APART && flow->pkts == ++*count);
	return info->flags == (CTR_SEGMENT_EXISTS | CTR_SEGMENT_KEYED) ? 0 : -1;
}

/* Memory is that of the flows that exist: a page or two each, and that of the bits of all. */
CASE(blocks)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t most = SP_STATS_FLOW_MAX / 8 + 8 * page + 2 * FLOWS * page;
	const struct ctr_segment_scope *scope;
	struct ctr_segment_reader *reader;
	struct ctr_segment *segment;
	struct stat before;
	uint32_t i, count = 0;
	uint8_t values[64];

	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	for (i = 0; i < FLOWS; i++)
		make_flow(i);
	NEED(ctr_segment_publish(segment) == 0);
	before = status(segment);
	NEED(before.st_size > 50 * 1000 * 1000);
	NEED((uint64_t)before.st_blocks * 512 <= most);
	NEED(ctr_segment_open_fd(&reader, ctr_segment_fd(segment)) == 0);
	scope = ctr_segment_find_scope(reader, "sp", "flow");
	for (i = 0; i < SP_STATS_FLOW_MAX; i++) {
		const int rc = ctr_segment_read(reader, scope, i, values, NULL);

		NEED(rc == (i % APART == 0 && i / APART < FLOWS ? 0 : -ENOENT));
	}
	NEED(ctr_segment_walk(reader, scope, visit, &count) == 0 && count == FLOWS);
	NEED(status(segment).st_blocks == before.st_blocks); /* reading takes none */
	for (i = 0; i < FLOWS; i++)
		NEED(shown(reader, i));
	NEED(sp_stats_flow_destroy(0, NULL) == 0);
	NEED(ctr_segment_publish(segment) == 0 && !shown(reader, 0) && shown(reader, 1));
	ctr_segment_leave(reader);
	ctr_segment_close(segment);
}

/* Without memory a new flow is missing, others go on, and it is there when there is some. */
CASE(shortage)
{
	struct ctr_segment_reader *reader;
	struct ctr_segment *segment;

	refuses = true;
	NEED(ctr_segment_create(&segment, modules, 1, &options) == -ENOSPC);
	refuses = false;
	make_flow(1);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(ctr_segment_open_fd(&reader, ctr_segment_fd(segment)) == 0);
	refuses = true;
	make_flow(3); /* that of 0 shares a page with the bits */
	make_flow(2);
	sp_stats_add_total(7);
	NEED(ctr_segment_publish(segment) == -ENOSPC);
	NEED(!shown(reader, 3) && shown(reader, 1) && !shown(reader, 2));
	NEED(ctr_segment_final(segment) == -ENOSPC);
	NEED(ctr_segment_state(reader) == CTR_SEGMENT_LIVE);
	refuses = false;
	NEED(ctr_segment_final(segment) == 0 && ctr_segment_state(reader) == CTR_SEGMENT_FINAL);
	NEED(shown(reader, 3) && shown(reader, 1) && shown(reader, 2));
	ctr_segment_leave(reader);
	ctr_segment_close(segment);
}

/* The next process takes over the flows that exist, and copies no more than those. */
CASE(successor)
{
	struct ctr_segment_former former = { .path = options.path };
	struct rusage before, after;
	struct ctr_segment *segment;
	uint32_t i;

	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	for (i = 0; i < FLOWS; i++)
		make_flow(i);
	NEED(ctr_segment_final(segment) == 0);
	former.fd = options.path == NULL ? dup(ctr_segment_fd(segment)) : -1;
	ctr_segment_close(segment);
	sp_stats_fini();
	NEED(sp_stats_init() == 0);
	options.former = &former;
	copied = 0;
	NEED(getrusage(RUSAGE_SELF, &before) == 0);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(getrusage(RUSAGE_SELF, &after) == 0);
	NEED(former.error == 0 && former.final && former.instances == FLOWS + 4);
	NEED(copied < 8 * 1000 * 1000);
	NEED(after.ru_maxrss - before.ru_maxrss < 32 * 1000);
	for (i = 0; i < FLOWS; i++)
		NEED(sp_stats_flow_get_pkts(i * APART) == i + 1);
	NEED(ctr_segment_last(segment) == 0);
	ctr_segment_close(segment);
}

/* The thread that publishes goes on without memory, and it can be asked about. */
CASE(thread)
{
	struct ctr_segment_reader *reader;
	struct ctr_segment *segment;

	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(ctr_segment_open_fd(&reader, ctr_segment_fd(segment)) == 0);
	refuses = true;
	make_flow(1);
	NEED(ctr_segment_start(segment, 1) == 0);
	while (ctr_segment_last(segment) == 0)
		usleep(1000);
	NEED(ctr_segment_last(segment) == -ENOSPC && !shown(reader, 1));
	__atomic_store_n(&refuses, false, __ATOMIC_RELAXED);
	while (ctr_segment_last(segment) != 0)
		usleep(1000);
	NEED(shown(reader, 1));
	ctr_segment_leave(reader);
	ctr_segment_close(segment);
}

/* A file system that has no more room: no SIGBUS. */
CASE(full)
{
	struct ctr_segment *segment;
	uint32_t i;
	int rc = 0;

	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	for (i = 0; i < FLOWS && rc == 0; i++) {
		make_flow(i);
		rc = ctr_segment_publish(segment);
	}
	NEED(rc == -ENOSPC && i > 1 && i < FLOWS);
	/* A successor finds the values for which there was room. */
	NEED(ctr_segment_final(segment) == -ENOSPC);
	ctr_segment_close(segment);
	NEED(access(options.path, F_OK) == 0);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == -ENOSPC);
}
