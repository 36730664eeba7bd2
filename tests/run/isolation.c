/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * No two lcores write to the same cache line: their slots are aligned, and apart.
 *
 * The set of slots is one of the runtime, with a size that is no multiple of a line.
 */
#include "ctr.h"
#include "ctr_slots.h"
#include "harness.h"
#include "wrap_stats.h"

#define THREADS 4
#define SIZE 72

static struct ctr_slots set = { .size = SIZE, .non_lcore = true };
static uintptr_t begin[THREADS + 1];

static void
note_slot(struct worker *me)
{
	begin[me->number] = (uintptr_t)ctr_slots_get(&set, ctr_lcore_id());
}

TEST(isolation)
{
	struct worker workers[THREADS];
	unsigned int i, j;

	EQUAL(ctr_slots_open(&set, NULL), 0);
	workers_start(workers, THREADS, note_slot, THREADS);
	workers_go();
	workers_join(workers, THREADS);
	begin[THREADS] = (uintptr_t)ctr_slots_get(&set, CTR_NON_LCORE);
	for (i = 0; i <= THREADS; i++) {
		CHECK(begin[i] != 0 && begin[i] % CTR_CACHE_LINE == 0, "slot %u is not aligned", i);
		for (j = 0; j < i; j++)
			CHECK((begin[j] + SIZE - 1) / CTR_CACHE_LINE < begin[i] / CTR_CACHE_LINE ||
			      (begin[i] + SIZE - 1) / CTR_CACHE_LINE < begin[j] / CTR_CACHE_LINE,
			      "slot %u shares a line with slot %u", i, j);
	}
	ctr_slots_close(&set);
}
