/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows that a program begins and ends, on two CPUs at once: `begin OBJECT RUNS`. Two threads have
 * BPF_PROG_TEST_RUN count RUNS packets each, of the same few flows at the same time; the main thread
 * takes events. No two instances have a key at a time; and final counts, counts that are left and
 * packets without an instance are all packets. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ctr.h"
#include "flows_stats_xdp.h"
#include "lab.h"

#define CPUS 2
#define PORTS 64u
#define SIZE 60u
#define STOCK 8u

static uint64_t runs;
static int program;
static unsigned int left = CPUS;

/* The key that ends next, and how often the library has waited for programs. */
static const struct flows_stats_flow_key *ending;
static uint64_t waits;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long command, long flags, long cpu);

long
__wrap_syscall(long number, long command, long flags, long cpu)
{
	uint32_t flow;

	if (number == SYS_membarrier && command == MEMBARRIER_CMD_GLOBAL) {
		waits++;
		must(ending == NULL || flows_stats_flow_key_find(ending, &flow) == -ENOENT,
		     "a key that is removed first");
	}
	return __real_syscall(number, command, flags, cpu);
}

/* Whether packets find a key that was entered since they looked for it. */
static bool late;

/* `n` packets of a flow, or of those of the time, that may end it. */
static void
run(uint32_t port, bool end, int n)
{
	uint32_t packet[16] = { port, end, late };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet),
		    .repeat = n);

	must(bpf_prog_test_run_opts(program, &opts) == 0 && opts.retval == 2, "test run");
}

static void *
count(void *arg)
{
	uint64_t n;

	stay_on((size_t)arg);
	for (n = 0; n < runs; n += 1000000)
		run(0, false, 1000000);
	__atomic_sub_fetch(&left, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* With the indexes of programs used up, packets of other flows take no room from the event of an
 * end. Two ends are then taken at once: user space ends the second instance, and begins another one
 * at its index; or gives it another key, by which programs may find it until it ends. */
static void
others(void)
{
	const uint64_t unknown = flows_stats_get_unknown(), n = 100000;
	struct flows_stats_flow_key key, again = { .source = 2 };
	struct flows_stats_flow last;
	uint32_t flow, port, taken[4];
	int rc;

	for (port = PORTS; port < 2 * PORTS; port++)
		run(port, false, 1);
	must(flows_stats_get_unknown() == unknown, "a full stock");
	run(2 * PORTS, false, (int)n);
	must(flows_stats_get_unknown() == unknown + n, "an empty stock");
	for (port = PORTS; port < PORTS + 4; port++)
		run(port, true, 1);
	while ((rc = flows_stats_flow_key_next(0, &key, &flow, &last)) == CTR_XDP_BEGUN)
		if (key.port < PORTS + 4)
			taken[key.port - PORTS] = flow;
	must(rc == CTR_XDP_ENDED && key.port == PORTS && flow == taken[0], "an end without room");
	waits = 0;
	must(flows_stats_flow_destroy(taken[1], NULL) == 0 &&
		     flows_stats_flow_destroy(taken[2], NULL) == 0 &&
		     flows_stats_flow_create(taken[2]) == 0 &&
		     flows_stats_flow_key_set(taken[3], &again) == 0,
	     "two ends by user space");
	must(waits == 2, "waits of user space");
	must(flows_stats_flow_key_next(0, &key, &flow, &last) == CTR_XDP_ENDED &&
		     flow == taken[3] && flows_stats_flow_read(taken[2], &last) == 0,
	     "a later life");
	must(waits == 3, "an instance with a further key");
	must(flows_stats_flow_key_next(0, &key, &flow, &last) == 0, "no other end");
}

/* Another thread ends an instance as soon as it exists: it has its key by then. */
static bool ends_early;
static pthread_t ender;

static void *
end_early(void *index)
{
	must(flows_stats_flow_destroy((uint32_t)(uintptr_t)index, NULL) == 0, "an early end");
	return NULL;
}

int __real_ctr_life_open(const struct ctr_table *table, uint32_t at);
int __wrap_ctr_life_open(const struct ctr_table *table, uint32_t at);

int
__wrap_ctr_life_open(const struct ctr_table *table, uint32_t at)
{
	const struct timespec past = { 0 };
	const int rc = __real_ctr_life_open(table, at);

	if (ends_early) {
		must(pthread_create(&ender, NULL, end_early, (void *)(uintptr_t)at) == 0, "thread");
		(void)usleep(100000);
		must(pthread_timedjoin_np(ender, NULL, &past) == ETIMEDOUT, "an end before a key");
	}
	return rc;
}

static void
early(void)
{
	struct flows_stats_flow_key key;
	struct flows_stats_flow last;
	uint32_t flow;

	run(3 * PORTS, false, 1);
	ends_early = true;
	must(flows_stats_flow_key_next(0, &key, &flow, &last) == CTR_XDP_BEGUN, "a beginning");
	ends_early = false;
	(void)pthread_join(ender, NULL);
	must(flows_stats_flow_key_find(&key, &flow) == -ENOENT, "no key");
	run(3 * PORTS, false, 1);
	must(flows_stats_flow_key_next(0, &key, &flow, &last) == CTR_XDP_BEGUN &&
		     flows_stats_flow_read(flow, &last) == 0 && last.pkts == 1,
	     "the next life of a key");
}

int
main(int argc, char **argv)
{
	static uint64_t begun, ended, known;
	static bool lives[PORTS];
	struct flows_stats_flow_key key, end;
	struct flows_stats_global all;
	struct flows_stats_flow last;
	struct bpf_object *object;
	pthread_t thread[CPUS];
	uint32_t flow, port;
	bool done;
	size_t i;
	int rc;

	if (argc != 3)
		return 2;
	runs = strtoull(argv[2], NULL, 10);
	object = load_object(argv[1], flows_stats_xdp_prepare);
	must(flows_stats_xdp_attach(object) == 0, "attach");
	program = counting(object);
	must(flows_stats_flow_key_next(0, &key, &flow, &last) == -ENODEV, "no stock");
	run(1, false, 1);
	must(flows_stats_get_unknown() == 1, "without a stock nothing begins");
	must(flows_stats_flow_key_stock(STOCK) == 0, "stock");
	must(flows_stats_flow_key_next(0, &key, &flow, &last) == 0, "nothing has begun");
	must(flows_stats_flow_instances() == 0 && flows_stats_flow_create(0) == -EBUSY &&
		     flows_stats_flow_destroy(0, &last) == -ENOENT &&
		     flows_stats_flow_read(0, &last) == -ENOENT,
	     "a reserved index is of no instance");
	for (port = 1; port <= STOCK + 1; port++)
		run(port, false, 1);
	must(flows_stats_get_unknown() == 2, "a stock that is used up");
	for (port = 1; port <= STOCK; port++)
		must(flows_stats_flow_key_next(0, &key, &flow, &last) == CTR_XDP_BEGUN &&
			     key.port == port && flows_stats_flow_read(flow, &last) == 0 &&
			     last.pkts == 1,
		     "an instance with its first packet");
	for (port = 1; port <= STOCK; port++) {
		key.port = (uint16_t)port;
		must(flows_stats_flow_key_find(&key, &flow) == 0, "a key");
		late = true;
		run(port, true, 1);
		late = false;
		must(flows_stats_flow_read(flow, &last) == 0 && last.pkts == 2,
		     "the index of the faster CPU");
		end = key;
		ending = &end;
		must(flows_stats_flow_key_next(-1, &key, &flow, &last) == CTR_XDP_ENDED &&
			     key.port == port && last.pkts == 2 && last.bytes == 2 * SIZE &&
			     flows_stats_flow_read(flow, &last) == -ENOENT,
		     "a final count");
		known += 2;
	}

	ending = NULL;
	must(waits == STOCK, "one wait an end");
	for (port = 1; port <= STOCK; port++)
		run(port, false, 1);
	must(flows_stats_get_unknown() == 2, "a stock that is filled up");
	must(flows_stats_flow_key_stock(PORTS) == 0, "stock");
	for (i = 0; i < CPUS; i++)
		must(pthread_create(&thread[i], NULL, count, (void *)i) == 0, "thread");
	do {
		done = __atomic_load_n(&left, __ATOMIC_ACQUIRE) == 0;
		while ((rc = flows_stats_flow_key_next(1, &key, &flow, &last)) > 0) {
			must(key.source == 1 && key.port < PORTS, "key");
			must(lives[key.port] == (rc == CTR_XDP_ENDED), "one instance of a key");
			lives[key.port] = rc == CTR_XDP_BEGUN;
			begun += rc == CTR_XDP_BEGUN;
			ended += rc == CTR_XDP_ENDED;
			if (rc == CTR_XDP_ENDED) {
				must(last.bytes == SIZE * last.pkts, "bytes of a generation");
				known += last.pkts;
			}
		}
		must(rc == 0, "next");
	} while (!done);
	for (i = 0; i < CPUS; i++)
		(void)pthread_join(thread[i], NULL);
	must(flows_stats_flow_instances() == begun - ended, "instances");
	for (flow = 0; (flow = flows_stats_flow_next(flow)) < FLOWS_STATS_FLOW_MAX; flow++) {
		must(flows_stats_flow_read(flow, &last) == 0, "read");
		known += last.pkts;
	}
	must(flows_stats_global_read(&all) == 0, "read");
	printf("%" PRIu64 " begun, %" PRIu64 " ended, %" PRIu64 " known, %" PRIu64
	       " unknown of %" PRIu64 ", late %" PRIu64 "\n",
	       begun, ended, known, all.unknown, all.pkts, flows_stats_late());
	must(known + all.unknown == all.pkts && flows_stats_late() == 0 && begun > PORTS &&
		     ended > PORTS && known > runs && all.pkts > CPUS * runs,
	     "conservation");
	others();
	early();
	flows_stats_fini();
	bpf_object__close(object);
	return 0;
}
