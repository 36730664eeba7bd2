/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What the examples need besides statistics: a platform (app_posix.c or
 * app_dpdk.c), threads, random numbers, and a report of wrong values.
 */
#ifndef APP_H
#define APP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Start up. On DPDK this initializes the EAL: with the options on the command
 * line, or, when there are none, without huge pages and devices.
 */
void app_start(int argc, char **argv);

/** The opposite of app_start(). */
void app_stop(void);

/**
 * Run `work(&arg[i * arg_size])` in `count` threads, each with an lcore id of
 * its own (ctr_thread_register), while the calling thread runs `control(NULL)`
 * again and again. Threads start working together. Returns when all are done.
 */
void app_run(void (*work)(void *), void *arg, size_t arg_size, unsigned int count,
		void (*control)(void));

/** End the program with a message if `rc` is negative. */
void app_must(int rc, const char *what);

/**
 * The same for reads and resets, where -EAGAIN is no failure: each value is
 * right, but they may not be mutually consistent. Returns whether they are.
 */
bool app_read(int rc, const char *what);

/** Compare; print and count the error if the two differ. Main thread only. */
void app_check(const char *what, uint32_t index, uint64_t stats, uint64_t truth);

/** Print the verdict; returns the exit code of the program. */
int app_verdict(void);

/** A pseudo random number in 0..below-1; `state` must not be 0 (xorshift64*). */
static inline uint32_t
app_random(uint64_t *state, uint32_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)(((*state * UINT64_C(0x2545f4914f6cdd1d) >> 32) * below) >> 32);
}

#endif
