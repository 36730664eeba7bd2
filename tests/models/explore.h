/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Explores executions of a model: the compiler calls back for each access to memory
 * (-fsanitize=thread), and explore.c, in place of the sanitizer's library, chooses which thread goes on
 * and which of the stores that C11 permits a load returns. What a model calls of the C library is
 * replaced below.
 */
#ifndef EXPLORE_H
#define EXPLORE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/** The thread-local variables of a model; each of its threads has values of its own. */
#define EXPLORE_THREAD_LOCAL __attribute__((section("explore_thread")))

/** The model's main(). */
int model_main(void);

/** Report @p what and end: no execution of a model may do this. */
void explore_fail(const char *what, const char *file, int line) __attribute__((noreturn));

/** A thread that waits for another one to change something: that one goes on. */
void explore_wait(void);

int explore_start(pthread_t *thread, const void *attr, void *(*run)(void *), void *arg);
int explore_join(pthread_t thread, void **result);
pthread_t explore_self(void);
int explore_lock(pthread_mutex_t *mutex);
int explore_trylock(pthread_mutex_t *mutex);
int explore_unlock(pthread_mutex_t *mutex);
int explore_once(pthread_once_t *once, void (*run)(void));
int explore_key(pthread_key_t *key, void (*leave)(void *));
int explore_set(pthread_key_t key, const void *value);
int explore_allocate(void **memory, size_t align, size_t size);
void explore_free(void *memory);
void *explore_copy(void *to, const void *from, size_t size);
void *explore_fill(void *memory, int byte, size_t size);
int explore_clock(clockid_t clock, struct timespec *now);

#define pthread_create explore_start
#define pthread_join explore_join
#define pthread_self explore_self
#define pthread_mutex_lock explore_lock
#define pthread_mutex_trylock explore_trylock
#define pthread_mutex_unlock explore_unlock
#define pthread_once explore_once
#define pthread_key_create explore_key
#define pthread_setspecific explore_set
#define posix_memalign explore_allocate
#define free explore_free
#define memcpy explore_copy
#define memset explore_fill
#define clock_gettime explore_clock
#define sched_yield() (explore_wait(), 0)
#define nanosleep(time, left) ((void)(time), (void)(left), explore_wait(), 0)
#define madvise(memory, size, how) ((void)0)

#endif /* EXPLORE_H */
