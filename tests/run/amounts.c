/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Performs the calls of a script, with the amounts that it has, and compares what is read with what the
 * script says: tests/run/amounts.py computes it.
 *
 * Each line is a thread, a call and its numbers. Thread `m` is this one, an lcore; calls of `a`,
 * another lcore, and of `b`, a thread without an lcore id, wait for the line `m run N`: then both
 * threads perform theirs, while this one resets in two views until they have ended, N times at
 * least. Several rows of numbers are a bulk call or a batch. Behind the number of a view, `m read` has
 * all values that are not 0. The module is initialised by `m restart`, and ends with `m fini`.
 *
 * Options: SCRIPT, a file.
 */
#include <stdlib.h>

#include "amo_stats.h"
#include "harness.h"

#define MOST_NUMBERS 240u
#define MOST_ROWS 40u
#define MOST_SCOPES 8u
#define MOST_INSTANCES 4u
#define MOST_ITEMS 48u
#define MOST_VALUES 160u
#define VIEWS 3u

/* A line of the script. */
struct line {
	struct line *next;
	unsigned int place; /* in the script */
	char thread;
	char call[40];
	unsigned int count; /* of numbers */
	uint64_t number[MOST_NUMBERS];
	char *values; /* of a read */
};

static struct line *script;
static struct line *queue[2]; /* lines of threads `a` and `b` that wait */
/* What resets have taken while other threads counted. */
static uint64_t taken[VIEWS][MOST_SCOPES][MOST_INSTANCES][MOST_ITEMS];
static uint32_t counting, reports;
static bool torn; /* a reset took one half of an update */
static bool is_open; /* the module is initialised */
static struct amo_stats_own_embedded object; /* of this thread */

/* ---- calls ---- */

/* Numbers of a bulk call, in the type of one of its parameters. */
union column {
	uint8_t u8[MOST_ROWS];
	uint16_t u16[MOST_ROWS];
	uint32_t u32[MOST_ROWS];
	uint64_t u64[MOST_ROWS];
};

/* Column @p at of rows of @p width numbers. */
#define COLUMN(type, at, width)                                                \
	__extension__({                                                        \
		for (i = 0; i < line->count / (width); i++)                    \
			column[at].type[i] =                                   \
				(__typeof__(*column->type))v[i * (width) + (at)]; \
		column[at].type;                                               \
	})
#define IS(name) (strcmp(line->call, #name) == 0)
#define CALL(name, ...)                                                        \
	do {                                                                   \
		if (IS(name)) {                                                \
			amo_stats_##name(__VA_ARGS__);                         \
			return true;                                           \
		}                                                              \
	} while (0)
#define CALL_BARE(name)                                                        \
	do {                                                                   \
		if (IS(name)) {                                                \
			amo_stats_##name();                                    \
			return true;                                           \
		}                                                              \
	} while (0)
/* A batch of the rows; @p w is one of them. */
#define BATCH(update, width, ...)                                              \
	do {                                                                   \
		if (IS(batch_##update)) {                                      \
			struct amo_stats_batch b;                              \
			const uint64_t *w;                                     \
                                                                               \
			amo_stats_batch_begin(&b);                             \
			for (w = v; w < v + line->count; w += (width))         \
				amo_stats_batch_##update(&b, __VA_ARGS__);     \
			amo_stats_batch_end(&b);                               \
			return true;                                           \
		}                                                              \
	} while (0)

static bool
call_item(const struct line *line)
{
	const uint64_t *v = line->number;
	uint32_t at = (uint32_t)v[0];

	CALL_BARE(inc_wide);
	CALL(add_wide, v[0]);
	CALL_BARE(inc_narrow);
	CALL(add_narrow, at);
	CALL(cell_add_a, at, v[1]);
	CALL(cell_add_b, at, v[1]);
	CALL(cell_add_c, at, (uint32_t)v[1]);
	CALL(cell_add_d, at, v[1]);
	CALL(cell_inc_c, at);
	CALL(flow_add_bytes, at, v[1]);
	CALL(flow_add_marks, at, (uint32_t)v[1]);
	CALL(leg_add_bytes, at, (uint32_t)v[1], v[2]);
	CALL(own_add_a, &object, v[0]);
	CALL(own_add_c, &object, at);
	CALL(add_level, v[0]);
	CALL(sub_level, v[0]);
	CALL(set_level, v[0]);
	CALL_BARE(inc_level);
	CALL(add_short_level, v[0]);
	CALL(sub_short_level, v[0]);
	CALL(set_short_level, at);
	CALL(cell_add_level, at, v[1]);
	CALL(cell_sub_level, at, v[1]);
	CALL(cell_set_level, at, v[1]);
	CALL(mark_add_level, at, v[1]);
	CALL(mark_sub_level, at, v[1]);
	CALL(mark_set_level, at, v[1]);
	CALL(mark_observe_high, at, v[1]);
	CALL(mark_observe_low, at, v[1]);
	CALL(mark_observe_short_high, at, v[1]);
	CALL(mark_observe_short_low, at, v[1]);
	CALL(observe_sizes, v[0]);
	CALL(observe_powers, v[0]);
	return false;
}

static bool
call_update(const struct line *line)
{
	const uint64_t *v = line->number;
	uint32_t at = (uint32_t)v[0];

	CALL(update_four, at, v[1], v[2], (uint32_t)v[3], v[4]);
	CALL(update_own, &object, v[0], v[1], (uint32_t)v[2], v[3]);
	CALL(update_types, at, (uint8_t)v[1], (uint16_t)v[2], (uint32_t)v[3], v[4]);
	CALL(update_group, at, (uint16_t)v[1], (uint32_t)v[2], (uint32_t)v[3], (uint32_t)v[4]);
	CALL(update_watch, at, v[1], (uint32_t)v[2]);
	CALL(update_gauge, at, v[1], (uint32_t)v[2], v[3]);
	CALL(update_lift, at, v[1]);
	CALL(update_sink, at, v[1]);
	CALL(update_packet, at, (uint32_t)v[1], v[2], (uint32_t)v[3]);
	BATCH(four, 5, (uint32_t)w[0], w[1], w[2], (uint32_t)w[3], w[4]);
	BATCH(own, 4, &object, w[0], w[1], (uint32_t)w[2], w[3]);
	BATCH(types, 5, (uint32_t)w[0], (uint8_t)w[1], (uint16_t)w[2], (uint32_t)w[3], w[4]);
	BATCH(group, 5, (uint32_t)w[0], (uint16_t)w[1], (uint32_t)w[2], (uint32_t)w[3],
	      (uint32_t)w[4]);
	BATCH(watch, 3, (uint32_t)w[0], w[1], (uint32_t)w[2]);
	BATCH(gauge, 4, (uint32_t)w[0], w[1], (uint32_t)w[2], w[3]);
	BATCH(packet, 4, (uint32_t)w[0], (uint32_t)w[1], w[2], (uint32_t)w[3]);
	return false;
}

static bool
call_bulk(const struct line *line)
{
	const uint64_t *v = line->number;
	union column column[5];
	unsigned int i;

	CALL(update_four_bulk, COLUMN(u32, 0, 5), COLUMN(u64, 1, 5), COLUMN(u64, 2, 5),
	     COLUMN(u32, 3, 5), COLUMN(u64, 4, 5), line->count / 5);
	CALL(update_types_bulk, COLUMN(u32, 0, 5), COLUMN(u8, 1, 5), COLUMN(u16, 2, 5),
	     COLUMN(u32, 3, 5), COLUMN(u64, 4, 5), line->count / 5);
	CALL(update_group_bulk, COLUMN(u32, 0, 5), COLUMN(u16, 1, 5), COLUMN(u32, 2, 5),
	     COLUMN(u32, 3, 5), COLUMN(u32, 4, 5), line->count / 5);
	CALL(update_gauge_bulk, COLUMN(u32, 0, 4), COLUMN(u64, 1, 4), COLUMN(u32, 2, 4),
	     COLUMN(u64, 3, 4), line->count / 4);
	CALL(update_packet_bulk, COLUMN(u32, 0, 4), COLUMN(u32, 1, 4), COLUMN(u64, 2, 4),
	     COLUMN(u32, 3, 4), line->count / 4);
	CALL(update_watch_bulk, COLUMN(u32, 0, 3), COLUMN(u64, 1, 3), COLUMN(u32, 2, 3),
	     line->count / 3);
	CALL(update_lift_bulk, COLUMN(u32, 0, 2), COLUMN(u64, 1, 2), line->count / 2);
	CALL(update_sink_bulk, COLUMN(u32, 0, 2), COLUMN(u64, 1, 2), line->count / 2);
	return false;
}

static void
perform(const struct line *line)
{
	CHECK(call_item(line) || call_update(line) || call_bulk(line), "there is no call '%s'",
	      line->call);
}

/* ---- reads and resets ---- */

static void
flush(void)
{
	amo_stats_flush();
	amo_stats_poll();
}

/* The largest value struct. */
union values {
	struct amo_stats_global global;
	struct amo_stats_cell cell;
	struct amo_stats_mark mark;
	struct amo_stats_flow flow;
	struct amo_stats_leg leg;
};

/* The indexes of an instance by its place; whether there is one. */
static bool
instance(const struct ctr_scope *scope, uint32_t at, uint32_t index[2])
{
	uint32_t inner = scope->num_indexes > 1 ? scope->index_maxima[1] : 1;

	index[0] = at / inner;
	index[1] = at % inner;
	if (scope->storage == CTR_EMBEDDED || at >= MOST_INSTANCES || (scope->num_indexes == 0 && at > 0) ||
	    (scope->num_indexes > 0 && index[0] >= scope->index_maxima[0]))
		return false;
	return true;
}

static void
check_rc(int rc, const char *what, const struct ctr_scope *scope)
{
	CHECK(rc == 0 || rc == -ENOENT || (rc == -EAGAIN && torn), "%s of %s gives %d", what,
	      scope->name, rc);
}

/* Values that a read must have, each "name=value", and those that were met. */
static char *wanted[MOST_VALUES];
static bool met[MOST_VALUES];
static unsigned int num_wanted;

static void
want(char *values)
{
	char *word, *rest = NULL;

	memset(met, 0, sizeof(met));
	num_wanted = 0;
	for (word = strtok_r(values, " \n", &rest); word != NULL; word = strtok_r(NULL, " \n", &rest)) {
		CHECK(num_wanted < MOST_VALUES, "too many values");
		wanted[num_wanted++] = word;
	}
}

static void
meet(const struct line *line, const char *scope, uint32_t at, const char *item, uint64_t value)
{
	char text[128];
	unsigned int i;

	if (value == 0)
		return;
	snprintf(text, sizeof(text), "%s.%u.%s=%" PRIu64, scope, at, item, value);
	for (i = 0; i < num_wanted; i++) {
		if (strcmp(wanted[i], text) == 0) {
			met[i] = true;
			return;
		}
	}
	CHECK(false, "line %u: %s is wrong", line->place, text);
}

/* Compare what an instance has in a view, and what was taken of it. */
static void
read_instance(const struct line *line, unsigned int number, uint32_t at)
{
	const struct ctr_scope *scope = &amo_stats_module.scopes[number];
	unsigned int view = (unsigned int)line->number[0], i;
	uint32_t index[2];
	union values values, again;
	int rc;

	if (!instance(scope, at, index))
		return;
	if (scope->view_read == NULL || view == AMO_STATS_VIEW_DEFAULT) {
		rc = scope->read(index, &values);
		if (rc == 0 && scope->rows != NULL) {
			amo_stats_read_lock();
			scope->rows(at, 1, &again, &rc);
			amo_stats_read_unlock();
			CHECK(memcmp(&values, &again, scope->value_size) == 0, "%s: row", scope->name);
		}
	} else {
		rc = scope->view_read(view, index, &values);
	}
	check_rc(rc, "a read", scope);
	for (i = 0; rc != -ENOENT && i < scope->num_items; i++) {
		const struct ctr_item *item = &scope->items[i];
		uint64_t value = ctr_item_value(item, &values);

		if (item->kind == CTR_COUNTER)
			value = (value + taken[view][number][at][i]) & item->maximum;
		meet(line, scope->name, at, item->name, value);
	}
}

/* The same of the application's object, which views do not have. */
static void
read_object(const struct line *line)
{
	struct amo_stats_own own;

	EQUAL(amo_stats_own_read(&object, &own), 0);
	EQUAL(amo_stats_own_get_a(&object), own.a);
	meet(line, "own", 0, "a", own.a);
	meet(line, "own", 0, "b", own.b);
	meet(line, "own", 0, "c", own.c);
	meet(line, "own", 0, "d", own.d);
}

/* Compare all values of a view. */
static void
read_all(const struct line *line)
{
	unsigned int number, i;
	uint32_t at;

	want(line->values);
	for (number = 0; number < amo_stats_module.num_scopes; number++)
		for (at = 0; at < MOST_INSTANCES; at++)
			read_instance(line, number, at);
	if (line->number[0] == AMO_STATS_VIEW_DEFAULT)
		read_object(line);
	meet(line, "module", 0, "drops", amo_stats_drops());
	meet(line, "module", 0, "late", amo_stats_late());
	for (i = 0; i < num_wanted; i++)
		CHECK(met[i], "line %u: there is no %s", line->place, wanted[i]);
}

/* Getters give what a read gives, and so does a snapshot. */
static void
compare(void)
{
	static struct amo_stats_snapshot *snap;
	struct amo_stats_global global;
	struct amo_stats_cell cell;
	uint32_t i;

	if (snap == NULL)
		EQUAL(amo_stats_snapshot_create(&snap), 0);
	CHECK(amo_stats_snapshot_read(snap) == 0 || torn, "a snapshot");
	(void)amo_stats_global_read(&global);
	CHECK(memcmp(&global, &snap->global, sizeof(global)) == 0, "global of a snapshot");
	EQUAL(amo_stats_get_wide(), global.wide);
	EQUAL(amo_stats_get_narrow(), global.narrow);
	EQUAL(amo_stats_get_level(), global.level);
	EQUAL(amo_stats_get_sizes_sum(), global.sizes_sum);
	for (i = 0; i < AMO_STATS_CELL_MAX; i++) {
		(void)amo_stats_cell_read(i, &cell);
		CHECK(memcmp(&cell, &snap->cell[i], sizeof(cell)) == 0, "cell of a snapshot");
		EQUAL(amo_stats_cell_get_a(i), cell.a);
		EQUAL(amo_stats_cell_get_c(i), cell.c);
		EQUAL(amo_stats_cell_get_level(i), cell.level);
	}
}

/* Reset an instance in a view, and add what it had to what was taken; or forget that. */
static void
reset(unsigned int view, unsigned int number, uint32_t at, bool keep)
{
	const struct ctr_scope *scope = &amo_stats_module.scopes[number];
	uint32_t index[2];
	union values last;
	unsigned int i;
	int rc;

	if (scope->reset == NULL || !instance(scope, at, index))
		return;
	rc = view == AMO_STATS_VIEW_DEFAULT ? scope->reset(index, &last)
					    : scope->view_reset(view, index, &last);
	if (keep)
		torn |= rc == -EAGAIN;
	check_rc(rc, "a reset", scope);
	for (i = 0; rc != -ENOENT && i < scope->num_items; i++) {
		uint64_t *sum = &taken[view][number][at][i];

		*sum = keep ? *sum + ctr_item_value(&scope->items[i], &last) : 0;
	}
}

static void
reset_all(unsigned int view, bool keep)
{
	unsigned int number;
	uint32_t at;

	for (number = 0; number < amo_stats_module.num_scopes; number++)
		for (at = 0; at < MOST_INSTANCES; at++)
			reset(view, number, at, keep);
}

/* ---- threads ---- */

static void
perform_queue(struct worker *me)
{
	struct line *line;

	for (line = queue[me->number]; line != NULL; line = line->next)
		perform(line);
	if (!is_open)
		amo_stats_burst_end();
	amo_stats_flush();
	(void)__atomic_fetch_sub(&counting, 1, __ATOMIC_RELAXED);
}

static void
run_queues(uint64_t least)
{
	struct worker workers[2];
	uint64_t n;

	counting = 2;
	workers_start(workers, 2, perform_queue, 1);
	workers_go();
	for (n = 0; least != 0 && (n < least || is_set(&counting)); n++) {
		reset_all(n % 2 == 0 ? AMO_STATS_VIEW_DEFAULT : AMO_STATS_VIEW_BILL, true);
		amo_stats_poll();
		ctr_yield();
	}
	while (is_set(&counting)) {
		amo_stats_poll();
		ctr_yield();
	}
	workers_join(workers, 2);
	queue[0] = queue[1] = NULL;
	flush();
}

/* What is no update does no harm while the module is not initialised. */
static void
use_closed(void)
{
	struct amo_stats_cell cell;
	struct amo_stats_flow flow;
	uint32_t at;

	EQUAL(amo_stats_flow_create(1), -ENODEV);
	EQUAL(amo_stats_flow_alloc(&at), -ENODEV);
	EQUAL(amo_stats_leg_create(1, 0), -ENOENT);
	EQUAL(amo_stats_flow_destroy(1, NULL), -ENOENT);
	EQUAL(amo_stats_flow_exists(1), false);
	EQUAL(amo_stats_flow_read(1, &flow), -ENOENT);
	EQUAL(amo_stats_flow_get_bytes(1), 0);
	(void)amo_stats_cell_lcore_read(0, 1, &cell);
	EQUAL(amo_stats_cell_lcore_get_a(CTR_NON_LCORE, 1), 0);
	(void)amo_stats_flow_trim();
	amo_stats_cell_prefetch(1);
	amo_stats_flow_prefetch(1);
	amo_stats_try_flush();
	amo_stats_burst_end();
	amo_stats_poll();
}

/* An lcore that counts nothing in this module: it ends no burst of it. */
static void
report(struct worker *me)
{
	(void)me;
	while (is_set(&counting)) {
		ctr_quiescent();
		(void)__atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED);
		ctr_yield();
	}
}

static void
destroy(uint32_t at)
{
	struct worker worker = { 0 };

	counting = 1;
	reports = 0;
	worker_start(&worker, report, true);
	workers_go();
	while (amo_stats_flow_destroy_with(at, NULL, NULL, NULL) == -EINPROGRESS) {
		CHECK(__atomic_load_n(&reports, __ATOMIC_RELAXED) < 1000, "an end waits for an lcore that holds back nothing");
		amo_stats_burst_end();
		ctr_yield();
	}
	__atomic_store_n(&counting, 0, __ATOMIC_RELAXED);
	workers_join(&worker, 1);
}

/* A line of this thread that is no update. */
static bool
command(const struct line *line)
{
	uint32_t at = (uint32_t)line->number[0];

	if (IS(restart) || IS(fini)) {
		if (is_open)
			amo_stats_fini();
		memset(taken, 0, sizeof(taken));
		torn = false;
		amo_stats_own_init(&object);
		is_open = IS(restart);
		EQUAL(is_open ? amo_stats_init() : 0, 0);
	} else if (IS(destroy)) {
		destroy(at);
	} else if (IS(create)) {
		EQUAL(amo_stats_flow_create(at), 0);
		EQUAL(amo_stats_leg_create(at, 0), 0);
		EQUAL(amo_stats_leg_create(at, 1), 0);
	} else if (IS(read)) {
		flush();
		if (!is_open)
			use_closed();
		if (line->number[0] == AMO_STATS_VIEW_DEFAULT)
			compare();
		read_all(line);
	} else if (IS(reset)) {
		flush();
		reset_all(at, false);
		if (at == AMO_STATS_VIEW_DEFAULT)
			EQUAL(amo_stats_own_reset(&object, NULL), 0);
	} else if (IS(reset_module)) {
		flush();
		CHECK(amo_stats_reset() == 0 || torn, "a reset");
		memset(taken[AMO_STATS_VIEW_DEFAULT], 0, sizeof(taken[0]));
	} else if (IS(run)) {
		run_queues(line->number[0]);
	} else {
		return false;
	}
	return true;
}

/* ---- the script ---- */

static void
parse(char *text, struct line *line)
{
	char *word, *rest = NULL;

	line->thread = *strtok_r(text, " \n", &rest);
	snprintf(line->call, sizeof(line->call), "%s", strtok_r(NULL, " \n", &rest));
	while ((word = strtok_r(NULL, " \n", &rest)) != NULL) {
		CHECK(line->count < MOST_NUMBERS, "%s has too many numbers", line->call);
		line->number[line->count++] = strtoull(word, NULL, 10);
		if (strcmp(line->call, "read") == 0) {
			line->values = strdup(rest);
			return;
		}
	}
}

static void
load(const char *path)
{
	FILE *file = path != NULL ? fopen(path, "r") : NULL;
	struct line **end = &script;
	static char text[16384];
	unsigned int place = 0;

	CHECK(file != NULL, "there is no script");
	while (fgets(text, sizeof(text), file) != NULL) {
		*end = (struct line *)calloc(1, sizeof(**end));
		CHECK(*end != NULL, "no memory");
		(*end)->place = ++place;
		parse(text, *end);
		end = &(*end)->next;
	}
	fclose(file);
}

TEST(amounts)
{
	struct line *line, *next;

	load(getenv("CTR_TEST_SCRIPT"));
	EQUAL(ctr_thread_register(), 0);
	amo_stats_own_init(&object);
	for (line = script; line != NULL; line = next) {
		next = line->next;
		if (line->thread != 'm') {
			struct line **end = &queue[line->thread - 'a'];

			while (*end != NULL)
				end = &(*end)->next;
			*end = line;
			line->next = NULL;
		} else if (!command(line)) {
			perform(line);
		}
	}
	amo_stats_fini();
	ctr_thread_unregister();
}
