/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of instances: `lists OBJECT`. All of a list is counted, or the call is. */
#define _GNU_SOURCE
#include "ctr.h"
#include "ep_stats_xdp.h"
#include "lab.h"

/* A packet, then what has been counted by the first two instances, the last one, and as dropped. */
static const struct {
	uint32_t word[6];
	uint64_t first, second, last, drops, late;
} rows[] = {
	{ { 0, 0, 0, 0, 0, 1 }, 0, 0, 0, 0, 0 },   { { 1, 0, 0, 0, 0, 1 }, 1, 0, 0, 0, 0 },
	{ { 4, 1, 0, 1, 99, 1 }, 2, 2, 1, 0, 0 },  { { 2, 0, 100, 0, 0, 1 }, 2, 2, 1, 1, 0 },
	{ { 5, 0, 0, 0, 0, 1 }, 2, 2, 1, 2, 0 },   { { 1, 1, UINT32_MAX, 0, 0, 1 }, 2, 3, 1, 2, 0 },
	{ { 2, 1, 1, 2, 2, 0 }, 2, 3, 1, 2, 0 },   { { 2, 1, 2, 0, 0, 0 }, 2, 3, 1, 2, 1 },
	{ { 1, 100, 0, 0, 0, 0 }, 2, 3, 1, 3, 1 },
};

int
main(int argc, char **argv)
{
	struct bpf_object *object;
	uint32_t row;
	int program;

	must(argc == 2, "usage");
	object = load_object(argv[1], ep_stats_xdp_prepare);
	must(ep_stats_xdp_attach(object) == 0 && ep_stats_qer_create(1) == 0, "attach");
	program = counting(object);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		uint32_t packet[16] = { 0 };
		LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
			    .data_size_in = sizeof(packet));

		memcpy(packet, rows[row].word, sizeof(rows[row].word));
		if (bpf_prog_test_run_opts(program, &opts) != 0 || opts.retval != 2 ||
		    ep_stats_urr_get_pkts(0) != rows[row].first ||
		    ep_stats_urr_get_pkts(1) != rows[row].second ||
		    ep_stats_urr_get_pkts(99) != rows[row].last ||
		    ep_stats_drops() != rows[row].drops || ep_stats_late() != rows[row].late) {
			printf("wrong: row %u\n", row);
			return 1;
		}
	}
	row = ep_stats_qer_get_pkts(1) != 2;
	ep_stats_fini();
	bpf_object__close(object);
	return (int)row;
}
