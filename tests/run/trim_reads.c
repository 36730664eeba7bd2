/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A read of a flow is stopped in its middle; the memory of that flow stays until it has ended.
 *
 * A creation is stopped in the middle of its write section, in what sets a text. A read of an
 * instance of the same epoch then fails until it wants the control lock, and that is where it is
 * stopped. A read or a setter of a text is stopped in there.
 *
 * Option: READ, the number of the read.
 */
#include "ctr.h"
#include "harness.h"
#include "heap.h"
#include "trim_stats.h"

#ifndef CTR_PORT_DPDK
#include <unistd.h>
#endif

#define VICTIM (1024u + 64u) /* One in another piece, of the same epoch as: */
#define OTHER (2u * 1024u + 64u)

enum read {
	READ,
	VIEW_READ,
	LCORE_READ,
	GET,
	LCORE_GET,
	GET_NAME,
	SET_NAME,
};

void __real_ctr_control_hold(struct ctr_control *control);
void __wrap_ctr_control_hold(struct ctr_control *control);
void __real_ctr_cell_get(const uint32_t *seq, const uint64_t *words, void *out, size_t room);
void __wrap_ctr_cell_get(const uint32_t *seq, const uint64_t *words, void *out, size_t room);
void __real_ctr_cell_set(uint32_t *seq, uint64_t *words, const void *value, size_t size,
			 size_t room);
void __wrap_ctr_cell_set(uint32_t *seq, uint64_t *words, const void *value, size_t size,
			 size_t room);
void __real_ctr_cell_set_text(uint32_t *seq, uint64_t *words, const char *text, size_t room);
void __wrap_ctr_cell_set_text(uint32_t *seq, uint64_t *words, const char *text, size_t room);

/* The thread is to be stopped, or is in a creation that is. */
static CTR_THREAD_LOCAL bool reads, creates;
static uint32_t in_creation, in_read, go_on;

static void
wait_for(const uint32_t *flag)
{
	while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
		ctr_yield();
}

static void
raise_flag(uint32_t *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static void
stop_here(void)
{
	if (!reads)
		return;
	reads = false;
	raise_flag(&in_read);
	wait_for(&go_on);
}

void
__wrap_ctr_control_hold(struct ctr_control *control)
{
	stop_here();
	__real_ctr_control_hold(control);
}

void
__wrap_ctr_cell_get(const uint32_t *seq, const uint64_t *words, void *out, size_t room)
{
	/* Not that of a whole read, which is stopped later. */
	if (option("READ", READ) == GET_NAME)
		stop_here();
	__real_ctr_cell_get(seq, words, out, room);
}

void
__wrap_ctr_cell_set(uint32_t *seq, uint64_t *words, const void *value, size_t size, size_t room)
{
	if (creates) {
		raise_flag(&in_creation);
		wait_for(&in_read);
	}
	__real_ctr_cell_set(seq, words, value, size, room);
}

void
__wrap_ctr_cell_set_text(uint32_t *seq, uint64_t *words, const char *text, size_t room)
{
	stop_here();
	__real_ctr_cell_set_text(seq, words, text, room);
}

static void
read_victim(struct worker *me)
{
	struct trim_stats_flow values;
	uint64_t what = option("READ", READ);

	(void)me;
	wait_for(&in_creation);
	reads = true;
	switch (what) {
	case READ:
		EQUAL(trim_stats_flow_read(VICTIM, &values), -ENOENT);
		break;
	case VIEW_READ:
		EQUAL(trim_stats_flow_view_read(TRIM_STATS_VIEW_SHOWN, VICTIM, &values), -ENOENT);
		break;
	case LCORE_READ:
		EQUAL(trim_stats_flow_lcore_read(CTR_NON_LCORE, VICTIM, &values), -ENOENT);
		break;
	case GET:
		EQUAL(trim_stats_flow_get_marks(VICTIM), 0);
		break;
	case LCORE_GET:
		EQUAL(trim_stats_flow_lcore_get_pkts(CTR_NON_LCORE, VICTIM), 0);
		break;
	case GET_NAME:
		EQUAL(trim_stats_flow_get_name(VICTIM, values.name), 0);
		EQUAL(strcmp(values.name, "victim"), 0);
		break;
	default:
		EQUAL(trim_stats_flow_set_name(VICTIM, "new"), 0);
	}
	EQUAL(reads, false);
}

/* In a child there is no such read. */
static void
trim_in_a_child(void)
{
#ifndef CTR_PORT_DPDK
	const pid_t child = fork_off();

	if (child == 0) {
		EQUAL(trim_stats_flow_trim(), 0);
		trim_stats_fini();
		_exit(0);
	}
	ended_well(child);
#endif
}

TEST(stopped_read)
{
	uint64_t before, all;
	struct worker worker;

	EQUAL(trim_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	trim_stats_quiescent();
	before = heap_bytes();
	EQUAL(trim_stats_flow_create(VICTIM), 0);
	trim_stats_update_packet(VICTIM, 1);
	EQUAL(trim_stats_flow_set_name(VICTIM, "victim"), 0);
	memset(&worker, 0, sizeof(worker));
	worker_start(&worker, read_victim, false);
	workers_go();
	creates = true;
	EQUAL(trim_stats_flow_create(OTHER), 0);
	creates = false;
	all = heap_bytes() - before;
	while (trim_stats_flow_destroy(VICTIM, NULL) != -ENOENT)
		trim_stats_quiescent();
	EQUAL(trim_stats_flow_exists(VICTIM), false);
	/* However often all lcores report, and however many reads there are. */
	trim_stats_quiescent();
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	trim_stats_quiescent();
	EQUAL(trim_stats_flow_get_pkts(OTHER), 0);
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	trim_stats_quiescent();
	EQUAL(trim_stats_flow_trim(), -EINPROGRESS);
	EQUAL(heap_bytes() - before, all);
	trim_in_a_child();
	raise_flag(&go_on);
	workers_join(&worker, 1);
	EQUAL(trim_stats_flow_trim(), 0);
	EQUAL((heap_bytes() - before) * 2, all);
	ctr_thread_unregister();
	trim_stats_fini();
	EQUAL(heap_blocks(), 0);
}
