/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds a run of each program of an object: `bench OBJECT ROUNDS RUNS`. Rounds are
 * interleaved; printed are a program's name, the least and the median of its rounds. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr.h"
#include "ep_stats_xdp.h"

#define PROGRAMS 8
#define ROUNDS 101

static int
compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	static uint32_t ns[PROGRAMS][ROUNDS];
	uint32_t packet[16] = { 7, 1000 };
	struct bpf_program *program;
	struct bpf_object *object;
	int rounds, round, n;

	if (argc != 4 || (rounds = atoi(argv[2])) < 1 || rounds > ROUNDS)
		return 2;
	object = bpf_object__open(argv[1]);
	if (object == NULL || ep_stats_xdp_prepare(object) != 0 || bpf_object__load(object) != 0)
		return 2;
	for (round = 0; round < rounds; round++) {
		n = 0;
		bpf_object__for_each_program(program, object) {
			LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
				    .data_size_in = sizeof(packet), .repeat = atoi(argv[3]));

			if (n == PROGRAMS ||
			    bpf_prog_test_run_opts(bpf_program__fd(program), &opts) != 0 ||
			    opts.retval != 2)
				return 2;
			ns[n++][round] = opts.duration;
		}
	}
	n = 0;
	bpf_object__for_each_program(program, object) {
		qsort(ns[n], (size_t)rounds, sizeof(ns[0][0]), compare);
		printf("%s %u %u\n", bpf_program__name(program), ns[n][0], ns[n][rounds / 2]);
		n++;
	}
	bpf_object__close(object);
	return 0;
}
