/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Narrow words that spill all the time, as only a few of their bits are used (CTR_NARROW_RANGE).
 *
 * Options: LCORES that update, one more thread without an id does too; UPDATES of each; MOST that
 * one of them adds, but for some that add more than a word of 16 bits can hold.
 */
#include <unistd.h>

#include "ctr.h"
#include "../../run/harness.h"
#include "wrap_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(wrap_stats_init(), 0), wrap_stats_fini())

#define CELL 2
#define MOST_WORKERS 16

/* What a worker is about to have added, and what it has added; nobody else writes it. */
static struct {
	uint64_t begun, done;
} CTR_CACHE_ALIGNED own[MOST_WORKERS];
static unsigned int num_workers;
static uint32_t ended;

static void
add_all_the_time(struct worker *me)
{
	uint64_t updates = option("UPDATES", 300000), most = option("MOST", 5), sum = 0, i;
	uint64_t *begun = &own[me->number].begun, *done = &own[me->number].done;

	for (i = 0; i < updates; i++) {
		uint32_t n = draw(me) % (most + 1);

		if (i % 64 == 63)
			n = draw(me) % 300000;
		sum += n;
		__atomic_store_n(begun, sum, __ATOMIC_SEQ_CST);
		wrap_stats_update_both(CELL, n);
		__atomic_store_n(done, sum, __ATOMIC_RELEASE);
		if (i % 1024 == 0)
			ctr_yield();
	}
	(void)__atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
}

static uint64_t
total(size_t member)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < num_workers; i++)
		sum += __atomic_load_n((const uint64_t *)((const char *)&own[i] + member), __ATOMIC_SEQ_CST);
	return sum;
}

#define DONE total(offsetof(__typeof__(own[0]), done))
#define BEGUN total(offsetof(__typeof__(own[0]), begun))

/* No less than was there before the read, nor than the read before; no more than there is after. */
static uint64_t
within(uint64_t before, uint64_t least, uint64_t value)
{
	uint64_t most = BEGUN;

	CHECK(value >= before, "%" PRIu64 " after %" PRIu64, value, before);
	CHECK(value >= least && value <= most, "%" PRIu64 " is not from %" PRIu64 " to %" PRIu64, value,
	      least, most);
	return value;
}

/* Every value that is read is one that the counter had meanwhile; none is lost in the end. */
TEST(spills)
{
	struct worker workers[MOST_WORKERS];
	struct wrap_stats_cell cell;
	uint64_t reads = 0, moved = 0, then = 0, before[3] = { 0, 0, 0 };
	uint32_t narrow[2] = { 0, 0 };
	unsigned int lcores = (unsigned int)option("LCORES", 2);

	num_workers = lcores + 1;
	EQUAL(wrap_stats_init(), 0);
	workers_start(workers, num_workers, add_all_the_time, lcores);
	workers_go();
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < num_workers) {
		uint64_t least = DONE, value = wrap_stats_get_wide();
		uint64_t was = before[0];

		before[0] = within(before[0], least, value);
		least = DONE;
		before[1] = within(before[1], least, wrap_stats_cell_get_wide(CELL));
		least = DONE;
		EQUAL(wrap_stats_cell_read(CELL, &cell), 0);
		before[2] = within(before[2], least, cell.wide);
		/* Those of 32 bits too; they wrap, but not within a read. */
		least = DONE;
		narrow[0] = wrap_stats_cell_get_narrow(CELL);
		value = BEGUN;
		CHECK(narrow[0] - (uint32_t)least <= (uint32_t)(value - least),
		      "%u is not from %u to %u", narrow[0], (uint32_t)least, (uint32_t)value);
		CHECK(value - then >= UINT32_C(0x80000000) ||
			      narrow[0] - narrow[1] < UINT32_C(0x80000000),
		      "%u after %u", narrow[0], narrow[1]);
		narrow[1] = narrow[0];
		then = least;
		moved += before[0] != was;
		reads++;
	}
	workers_join(workers, num_workers);
	printf("reads=%" PRIu64 " moved=%" PRIu64 " sum=%" PRIu64 "\n", reads, moved, DONE);
	EQUAL(DONE, BEGUN);
	EQUAL(wrap_stats_get_wide(), DONE);
	EQUAL(wrap_stats_get_narrow(), (uint32_t)DONE);
	EQUAL(wrap_stats_cell_read(CELL, &cell), 0);
	EQUAL(cell.wide, DONE);
	EQUAL(cell.narrow, (uint32_t)DONE);
	wrap_stats_fini();
}

/* Each amount from each fill of a word, alone. */
CASE(every_amount)
{
	uint64_t sum = 0;
	uint32_t fill, n;

	EQUAL(ctr_thread_register(), 0);
	for (fill = 0; fill < 64; fill++) {
		for (n = 0; n < 80; n++) {
			wrap_stats_update_both(CELL, n);
			sum += n;
			EQUAL(wrap_stats_get_wide(), sum);
			EQUAL(wrap_stats_cell_get_narrow(CELL), (uint32_t)sum);
			wrap_stats_cell_inc_wide(CELL);
			wrap_stats_cell_add_wide(CELL, UINT64_MAX);
			EQUAL(wrap_stats_cell_get_wide(CELL), sum);
		}
		wrap_stats_update_both(CELL, 1);
		sum++;
	}
	ctr_thread_unregister();
}

static uint32_t come, may_go;

static void *
stay(void *refused)
{
	int rc = ctr_thread_register();

	if (rc != 0) {
		EQUAL(rc, -ENOSPC);
		(void)__atomic_fetch_add((uint32_t *)refused, 1, __ATOMIC_RELAXED);
	}
	wrap_stats_update_both(CELL, 1);
	(void)__atomic_fetch_add(&come, 1, __ATOMIC_RELEASE);
	await(&may_go);
	ctr_thread_unregister();
	return NULL;
}

/* LCORES get a copy, TAKEN of them at once; more are refused an id, and count all the same. */
CASE(too_many)
{
	const uint32_t taken = (uint32_t)option("TAKEN", 0);
	uint32_t lcores = (uint32_t)option("LCORES", 2), refused = 0, i;
	pthread_t threads[MOST_WORKERS];

	for (i = 0; i < lcores + 2; i++) {
		CHECK(pthread_create(&threads[i], NULL, stay, &refused) == 0, "no thread");
		while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) <= i)
			ctr_yield();
	}
	set_flag(&may_go, 1);
	for (i = 0; i < lcores + 2; i++)
		CHECK(pthread_join(threads[i], NULL) == 0, "no end");
	EQUAL(refused, 2 + taken);
	EQUAL(wrap_stats_get_wide(), lcores + 2);
	wrap_stats_fini();
	/* Another start counts from none again. */
	EQUAL(wrap_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	ctr_thread_unregister();
}

/* Words of which all bits are used: amounts about half of a unit, and beyond. */
CASE(whole_words)
{
	const uint64_t unit = ctr_narrow_unit(32, wrap_stats_share);
	const uint64_t amounts[] = { unit / 2 - 1, unit / 2,	 unit - 1, unit,
				     unit + 1,	   3 * unit / 2, 1,	   UINT64_C(1) << 40 };
	uint64_t sum = 0;
	uint32_t fill, i;

	EQUAL(ctr_thread_register(), 0);
	for (fill = 0; fill < 100; fill++) {
		for (i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
			wrap_stats_cell_add_wide(CELL, amounts[i]);
			sum += amounts[i];
			EQUAL(wrap_stats_cell_get_wide(CELL), sum);
			wrap_stats_cell_add_wide(CELL, unit / 2 - 1);
			wrap_stats_cell_add_wide(CELL, unit / 2 - 1);
			sum += unit - 2;
			EQUAL(wrap_stats_cell_get_wide(CELL), sum);
		}
	}
	ctr_thread_unregister();
}

#define BITS ((unsigned int)(8 * sizeof(((struct wrap_stats_instance *)0)->global.wide)))
#define UNIT ctr_narrow_unit(BITS, wrap_stats_share)

/* A word that has lost one unit; of 32 bits, there may be more than a unit left. */
static uint32_t
word_of(uint64_t low, uint32_t number)
{
	return (uint32_t)(BITS == 32 ? low << wrap_stats_share | number : number * UNIT + low);
}

/* That of a thread without an lcore id, which the main thread is. */
static struct wrap_stats_instance *
foreign(void)
{
	return (struct wrap_stats_instance *)ctr_slots_get(&wrap_stats_slots, CTR_NON_LCORE);
}

/* Whether a child of fork() does what it has to. */
static void
in_a_child(void (*look)(void))
{
	const pid_t child = fork_off();

	if (child == 0) {
		look();
		_exit(0);
	}
	ended_well(child);
}

static void
has_landed(void)
{
	EQUAL(foreign()->ctr_head.spilling, 0);
	EQUAL(wrap_stats_common.global.wide / UNIT, 1);
	EQUAL(wrap_stats_common.cell[CELL].wide / UNIT, 1);
	EQUAL(wrap_stats_get_wide(), UNIT + 1);
	wrap_stats_add_wide(100);
	EQUAL(wrap_stats_get_wide(), UNIT + 101);
	wrap_stats_cell_add_wide(CELL, 100);
	EQUAL(wrap_stats_cell_get_wide(CELL), UNIT + 104);
}

/* What a thread was about to land that a child of fork() does not have is landed there. */
CASE(child_lands)
{
	wrap_stats_add_wide(3);
	wrap_stats_cell_add_wide(CELL, 5);
	/* As in the middle of a spill, by no lcore. */
	foreign()->ctr_head.spilling = 1;
	foreign()->global.wide = word_of(1, 1);
	foreign()->cell[CELL].wide = word_of(4, 1);
	EQUAL(wrap_stats_get_wide(), UNIT + 1);
	in_a_child(has_landed);
	EQUAL(wrap_stats_common.global.wide, 0);
	EQUAL(wrap_stats_get_wide(), UNIT + 1);
}

static uint64_t first;

static void
adds_what_fits(void)
{
	uint64_t sum = UNIT + UNIT / 2 - 1;
	const uint64_t amounts[] = { first, UNIT / 2 - 1, UNIT / 2, UNIT / 2 + 1, UNIT - 1 };

	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
		const uint64_t n = amounts[i];

		wrap_stats_add_wide(n);
		sum += n;
		EQUAL(wrap_stats_get_wide(), sum);
	}
}

/* A thread that is not there in a child had added, and would have spilled then: the next one does. */
CASE(child_has_room)
{
	foreign()->global.wide = word_of(UNIT + UNIT / 2 - 1, 0);
	for (first = UNIT / 2 - 2; first <= UNIT / 2; first++)
		in_a_child(adds_what_fits);
	first = UNIT - 1;
	in_a_child(adds_what_fits);
	EQUAL(wrap_stats_get_wide(), UNIT + UNIT / 2 - 1);
}
