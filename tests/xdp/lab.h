/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs that read counts of the kernel share. */
#ifndef LAB_H
#define LAB_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/** End the program with 1 and say what is wrong, unless something is so. */
static inline void
must(bool so, const char *what)
{
	if (!so) {
		printf("wrong: %s\n", what);
		exit(1);
	}
}

/** Keep the calling thread on a CPU. */
static inline void
stay_on(size_t cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}

/** Open an object, have a module prepare it, and load it. */
static inline struct bpf_object *
load_object(const char *path, int (*prepare)(struct bpf_object *object))
{
	struct bpf_object *object = bpf_object__open(path);

	must(object != NULL && prepare(object) == 0 && bpf_object__load(object) == 0, "load");
	return object;
}

/** The program that counts. */
static inline int
counting(const struct bpf_object *object)
{
	return bpf_program__fd(bpf_object__find_program_by_name(object, "count"));
}

#endif /* LAB_H */
