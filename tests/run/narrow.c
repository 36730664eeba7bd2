/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Narrow words that spill all the time, as only a few of their bits are used (CTR_NARROW_RANGE).
 *
 * Options: LCORES that update, one more thread without an id does too; UPDATES of each; MOST that
 * one of them adds, but for some that add more than a word of 16 bits can hold.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "wrap_stats.h"

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
	uint64_t reads = 0, moved = 0, before[3] = { 0, 0, 0 };
	uint32_t narrow[2] = { 0, 0 };
	unsigned int lcores = (unsigned int)option("LCORES", 2), i;

	num_workers = lcores + 1;
	EQUAL(wrap_stats_init(), 0);
	memset(workers, 0, sizeof(workers));
	for (i = 0; i < num_workers; i++) {
		workers[i].number = i;
		worker_start(&workers[i], add_all_the_time, i < lcores);
	}
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
		CHECK(narrow[0] - narrow[1] < UINT32_C(0x80000000), "%u after %u", narrow[0], narrow[1]);
		narrow[1] = narrow[0];
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
TEST(every_amount)
{
	uint64_t sum = 0;
	uint32_t fill, n;

	EQUAL(wrap_stats_init(), 0);
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
	wrap_stats_fini();
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
	while (!is_set(&may_go))
		ctr_yield();
	ctr_thread_unregister();
	return NULL;
}

/* LCORES get a copy; more threads are refused an id, and count all the same. */
TEST(too_many)
{
	uint32_t lcores = (uint32_t)option("LCORES", 2), refused = 0, i;
	pthread_t threads[MOST_WORKERS];

	EQUAL(wrap_stats_init(), 0);
	for (i = 0; i < lcores + 2; i++) {
		CHECK(pthread_create(&threads[i], NULL, stay, &refused) == 0, "no thread");
		while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) <= i)
			ctr_yield();
	}
	set_flag(&may_go, 1);
	for (i = 0; i < lcores + 2; i++)
		CHECK(pthread_join(threads[i], NULL) == 0, "no end");
	EQUAL(refused, 2);
	EQUAL(wrap_stats_get_wide(), lcores + 2);
	wrap_stats_fini();
	/* Another start counts from none again. */
	EQUAL(wrap_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	ctr_thread_unregister();
	wrap_stats_fini();
}

/* What a thread was about to land that a child of fork() does not have is landed there. */
TEST(child_lands)
{
	struct wrap_stats_instance *foreign;
	int status = 1;
	pid_t child;

	EQUAL(wrap_stats_init(), 0);
	wrap_stats_add_wide(3);
	wrap_stats_cell_add_wide(CELL, 5);
	/* As in the middle of a spill, by no lcore. */
	foreign = (struct wrap_stats_instance *)ctr_slots_get(&wrap_stats_slots, CTR_NON_LCORE);
	foreign->ctr_spilling = 1;
	foreign->global.wide = 3 + 6;
	foreign->cell[CELL].wide = 5 + 7;
	EQUAL(wrap_stats_get_wide(), 9);
	child = fork();
	if (child == 0) {
		EQUAL(foreign->ctr_spilling, 0);
		EQUAL(wrap_stats_common.global.wide >> 3, 1);
		EQUAL(wrap_stats_common.cell[CELL].wide >> 3, 1);
		EQUAL(wrap_stats_get_wide(), 9);
		wrap_stats_add_wide(100);
		EQUAL(wrap_stats_get_wide(), 109);
		wrap_stats_cell_add_wide(CELL, 100);
		EQUAL(wrap_stats_cell_get_wide(CELL), 112);
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child, "no child");
	EQUAL(status, 0);
	EQUAL(wrap_stats_common.global.wide, 0);
	EQUAL(wrap_stats_get_wide(), 9);
	wrap_stats_fini();
}
