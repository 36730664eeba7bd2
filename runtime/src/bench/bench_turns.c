/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the turns of a run cost. Each with counting is compared with those without beside it,
 * and the middle half of the differences counts: what else happens on a machine lengthens a few
 * turns, sometimes to several times what they are, and a mean of all would be made of these.
 */
#include <stdlib.h>

#include "bench.h"

/* More turns than a worker notes; later ones do not count. */
#define MOST_TURNS 65536u
/* More slices of time than are looked at. */
#define MOST_SLICES (1u << 22)

/* One turn of a worker. */
struct bench_turn {
	uint64_t slice; /* Its number. */
	uint64_t cycles;
	uint64_t packets;
};

/* All workers in one slice. */
struct slice {
	double cycles, packets;
};

bool
bench_keep_turns(struct bench_worker *worker, double ms, uint32_t slice)
{
	double wanted = 2 * ms * 1e-3 * (double)rte_get_tsc_hz() / slice + 64;

	worker->most_turns = wanted < MOST_TURNS ? (uint32_t)wanted : MOST_TURNS;
	worker->turns = (struct bench_turn *)calloc(worker->most_turns, sizeof(*worker->turns));
	return worker->turns != NULL;
}

void
bench_note_turn(struct bench_worker *worker, uint64_t slice, uint64_t cycles, uint64_t packets)
{
	if (worker->num_turns < worker->most_turns && packets != 0)
		worker->turns[worker->num_turns++] = (struct bench_turn){ slice, cycles, packets };
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The mean of the middle half. */
static double
midmean(double *values, size_t n)
{
	size_t first = n / 4, end = n - n / 4, i;
	double sum = 0;

	qsort(values, n, sizeof(*values), by_size);
	for (i = first; i < end; i++)
		sum += values[i];
	return sum / (double)(end - first);
}

/* Cycles for a packet in a slice; below 0 where there was no turn. */
static double
cost(const struct slice *slices, size_t n, size_t at)
{
	return at < n && slices[at].packets > 0 ? slices[at].cycles / slices[at].packets : -1;
}

/* The middle of the costs without counting, and of what the others cost more. */
static bool
typical(const struct slice *slices, size_t n, bool odd, double *cycles, double *bare)
{
	double *without = (double *)malloc(n * sizeof(*without));
	double *more = (double *)malloc(n * sizeof(*more));
	size_t num_without = 0, num_more = 0, i;
	bool ok;

	for (i = 0; without != NULL && more != NULL && i < n; i++) {
		double here = cost(slices, n, i);
		double before = cost(slices, n, i - 1), after = cost(slices, n, i + 1);

		if (here < 0)
			continue;
		if (((i & 1) != 0) != odd)
			without[num_without++] = here;
		else if (before >= 0 || after >= 0)
			more[num_more++] = here - (before < 0 ? after : after < 0 ? before :
							(before + after) / 2);
	}
	ok = num_without != 0 && num_more != 0;
	if (ok) {
		*bare = midmean(without, num_without);
		*cycles = *bare + midmean(more, num_more);
	}
	free(without);
	free(more);
	return ok;
}

bool
bench_typical(const struct bench_run *run, double *cycles, double *bare)
{
	uint64_t first = UINT64_MAX, last = 0;
	struct slice *slices = NULL;
	unsigned int i;
	uint32_t k;
	bool ok;

	for (i = 0; i < run->o->workers; i++) {
		const struct bench_worker *worker = &run->worker[i];

		if (worker->num_turns == 0)
			continue;
		if (worker->turns[0].slice < first)
			first = worker->turns[0].slice;
		if (worker->turns[worker->num_turns - 1].slice > last)
			last = worker->turns[worker->num_turns - 1].slice;
	}
	if (first <= last && last - first < MOST_SLICES)
		slices = (struct slice *)calloc((size_t)(last - first + 1), sizeof(*slices));
	if (slices == NULL)
		return false;
	for (i = 0; i < run->o->workers; i++) {
		for (k = 0; k < run->worker[i].num_turns; k++) {
			const struct bench_turn *turn = &run->worker[i].turns[k];

			slices[turn->slice - first].cycles += (double)turn->cycles;
			slices[turn->slice - first].packets += (double)turn->packets;
		}
	}
	ok = typical(slices, (size_t)(last - first + 1), (first & 1) == 0, cycles, bare);
	free(slices);
	return ok;
}
