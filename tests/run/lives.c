/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Flows that come and go under traffic: every bill is what was counted in that life.
 *
 * Writers count bursts into the flows that they find published. Each keeps a tally of its
 * own for every life, and reports quiescence after each burst. The writer without an lcore
 * id uses every second place only, and says in a word of the test that its burst is over,
 * since the module does not wait for it. The control thread creates,
 * resets in several views and destroys; then it compares the bill with the tallies. One
 * more thread registers for each of its bursts, and leaves behind what it holds back.
 *
 * Options: LIVES; WRITERS with an lcore id; FOREIGN and GUESTS, 1 or 0: whether there is one
 * that has none, and one that comes and goes; FLOWS
 * that exist at the same time; BURST calls between two reports.
 */
#include "harness.h"
#include "lives_stats.h"

#define MOST_WRITERS 4
#define MOST_FLOWS 1024u
#define MOST_BURST 64u
#define RING 8192u /* lives that are not billed yet, at most */
#define QUIET 16u  /* of so many lives one ends after all traffic of it */
#define OFTEN 8u   /* bursts between two flushes of an lcore */

/* What was counted in a life. */
struct tally {
	uint64_t pkts;
	uint64_t bytes;
	uint64_t marks;
};

/* Where a flow is on its way. */
enum stage {
	PUBLISHED,
	WITHDRAWN, /* no new burst finds it */
	FLUSHED,   /* lcores have reported since; now they flush */
	ENDING,    /* _destroy() was called */
};

/* A life that is not billed yet. */
struct life {
	struct life *next; /* in the list of those that end */
	uint64_t number;
	uint64_t moment;
	uint64_t burst; /* of the thread without an lcore id, if it finds this life */
	uint64_t flushes[MOST_WRITERS];
	bool foreign;
	enum stage stage;
	uint32_t index;
	struct tally own;    /* of the control thread */
	struct tally reset;  /* taken in the default view */
	struct tally shown;  /* taken in a view of its own */
	struct tally billed; /* and in another */
};

/* The number of a life and its index, by place; 0: none. */
static uint64_t published[MOST_FLOWS];
static struct tally tallies[MOST_WRITERS][RING];
static struct life lives[RING];
static struct life *ending;
static uint64_t foreign_bursts;
static uint64_t flushes[MOST_WRITERS]; /* by those with an lcore id */
static uint32_t stop, flush_wanted;
static bool foreign;
static unsigned int writers, guests, flows, burst;
static uint64_t bills;

static void
add_tally(struct tally *to, const struct tally *more)
{
	to->pkts += more->pkts;
	to->bytes += more->bytes;
	to->marks += more->marks;
}

static void
add_counts(struct tally *to, const struct lives_stats_flow *more)
{
	to->pkts += more->pkts;
	to->bytes += more->bytes;
	to->marks += more->marks;
}

/* ---- writers ---- */

/* Some flows that exist; how many. */
static unsigned int
find(struct worker *me, uint32_t *index, uint64_t *life)
{
	unsigned int i, n = 0;

	for (i = 0; i < burst; i++) {
		uint32_t place = me->registered ? draw(me) % flows : draw(me) % flows & ~1u;
		uint64_t now = __atomic_load_n(&published[place], __ATOMIC_ACQUIRE);

		if (now == 0)
			continue;
		index[n] = (uint32_t)now;
		life[n++] = now >> 32;
	}
	return n;
}

/* Count packets, in a different way each time. */
static void
count(struct worker *me, const uint32_t *index, const uint16_t *size, unsigned int n)
{
	struct lives_stats_batch batch;
	unsigned int i;

	switch (draw(me) % 3) {
	case 0:
		lives_stats_update_packet_bulk(index, size, n);
		break;
	case 1:
		lives_stats_batch_begin(&batch);
		for (i = 0; i < n; i++)
			lives_stats_batch_packet(&batch, index[i], size[i]);
		lives_stats_batch_end(&batch);
		break;
	default:
		for (i = 0; i < n; i++)
			lives_stats_update_packet(index[i], size[i]);
	}
}

static void
one_burst(struct worker *me)
{
	uint64_t life[MOST_BURST];
	uint32_t index[MOST_BURST];
	uint16_t size[MOST_BURST];
	unsigned int n = find(me, index, life), i;

	for (i = 0; i < n; i++) {
		struct tally *tally = &tallies[me->number][life[i] % RING];

		size[i] = (uint16_t)(64 + i);
		tally->pkts++;
		tally->bytes += size[i];
		if (i % 8 == 0) {
			tally->marks += 3;
			lives_stats_flow_add_marks(index[i], 3);
			lives_stats_flow_add_depth(index[i], 5);
		}
	}
	count(me, index, size, n);
}

/* While nothing ends, a report applies nothing of what is held back. */
static void
flush_and_say_so(struct worker *me)
{
	lives_stats_flush();
	__atomic_store_n(&flushes[me->number], flushes[me->number] + 1, __ATOMIC_RELEASE);
}

static void
count_bursts(struct worker *me)
{
	uint64_t bursts = 0;

	/* It takes part from its first report on, which so comes before its first burst. */
	lives_stats_quiescent();
	while (!is_set(&stop)) {
		one_burst(me);
		bursts++;
		if (!me->registered) {
			__atomic_store_n(&foreign_bursts, bursts, __ATOMIC_RELEASE);
		} else if (bursts % 1024 == 0) {
			/* It sleeps, and nobody waits for it. */
			flush_and_say_so(me);
			ctr_quiescent_offline();
			ctr_yield();
			ctr_quiescent_online();
		} else {
			if (is_set(&flush_wanted) || bursts % OFTEN == 0)
				flush_and_say_so(me);
			if (bursts % 2 == 0)
				lives_stats_quiescent();
			else
				lives_stats_hint_flush();
		}
		/* With fewer cores than threads, others would wait for a time slice. */
		if (bursts % 64 == 0)
			ctr_yield();
	}
	if (me->registered) {
		lives_stats_flush();
		__atomic_store_n(&flushes[me->number], UINT64_MAX, __ATOMIC_RELEASE);
		ctr_quiescent_offline();
	} else {
		__atomic_store_n(&foreign_bursts, UINT64_MAX, __ATOMIC_RELEASE);
	}
}

/* It takes part from its report on, until it leaves. */
static void
come_and_go(struct worker *me)
{
	me->registered = true;
	while (!is_set(&stop)) {
		EQUAL(ctr_thread_register(), 0);
		lives_stats_quiescent();
		one_burst(me);
		ctr_thread_unregister();
		ctr_yield();
	}
	me->registered = false;
}

/* What is read is no difference of two lives or epochs. */
static void
read_all(struct worker *me)
{
	struct lives_stats_flow flow;
	uint64_t reads;

	for (reads = 0; !is_set(&stop); reads++) {
		uint32_t at = draw(me) % LIVES_STATS_FLOW_MAX;
		int rc = lives_stats_flow_view_read(LIVES_STATS_VIEW_SHOWN, at, &flow);

		CHECK(rc == 0 || rc == -ENOENT || rc == -EAGAIN, "view_read gives %d", rc);
		CHECK(flow.pkts >> 40 == 0 && flow.bytes >> 40 == 0 && flow.marks >> 28 == 0,
		      "a read gives %" PRIu64 " packets", flow.pkts);
		CHECK(lives_stats_flow_get_pkts(at) >> 40 == 0, "a getter gives less than 0");
		if (reads % 256 == 0)
			ctr_yield();
	}
}

/* ---- the control thread ---- */

/* Whether no burst of the thread without an lcore id goes on that began before `then`. */
static bool
foreign_passed(uint64_t then)
{
	uint64_t now = __atomic_load_n(&foreign_bursts, __ATOMIC_ACQUIRE);

	/* One that was going on, and one that may not have seen it withdrawn. */
	return now == UINT64_MAX || now >= then + 2;
}

static void
note_flushes(struct life *life)
{
	for (unsigned int n = 0; n < MOST_WRITERS; n++)
		life->flushes[n] = __atomic_load_n(&flushes[n], __ATOMIC_ACQUIRE);
}

/* Whether each of them has begun a flush since, and ended it; who comes and goes does by going. */
static bool
flushed(const struct life *life)
{
	for (unsigned int n = 0; n < MOST_WRITERS; n++) {
		uint64_t now = __atomic_load_n(&flushes[n], __ATOMIC_ACQUIRE);

		if (n < writers && now != UINT64_MAX && now < life->flushes[n] + 2)
			return false;
	}
	return true;
}

/* Reset a flow that exists in one view or another. */
static void
reset_some(struct life *life, uint64_t random)
{
	struct lives_stats_flow last;
	int rc;

	switch (random % 4) {
	case 0:
		rc = lives_stats_flow_view_reset(LIVES_STATS_VIEW_SHOWN, life->index, &last);
		add_counts(&life->shown, &last);
		break;
	case 1:
		rc = lives_stats_flow_view_reset(LIVES_STATS_VIEW_BILLED, life->index, &last);
		add_counts(&life->billed, &last);
		break;
	case 2:
		rc = lives_stats_flow_reset(life->index, &last);
		add_counts(&life->reset, &last);
		break;
	default:
		return;
	}
	CHECK(rc == 0 || rc == -EAGAIN, "a reset gives %d", rc);
}

static void
withdraw(unsigned int place)
{
	uint64_t number = published[place] >> 32;
	struct life *life = &lives[number % RING];

	__atomic_store_n(&published[place], 0, __ATOMIC_SEQ_CST);
	life->stage = WITHDRAWN;
	life->moment = ctr_quiescent_start();
	life->burst = __atomic_load_n(&foreign_bursts, __ATOMIC_SEQ_CST);
	life->next = ending;
	ending = life;
}

/* Nothing of the flow is under way: what views have taken is what was counted. */
static void
reset_quiet(struct life *life)
{
	struct lives_stats_flow last;
	unsigned int w;

	for (w = 0; w < 2; w++) {
		enum lives_stats_view view = w == 0 ? LIVES_STATS_VIEW_SHOWN : LIVES_STATS_VIEW_BILLED;
		struct tally *taken = w == 0 ? &life->shown : &life->billed, whole;
		unsigned int n;
		int rc = lives_stats_flow_view_reset(view, life->index, &last);

		CHECK(rc == 0 || rc == -EAGAIN, "view_reset gives %d", rc);
		add_counts(taken, &last);
		whole = life->own;
		for (n = 0; n < writers + foreign + guests; n++)
			add_tally(&whole, &tallies[n][life->number % RING]);
		CHECK(taken->pkts == whole.pkts && taken->bytes == whole.bytes &&
		      taken->marks == whole.marks, "life %" PRIu64 ": view %u took %" PRIu64
		      " of %" PRIu64 " packets", life->number, (unsigned int)view, taken->pkts,
		      whole.pkts);
	}
}

/* Compare a bill with the tallies, and forget both. */
static void
check_bill(struct life *life, const struct lives_stats_flow *last)
{
	struct tally bill = life->reset, whole = life->own;
	unsigned int n;

	add_counts(&bill, last);
	for (n = 0; n < writers + foreign + guests; n++) {
		add_tally(&whole, &tallies[n][life->number % RING]);
		memset(&tallies[n][life->number % RING], 0, sizeof(tallies[n][0]));
	}
	CHECK(bill.pkts == whole.pkts && bill.bytes == whole.bytes && bill.marks == whole.marks,
	      "the bill of life %" PRIu64 " is off by %" PRId64 " packets, %" PRId64
	      " octets, %" PRId64 " marks", life->number, (int64_t)(bill.pkts - whole.pkts),
	      (int64_t)(bill.bytes - whole.bytes), (int64_t)(bill.marks - whole.marks));
	CHECK(life->shown.pkts <= whole.pkts && life->billed.pkts <= whole.pkts,
	      "a view took more than %" PRIu64 " packets", whole.pkts);
	bills += whole.pkts;
	memset(life, 0, sizeof(*life));
}

/* Go on with a life that ends; whether it has. */
static bool
go_on(struct life *life)
{
	struct lives_stats_flow last;
	int rc;

	if (life->stage == WITHDRAWN) {
		if (life->foreign && !foreign_passed(life->burst))
			return false;
		if (life->number % QUIET != 0) {
			life->stage = ENDING;
		} else {
			if (!ctr_quiescent_passed(life->moment))
				return false;
			life->stage = FLUSHED;
			note_flushes(life);
		}
	}
	if (life->stage == FLUSHED) {
		if (!flushed(life))
			return false;
		lives_stats_flush();
		lives_stats_poll();
		reset_quiet(life);
		life->stage = ENDING;
	}
	rc = lives_stats_flow_destroy(life->index, &last);
	if (rc == -EINPROGRESS)
		return false;
	EQUAL(rc, 0);
	check_bill(life, &last);
	return true;
}

/* All that end are looked after; how many are left. */
static unsigned int
look_after(void)
{
	unsigned int left = 0;
	struct life **at;

	for (at = &ending; *at != NULL;) {
		struct life *next = (*at)->next;

		if (go_on(*at)) {
			*at = next;
		} else {
			at = &(*at)->next;
			left++;
		}
	}
	return left;
}

static void
begin_life(unsigned int place, uint64_t number)
{
	struct life *life = &lives[number % RING];
	unsigned int spins = 0;
	int rc;

	/* As an application that has more customers than memory does: wait for an end. */
	while (life->number != 0) {
		(void)look_after();
		ctr_spin_wait(&spins);
	}
	life->number = number;
	life->foreign = foreign && place % 2 == 0;
	life->stage = PUBLISHED;
	while ((rc = lives_stats_flow_alloc(&life->index)) == -ENOSPC)
		ctr_spin_wait(&spins);
	EQUAL(rc, 0);
	EQUAL(lives_stats_flow_get_pkts(life->index), 0);
	EQUAL(lives_stats_flow_get_depth(life->index), 0);
	/* The control thread counts as well, before others and among them. */
	lives_stats_update_packet(life->index, 100);
	life->own.pkts++;
	life->own.bytes += 100;
	__atomic_store_n(&published[place], number << 32 | life->index, __ATOMIC_RELEASE);
}

/* What is left is billed by what is read. */
static void
check_rest(void)
{
	struct lives_stats_flow now;
	unsigned int place;

	for (place = 0; place < flows; place++) {
		struct life *life = &lives[(published[place] >> 32) % RING];
		int rc = lives_stats_flow_read(life->index, &now);

		/* Exact in any case: a reset before may have met one half of an update. */
		CHECK(rc == 0 || rc == -EAGAIN, "flow_read gives %d", rc);
		check_bill(life, &now);
	}
}

TEST(lives)
{
	uint64_t wanted = option("LIVES", 20000), number, begin, random = 1;
	struct worker workers[MOST_WRITERS + 1];
	unsigned int n, left = 0, spins = 0;

	writers = (unsigned int)option("WRITERS", 2);
	foreign = option("FOREIGN", 1) != 0;
	flows = (unsigned int)option("FLOWS", 256);
	burst = (unsigned int)option("BURST", 32);
	guests = option("GUESTS", 1) != 0;
	CHECK(writers + foreign + guests <= MOST_WRITERS && flows <= MOST_FLOWS && burst <= MOST_BURST,
	      "%u writers, %u flows", writers, flows);
	EQUAL(lives_stats_init(), 0);
	memset(workers, 0, sizeof(workers));
	for (number = 1; number <= flows; number++)
		begin_life((unsigned int)number - 1, number);
	for (n = 0; n < writers + foreign + guests + 1; n++) {
		work_t work = n < writers + foreign ? count_bursts : come_and_go;

		workers[n].number = n;
		worker_start(&workers[n], n == writers + foreign + guests ? read_all : work,
			     n < writers);
	}
	workers_go();
	begin = ctr_time_ns();
	for (; number <= wanted; number++) {
		unsigned int place = (unsigned int)(number % flows);

		random = random * 6364136223846793005u + 1442695040888963407u;
		reset_some(&lives[(published[random >> 40 & (flows - 1)] >> 32) % RING], random >> 33);
		withdraw(place);
		while ((left = look_after()) > 2 * MOST_FLOWS)
			ctr_spin_wait(&spins);
		begin_life(place, number);
	}
	set_flag(&flush_wanted, 1);
	while (look_after() != 0)
		ctr_spin_wait(&spins);
	begin = (ctr_time_ns() - begin) / 1000000;
	set_flag(&stop, 1);
	workers_join(workers, writers + foreign + guests + 1);
	lives_stats_flush();
	check_rest();
	printf("lives=%" PRIu64 " packets=%" PRIu64 " global=%" PRIu64 " late=%" PRIu64 " ms=%" PRIu64 "\n",
	       number - 1, bills, lives_stats_get_pkts(), lives_stats_late(), begin);
	fflush(stdout);
	EQUAL(lives_stats_get_pkts(), bills);
	EQUAL(lives_stats_late(), 0);
	lives_stats_fini();
}
