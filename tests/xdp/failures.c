/* SPDX-License-Identifier: BSD-3-Clause */
/* Each call of the kernel that an attach makes fails once: `failures OBJECT`. The attach returns the
 * error, its reason is printed, and the next one succeeds and reads what was counted. Then there are
 * more CPUs possible than online. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ctr.h"
#include "flows_stats_xdp.h"
#include "lab.h"

/* What fails, after how many calls of it, and how. */
enum call { NONE, QUERY, FLAGS, MAP, RING, CPUS, BARRIER, PROC, PUT, MEMORY };
static enum call failing;
static int after, with;

static bool
fails(enum call call)
{
	if (call != failing || after-- != 0)
		return false;
	errno = with;
	return true;
}

int __real_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *size);
int __wrap_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *size);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);
struct ring_buffer *__real_ring_buffer__new(int fd, ring_buffer_sample_fn call, void *context,
					    const struct ring_buffer_opts *opts);
struct ring_buffer *__wrap_ring_buffer__new(int fd, ring_buffer_sample_fn call, void *context,
					    const struct ring_buffer_opts *opts);
int __real_libbpf_num_possible_cpus(void);
int __wrap_libbpf_num_possible_cpus(void);
int __real_bpf_map_update_elem(int fd, const void *key, const void *value, uint64_t flags);
int __wrap_bpf_map_update_elem(int fd, const void *key, const void *value, uint64_t flags);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __real_posix_memalign(void **memory, size_t align, size_t size);
int __wrap_posix_memalign(void **memory, size_t align, size_t size);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long command, long flags, long cpu);

int
__wrap_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *size)
{
	int rc;

	if (fails(QUERY))
		return -with;
	rc = __real_bpf_obj_get_info_by_fd(fd, info, size);
	/* Arrays of a kernel that cannot map them. */
	if (rc == 0 && *size >= sizeof(struct bpf_map_info) &&
	    ((struct bpf_map_info *)info)->type == BPF_MAP_TYPE_ARRAY && fails(FLAGS))
		((struct bpf_map_info *)info)->map_flags = 0;
	return rc;
}

void *
__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	return fd >= 0 && fails(MAP) ? MAP_FAILED : __real_mmap(at, size, prot, flags, fd, offset);
}

struct ring_buffer *
__wrap_ring_buffer__new(int fd, ring_buffer_sample_fn call, void *context,
			const struct ring_buffer_opts *opts)
{
	return fails(RING) ? NULL : __real_ring_buffer__new(fd, call, context, opts);
}

int
__wrap_libbpf_num_possible_cpus(void)
{
	/* libbpf keeps the number. */
	if (fails(CPUS) || (failing == CPUS && with > 0))
		return with;
	return __real_libbpf_num_possible_cpus();
}

int
__wrap_bpf_map_update_elem(int fd, const void *key, const void *value, uint64_t flags)
{
	return fails(PUT) ? -with : __real_bpf_map_update_elem(fd, key, value, flags);
}

FILE *
__wrap_fopen(const char *path, const char *mode)
{
	return fails(PROC) ? NULL : __real_fopen(path, mode);
}

int
__wrap_posix_memalign(void **memory, size_t align, size_t size)
{
	return fails(MEMORY) ? with : __real_posix_memalign(memory, align, size);
}

long
__wrap_syscall(long number, long command, long flags, long cpu)
{
	if (number == SYS_membarrier && command == MEMBARRIER_CMD_QUERY && fails(BARRIER))
		return with;
	return __real_syscall(number, command, flags, cpu);
}

static const struct {
	enum call call;
	int with, rc;
} cases[] = {
	{ QUERY, EPERM, -EPERM },     { FLAGS, 0, -EOPNOTSUPP }, { MAP, ENOMEM, -ENOMEM },
	{ RING, ENOMEM, -ENOMEM },    { CPUS, -EIO, -EIO },      { CPUS, 4000, -E2BIG },
	{ BARRIER, 0, -EOPNOTSUPP },  { PROC, ENOENT, -ENOENT },
};

/* A packet that is too short to be of a flow of IPv4 with ports, but one of IPv4. */
static void
run(struct bpf_object *object)
{
	const uint8_t packet[60] = { [12] = 0x08, [14] = 0x45, [23] = 17 };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));

	must(bpf_prog_test_run_opts(counting(object), &opts) == 0, "run");
}

/* The lowest descriptor that is free: another one if any was left open below it. */
static int
free_descriptor(void)
{
	const int fd = dup(STDOUT_FILENO);

	(void)close(fd);
	return fd;
}

int
main(int argc, char **argv)
{
	struct bpf_object *object;
	int call, rc, each, lowest;

	if (argc != 2)
		return 2;
	object = load_object(argv[1], flows_stats_xdp_prepare);
	lowest = free_descriptor();
	run(object);
	failing = MEMORY; /* of ctr_module_init() */
	with = ENOMEM;
	must(flows_stats_xdp_attach(object) == -ENOMEM, "a first attach without memory");
	must(flows_stats_xdp_attach(object) == 0 && flows_stats_get_pkts() == 1,
	     "the counts before a first attach that failed");
	flows_stats_fini();
	for (call = 0; call < (int)(sizeof(cases) / sizeof(cases[0])); call++) {
		for (each = 0;; each++) {
			failing = cases[call].call == CPUS && each > 0 ? NONE : cases[call].call;
			after = each;
			with = cases[call].with;
			rc = flows_stats_xdp_attach(object);
			if (after >= 0)
				break; /* There are no further calls. */
			if (rc == 0) { /* The flags are asked for a second time, and not used. */
				must(failing == FLAGS, "an attach despite a call that fails");
				flows_stats_fini();
				continue;
			}
			must(rc == cases[call].rc, "the error of a call that fails");
			must(free_descriptor() == lowest, "descriptors are closed");
			failing = NONE;
			must(flows_stats_xdp_attach(object) == 0, "the next attach");
			run(object);
			must(flows_stats_get_pkts() == 1, "counts");
			flows_stats_fini();
		}
		failing = NONE;
		must(each > 0 && rc == 0, "an attach without failures");
		flows_stats_fini();
	}
	must(flows_stats_xdp_attach(object) == 0, "attach");
	failing = PUT;
	after = 1;
	with = ENOMEM;
	must(flows_stats_flow_key_stock(3) == -ENOMEM, "a stock that cannot be put");
	must(flows_stats_flow_key_stock(3) == 0, "the next stock");
	flows_stats_fini();
	bpf_object__close(object);

	/* Three more CPUs may come. */
	failing = CPUS;
	after = 0;
	with = __real_libbpf_num_possible_cpus() + 3;
	object = load_object(argv[1], flows_stats_xdp_prepare);
	must(flows_stats_xdp_attach(object) == 0, "attach with CPUs that are not online");
	run(object);
	must(flows_stats_get_pkts() == 1, "counts");
	flows_stats_fini();
	bpf_object__close(object);
	return 0;
}
