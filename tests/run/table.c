/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The library by itself: tables written by hand, no generated code. Runs of 1 to 9 words of both
 * widths, alone and beside a word of the other width; amounts at the bounds of their types; two
 * copies with baselines, also of views and of lcores, or the only one.
 */
#include "table.h"

static const uint64_t amounts[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX };

/* ---- checks ---- */

/* What values have to be: what each of some calls of count() added. */
static void
expect(const char *what, const struct values *values, const uint64_t *about, unsigned int calls)
{
	unsigned int n, call;

	for (n = 0; n < num_words(); n++) {
		uint64_t sum = 0;

		for (call = 0; call < calls; call++)
			sum += counted(about[call], n);
		CHECK(value_of(values, n) == cut(n, sum),
		      "%s of %u words of %u bits: number %u is %" PRIx64 ", not %" PRIx64, what,
		      shape.num, shape.bits, n, value_of(values, n), cut(n, sum));
	}
}

static void
expect_getters(uint32_t at, const struct values *values)
{
	unsigned int n;

	for (n = 0; n < num_words(); n++)
		EQUAL(ctr_table_get(&table, at, offset_of(n)), value_of(values, n));
}

/* The parts of lcores are those of all counts, or of those since the last reset. */
static void
expect_parts(uint32_t at, const uint64_t *about, unsigned int calls)
{
	unsigned int copy, n, call;
	struct values own;

	if (shape.shared)
		return;
	for (copy = 0; copy < COPIES; copy++) {
		EQUAL(ctr_table_lcore_read(&table, lcore_of(copy), at, &own), 0);
		for (n = 0; n < num_words(); n++) {
			uint64_t sum = 0;

			for (call = 0; call < calls; call++)
				sum += amount(about[call], copy, n);
			EQUAL(value_of(&own, n), cut(n, sum));
			EQUAL(ctr_table_lcore_get(&table, lcore_of(copy), at, offset_of(n)),
			      cut(n, sum));
		}
	}
}

/* What all ways to read an instance give. */
static void
expect_all(uint32_t at, const uint64_t *about, unsigned int calls)
{
	struct values values;
	int rc = 1;

	memset(&values, 0xa5, sizeof(values));
	EQUAL(ctr_table_read(&table, table.view, at, &values), 0);
	expect("a read", &values, about, calls);
	expect_getters(at, &values);
	memset(&values, 0xa5, sizeof(values));
	ctr_module_read_lock(&module);
	ctr_table_rows(&table, at, 1, &values, &rc);
	ctr_module_read_unlock(&module);
	EQUAL(rc, 0);
	expect("a row", &values, about, calls);
}

/* ---- tests ---- */

/* Call `test` for each shape. */
static void
for_all(void (*test)(void))
{
	static const struct shape kinds[] = {
		{ .shared = true, .views = 1 },
		{ .views = 1 },
		{ .views = VIEWS },
		{ .views = 1, .since = true },
		{ .views = VIEWS, .since = true },
	};
	unsigned int kind, num, how;

	for (kind = 0; kind < LENGTH(kinds); kind++) {
		for (num = 1; num <= MOST; num++) {
			for (how = 0; how < 8; how++) {
				struct shape wanted = kinds[kind];

				wanted.num = num;
				wanted.bits = (how & 1) != 0 ? 32 : 64;
				wanted.more = (how & 2) != 0;
				wanted.alone = (how & 4) != 0;
				begin(wanted);
				test();
				end();
			}
		}
	}
}

/* Read, reset, count on, and read: of one instance. */
static void
read_and_reset(uint32_t at, uint64_t first, uint64_t second)
{
	const uint64_t about[] = { first, second };
	struct values values;

	count(at, first);
	expect_all(at, about, 1);
	expect_parts(at, about, 1);
	memset(&values, 0xa5, sizeof(values));
	EQUAL(ctr_table_reset(&table, table.view, at, &values), 0);
	expect("a reset", &values, about, 1);
	expect_all(at, about, 0);
	count(at, second);
	expect_all(at, about + 1, 1);
	if (shape.since)
		expect_parts(at, about + 1, 1);
	else
		expect_parts(at, about, 2);
	if (shape.views > 1) {
		EQUAL(ctr_table_read(&table, 0, at, &values), 0);
		expect("the raw view", &values, about, 2);
		EQUAL(ctr_table_reset(&table, 2, at, &values), 0);
		expect("another view", &values, about, 2);
		EQUAL(ctr_table_read(&table, 2, at, &values), 0);
		expect("another view", &values, about, 0);
		expect_all(at, about + 1, 1);
	}
	EQUAL(ctr_table_reset(&table, table.view, at, NULL), 0);
	expect_all(at, about, 0);
}

static void
every_amount(void)
{
	unsigned int first, second;
	uint32_t at = 0;

	for (first = 0; first < LENGTH(amounts); first++) {
		for (second = 0; second < LENGTH(amounts); second++, at += 2)
			read_and_reset(at, amounts[first], amounts[second]);
	}
}

TEST(reads)
{
	for_all(every_amount);
}
