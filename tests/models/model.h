/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the models share. A model is a program of two or three threads and some
 * assertions, on the product's own headers, sources and generated code.
 *
 * With MODEL_GENMC it is one translation unit for GenMC, which runs all its executions, with
 * MODEL_EXPLORE one for explore.c, which runs some, or with MODEL_LINKED one beside that of the
 * library. What a checker cannot run is replaced here, in explore.h and in genmc.py, and nothing
 * else.
 */
#ifndef MODEL_H
#define MODEL_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MODEL_EXPLORE

#include "explore.h"

#include "ctr_common.h"
#undef CTR_THREAD_LOCAL
#define CTR_THREAD_LOCAL EXPLORE_THREAD_LOCAL
/* The body of each spinning loop. */
#define ctr_pause ctr_pause_of_the_port
#include "ctr_port_posix.h"
#undef ctr_pause
#define ctr_pause() explore_wait()
#include "ctr.h"

#else /* MODEL_GENMC */

#include <assert.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

void __VERIFIER_assume(_Bool);

#define __builtin_ia32_pause() ((void)0)
#define calloc(n, size) malloc((n) * (size))
/* Members of structs have this name too. */
#undef free
#define free model_free
static inline void
model_free(void *memory)
{
	(void)memory;
}
/* GenMC's errno.h lacks it. */
#ifndef ENOTSUP
#define ENOTSUP 95
#endif

/* GenMC gives LLVM's lists of what is retained, or run at the end, memory of other objects. */
#include "ctr_common.h"
#undef CTR_RETAINED
#define CTR_RETAINED
#define destructor(priority) unused

#define ctr_spin_wait ctr_spin_wait_of_the_runtime
#include "ctr_port.h"
#undef ctr_spin_wait
/* A turn of a spin loop changes nothing, so only the turn that ends it matters. */
#define ctr_spin_wait(spins) ((void)(spins), __VERIFIER_assume(0))

#define model_clear(reading) ((reading)->locked = false, (reading)->retries_exhausted = false)
#include "ctr.h"

/* No time passes. */
#ifndef MODEL_TIME_NS
#define MODEL_TIME_NS 0
#endif

/* Zeroed memory for what is allocated. */
#define MODEL_MEMORY 8
static uint64_t model_memory[MODEL_MEMORY][128] CTR_CACHE_ALIGNED;
static unsigned int model_used;

static int
model_memalign(void **memory, size_t size)
{
	unsigned int at = __atomic_fetch_add(&model_used, 1, __ATOMIC_RELAXED);

	if (size > sizeof(model_memory[0]) || at >= MODEL_MEMORY)
		return ENOMEM;
	*memory = model_memory[at];
	return 0;
}

/* Word by word, for all accesses of an object must have one width; 4 octets are an int. */
static inline void
model_zero(void *memory, size_t size)
{
	uint64_t *words = (uint64_t *)memory;
	size_t i;

	for (i = 0; i < size / sizeof(*words); i++)
		words[i] = 0;
	i *= sizeof(*words);
	if (size - i == sizeof(int))
		*(int *)(void *)((char *)memory + i) = 0;
	else
		for (; i < size; i++)
			((char *)memory)[i] = 0;
}

static inline void
model_copy(void *to, const void *from, size_t size)
{
	size_t i;

	for (i = 0; i < size / sizeof(uint64_t); i++)
		((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
	for (i *= sizeof(uint64_t); i < size; i++)
		((char *)to)[i] = ((const char *)from)[i];
}
#undef memcpy
#define memcpy(to, from, size) model_copy(to, from, size)

/* A struct ctr_wb with its records. */
#define model_copy_wb(to, from) \
	((to)->used = (from)->used, (to)->hints = (from)->hints, (to)->next = (from)->next, \
	 model_copy((to) + 1, (from) + 1, (from)->used))

#define pthread_once_t int
#define pthread_key_t int
/* Of all, the key without which threads set no pointers to slots. */
#define pthread_once(once, make) ((void)(once), ONCE_##make(make), 0)
#define ONCE_create_mine_key(make) make()
#define ONCE_start(make) (void)(make)
#define ONCE_watch_forks(make) (void)(make)
#define pthread_key_create(key, leave) (*(key) = 0, (void)(leave), 0)
#define pthread_key_delete(key) ((void)(key), 0)
#define pthread_setspecific(key, value) ((void)(key), (void)(value), 0)
#define PTHREAD_CANCEL_DISABLE 1
#define pthread_setcancelstate(state, former) ((void)(state), (void)(former), 0)
/* The header of signals has the system's types of threads. */
#define _SIGNAL_H 1
#define SIG_SETMASK 2
#define sigset_t int
#define sigfillset(set) ((void)(set), 0)
#define pthread_sigmask(how, set, former) ((void)(set), (void)(former), 0)
#define pthread_setname_np(thread, name) ((void)(thread), (void)(name), 0)
#define posix_memalign(memory, align, size) ((void)(align), model_memalign(memory, size))
#define madvise(memory, size, how) ((void)0)
#define memset(memory, value, size) ((void)(memory))
#define clock_gettime(clock, now) ((now)->tv_sec = 0, (now)->tv_nsec = 0, 0)
#define sched_yield() 0
/* One without a variable on the stack, of which GenMC may say that it is freed. */
#define ctr_time_ns ctr_time_ns_of_the_port
#endif

#ifdef MODEL_LINKED

/* Of the unit with the library. */
void model_lcores(unsigned int n);
void model_enter(unsigned int lcore);

#else

/* There is nothing but the model. */
int
ctr_port_check(bool alone)
{
	(void)alone;
	return 0;
}
/* No checks of misuse. */
void
ctr_debug_lcore_up(unsigned int lcore)
{
	(void)lcore;
}
void
ctr_debug_watch(bool watching)
{
	(void)watching;
}
/* No model forks. */
#include "ctr_fork.h"
uint32_t ctr_forks;
static void
model_fork_start(void)
{
}
#define ctr_fork_start model_fork_start
#define ctr_fork_watch(module) ((void)(module))
#define ctr_fork_unwatch(module) ((void)(module))
#define ctr_change_begin() ((void)0)
#define ctr_change_end() ((void)0)
CTR_THREAD_LOCAL unsigned int ctr_posix_lcore = CTR_LCORE_ANY;
#include "ctr_thread.c"
#include "ctr_quiescent.c"

/* There are two CPUs, and a thread is moved to the other one each time it asks. */
static int
model_cpu(void)
{
	static CTR_THREAD_LOCAL unsigned int asked;

	return (int)(asked++ % 2);
}
#define sched_getcpu model_cpu
#define sysconf(name) 2L

#include "ctr_cpu.c"
#ifdef MODEL_GENMC
#undef ctr_time_ns
uint64_t
ctr_time_ns(void)
{
	return MODEL_TIME_NS;
}
#undef memset
#define memset(memory, value, size) model_zero(memory, size)
#endif

#include "ctr_control.c"
#include "ctr_srcu.c"
#include "ctr_slots.c"
#include "ctr_wb.c"

/** Give lcore ids 0 to @p n - 1 away; in main(), before the module's _init(). */
void
model_lcores(unsigned int n)
{
	while (n-- > 0)
		id_taken[n] = true;
}

/** Take one of them; at the start of a thread. */
void
model_enter(unsigned int lcore)
{
	ctr_posix_lcore = lcore;
	registrations = 1;
}

#endif

#ifdef MODEL_EXPLORE
#define main model_main
/** What must hold in every execution. */
#define CHECK(condition) \
	((condition) ? (void)0 : explore_fail(#condition, __FILE__, __LINE__))
#else
#define CHECK(condition) assert(condition)
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
