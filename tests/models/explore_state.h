/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What explore.c (threads and choices) and explore_memory.c (accesses) share.
 */
#ifndef EXPLORE_STATE_H
#define EXPLORE_STATE_H

#include <stdbool.h>
#include <ucontext.h>

#include "explore.h"

#undef memcpy
#undef memset
#undef free

#define THREADS 5
#define LOCATIONS 200
#define STORES 8
#define MUTEXES 16
#define KEYS 3
#define CHOICES 4096
#define STACK 65536
#define HEAP 65536
#define STATIC (1 << 20)
#define NESTED 3   /* Loops that wait, one in the other. */
#define MOST 20000 /* Accesses of an execution. */

/* The clock of each thread, and for each location how many of its first stores are too old. */
struct view {
	uint16_t at[THREADS + LOCATIONS];
};

/* A store, and what a thread has seen that acquires it. */
struct store {
	uint64_t value;
	struct view seen;
};

/* A word that is accessed atomically, and its last stores. */
struct location {
	unsigned int size;
	uint64_t execution;
	unsigned int first, num;      /* Stores; first is 0 if there was a plain one since. */
	unsigned int users, changers; /* Bits of threads, of all executions. */
	bool shared;                  /* At the end of the last round. */
	struct store store[STORES];
};

enum kind { PLAIN_LOAD, PLAIN_STORE, LOAD, STORE, KINDS };

/* The last accesses to eight bytes, by thread: when, and which bytes. */
struct cell {
	uint64_t execution;
	uint8_t location[8];
	struct {
		uint16_t time[KINDS];
		uint8_t bytes[KINDS];
	} by[THREADS];
};

enum state { READY, LOCKING, JOINING, WAITING, DONE };

struct thread {
	struct view now, acquired, released;
	enum state state;
	const void *on;    /* What it waits for. */
	uint64_t changes;  /* That there were when it last waited. */
	unsigned int idle; /* Waits since then, and since it loaded an older store. */
	void *(*run)(void *);
	void *arg;
	const void *value[KEYS];
	ucontext_t context;
	char local[256];
	char stack[STACK] __attribute__((aligned(64)));
};

struct mutex {
	const void *at;
	unsigned int owner; /* Its number + 1, 0 if it is free. */
	struct view seen;
};

struct explore {
	unsigned int num_threads, current, num_locations, num_mutexes, num_keys;
	unsigned int late; /* Number of the thread that mostly loads old stores. */
	struct thread thread[THREADS];
	char heap[HEAP] __attribute__((aligned(4096)));
	struct view constant; /* Of sequentially consistent accesses and fences. */
	struct location location[LOCATIONS];
	struct mutex mutex[MUTEXES];
	void (*leave[KEYS])(void *);
	struct cell cell[(STATIC + THREADS * (STACK + 8192) + HEAP) / 8];
	uint64_t execution, changes, steps, used, time_ns, random;
	/* The present way through all choices, and how many ways there are at each. */
	unsigned int choice[CHOICES], of[CHOICES], depth, length, exceptions, allowed;
	bool at_random;
	ucontext_t scheduler;
	char local[256], *image; /* Thread-local and other variables before an execution. */
};

/** The only variable that is not a model's; restoring those leaves it as it is. */
extern struct explore *x;

/* From the linker: all variables, and those of threads. */
extern char __data_start[], _end[];
extern char __start_explore_thread[], __stop_explore_thread[];

/** The thread that runs. */
static inline struct thread *
me(void)
{
	return &x->thread[x->current];
}

/** What the calling thread does from now on is not in views that it has published. */
static inline void
tick(void)
{
	me()->now.at[x->current]++;
}

/** Report a fault of the present execution, and end. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/** One of @p n; the same numbers in each run. */
unsigned int next_random(unsigned int n);
/** One of @p n ways to go on; all but the first are exceptions, or none is. */
unsigned int pick(unsigned int n, bool exception);
/** Another thread goes on; as an @p exception, or because the calling one cannot. */
void give_way(bool exception);
/** Count an access; an execution has a bounded number. */
void step(void);
/** @p view has what @p other has, too. */
void join(struct view *view, const struct view *other);
/** Note an access that is not atomic. */
void plain(const void *address, size_t size, enum kind kind);

#endif /* EXPLORE_STATE_H */
