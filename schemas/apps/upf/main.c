/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * A UPF that forwards made-up packets in a few threads and counts with the
 * statistics of upf.yaml. The main thread is the control plane: it
 * reads usage reports and bills, creates and destroys sessions.
 *
 * In the end every value is compared with what the threads know they did. The
 * traffic is random but the same each time, so the table printed is, too.
 *
 * The same source runs on the posix and the dpdk port, see meson.build.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "upf_stats.h"

#define WORKERS 3u
#define BURSTS 40000u
#define BURST_SIZE 32u
#define SESSIONS 256u
#define SESSIONS_PER_QER 4u
#define QERS (SESSIONS / SESSIONS_PER_QER)
#define FLOWS 64u
#define HOLD_AT_MOST 16u

enum { N3, N6, N9 };
enum { UPLINK, DOWNLINK, DIRECTIONS };

/** Packets and octets. */
struct tally {
	uint64_t pkts;
	uint64_t bytes;
};

/** An application flow with integrated counters. */
struct flow {
	pthread_mutex_t lock;
	struct upf_stats_flow_embedded stats;	/* under the lock */
};

/** What one worker did, counted without the statistics. */
struct worker {
	uint32_t queue;
	uint64_t random;
	struct tally rx[DIRECTIONS];
	uint64_t bursts[DIRECTIONS];
	uint64_t full_bursts[DIRECTIONS];
	struct tally passed[SESSIONS][DIRECTIONS];
	uint64_t policed[SESSIONS][DIRECTIONS];
	struct tally flow[FLOWS];
	uint64_t malformed;
	uint64_t no_session;
	uint64_t no_pdr;
	uint64_t held;
};

static struct worker workers[WORKERS];
static struct flow flows[FLOWS];
static uint32_t held[SESSIONS];			/* downlink packets; atomic */
static struct upf_stats_urr billed[SESSIONS];	/* read and reset so far */
static uint64_t echo_requests;

/* User plane: runs in the workers. */

static uint32_t
pdr_of(uint32_t session, unsigned int direction)
{
	return session * DIRECTIONS + direction;
}

/** Inspect a packet: account for it in its flow, under the flow's own lock. */
static void
inspect(struct worker *w, uint32_t number, uint16_t size)
{
	struct flow *flow = &flows[number];

	pthread_mutex_lock(&flow->lock);
	upf_stats_update_flow_packet(&flow->stats, size, (uint32_t)(ctr_time_ns() / 10000000));
	pthread_mutex_unlock(&flow->lock);
	w->flow[number].pkts++;
	w->flow[number].bytes += size;
}

/** Hold a downlink packet, or release all that are held once there are some. */
static void
hold(struct worker *w, uint32_t session)
{
	uint32_t count = __atomic_add_fetch(&held[session], 1, __ATOMIC_RELAXED);

	upf_stats_update_hold(session);
	w->held++;
	if (count >= HOLD_AT_MOST) {
		count = __atomic_exchange_n(&held[session], 0, __ATOMIC_RELAXED);
		upf_stats_update_release(session, (uint16_t)count);
	}
}

/** Process one packet of a session. Returns whether it is forwarded. */
static bool
forward(struct worker *w, struct upf_stats_batch *batch, unsigned int direction,
		uint32_t session, uint16_t size)
{
	uint32_t chance = app_random(&w->random, 100);
	uint32_t pdr = pdr_of(session, direction);
	uint32_t qer = session / SESSIONS_PER_QER;

	if (chance < 2) {
		w->no_pdr++;
		upf_stats_inc_drop_no_pdr();
		return false;
	}
	if (chance < 5) {
		w->policed[session][direction]++;
		upf_stats_batch_police(batch, pdr, qer);
		return false;
	}
	if (direction == UPLINK)
		upf_stats_batch_uplink(batch, session, pdr, session, qer, size);
	else
		upf_stats_batch_downlink(batch, session, pdr, session, qer, size);
	w->passed[session][direction].pkts++;
	w->passed[session][direction].bytes += size;
	if (chance < 10)
		inspect(w, session % FLOWS, size);
	return true;
}

/** Take a burst from one queue of N3 (uplink) or N6 (downlink), forward it to the other. */
static void
process_burst(struct worker *w, unsigned int direction)
{
	const uint32_t in = direction == UPLINK ? N3 : N6;
	uint32_t out[BURST_SIZE];
	uint16_t size[BURST_SIZE];
	struct upf_stats_batch batch;
	uint32_t n = 1 + app_random(&w->random, BURST_SIZE);
	uint32_t session = 0;
	uint32_t bytes = 0;
	uint32_t sent = 0;
	uint32_t i;

	upf_stats_batch_begin(&batch);
	for (i = 0; i < n; i++) {
		uint16_t octets = (uint16_t)(40 + app_random(&w->random, 1460));
		uint32_t chance = app_random(&w->random, 100);

		bytes += octets;
		/* Packets come in runs of the same session. */
		if (i == 0 || chance < 30)
			session = app_random(&w->random, SESSIONS);
		if (chance == 99) {
			w->malformed++;
			upf_stats_inc_drop_malformed();
		} else if (chance == 98) {
			w->no_session++;
			upf_stats_inc_drop_no_session();
		} else if (chance == 97 && direction == DOWNLINK) {
			hold(w, session);
		} else if (forward(w, &batch, direction, session, octets)) {
			out[sent] = direction == UPLINK ? N6 : N3;
			size[sent++] = octets;
		}
	}
	upf_stats_batch_end(&batch);

	upf_stats_update_poll(in, w->queue, (uint16_t)n, bytes,
			(uint16_t)app_random(&w->random, 4097));
	if (n == BURST_SIZE) {
		upf_stats_queue_inc_full_bursts(in, w->queue);
		w->full_bursts[direction]++;
	}
	upf_stats_update_send_bulk(out, size, sent);
	upf_stats_burst_end();

	w->rx[direction].pkts += n;
	w->rx[direction].bytes += bytes;
	w->bursts[direction]++;
}

static void
worker_main(void *arg)
{
	struct worker *w = arg;
	unsigned int i;

	for (i = 0; i < BURSTS; i++)
		process_burst(w, i % DIRECTIONS);
	upf_stats_flush();
	/* No thread waits for a worker that is offline. */
	ctr_quiescent_offline();
}

/* Control plane: runs in the main thread, which has no lcore id. */

/** A usage report must be in itself right, at any moment. */
static void
check_report(uint32_t urr, const struct upf_stats_urr *report)
{
	app_check("packets by direction of urr", urr, report->ul_pkts + report->dl_pkts,
			report->total_pkts);
	app_check("bytes by direction of urr", urr, report->ul_bytes + report->dl_bytes,
			report->total_bytes);
}

/** Read and reset a usage report, and bill. */
static void
bill(uint32_t urr)
{
	struct upf_stats_urr report;

	if (app_read(upf_stats_urr_reset(urr, &report), "urr reset"))
		check_report(urr, &report);
	billed[urr].ul_pkts += report.ul_pkts;
	billed[urr].ul_bytes += report.ul_bytes;
	billed[urr].dl_pkts += report.dl_pkts;
	billed[urr].dl_bytes += report.dl_bytes;
	billed[urr].total_pkts += report.total_pkts;
	billed[urr].total_bytes += report.total_bytes;
}

/** One turn of the control plane while there is traffic. */
static void
control(void)
{
	const uint32_t spare = SESSIONS + 7;
	struct upf_stats_session session;
	struct upf_stats_urr report;
	uint32_t i;
	int rc;

	for (i = 0; i < SESSIONS; i++) {
		if (app_read(upf_stats_urr_read(i, &report), "urr read"))
			check_report(i, &report);
		if (i % 8 == 0)
			bill(i);
	}

	/* A session comes and goes; the others are not disturbed. Its index was in
	 * use before, yet it starts at zero. */
	app_check("session exists", spare, upf_stats_session_exists(spare), 0);
	app_must(upf_stats_session_create(spare), "session create");
	app_read(upf_stats_session_read(spare, &session), "session read");
	app_check("ul_pkts of new session", spare, session.ul_pkts, 0);
	upf_stats_session_add_ul_pkts(spare, 3);
	upf_stats_flush();
	app_read(upf_stats_session_read(spare, &session), "session read");
	app_check("ul_pkts of session", spare, session.ul_pkts, 3);
	/* Its bill is final once every worker has ended its burst. */
	while ((rc = upf_stats_session_destroy(spare, &session)) == -EINPROGRESS)
		ctr_yield();
	app_must(rc, "session destroy");
	app_check("final ul_pkts of session", spare, session.ul_pkts, 3);
	app_check("read of no session", spare,
			upf_stats_session_read(spare, &session) == -ENOENT, 1);

	upf_stats_inc_echo_requests();
	echo_requests++;
}

/** Set up what the user plane needs. */
static void
associate(void)
{
	static const uint8_t prefix[16] = { 0x20, 0x01, 0x0d, 0xb8 };
	uint32_t i;

	upf_stats_set_phase(UPF_STATS_GLOBAL_PHASE_ASSOCIATED);
	upf_stats_set_node_name("upf1.example.net");
	upf_stats_interface_set_name(N3, "n3");
	upf_stats_interface_set_name(N6, "n6");
	upf_stats_interface_set_name(N9, "n9");
	for (i = N3; i <= N9; i++)
		upf_stats_interface_set_up(i, i != N9);

	for (i = 0; i < SESSIONS; i++) {
		app_must(upf_stats_session_create(i), "session create");
		upf_stats_session_set_ue_prefix(i, prefix);
		upf_stats_add_sessions(1);
	}
	for (i = 0; i < FLOWS; i++) {
		pthread_mutex_init(&flows[i].lock, NULL);
		upf_stats_flow_init(&flows[i].stats);
	}
}

/** Release what is still held, stop. */
static void
drain(void)
{
	uint32_t i;

	upf_stats_set_phase(UPF_STATS_GLOBAL_PHASE_DRAINING);
	for (i = 0; i < SESSIONS; i++) {
		upf_stats_update_release(i, (uint16_t)held[i]);
		bill(i);
	}
	upf_stats_flush();
}

/* Comparison of the statistics with what the workers did. */

static struct tally
passed(uint32_t session, unsigned int direction)
{
	struct tally sum = { 0, 0 };
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		sum.pkts += workers[i].passed[session][direction].pkts;
		sum.bytes += workers[i].passed[session][direction].bytes;
	}
	return sum;
}

static uint64_t
policed(uint32_t session, unsigned int direction)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < WORKERS; i++)
		sum += workers[i].policed[session][direction];
	return sum;
}

/** A session, its URR and its PDRs. */
static void
check_session(uint32_t i)
{
	const struct tally ul = passed(i, UPLINK);
	const struct tally dl = passed(i, DOWNLINK);
	struct upf_stats_session session;
	struct upf_stats_pdr pdr;
	unsigned int direction;

	app_read(upf_stats_session_read(i, &session), "session read");
	app_check("ul_pkts of session", i, session.ul_pkts, ul.pkts);
	app_check("ul_bytes of session", i, session.ul_bytes, ul.bytes);
	app_check("dl_pkts of session", i, session.dl_pkts, dl.pkts);
	app_check("dl_bytes of session", i, session.dl_bytes, dl.bytes);
	app_check("buffered_pkts of session", i, session.buffered_pkts, 0);

	app_check("ul_pkts billed for urr", i, billed[i].ul_pkts, ul.pkts);
	app_check("dl_pkts billed for urr", i, billed[i].dl_pkts, dl.pkts);
	app_check("total_pkts billed for urr", i, billed[i].total_pkts, ul.pkts + dl.pkts);
	app_check("total_bytes billed for urr", i, billed[i].total_bytes, ul.bytes + dl.bytes);

	for (direction = UPLINK; direction < DIRECTIONS; direction++) {
		app_read(upf_stats_pdr_read(pdr_of(i, direction), &pdr), "pdr read");
		app_check("pkts of pdr", pdr_of(i, direction), pdr.pkts,
				passed(i, direction).pkts + policed(i, direction));
		app_check("bytes of pdr", pdr_of(i, direction), pdr.bytes,
				passed(i, direction).bytes);
	}
}

static void
check_qer(uint32_t i)
{
	struct tally pass = { 0, 0 };
	struct upf_stats_qer qer;
	uint64_t drop = 0;
	uint32_t session;
	unsigned int direction;

	for (session = i * SESSIONS_PER_QER; session < (i + 1) * SESSIONS_PER_QER; session++) {
		for (direction = UPLINK; direction < DIRECTIONS; direction++) {
			pass.pkts += passed(session, direction).pkts;
			pass.bytes += passed(session, direction).bytes;
			drop += policed(session, direction);
		}
	}
	app_read(upf_stats_qer_read(i, &qer), "qer read");
	app_check("passed_pkts of qer", i, qer.passed_pkts, pass.pkts);
	app_check("passed_bytes of qer", i, qer.passed_bytes, pass.bytes);
	app_check("dropped_pkts of qer", i, qer.dropped_pkts, drop);
}

static void
check_flow(uint32_t i)
{
	struct upf_stats_flow flow;
	struct tally sum = { 0, 0 };
	unsigned int w;

	for (w = 0; w < WORKERS; w++) {
		sum.pkts += workers[w].flow[i].pkts;
		sum.bytes += workers[w].flow[i].bytes;
	}
	pthread_mutex_lock(&flows[i].lock);
	app_read(upf_stats_flow_reset(&flows[i].stats, &flow), "flow reset");
	pthread_mutex_unlock(&flows[i].lock);
	app_check("pkts of flow", i, flow.pkts, sum.pkts);
	app_check("bytes of flow", i, flow.bytes, sum.bytes);
}

/** An interface that packets of a direction come from, and its queues. */
static void
check_interface(uint32_t i, unsigned int direction)
{
	struct upf_stats_interface interface;
	struct upf_stats_queue queue;
	struct tally rx = { 0, 0 };
	uint32_t w;

	for (w = 0; w < WORKERS; w++) {
		rx.pkts += workers[w].rx[direction].pkts;
		rx.bytes += workers[w].rx[direction].bytes;
		app_read(upf_stats_queue_read(i, w, &queue), "queue read");
		app_check("pkts of queue", w, queue.pkts, workers[w].rx[direction].pkts);
		app_check("bursts of queue", w, queue.bursts, workers[w].bursts[direction]);
		app_check("full_bursts of queue", w, queue.full_bursts,
				workers[w].full_bursts[direction]);
	}
	app_read(upf_stats_interface_read(i, &interface), "interface read");
	app_check("rx_pkts of interface", i, interface.rx_pkts, rx.pkts);
	app_check("rx_bytes of interface", i, interface.rx_bytes, rx.bytes);
	printf("  %-4s %-4s in %10" PRIu64 " packets %14" PRIu64 " bytes  out %10" PRIu64
			" packets %14" PRIu64 " bytes\n", interface.name,
			interface.up ? "up" : "down", interface.rx_pkts, interface.rx_bytes,
			interface.tx_pkts, interface.tx_bytes);
}

static void
check_global(void)
{
	struct upf_stats_global global;
	uint64_t malformed = 0, no_session = 0, no_pdr = 0, rate = 0, forwarded = 0;
	unsigned int direction;
	uint32_t i;

	for (i = 0; i < WORKERS; i++) {
		malformed += workers[i].malformed;
		no_session += workers[i].no_session;
		no_pdr += workers[i].no_pdr;
	}
	for (i = 0; i < SESSIONS; i++) {
		for (direction = UPLINK; direction < DIRECTIONS; direction++) {
			forwarded += passed(i, direction).pkts;
			rate += policed(i, direction);
		}
	}
	app_read(upf_stats_global_read(&global), "global read");
	app_check("forwarded_pkts", 0, global.forwarded_pkts, forwarded);
	app_check("drop_malformed", 0, global.drop_malformed, malformed);
	app_check("drop_no_session", 0, global.drop_no_session, no_session);
	app_check("drop_no_pdr", 0, global.drop_no_pdr, no_pdr);
	app_check("drop_rate", 0, global.drop_rate, rate);
	app_check("echo_requests", 0, global.echo_requests, echo_requests);
	app_check("sessions", 0, global.sessions, SESSIONS);
	app_check("buffered_pkts", 0, global.buffered_pkts, 0);
	app_check("phase", 0, (uint64_t)global.phase, UPF_STATS_GLOBAL_PHASE_DRAINING);
	app_check("node_name", 0, (uint64_t)strcmp(global.node_name, "upf1.example.net"), 0);

	printf("  forwarded %" PRIu64 "; dropped %" PRIu64 " malformed, %" PRIu64
			" without session, %" PRIu64 " without rule, %" PRIu64 " over rate\n",
			global.forwarded_pkts, global.drop_malformed, global.drop_no_session,
			global.drop_no_pdr, global.drop_rate);
}

int
main(int argc, char **argv)
{
	uint32_t i;

	app_start(argc, argv);
	app_must(upf_stats_init(), "upf_stats_init");
	associate();

	for (i = 0; i < WORKERS; i++) {
		workers[i].queue = i;
		workers[i].random = 88172645463325252u + i;
	}
	app_run(worker_main, workers, sizeof(workers[0]), WORKERS, control);
	drain();

	printf("%s: %u sessions, %u workers\n", upf_stats_module.name, SESSIONS, WORKERS);
	check_interface(N3, UPLINK);
	check_interface(N6, DOWNLINK);
	check_global();
	for (i = 0; i < SESSIONS; i++)
		check_session(i);
	for (i = 0; i < QERS; i++)
		check_qer(i);
	for (i = 0; i < FLOWS; i++)
		check_flow(i);

	upf_stats_fini();
	app_stop();
	return app_verdict();
}
