/* SPDX-License-Identifier: BSD-3-Clause */
/* Resets while the kernel counts: `conserve OBJECT RUNS MS HOW`. A thread a CPU, on two CPUs, has
 * BPF_PROG_TEST_RUN count RUNS packets of its own sizes; the main thread resets every MS
 * milliseconds (0: back to back) until they are done. The sum of all resets and of what is left is
 * what was counted, or the program prints both and fails. HOW is `baseline`, the module's resets,
 * or `zero`: the usual read of the map, then a zero written to it; or `group`: packets of one size,
 * the module's resets, and reads and resets whose packets and octets do not belong together are
 * counted, and make it fail. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "ctr.h"
#include "ep_stats_xdp.h"
#include "lab.h"

#define CPUS 2
#define SESSION 7
#define BATCH 100000

static uint32_t sizes[CPUS] = { 65535, 1 };
static uint64_t runs;
static int program;
static unsigned int left = CPUS;

static void *
count(void *arg)
{
	const size_t me = (size_t)arg;
	uint32_t packet[16] = { SESSION, sizes[me] };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));
	uint64_t done;

	stay_on(me);
	for (done = 0; done < runs; done += (uint64_t)opts.repeat) {
		opts.repeat = (int)(runs - done < BATCH ? runs - done : BATCH);
		must(bpf_prog_test_run_opts(program, &opts) == 0 && opts.retval == 2, "test run");
	}
	__atomic_sub_fetch(&left, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* What many programs do: read all copies, then write zeros. */
static int
reset_to_zero(int map, struct ep_stats_session *last)
{
	const int cpus = libbpf_num_possible_cpus();
	static struct ep_stats_instance copy;
	uint32_t cpu;

	memset(last, 0, sizeof(*last));
	for (cpu = 0; cpu < (uint32_t)cpus; cpu++) {
		if (bpf_map_lookup_elem(map, &cpu, &copy) != 0)
			return -1;
		last->pkts += copy.session[SESSION].pkts;
		last->bytes += copy.session[SESSION].bytes;
		copy.session[SESSION].pkts = 0;
		copy.session[SESSION].bytes = 0;
		if (bpf_map_update_elem(map, &cpu, &copy, BPF_ANY) != 0)
			return -1;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	struct ep_stats_session last, sum = { 0, 0 };
	struct bpf_object *object;
	pthread_t thread[CPUS];
	uint64_t resets = 0, bytes;
	struct timespec pause;
	uint64_t torn = 0;
	bool zero;
	size_t i;
	int map, rc = 0;

	if (argc != 5)
		return 2;
	runs = strtoull(argv[2], NULL, 10);
	pause.tv_sec = 0;
	pause.tv_nsec = atol(argv[3]) * 1000000;
	zero = strcmp(argv[4], "zero") == 0;
	if (strcmp(argv[4], "group") == 0)
		sizes[1] = sizes[0];
	object = load_object(argv[1], ep_stats_xdp_prepare);
	must(ep_stats_xdp_attach(object) == 0, "attach");
	program = counting(object);
	map = bpf_object__find_map_fd_by_name(object, "ep_stats_slots");
	for (i = 0; i < CPUS; i++)
		(void)pthread_create(&thread[i], NULL, count, (void *)i);
	while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) != 0) {
		if (pause.tv_nsec != 0)
			(void)nanosleep(&pause, NULL);
		rc |= zero ? reset_to_zero(map, &last) : ep_stats_session_reset(SESSION, &last);
		sum.pkts += last.pkts;
		sum.bytes += last.bytes;
		torn += last.bytes != last.pkts * sizes[0];
		rc |= ep_stats_session_read(SESSION, &last);
		torn += last.bytes != last.pkts * sizes[0];
		resets++;
	}
	for (i = 0; i < CPUS; i++)
		(void)pthread_join(thread[i], NULL);
	rc |= ep_stats_session_read(SESSION, &last);
	sum.pkts += last.pkts;
	sum.bytes += last.bytes;
	bytes = runs * sizes[0] + runs * sizes[1];
	printf("%" PRIu64 " packets of %" PRIu64 ", %" PRIu64 " bytes of %" PRIu64 ", %" PRIu64
	       " resets\n",
	       sum.pkts, CPUS * runs, sum.bytes, bytes, resets);
	if (sizes[0] == sizes[1] && torn != 0)
		rc = -1;
	printf("torn %" PRIu64 "\nglobal %" PRIu64 ", sessions %" PRIu64 ", link %d, drops %" PRIu64
	       ", late %" PRIu64 "\n",
	       torn, ep_stats_get_total_pkts(), ep_stats_get_sessions(), ep_stats_get_link_up(),
	       ep_stats_drops(), ep_stats_late());
	if (ep_stats_get_total_pkts() != CPUS * runs || ep_stats_get_sessions() != CPUS * runs ||
	    !ep_stats_get_link_up() || ep_stats_drops() != 0 || ep_stats_late() != 0)
		rc = -1;
	ep_stats_fini();
	bpf_object__close(object);
	return rc != 0 || sum.pkts != CPUS * runs || sum.bytes != bytes;
}
