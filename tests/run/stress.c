/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * All mechanisms at the same time: at the end each count is to the unit what was added, and what a
 * flow returns at its end is what was counted in that flow.
 *
 * Writers count amounts at the bounds of their types in every kind of call; they register and
 * unregister, are interrupted by a timer and moved between CPUs. Readers read flows in all ways,
 * whether or not there are any. The control thread creates flows with their legs and ends them,
 * resets in two views and by snapshots, polls, trims and forks. As an lcore, a writer counts flows,
 * and reports quiescence after each burst; without an lcore id it counts what always exists.
 *
 * Options: MS, how long; SEED of all that is drawn; FORKS, 1 or 0; TIMER, microseconds between
 * two interrupts, 0 for none.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "ctr.h"
#include "amo_stats.h"
#include "harness.h"

#define WRITERS 3u
#define READERS 2u
#define PLACES 64u
#define LEGS AMO_STATS_LEG_MAX
#define BURST 40u /* more than a bulk call handles at a time */

/* All counts but those of flows, of one writer or taken by resets; each modulo 2^64. */
struct sums {
	uint64_t wide, narrow, sizes_sum, sizes, powers_sum, powers;
	uint64_t cell[AMO_STATS_CELL_MAX][4];
};

/* The counts of a flow and of its legs. */
struct bill {
	uint64_t pkts, bytes, marks, leg_pkts, leg_bytes;
};

static struct sums added[WRITERS], taken, billed;
static uint64_t levels[WRITERS];
/* One more than the index of a flow that writers may count in, by place; 0: none. */
static uint32_t published[PLACES];
/* What each writer counted in the flow of a place, and what resets have taken of that. */
static struct bill counted[WRITERS][PLACES], taken_of[PLACES];
static uint32_t place_of[AMO_STATS_FLOW_MAX];
static uint64_t packets; /* of flows that have ended */
static uint32_t stop, working;
static uint64_t interrupts;
static struct amo_stats_snapshot *snapshot;
static cpu_set_t all_cpus;

/* ---- writers ---- */

static uint64_t
amount(struct worker *me)
{
	uint32_t r = draw(me) % 10;

	return r < 7 ? corners[r] : draw(me);
}

static void
note_cell(struct sums *mine, uint32_t cell, uint64_t a, uint64_t b, uint32_t c, uint64_t d)
{
	mine->cell[cell][0] += a;
	mine->cell[cell][1] += b;
	mine->cell[cell][2] += c;
	mine->cell[cell][3] += d;
}

/* An amount for each of four counters: by single calls, a bulk call or a batch. */
static void
count_cells(struct worker *me, struct sums *mine)
{
	uint64_t a[BURST], b[BURST], d[BURST];
	uint32_t cell[BURST], c[BURST];
	unsigned int n = draw(me) % BURST + 1, way = draw(me) % 3, i;
	struct amo_stats_batch batch;

	for (i = 0; i < n; i++) {
		cell[i] = i > 0 && draw(me) % 2 != 0 ? cell[i - 1] : draw(me) % AMO_STATS_CELL_MAX;
		a[i] = amount(me);
		b[i] = amount(me);
		c[i] = (uint32_t)amount(me);
		d[i] = amount(me);
		note_cell(mine, cell[i], a[i], b[i], c[i], d[i]);
	}
	if (way == 0) {
		amo_stats_update_four_bulk(cell, a, b, c, d, n);
		return;
	}
	amo_stats_batch_begin(&batch);
	for (i = 0; i < n; i++) {
		if (way == 1)
			amo_stats_update_four(cell[i], a[i], b[i], c[i], d[i]);
		else
			amo_stats_batch_four(&batch, cell[i], a[i], b[i], c[i], d[i]);
	}
	amo_stats_batch_end(&batch);
}

/* Items one by one, an observation, a gauge. */
static void
count_items(struct worker *me, struct sums *mine)
{
	uint32_t cell = draw(me) % AMO_STATS_CELL_MAX, small = (uint32_t)amount(me);
	uint64_t n = amount(me), value = amount(me);

	amo_stats_add_wide(n);
	amo_stats_inc_narrow();
	amo_stats_cell_add_c(cell, small);
	amo_stats_cell_add_d(cell, n);
	amo_stats_observe_sizes(value);
	amo_stats_update_watch(0, value, small);
	amo_stats_add_level(n);
	amo_stats_sub_level(small);
	amo_stats_update_types(cell, 255, UINT16_MAX, small, value);
	amo_stats_update_group(cell, (uint16_t)n, small, (uint32_t)value, 1);
	note_cell(mine, cell, (uint16_t)n, small, 0, (uint32_t)value);
	note_cell(mine, cell, 0, 0, small, n);
	note_cell(mine, cell, 255, UINT16_MAX, small, value);
	mine->wide += n + value + 1;
	mine->narrow += UINT64_C(1) + small;
	mine->sizes += 2;
	mine->sizes_sum += 2 * value;
	mine->powers++;
	mine->powers_sum += value;
	levels[me->number] += n - small;
}

/* Packets of flows that are published. */
static void
count_flows(struct worker *me, struct sums *mine)
{
	uint32_t flow[BURST], leg[BURST], mark[BURST];
	uint64_t size[BURST];
	unsigned int n, i;

	for (n = 0, i = 0; i < BURST; i++) {
		uint32_t place = draw(me) % PLACES;
		uint32_t found = __atomic_load_n(&published[place], __ATOMIC_ACQUIRE);
		struct bill *bill = &counted[me->number][place];

		if (found == 0)
			continue;
		flow[n] = found - 1;
		leg[n] = draw(me) % LEGS;
		size[n] = amount(me);
		mark[n] = (uint32_t)amount(me);
		mine->wide += size[n];
		bill->pkts++;
		bill->bytes += size[n];
		bill->marks += mark[n];
		bill->leg_pkts++;
		bill->leg_bytes += size[n++];
	}
	if (draw(me) % 2 != 0) {
		amo_stats_update_packet_bulk(flow, leg, size, mark, n);
		return;
	}
	for (i = 0; i < n; i++)
		amo_stats_update_packet(flow[i], leg[i], size[i], mark[i]);
}

/* Be an lcore for some bursts. */
static void
count_as_lcore(struct worker *me, struct sums *mine)
{
	unsigned int bursts = draw(me) % 256;

	EQUAL(ctr_thread_register(), 0);
	amo_stats_quiescent();
	while (bursts-- > 0 && !is_set(&stop)) {
		count_flows(me, mine);
		if (bursts % 4 == 0)
			count_cells(me, mine);
		count_items(me, mine);
		if (draw(me) % 2 != 0)
			amo_stats_quiescent();
		else
			amo_stats_hint_flush();
		if (draw(me) % 16 == 0)
			amo_stats_flush();
		if (draw(me) % 16 == 0) {
			amo_stats_flush();
			ctr_quiescent_offline();
			ctr_yield();
			ctr_quiescent_online();
		}
	}
	/* Half of the time what is held back is left to the end of the registration. */
	if (draw(me) % 2 != 0)
		amo_stats_flush();
	ctr_thread_unregister();
}

static void
write_all(struct worker *me)
{
	struct sums *mine = &added[me->number];
	unsigned int i;

	me->random += option("SEED", 1);
	while (!is_set(&stop)) {
		count_as_lcore(me, mine);
		for (i = draw(me) % 64; i > 0; i--) {
			count_items(me, mine);
			count_cells(me, mine);
		}
		ctr_yield();
	}
	(void)__atomic_fetch_sub(&working, 1, __ATOMIC_RELEASE);
}

/* ---- readers ---- */

/* No number of packets is below 0, in whatever way it is read. */
static void
read_flow(uint32_t flow, uint32_t leg)
{
	struct amo_stats_flow values = { 0 };
	struct amo_stats_leg part = { 0 };
	uint64_t most;

	(void)amo_stats_flow_read(flow, &values);
	most = values.pkts;
	(void)amo_stats_flow_view_read(AMO_STATS_VIEW_BILL, flow, &values);
	most |= values.pkts;
	(void)amo_stats_flow_lcore_read(0, flow, &values);
	most |= values.pkts;
	(void)amo_stats_leg_read(flow, leg, &part);
	most |= part.pkts | amo_stats_flow_get_pkts(flow) | amo_stats_leg_get_pkts(flow, leg) |
		amo_stats_flow_lcore_get_pkts(0, flow);
	CHECK(most >> 40 == 0, "flow %" PRIu32 " is read as %#" PRIx64, flow, most);
}

static void
read_all(struct worker *me)
{
	struct amo_stats_snapshot *all;
	struct amo_stats_global global;
	unsigned int i;
	int rc;

	EQUAL(amo_stats_snapshot_create(&all), 0);
	while (!is_set(&stop)) {
		for (i = 0; i < 64; i++) {
			uint32_t found = __atomic_load_n(&published[i % PLACES], __ATOMIC_RELAXED);

			read_flow(found != 0 && i % 4 != 0 ? found - 1 : draw(me) % AMO_STATS_FLOW_MAX,
				  i % LEGS);
		}
		rc = draw(me) % 16 == 0 ? amo_stats_snapshot_read(all) : amo_stats_global_read(&global);
		CHECK(rc == 0 || rc == -EAGAIN, "a read gives %d", rc);
		ctr_yield();
	}
	amo_stats_snapshot_free(all);
}

/* ---- resets ---- */

static void
take_global(struct sums *sums, const struct amo_stats_global *last)
{
	unsigned int i;

	sums->wide += last->wide;
	sums->narrow += last->narrow;
	sums->sizes_sum += last->sizes_sum;
	sums->powers_sum += last->powers_sum;
	for (i = 0; i <= amo_stats_global_sizes_histogram.num_bounds; i++)
		sums->sizes += ctr_histogram_bucket(&amo_stats_global_sizes_histogram, last, i);
	for (i = 0; i <= amo_stats_global_powers_histogram.num_bounds; i++)
		sums->powers += ctr_histogram_bucket(&amo_stats_global_powers_histogram, last, i);
}

static void
take_cell(struct sums *sums, uint32_t cell, const struct amo_stats_cell *last)
{
	note_cell(sums, cell, last->a, last->b, last->c, last->d);
}

static void
take_flow(uint32_t flow, const struct amo_stats_flow *last)
{
	struct bill *bill = &taken_of[place_of[flow]];

	bill->pkts += last->pkts;
	bill->bytes += last->bytes;
	bill->marks += last->marks;
}

static void
take_leg(uint32_t flow, uint32_t leg, const struct amo_stats_leg *last, void *user)
{
	struct bill *bill = &taken_of[place_of[flow]];

	(void)leg, (void)user;
	bill->leg_pkts += last->pkts;
	bill->leg_bytes += last->bytes;
}

static void
check_rc(int rc, const char *what)
{
	CHECK(rc == 0 || rc == -EAGAIN, "%s gives %d", what, rc);
}

static void
reset_by_snapshot(void)
{
	uint32_t i;

	check_rc(amo_stats_snapshot_reset(snapshot), "snapshot_reset");
	take_global(&taken, &snapshot->global);
	for (i = 0; i < AMO_STATS_CELL_MAX; i++)
		take_cell(&taken, i, &snapshot->cell[i]);
	for (i = 0; i < snapshot->num_flow; i++)
		take_flow(snapshot->flow_index[i], &snapshot->flow[i]);
	for (i = 0; i < snapshot->num_leg; i++)
		take_leg(snapshot->leg_index[i] / LEGS, 0, &snapshot->leg[i], NULL);
}

static void
reset_some(struct worker *me)
{
	uint32_t cell = draw(me) % AMO_STATS_CELL_MAX, found = published[draw(me) % PLACES];
	struct amo_stats_global global;
	struct amo_stats_cell values;
	struct amo_stats_flow flow;
	struct amo_stats_leg leg;

	check_rc(amo_stats_cell_reset(cell, &values), "cell_reset");
	take_cell(&taken, cell, &values);
	check_rc(amo_stats_cell_view_reset(AMO_STATS_VIEW_BILL, cell, &values), "view_reset");
	take_cell(&billed, cell, &values);
	if (draw(me) % 2 != 0) {
		check_rc(amo_stats_global_reset(&global), "global_reset");
		take_global(&taken, &global);
	} else {
		check_rc(amo_stats_global_view_reset(AMO_STATS_VIEW_BILL, &global), "view_reset");
		take_global(&billed, &global);
	}
	if (found != 0) {
		check_rc(amo_stats_flow_reset(found - 1, &flow), "flow_reset");
		take_flow(found - 1, &flow);
		check_rc(amo_stats_leg_reset(found - 1, draw(me) % LEGS, &leg), "leg_reset");
		take_leg(found - 1, 0, &leg, NULL);
	}
	if (draw(me) % 4 == 0)
		reset_by_snapshot();
}

/* ---- lives ---- */

static void
drain(void)
{
	amo_stats_poll();
}

static void
begin_flow(struct worker *me, uint32_t place)
{
	uint32_t flow, leg;

	/* In the first piece of memory, or anywhere. */
	if (draw(me) % 2 != 0) {
		flow = draw(me) % AMO_STATS_FLOW_MAX;
		if (amo_stats_flow_create(flow) != 0)
			return; /* it exists, or is not settled */
	} else if (amo_stats_flow_alloc(&flow) != 0) {
		return; /* none is settled */
	}
	for (leg = 0; leg < LEGS; leg++)
		EQUAL(amo_stats_leg_create(flow, leg), 0);
	EQUAL(amo_stats_flow_get_pkts(flow), 0);
	EQUAL(amo_stats_leg_get_bytes(flow, 0), 0);
	place_of[flow] = place;
	__atomic_store_n(&published[place], flow + 1, __ATOMIC_RELEASE);
}

static void
check_bill(uint32_t place)
{
	const struct bill *got = &taken_of[place];
	struct bill whole = { 0 };
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		whole.pkts += counted[i][place].pkts;
		whole.bytes += counted[i][place].bytes;
		whole.marks += counted[i][place].marks;
		whole.leg_pkts += counted[i][place].leg_pkts;
		whole.leg_bytes += counted[i][place].leg_bytes;
		memset(&counted[i][place], 0, sizeof(counted[i][place]));
	}
	CHECK(got->pkts == whole.pkts && got->bytes == whole.bytes &&
	      (uint32_t)(got->marks - whole.marks) == 0 && got->leg_pkts == whole.leg_pkts &&
	      got->leg_bytes == whole.leg_bytes, "the bill of a flow is off by %" PRId64
	      " packets, %" PRId64 " octets, %" PRId32 " marks, of its legs by %" PRId64
	      " packets, %" PRId64 " octets", (int64_t)(got->pkts - whole.pkts),
	      (int64_t)(got->bytes - whole.bytes), (int32_t)(got->marks - whole.marks),
	      (int64_t)(got->leg_pkts - whole.leg_pkts),
	      (int64_t)(got->leg_bytes - whole.leg_bytes));
	memset(&taken_of[place], 0, sizeof(taken_of[place]));
	packets += whole.pkts;
}

/* Wait for the end of a flow or of one of its legs. */
#define UNTIL_ENDED(end)                                                       \
	do {                                                                   \
		unsigned int spins = 0;                                        \
		int rc;                                                        \
                                                                               \
		while ((rc = (end)) == -EINPROGRESS) {                         \
			drain();                                               \
			ctr_spin_wait(&spins);                                 \
		}                                                              \
		EQUAL(rc, 0);                                                  \
	} while (0)

/* End some flows, their legs first or with them, while writers that found them may go on until they
 * report. */
static void
end_flows(uint32_t first, uint32_t n)
{
	static const struct amo_stats_end_ops ops = { .leg = take_leg };
	uint32_t ending[PLACES], place, leg, i;
	struct amo_stats_flow last;
	struct amo_stats_leg part;

	for (place = first; place < first + n; place++)
		ending[place - first] = __atomic_exchange_n(&published[place % PLACES], 0, __ATOMIC_SEQ_CST);
	for (i = 0; i < n; i++) {
		uint32_t flow = ending[i] - 1;

		if (ending[i] == 0)
			continue;
		for (leg = 0; i % 2 == 0 && leg < LEGS; leg++) {
			UNTIL_ENDED(amo_stats_leg_destroy(flow, leg, &part));
			take_leg(flow, leg, &part, NULL);
		}
		UNTIL_ENDED(amo_stats_flow_destroy_with(flow, &last, &ops, NULL));
		take_flow(flow, &last);
		check_bill(place_of[flow]);
	}
}

/* ---- what disturbs ---- */

static void
interrupted(int number)
{
	(void)number;
	(void)__atomic_fetch_add(&interrupts, 1, __ATOMIC_RELAXED);
}

/* Have a timer interrupt writers, not this thread. */
static void
set_timer(long us)
{
	struct itimerval often = { { 0, us }, { 0, us } };
	struct sigaction action;
	sigset_t alarms;

	memset(&action, 0, sizeof(action));
	action.sa_handler = interrupted;
	action.sa_flags = SA_RESTART;
	EQUAL(sigaction(SIGALRM, &action, NULL), 0);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	EQUAL(pthread_sigmask(SIG_BLOCK, &alarms, NULL), 0);
	EQUAL(setitimer(ITIMER_REAL, &often, NULL), 0);
}

/* Move a writer to some CPU, or let it run on any. */
static void
move_writer(struct worker *me, pthread_t writer)
{
	unsigned int cpu = draw(me) % 8;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	(void)pthread_setaffinity_np(writer, sizeof(one),
				     CPU_ISSET(cpu, &all_cpus) ? &one : &all_cpus);
}

/* A child of fork() counts and reads. */
static void
fork_one(void)
{
	struct amo_stats_cell cell;
	const pid_t child = fork_off();

	if (child == 0) {
		amo_stats_update_four(0, 1, 2, 3, 4);
		amo_stats_flush();
		check_rc(amo_stats_cell_read(0, &cell), "cell_read of a child");
		_exit(0);
	}
	ended_well(child);
}

/* ---- the control thread ---- */

static void
step(struct worker *me, struct worker *workers, bool forks)
{
	struct amo_stats_global global;
	uint32_t place = draw(me) % PLACES;
	int rc;

	drain();
	switch (draw(me) % 8) {
	case 0:
		end_flows(place, draw(me) % (draw(me) % 32 == 0 ? PLACES : 8) + 1);
		break;
	case 1:
		rc = draw(me) % 2 != 0 ? amo_stats_flow_trim() : amo_stats_leg_trim();
		CHECK(rc == 0 || rc == -EINPROGRESS || rc == -ENOTSUP, "trim gives %d", rc);
		break;
	case 2:
		check_rc(amo_stats_global_view_read(AMO_STATS_VIEW_BILL, &global), "view_read");
		check_rc(amo_stats_snapshot_read(snapshot), "snapshot_read");
		break;
	case 3:
		move_writer(me, workers[draw(me) % WRITERS].thread);
		break;
	case 4:
		if (forks && draw(me) % 16 == 0)
			fork_one();
		break;
	default:
		reset_some(me);
	}
	if (published[place] == 0)
		begin_flow(me, place);
}

static void
add_sums(struct sums *to, const struct sums *more)
{
	uint64_t *sum = (uint64_t *)to;
	const uint64_t *n = (const uint64_t *)more;
	size_t i;

	for (i = 0; i < sizeof(*to) / sizeof(*sum); i++)
		sum[i] += n[i];
}

/* What was taken in a view is what was added. */
static void
compare(const char *view, struct sums *got, struct sums *wanted)
{
	uint32_t i, k;

	EQUAL(got->wide - wanted->wide, 0);
	EQUAL((uint32_t)got->narrow - (uint32_t)wanted->narrow, 0);
	EQUAL(got->sizes - wanted->sizes, 0);
	EQUAL(got->sizes_sum - wanted->sizes_sum, 0);
	EQUAL(got->powers - wanted->powers, 0);
	EQUAL(got->powers_sum - wanted->powers_sum, 0);
	for (i = 0; i < AMO_STATS_CELL_MAX; i++) {
		for (k = 0; k < 4; k++) {
			uint64_t off = got->cell[i][k] - wanted->cell[i][k];

			CHECK((k == 2 ? (uint32_t)off : off) == 0, "%s: counter %u of cell %u is off by %"
			      PRId64, view, k, i, (int64_t)off);
		}
	}
}

static void
check_all(void)
{
	struct amo_stats_global global;
	struct amo_stats_cell cell;
	struct sums whole, raw;
	uint64_t level = 0;
	uint32_t i;

	memset(&whole, 0, sizeof(whole));
	memset(&raw, 0, sizeof(raw));
	for (i = 0; i < WRITERS; i++) {
		add_sums(&whole, &added[i]);
		level += levels[i];
	}
	reset_by_snapshot();
	check_rc(amo_stats_global_view_reset(AMO_STATS_VIEW_BILL, &global), "view_reset");
	take_global(&billed, &global);
	check_rc(amo_stats_global_view_read(AMO_STATS_VIEW_RAW, &global), "view_read");
	take_global(&raw, &global);
	for (i = 0; i < AMO_STATS_CELL_MAX; i++) {
		check_rc(amo_stats_cell_view_reset(AMO_STATS_VIEW_BILL, i, &cell), "view_reset");
		take_cell(&billed, i, &cell);
		check_rc(amo_stats_cell_view_read(AMO_STATS_VIEW_RAW, i, &cell), "view_read");
		take_cell(&raw, i, &cell);
	}
	compare("resets", &taken, &whole);
	compare("a view", &billed, &whole);
	compare("all", &raw, &whole);
	EQUAL(amo_stats_get_level(), ctr_latch(level, 0, INT64_MAX));
	EQUAL(amo_stats_late(), 0);
	EQUAL(amo_stats_drops(), 0);
	CHECK(packets > 0, "no flow was counted");
	printf("packets=%" PRIu64 " interrupts=%" PRIu64 "\n", packets, interrupts);
}

TEST(stress)
{
	uint64_t end = ctr_time_ns() + option("MS", 2000) * 1000000, seed = option("SEED", 1), i;
	struct worker workers[WRITERS + READERS], control = { 0 };
	bool forks = option("FORKS", 1) != 0;

	printf("seed=%" PRIu64 "\n", seed);
	fflush(stdout);
	control.random = 0x9e3779b97f4a7c15u + seed;
	(void)sched_getaffinity(0, sizeof(all_cpus), &all_cpus);
	EQUAL(amo_stats_init(), 0);
	EQUAL(amo_stats_snapshot_create(&snapshot), 0);
	working = WRITERS;
	workers_start(workers, WRITERS, write_all, 0);
	workers_start(workers + WRITERS, READERS, read_all, 0);
	set_timer((long)option("TIMER", 300));
	workers_go();
	for (i = 0; ctr_time_ns() < end || i < 100; i++) {
		step(&control, workers, forks);
		if (i % 8 == 0)
			ctr_yield();
	}
	set_flag(&stop, 1);
	while (is_set(&working)) {
		drain();
		ctr_yield();
	}
	workers_join(workers, WRITERS + READERS);
	set_timer(0);
	amo_stats_flush();
	drain();
	end_flows(0, PLACES);
	check_all();
	printf("steps=%" PRIu64 "\n", i);
	amo_stats_snapshot_free(snapshot);
	amo_stats_fini();
}
