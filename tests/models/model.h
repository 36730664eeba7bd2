/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the models share. A model is a program of two or three threads and some
 * assertions, on the product's own headers, sources and generated code.
 *
 * With MODEL_GENMC it is one translation unit for GenMC, which runs all its
 * executions. Without, it is an ordinary program that is linked with the runtime
 * and runs once. What GenMC cannot interpret is replaced here, and nothing else.
 */
#ifndef MODEL_H
#define MODEL_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MODEL_GENMC

#include <assert.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

void __VERIFIER_assume(_Bool);

#define __builtin_ia32_pause() ((void)0)
#define calloc(n, size) malloc((n) * (size))

/* A turn of a spin loop changes nothing, so only the turn that ends it matters. */
#define ctr_spin_wait ctr_spin_wait_of_the_runtime
#include "ctr_port.h"
#undef ctr_spin_wait
#define ctr_spin_wait(spins) ((void)(spins), __VERIFIER_assume(0))

#include "ctr.h"

/* Zeroed memory for two sets of slots. */
#define MODEL_MEMORY 8
static uint64_t model_memory[MODEL_MEMORY][128] CTR_CACHE_ALIGNED;
static unsigned int model_used;

static int
model_memalign(void **memory, size_t size)
{
	if (size > sizeof(model_memory[0]) || model_used == MODEL_MEMORY)
		return ENOMEM;
	*memory = model_memory[model_used++];
	return 0;
}

#define lock port_lock
#define pthread_once_t int
#define pthread_key_t int
#define pthread_once(once, make) ((void)(once), (void)(make), 0)
#define pthread_key_create(key, leave) ((void)(key), (void)(leave), 0)
#define pthread_setspecific(key, value) ((void)(key), (void)(value), 0)
#define posix_memalign(memory, align, size) ((void)(align), model_memalign(memory, size))
#define madvise(memory, size, how) ((void)0)
#define memset(memory, value, size) ((void)(memory))
#undef free
#define free(memory) ((void)(memory))
#define clock_gettime(clock, now) ((now)->tv_sec = 0, (now)->tv_nsec = 0, 0)
#define sched_yield() 0
#include "posix/ctr_thread.c"
#undef memset
#undef lock

#include "ctr_control.c"
#include "ctr_slots.c"
#include "ctr_wb.c"

/** Give lcore ids 0 to @p n - 1 away; in main(), before the module's _init(). */
static inline void
model_lcores(unsigned int n)
{
	while (n-- > 0)
		taken[n] = true;
}

/** Take one of them; at the start of a thread. */
static inline void
model_enter(unsigned int lcore)
{
	ctr_posix_lcore = lcore;
}

#define CHECK(condition) assert(condition)

#else

#include "ctr.h"

static inline void
model_lcores(unsigned int n)
{
	(void)n;
}

static inline void
model_enter(unsigned int lcore)
{
	(void)lcore;
	if (ctr_thread_register() != 0)
		abort();
}

/** What must hold in every execution. */
#define CHECK(condition)                                                          \
	do {                                                                      \
		if (!(condition)) {                                               \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                  \
		}                                                                 \
	} while (0)

#endif

/** Start a thread: @p run of @p arg. */
static inline pthread_t
model_start(void *(*run)(void *), uintptr_t arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, (void *)arg) != 0)
		abort();
	return thread;
}

/** Wait for its end. */
static inline void
model_join(pthread_t thread)
{
	(void)pthread_join(thread, NULL);
}

#endif /* MODEL_H */
