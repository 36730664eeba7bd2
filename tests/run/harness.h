/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Threads, checks and options of the test programs, the same under both ports.
 *
 * A program is a set of tests, each a TEST(name) { ... }; its first argument is
 * the name of the one to run. It exits with 0, or with 1 and a text that says what
 * was expected. Iteration counts are options: `option("ROUNDS", 100)` is what
 * the environment variable CTR_TEST_ROUNDS says, else 100.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>

#include "ctr.h"

/** A test that the program has. */
struct harness_test {
	const char *name;
	void (*run)(void);
	struct harness_test *next;
};

/** Define a test; its body follows. */
#define TEST(name)                                                             \
	static void test_##name(void);                                         \
	static void __attribute__((constructor)) add_##name(void)              \
	{                                                                      \
		static struct harness_test test = { #name, test_##name, NULL }; \
                                                                               \
		harness_add(&test);                                            \
	}                                                                      \
	static void test_##name(void)

/** Define a test whose body follows, between what begins and what ends it. */
#define TEST_BETWEEN(name, begin, end)                                         \
	static void between_##name(void);                                      \
	TEST(name)                                                             \
	{                                                                      \
		begin;                                                         \
		between_##name();                                              \
		end;                                                           \
	}                                                                      \
	static void between_##name(void)

void harness_add(struct harness_test *test);

/** Print where and why, and end the program with 1. */
void harness_fail(const char *file, int line, const char *what, const char *format, ...)
	__attribute__((noreturn, format(printf, 4, 5)));

/** Fail with a printf() text unless a condition holds. */
#define CHECK(condition, ...)                                                  \
	do {                                                                   \
		if (!(condition))                                              \
			harness_fail(__FILE__, __LINE__, #condition, __VA_ARGS__); \
	} while (0)

/** Fail with both values unless two numbers are equal. */
#define EQUAL(got, wanted)                                                     \
	harness_equal(__FILE__, __LINE__, #got " == " #wanted, (int64_t)(got), (int64_t)(wanted))

void harness_equal(const char *file, int line, const char *what, int64_t got, int64_t wanted);

/** The value of environment variable CTR_TEST_@p name, or @p otherwise. */
uint64_t option(const char *name, uint64_t otherwise);

/** Amounts at the bounds of types. */
#define CORNERS 7u
extern const uint64_t corners[CORNERS];

/* ---- threads ---- */

struct worker;
typedef void (*work_t)(struct worker *me);

/** A thread of a test. Zero-initialise. */
struct worker {
	unsigned int number; /**< Set by the test. */
	void *data;          /**< Set by the test. */
	uint64_t random;     /**< State of draw(). */
	/** The thread keeps its lcore id: it has to flush what it buffered itself. */
	bool stays;
	work_t work;
	bool registered;
	uint32_t start; /**< Number of starts given when this was launched. */
	pthread_t thread;
	uint32_t ended; /**< 1 when the work on an EAL lcore is done. */
	unsigned int eal_lcore; /**< 0, or the EAL's worker that this runs on. */
};

/**
 * Start a thread; it waits for workers_go().
 *
 * @param registered whether it has an lcore id: under the DPDK port EAL workers
 *   are taken first, then threads that ctr_thread_register(); under the POSIX
 *   port always the latter
 */
void worker_start(struct worker *worker, work_t work, bool registered);
/** Zero @p n threads, number and start them, the first @p lcores of them with an lcore id. */
void workers_start(struct worker *workers, unsigned int n, work_t work, unsigned int lcores);
/** Let all threads that were started run, once each of them is ready to. */
void workers_go(void);
/** Wait for the end of @p n threads. */
void workers_join(struct worker *workers, unsigned int n);
/** Work of a thread: register, and call what tell() says, until that was to unregister. */
void obey(struct worker *me);
/** Have the thread that obeys call a function; returns when it has. */
void tell(void (*what)(void));
/** Start a thread, and wait for its end. */
void run_thread(void *(*run)(void *), void *arg);
/** A random number, different for each worker and the same in each run. */
uint32_t draw(struct worker *me);

/** A flag that threads set and poll; no order is implied. */
static inline bool
is_set(const uint32_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

static inline void
set_flag(uint32_t *flag, uint32_t value)
{
	__atomic_store_n(flag, value, __ATOMIC_RELAXED);
}

/** Wait until a flag is set. */
void await(const uint32_t *flag);

/* ---- processes ---- */

/** Fork; 0 in the child, which ends by SIGALRM after SECONDS (20) if it has not ended by then. */
pid_t fork_off(void);
/** Wait for a child, which has to end with 0. */
void ended_well(pid_t child);

#endif /* HARNESS_H */
