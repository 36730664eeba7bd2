/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counters of 32 and 64 bits over their wrap, while others read and reset: no value jumps. (amounts.c
 * takes them over it step by step.)
 *
 * Options: ROUNDS over the wrap while others read and reset; STEPS in each, half
 * of them before the wrap.
 */
#include "harness.h"
#include "wrap_stats.h"

#define CELL 2

/* Check every way to read, with nobody else around. */
static void
expect(uint64_t wide, uint32_t narrow)
{
	struct wrap_stats_global global;
	struct wrap_stats_cell cell;

	wrap_stats_flush();
	EQUAL(wrap_stats_get_wide(), wide);
	EQUAL(wrap_stats_get_narrow(), narrow);
	EQUAL(wrap_stats_cell_get_wide(CELL), wide);
	EQUAL(wrap_stats_cell_get_narrow(CELL), narrow);
	EQUAL(wrap_stats_global_read(&global), 0);
	EQUAL(global.wide, wide);
	EQUAL(global.narrow, narrow);
	EQUAL(wrap_stats_cell_read(CELL, &cell), 0);
	EQUAL(cell.wide, wide);
	EQUAL(cell.narrow, narrow);
}

/* Add to everything, in a different way each time. */
static void
add(uint32_t n)
{
	static unsigned int way;
	const uint32_t cells[2] = { CELL, CELL }, parts[2] = { n - n / 3, n / 3 };
	struct wrap_stats_batch batch;

	switch (way++ % 3) {
	case 0:
		wrap_stats_update_both(CELL, n);
		break;
	case 1:
		wrap_stats_update_both_bulk(cells, parts, 2);
		break;
	default:
		wrap_stats_batch_begin(&batch);
		wrap_stats_batch_both(&batch, CELL, parts[0]);
		wrap_stats_batch_both(&batch, CELL, parts[1]);
		wrap_stats_batch_end(&batch);
		break;
	}
}

/* Bring every counter to @p before less than its wrap, from 0. */
static void
approach(uint32_t before)
{
	wrap_stats_add_wide(UINT64_MAX - before + 1);
	wrap_stats_add_narrow(UINT32_MAX - before + 1);
	wrap_stats_cell_add_wide(CELL, UINT64_MAX - before + 1);
	wrap_stats_cell_add_narrow(CELL, UINT32_MAX - before + 1);
}

/* Without a reset the value itself is modulo 2^width, of each counter its own. */
TEST(value)
{
	EQUAL(ctr_thread_register(), 0);
	EQUAL(wrap_stats_init(), 0);
	approach(10);
	add(25);
	expect(15, 15);
	add(UINT32_MAX);
	expect(UINT64_C(15) + UINT32_MAX, 14);
	wrap_stats_fini();
	ctr_thread_unregister();
}

static void *
count_near_wrap(void *before)
{
	EQUAL(ctr_thread_register(), 0);
	approach(*(const uint32_t *)before);
	ctr_thread_unregister();
	return NULL;
}

static uint32_t done, steps;
static uint64_t resets_done;

static void
count_over_wrap(struct worker *me)
{
	uint64_t before = __atomic_load_n(&resets_done, __ATOMIC_RELAXED);
	uint32_t i;

	for (i = 0; i < steps; i++) {
		/* Somebody resets: not only after the last update. */
		while (me->data != NULL && i == steps / 2 &&
		       __atomic_load_n(&resets_done, __ATOMIC_RELAXED) == before)
			ctr_yield();
		wrap_stats_update_both(CELL, 1);
		/* With fewer cores than threads, others would wait for a time slice. */
		if (i % 4096 == 0)
			ctr_yield();
	}
	wrap_stats_flush();
	set_flag(&done, 1);
}

/* No value is more than was added since the last reset, nor less than before. */
static void
read_over_wrap(struct worker *me)
{
	bool resets = me->data != NULL;
	struct wrap_stats_cell before = { 0, 0 }, cell;
	int rc;

	while (!is_set(&done)) {
		uint64_t wide = wrap_stats_get_wide();
		uint32_t narrow = wrap_stats_get_narrow();

		CHECK(wide <= steps, "wide is %#" PRIx64 ", %u were added", wide, steps);
		CHECK(narrow <= steps, "narrow is %#" PRIx32 ", %u were added", narrow, steps);
		rc = wrap_stats_cell_read(CELL, &cell);
		CHECK(rc == 0 || rc == -EAGAIN, "cell_read gives %d", rc);
		CHECK(cell.wide <= steps && cell.narrow <= steps, "wide is %#" PRIx64
		      ", narrow %#" PRIx32 ", %u were added", cell.wide, cell.narrow, steps);
		CHECK(resets || (cell.wide >= before.wide && cell.narrow >= before.narrow),
		      "after %" PRIu64 " and %" PRIu32 " came %" PRIu64 " and %" PRIu32, before.wide,
		      before.narrow, cell.wide, cell.narrow);
		before = cell;
	}
}

static struct wrap_stats_cell taken;

static void
reset_over_wrap(struct worker *me)
{
	struct wrap_stats_cell last;
	struct wrap_stats_global all;

	while (!is_set(&done)) {
		(void)wrap_stats_cell_reset(CELL, &last);
		CHECK(last.wide <= steps && last.narrow <= steps, "took %#" PRIx64 " and %#" PRIx32
		      ", %u were added", last.wide, last.narrow, steps);
		taken.wide += last.wide;
		taken.narrow += last.narrow;
		(void)wrap_stats_global_reset(&all);
		(void)__atomic_fetch_add(&resets_done, 1, __ATOMIC_RELAXED);
	}
	(void)me;
}

/* Over and over, from before the wrap to behind it, with and without resets. */
TEST(concurrent)
{
	struct worker workers[3];
	uint64_t rounds = option("ROUNDS", 20), round;
	struct wrap_stats_cell rest;
	uint32_t before;
	unsigned int i;
	int rc;

	steps = (uint32_t)option("STEPS", 1000000);
	before = steps / 2;
	for (round = 0; round < rounds; round++) {
		bool resets = round % 2 != 0;
		unsigned int n = resets ? 3 : 2;

		EQUAL(wrap_stats_init(), 0);
		/* The worker goes on with what the first of all lcores has counted. */
		run_thread(count_near_wrap, &before);
		EQUAL(wrap_stats_reset(), 0);
		memset(workers, 0, sizeof(workers));
		memset(&taken, 0, sizeof(taken));
		set_flag(&done, 0);
		for (i = 0; i < n; i++)
			workers[i].number = i;
		workers[0].data = workers[1].data = resets ? &taken : NULL;
		worker_start(&workers[0], count_over_wrap, true);
		worker_start(&workers[1], read_over_wrap, false);
		if (resets)
			worker_start(&workers[2], reset_over_wrap, false);
		workers_go();
		workers_join(workers, n);
		rc = wrap_stats_cell_read(CELL, &rest);
		CHECK(rc == 0 || (resets && rc == -EAGAIN), "cell_read gives %d", rc);
		EQUAL(taken.wide + rest.wide, steps);
		EQUAL(taken.narrow + rest.narrow, steps);
		wrap_stats_fini();
	}
	CHECK(resets_done >= rounds / 2, "only %" PRIu64 " resets", resets_done);
}
