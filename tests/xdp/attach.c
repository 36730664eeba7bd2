/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the library admits the program of an object: `attach OBJECT`. With `attach FOLDER HOW` it
 * attaches to what is pinned, creates a flow, prints the result and waits for the end of its input;
 * then it prints which flows programs see. It detaches without a free descriptor and attaches again,
 * ends with its claim (HOW is `end`), or ends with a claim of the process that started it, from before
 * that began (`stale`). */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ctr_table.h"
#include "flows_stats_xdp.h"

static int
attach_pinned(const char *folder, const char *how)
{
	const int rc = flows_stats_xdp_attach_pinned(folder);
	struct rlimit files = { 0 }, none;
	const struct ctr_module_state *module = flows_stats_xdp.module;
	uint32_t flow;
	const int created = rc == 0 ? flows_stats_flow_alloc(&flow) : rc;

	printf("%d\n", rc);
	(void)fflush(stdout);
	if (rc != 0)
		return 1;
	while (getchar() != EOF)
		;
	printf("flows %d\n",
	       created == 0 ? (int)module->tables[module->num_tables - 1]->live[0] : created);
	(void)fflush(stdout);
	if (strcmp(how, "stale") == 0)
		*flows_stats_xdp.process = (uint64_t)getppid() << 32 | 1;
	if (strcmp(how, "detach") != 0)
		_exit(0);
	(void)getrlimit(RLIMIT_NOFILE, &files);
	none = (struct rlimit){ 0, files.rlim_max };
	(void)setrlimit(RLIMIT_NOFILE, &none);
	flows_stats_fini();
	(void)setrlimit(RLIMIT_NOFILE, &files);
	return flows_stats_xdp_attach_pinned(folder) != 0;
}

int
main(int argc, char **argv)
{
	struct bpf_object *object;
	int rc;

	if (argc == 3)
		return attach_pinned(argv[1], argv[2]);
	object = argc == 2 ? bpf_object__open(argv[1]) : NULL;
	if (object == NULL || flows_stats_xdp_prepare(object) != 0 || bpf_object__load(object) != 0)
		return 2;
	rc = flows_stats_xdp_attach(object);
	flows_stats_fini();
	bpf_object__close(object);
	return rc == 0 ? 0 : 1;
}
