/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts the packets of the Example Protocol on DPDK worker lcores.
 *
 *     ep-app EAL-OPTIONS.. -- [--share] [--rounds N] [--top N] [--json FILE] [--agentx SOCKET]
 *
 * Port 0 delivers a capture once (a net_pcap device: one rx_pcap= per queue).
 * Each of its receive queues is polled by a worker lcore, which sorts the
 * packets into sessions and counts them. When the queues are empty the main
 * lcore, the control thread here, prints totals, the share of each lcore and
 * the busiest sessions.
 *
 * Port 1, if there is one, delivers packets for ever (infinite_rx=1). The main
 * lcore then reads and resets everything, over and over, while the workers
 * count. In the end the sum of all it took, plus what is left, must be what
 * the workers know they counted: no packet lost, none counted twice.
 *
 * Nothing in here knows which synchronization strategy is behind ep_stats.h.
 *
 * @return 0 when every sum is right, 1 when not or on any other failure.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_debug.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>

#include "ep_proto.h"
#include "ep_stats.h"
#ifdef EP_AGENTX
#include "ep_stats_agentx.h"
#endif

#define BURST_SIZE 32
#define RX_DESCRIPTORS 512
#define MBUFS 16383
#define MBUF_CACHE 256
#define EMPTY_POLLS 100		/* in a row at the end of the capture */

_Static_assert(EP_SESSIONS == EP_STATS_SESSION_MAX, "ep.yaml and ep_proto.h disagree");

/** Packets and octets, counted without ep_stats, to compare with. */
struct tally {
	uint64_t pkts;
	uint64_t bytes;
};

/** One worker lcore. Written by that lcore only; read by main when it is done. */
struct worker {
	uint16_t port;		/**< port to poll */
	uint16_t queue;		/**< queue to poll */
	uint16_t queues;	/**< number of queues of the port */
	bool endless;		/**< run until stopped, rather than until the queue is empty */
	unsigned int lcore;
	struct tally total;
	struct tally session[EP_SESSIONS];
	uint64_t verdict[EP_VERDICTS];
} __rte_cache_aligned;

/** Command line, behind the "--". */
struct options {
	bool share;		/**< every queue delivers every packet; take a part each */
	unsigned int rounds;	/**< how often to read and reset everything under traffic */
	unsigned int top;	/**< how many of the busiest sessions to print */
	const char *json;	/**< file for the values, or NULL */
	const char *agentx;	/**< serve SNMP managers through this master instead of resetting */
};

static struct options options = { .rounds = 200, .top = 5 };
static struct worker workers[RTE_MAX_LCORE];
static unsigned int worker_count;
static unsigned int busy_workers;	/* how many have received packets; atomic */
static bool stopping;			/* atomic */
static bool established[EP_SESSIONS];	/* session table; atomic */

/* Data path: runs on the worker lcores. */

/** Open or close a session. Both at once, from two lcores, are safe. */
static void
set_established(uint32_t session, bool open)
{
	if (__atomic_exchange_n(&established[session], open, __ATOMIC_RELAXED) == open)
		return;

	if (open)
		ep_stats_add_sessions(1);
	else
		ep_stats_sub_sessions(1);
}

/** Classify and count one frame. */
static inline void
process(struct worker *w, struct ep_stats_batch *batch, const struct rte_mbuf *m)
{
	struct ep_packet packet;
	enum ep_verdict verdict = ep_classify(m, &packet);

	/* What RSS does in hardware, for a device that has none. */
	if (options.share && packet.flow % w->queues != w->queue)
		return;

	w->verdict[verdict]++;
	if (verdict != EP_PACKET)
		return;

	ep_stats_batch_packet(batch, packet.session, packet.size);
	if (packet.type != EP_TYPE_DATA)
		set_established(packet.session, packet.type == EP_TYPE_OPEN);

	w->total.pkts++;
	w->total.bytes += packet.size;
	w->session[packet.session].pkts++;
	w->session[packet.session].bytes += packet.size;
}

/** The loop of a worker lcore; `arg` is its struct worker. */
static int
worker_main(void *arg)
{
	struct worker *w = arg;
	struct rte_mbuf *burst[BURST_SIZE];
	struct ep_stats_batch batch;
	unsigned int empty = 0;
	bool busy = false;
	uint16_t i, n;

	while (w->endless ? !__atomic_load_n(&stopping, __ATOMIC_RELAXED) : empty < EMPTY_POLLS) {
		n = rte_eth_rx_burst(w->port, w->queue, burst, BURST_SIZE);
		empty = n == 0 ? empty + 1 : 0;

		ep_stats_batch_begin(&batch);
		for (i = 0; i < n; i++)
			process(w, &batch, burst[i]);
		ep_stats_batch_end(&batch);

		/* Also after an empty burst: then nothing waits for traffic to be seen. */
		ep_stats_burst_end();
		rte_pktmbuf_free_bulk(burst, n);

		if (n > 0 && !busy) {
			busy = true;
			__atomic_fetch_add(&busy_workers, 1, __ATOMIC_RELAXED);
		}
	}
	ep_stats_flush();
	return 0;
}

/* Control: runs on the main lcore. */

/** End the program with a message if `rc` is negative. */
static void
must(int rc, const char *what)
{
	if (rc < 0)
		rte_exit(EXIT_FAILURE, "%s: %s\n", what, strerror(-rc));
}

/** The same for reads and resets: -EAGAIN says that values are right one by one, fine for sums. */
static void
must_read(int rc, const char *what)
{
	if (rc != -EAGAIN)
		must(rc, what);
}

/** Set up all queues of a port and start it. Returns the number of receive queues. */
static uint16_t
port_start(uint16_t port, struct rte_mempool *pool)
{
	struct rte_eth_dev_info info;
	struct rte_eth_conf conf;
	uint16_t queue;

	memset(&conf, 0, sizeof(conf));
	must(rte_eth_dev_info_get(port, &info), "device info");
	if (info.max_rx_queues > rte_lcore_count() - 1)
		rte_exit(EXIT_FAILURE, "port %u: %u queues need as many worker lcores\n", port,
				info.max_rx_queues);
	must(rte_eth_dev_configure(port, info.max_rx_queues, 0, &conf), "configure port");
	for (queue = 0; queue < info.max_rx_queues; queue++)
		must(rte_eth_rx_queue_setup(port, queue, RX_DESCRIPTORS, rte_socket_id(), NULL,
				pool), "set up receive queue");
	must(rte_eth_dev_start(port), "start port");
	return info.max_rx_queues;
}

/** Let every queue of a port be polled by a worker lcore of its own. */
static void
workers_launch(uint16_t port, uint16_t queues, bool endless)
{
	unsigned int lcore = rte_get_main_lcore();

	memset(workers, 0, sizeof(workers));
	worker_count = 0;
	__atomic_store_n(&busy_workers, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&stopping, false, __ATOMIC_RELAXED);

	while (worker_count < queues) {
		struct worker *w = &workers[worker_count];

		lcore = rte_get_next_lcore(lcore, true, true);
		w->port = port;
		w->queue = (uint16_t)worker_count++;
		w->queues = queues;
		w->endless = endless;
		w->lcore = lcore;
		must(rte_eal_remote_launch(worker_main, w, lcore), "launch worker");
	}
}

/** What the workers counted on their own account, in total. */
static struct tally
workers_total(void)
{
	struct tally sum = { 0, 0 };
	unsigned int i;

	for (i = 0; i < worker_count; i++) {
		sum.pkts += workers[i].total.pkts;
		sum.bytes += workers[i].total.bytes;
	}
	return sum;
}

/** The same for one session. */
static struct tally
workers_session(uint32_t session)
{
	struct tally sum = { 0, 0 };
	unsigned int i;

	for (i = 0; i < worker_count; i++) {
		sum.pkts += workers[i].session[session].pkts;
		sum.bytes += workers[i].session[session].bytes;
	}
	return sum;
}

/** How many frames had a verdict. */
static uint64_t
workers_verdict(enum ep_verdict verdict)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < worker_count; i++)
		sum += workers[i].verdict[verdict];
	return sum;
}

/** Compare statistics with what the workers counted. Returns the number of errors. */
static unsigned int
compare(const char *what, uint32_t index, struct tally stats, struct tally truth)
{
	if (stats.pkts == truth.pkts && stats.bytes == truth.bytes)
		return 0;

	printf("  WRONG: %s %" PRIu32 ": %" PRIu64 " packets, %" PRIu64 " bytes; the workers counted %"
			PRIu64 " and %" PRIu64 "\n", what, index, stats.pkts, stats.bytes,
			truth.pkts, truth.bytes);
	return 1;
}

static const struct ep_stats_session *sort_sessions;

static int
busier(const void *a, const void *b)
{
	uint64_t pkts_a = sort_sessions[*(const uint32_t *)a].pkts;
	uint64_t pkts_b = sort_sessions[*(const uint32_t *)b].pkts;

	return pkts_a < pkts_b ? 1 : pkts_a > pkts_b ? -1 : 0;
}

static void
print_top(const struct ep_stats_session *session)
{
	uint32_t order[EP_STATS_SESSION_MAX];
	uint32_t i;

	for (i = 0; i < EP_STATS_SESSION_MAX; i++)
		order[i] = i;
	sort_sessions = session;
	qsort(order, EP_STATS_SESSION_MAX, sizeof(order[0]), busier);

	printf("  busiest sessions\n");
	for (i = 0; i < options.top && i < EP_STATS_SESSION_MAX; i++)
		printf("    session %3" PRIu32 " %12" PRIu64 " packets %14" PRIu64 " bytes\n",
				order[i], session[order[i]].pkts, session[order[i]].bytes);
}

/** The share of every worker lcore, where the strategy keeps such. Returns the number of errors. */
static unsigned int
print_lcores(void)
{
	struct ep_stats_global share;
	unsigned int errors = 0;
	unsigned int i;
	int rc;

	printf("  by lcore\n");
	for (i = 0; i < worker_count; i++) {
		rc = ep_stats_global_lcore_read(workers[i].lcore, &share);
		if (rc == -ENOTSUP) {
			printf("    not kept apart: all lcores share one instance\n");
			break;
		}
		must(rc, "read lcore");
		printf("    lcore %5u %12" PRIu64 " packets %14" PRIu64 " bytes\n",
				workers[i].lcore, share.total_pkts, share.total_bytes);
		errors += compare("lcore", workers[i].lcore,
				(struct tally){ share.total_pkts, share.total_bytes },
				workers[i].total);
	}
	return errors;
}

/** Write the values, for demo.py to compare with count.py. */
static void
write_json(const struct ep_stats_snapshot *snapshot)
{
	const char *separator = "";
	FILE *f = fopen(options.json, "w");
	uint32_t i;

	if (f == NULL)
		rte_exit(EXIT_FAILURE, "%s: %s\n", options.json, strerror(errno));

	fprintf(f, "{\"total_pkts\": %" PRIu64 ", \"total_bytes\": %" PRIu64 ", \"sessions\": %" PRIu64
			",\n \"ignored\": {\"other\": %" PRIu64 ", \"malformed\": %" PRIu64
			", \"unknown_session\": %" PRIu64 "},\n \"session\": {",
			snapshot->global.total_pkts, snapshot->global.total_bytes,
			snapshot->global.sessions, workers_verdict(EP_OTHER),
			workers_verdict(EP_MALFORMED), workers_verdict(EP_UNKNOWN_SESSION));
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		if (snapshot->session[i].pkts == 0)
			continue;
		fprintf(f, "%s\n  \"%" PRIu32 "\": {\"pkts\": %" PRIu64 ", \"bytes\": %" PRIu64 "}",
				separator, i, snapshot->session[i].pkts, snapshot->session[i].bytes);
		separator = ",";
	}
	fprintf(f, "}}\n");
	if (fclose(f) != 0)
		rte_exit(EXIT_FAILURE, "%s: %s\n", options.json, strerror(errno));
}

/** Count the capture on port 0 and report. Returns the number of wrong values. */
static unsigned int
count_capture(uint16_t queues, struct ep_stats_snapshot *snapshot)
{
	unsigned int errors = 0;
	uint32_t i;

	workers_launch(0, queues, false);
	rte_eal_mp_wait_lcore();
	must_read(ep_stats_snapshot_read(snapshot), "snapshot");

	printf("The capture, counted by %u worker lcores (%s)\n", worker_count,
			ep_stats_module.scopes[0].strategy);
	printf("  total       %12" PRIu64 " packets %14" PRIu64 " bytes\n",
			snapshot->global.total_pkts, snapshot->global.total_bytes);
	printf("  sessions    %12" PRIu64 " established, link %s\n", snapshot->global.sessions,
			snapshot->global.link_up ? "up" : "down");
	printf("  not counted %12" PRIu64 " not EP, %" PRIu64 " malformed, %" PRIu64
			" of unknown sessions\n", workers_verdict(EP_OTHER),
			workers_verdict(EP_MALFORMED), workers_verdict(EP_UNKNOWN_SESSION));
	errors += print_lcores();
	print_top(snapshot->session);

	errors += compare("total", 0, (struct tally){ snapshot->global.total_pkts,
			snapshot->global.total_bytes }, workers_total());
	for (i = 0; i < EP_STATS_SESSION_MAX; i++)
		errors += compare("session", i, (struct tally){ snapshot->session[i].pkts,
				snapshot->session[i].bytes }, workers_session(i));
	if (options.json != NULL)
		write_json(snapshot);
	return errors;
}

/** Everything that was read and reset so far. */
struct taken {
	struct tally total;
	struct tally session[EP_SESSIONS];
};

static void
take(struct tally *sum, uint64_t pkts, uint64_t bytes)
{
	sum->pkts += pkts;
	sum->bytes += bytes;
}

/** Read and reset every counter, in one of the three ways there are. */
static void
take_all(struct taken *taken, unsigned int way, struct ep_stats_snapshot *snapshot)
{
	static struct ep_stats_session last[EP_STATS_SESSION_MAX];
	const struct ep_stats_session *session = last;
	struct ep_stats_global global;
	uint32_t i;

	if (way % 3 == 0) {
		must_read(ep_stats_global_reset(&global), "reset global");
		for (i = 0; i < EP_STATS_SESSION_MAX; i++)
			must_read(ep_stats_session_reset(i, &last[i]), "reset session");
	} else if (way % 3 == 1) {
		must_read(ep_stats_global_reset(&global), "reset global");
		must_read(ep_stats_session_reset_all(last), "reset all sessions");
	} else {
		must_read(ep_stats_snapshot_reset(snapshot), "reset all");
		global = snapshot->global;
		session = snapshot->session;
	}

	take(&taken->total, global.total_pkts, global.total_bytes);
	for (i = 0; i < EP_STATS_SESSION_MAX; i++)
		take(&taken->session[i], session[i].pkts, session[i].bytes);
}

/** How many sessions the table says are established. */
static uint64_t
count_established(void)
{
	uint64_t count = 0;
	uint32_t i;

	for (i = 0; i < EP_SESSIONS; i++)
		count += __atomic_load_n(&established[i], __ATOMIC_RELAXED);
	return count;
}

/** Read and reset under endless traffic on port 1. Returns the number of wrong values. */
static unsigned int
reset_under_traffic(uint16_t queues, struct ep_stats_snapshot *snapshot)
{
	static struct taken taken;
	struct tally before, truth;
	unsigned int errors = 0;
	unsigned int round;
	uint32_t i;

	must_read(ep_stats_reset(), "reset");
	workers_launch(1, queues, true);
	while (__atomic_load_n(&busy_workers, __ATOMIC_RELAXED) < worker_count)
		rte_pause();

	for (round = 0; round < options.rounds; round++)
		take_all(&taken, round, snapshot);
	__atomic_store_n(&stopping, true, __ATOMIC_RELAXED);
	rte_eal_mp_wait_lcore();

	before = taken.total;
	take_all(&taken, 0, snapshot);
	truth = workers_total();

	printf("\nRead and reset %u times while %u worker lcores counted\n", round, worker_count);
	printf("  taken       %12" PRIu64 " packets %14" PRIu64 " bytes\n", before.pkts, before.bytes);
	printf("  remainder   %12" PRIu64 " packets %14" PRIu64 " bytes\n",
			taken.total.pkts - before.pkts, taken.total.bytes - before.bytes);
	printf("  counted     %12" PRIu64 " packets %14" PRIu64 " bytes, by the workers themselves\n",
			truth.pkts, truth.bytes);

	errors += compare("total", 0, taken.total, truth);
	for (i = 0; i < EP_SESSIONS; i++)
		errors += compare("session", i, taken.session[i], workers_session(i));
	if (ep_stats_get_sessions() != count_established()) {
		printf("  WRONG: %" PRIu64 " sessions; the table has %" PRIu64 "\n",
				ep_stats_get_sessions(), count_established());
		errors++;
	}
	return errors;
}

#ifdef EP_AGENTX
/**
 * Serve the values to SNMP managers while the workers count what port 1
 * delivers; `stop`, `reset` and `write` on standard input do just that.
 */
static void
serve(uint16_t queues, struct ep_stats_snapshot *snapshot)
{
	char line[16];

	must(ep_stats_agentx_start(options.agentx), "ep_stats_agentx_start");
	workers_launch(1, queues, true);
	printf("serving\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strcmp(line, "stop\n") == 0) {
			__atomic_store_n(&stopping, true, __ATOMIC_RELAXED);
			rte_eal_mp_wait_lcore();
		} else if (strcmp(line, "reset\n") == 0) {
			must_read(ep_stats_reset(), "reset");
		} else {
			must_read(ep_stats_snapshot_read(snapshot), "snapshot");
			write_json(snapshot);
		}
		printf("done\n");
		fflush(stdout);
	}
	__atomic_store_n(&stopping, true, __ATOMIC_RELAXED);
	rte_eal_mp_wait_lcore();
	ep_stats_agentx_stop();
}
#endif

static void
parse_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "share", no_argument, NULL, 's' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "top", required_argument, NULL, 't' },
		{ "json", required_argument, NULL, 'j' },
#ifdef EP_AGENTX
		{ "agentx", required_argument, NULL, 'a' },
#endif
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (opt) {
		case 's':
			options.share = true;
			break;
		case 'r':
			options.rounds = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		case 't':
			options.top = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		case 'j':
			options.json = optarg;
			break;
		case 'a':
			options.agentx = optarg;
			break;
		default:
			rte_exit(EXIT_FAILURE, "usage: ep-app EAL-OPTIONS.. -- "
					"[--share] [--rounds N] [--top N] [--json FILE]\n");
		}
	}
}

int
main(int argc, char **argv)
{
	struct ep_stats_snapshot *snapshot;
	struct rte_mempool *pool;
	unsigned int errors;
	uint16_t ports;
	int eal_args;

	eal_args = rte_eal_init(argc, argv);
	if (eal_args < 0)
		rte_exit(EXIT_FAILURE, "EAL: %s\n", rte_strerror(rte_errno));
	parse_options(argc - eal_args, argv + eal_args);
	ports = rte_eth_dev_count_avail();
	if (ports == 0)
		rte_exit(EXIT_FAILURE, "needs a port, say --vdev=net_pcap0,rx_pcap=FILE\n");

	pool = rte_pktmbuf_pool_create("mbufs", MBUFS, MBUF_CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
			SOCKET_ID_ANY);
	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "mbuf pool: %s\n", rte_strerror(rte_errno));

	must(ep_stats_init(), "ep_stats_init");
	must(ep_stats_snapshot_create(&snapshot), "snapshot");

	ep_stats_set_link_up(true);
	errors = count_capture(port_start(0, pool), snapshot);
#ifdef EP_AGENTX
	if (ports > 1 && options.agentx != NULL)
		serve(port_start(1, pool), snapshot);
	else
#endif
	if (ports > 1)
		errors += reset_under_traffic(port_start(1, pool), snapshot);
	ep_stats_set_link_up(false);

	if (errors == 0)
		printf("\nEvery count is right.\n");
	else
		printf("\n%u counts are wrong.\n", errors);

	while (ports-- > 0) {
		must(rte_eth_dev_stop(ports), "stop port");
		must(rte_eth_dev_close(ports), "close port");
	}
	ep_stats_snapshot_free(snapshot);
	ep_stats_fini();
	rte_eal_cleanup();
	return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
