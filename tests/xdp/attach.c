/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the library admits the program of an object: `attach OBJECT`. */
#include <bpf/libbpf.h>
#include <stdio.h>

#include "flows_stats_xdp.h"

int
main(int argc, char **argv)
{
	struct bpf_object *object = argc == 2 ? bpf_object__open(argv[1]) : NULL;
	int rc;

	if (object == NULL || flows_stats_xdp_prepare(object) != 0 || bpf_object__load(object) != 0)
		return 2;
	rc = flows_stats_xdp_attach(object);
	flows_stats_fini();
	bpf_object__close(object);
	return rc == 0 ? 0 : 1;
}
