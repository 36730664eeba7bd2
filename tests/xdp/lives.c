/* SPDX-License-Identifier: BSD-3-Clause */
/* Lives of instances while the kernel counts: `lives OBJECT PINS RUNS`. A thread on CPU 1 has
 * BPF_PROG_TEST_RUN count RUNS packets of one flow; the main thread creates the flow, sets its key
 * and destroys it, until they are done. The final counts of all lives and `unknown` make up all
 * packets. Then the module is attached again, by what is pinned in PINS: it begins at 0. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ctr.h"
#include "flows_stats_xdp.h"
#include "lab.h"

#define SIZE 60u

/* UDP from 10.0.0.1 to 10.0.0.2, port 53. */
static const uint8_t packet[SIZE] = { [12] = 0x08, [14] = 0x45, [23] = 17, [26] = 10, [29] = 1,
				      [30] = 10,   [33] = 2,    [37] = 53 };
static uint64_t runs;
static int program;
static bool done;
static uint64_t grace_periods;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long command, long flags, long cpu);

/* Those of the library: it waits for programs with a membarrier alone. */
long
__wrap_syscall(long number, long command, long flags, long cpu)
{
	grace_periods += number == SYS_membarrier && command == MEMBARRIER_CMD_GLOBAL;
	return __real_syscall(number, command, flags, cpu);
}

static void
run(uint64_t n)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));

	opts.repeat = (int)n;
	must(bpf_prog_test_run_opts(program, &opts) == 0 && opts.retval == 2, "test run");
}

static void *
count(void *arg)
{
	uint64_t n;

	stay_on(1);
	for (n = 0; n < runs; n += 10000)
		run(10000);
	__atomic_store_n(&done, true, __ATOMIC_RELEASE);
	return arg;
}

int
main(int argc, char **argv)
{
	struct flows_stats_flow_key key = { .port = 53 };
	struct flows_stats_flow last, gone;
	struct flows_stats_global all;
	uint64_t known = 0, lives = 0;
	struct bpf_object *object;
	pthread_t thread;
	uint32_t flow;

	if (argc != 4)
		return 2;
	runs = strtoull(argv[3], NULL, 10);
	key.source = htonl(0x0a000001);
	key.destination = htonl(0x0a000002);
	must(flows_stats_init() == -ENODEV, "initialised without maps");
	object = bpf_object__open(argv[1]);
	must(object != NULL && flows_stats_xdp_prepare(object) == 0, "prepare");
	must(flows_stats_xdp_attach(object) == -ENOENT, "attached to an object that is not loaded");
	must(bpf_object__load(object) == 0 && bpf_object__pin_maps(object, argv[2]) == 0, "pin");
	must(flows_stats_xdp_prepare(object) == -EBUSY, "sized after the load");
	must(flows_stats_xdp_attach(object) == 0, "attach");
	must(flows_stats_xdp_attach(object) == -EALREADY, "attached twice");
	program = counting(object);
	must(pthread_create(&thread, NULL, count, NULL) == 0, "thread");
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		must(flows_stats_flow_alloc(&flow) == 0, "alloc");
		must(flows_stats_flow_key_set(flow, &key) == 0, "key");
		(void)usleep(200);
		must(flows_stats_flow_destroy(flow, &last) == 0, "destroy");
		must(flows_stats_flow_read(flow, &gone) == -ENOENT, "read after the end");
		must(last.bytes == SIZE * last.pkts, "bytes of a life");
		known += last.pkts;
		lives++;
	}
	(void)pthread_join(thread, NULL);
	must(flows_stats_global_read(&all) == 0, "read");
	printf("%" PRIu64 " lives, %" PRIu64 " known, %" PRIu64 " unknown of %" PRIu64
	       ", late %" PRIu64 "\n",
	       lives, known, all.unknown, all.pkts, flows_stats_late());
	must(all.pkts == runs && known + all.unknown + flows_stats_late() == runs, "conservation");
	must(all.largest == SIZE, "largest");
	must(grace_periods == lives, "a grace period for each end");

	/* A second process: the program counts on. */
	must(flows_stats_flow_alloc(&flow) == 0 && flows_stats_flow_key_set(flow, &key) == 0, "one");
	run(1000);
	must(flows_stats_flow_read(flow, &last) == 0 && last.pkts == 1000, "counts of the key");
	flows_stats_fini();
	run(500);
	must(flows_stats_xdp_attach_pinned(argv[2]) == 0, "attach to pinned maps");
	must(flows_stats_get_pkts() == 0 && flows_stats_flow_instances() == 0, "begins at 0");
	run(7);
	must(flows_stats_get_pkts() == 7 && flows_stats_get_unknown() == 7, "no key is left");
	must(flows_stats_flow_alloc(&flow) == 0 && flows_stats_flow_key_set(flow, &key) == 0, "key");
	must(flows_stats_flow_read(flow, &last) == 0 && last.pkts == 0, "a new life");
	run(3);
	must(flows_stats_flow_read(flow, &last) == 0 && last.pkts == 3, "counts of the new life");
	must(flows_stats_get_pkts() == 10, "all counts");
	flows_stats_fini();
	bpf_object__unpin_maps(object, argv[2]);
	bpf_object__close(object);
	return 0;
}
