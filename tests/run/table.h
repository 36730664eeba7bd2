/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A module of one scope, whose tables are written by hand; and counts in it, as updates have them.
 */
#ifndef TABLE_H
#define TABLE_H

#include "ctr_access.h"
#include "harness.h"

#define MOST 9u           /**< Words of a run. */
#define WORDS (MOST + 1)  /**< Words of an instance. */
#define INSTANCES 70u     /**< More than the library reads at a time. */
#define VIEWS 3u          /**< Baselines of an instance where there are views. */
#define VIEW 1u           /**< That of reads and resets; view 0 is never reset. */
#define COPIES 2u         /**< Those of the main thread and of threads without an lcore id. */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/** How the scope is stored. */
struct shape {
	unsigned int num;   /**< Words of its run. */
	unsigned int bits;  /**< Of each: 64 or 32. */
	bool more;          /**< There is a word of the other width as well. */
	bool alone;         /**< The table says that elements have counters alone. */
	bool shared;        /**< There is one copy, and resets take its words. */
	bool since;         /**< Lcores have baselines, too. */
	unsigned int views; /**< Baselines of an instance. */
};

/** An instance in storage, in a baseline and as a read gives it. */
struct values {
	uint64_t word[WORDS]; /**< As the run has them. */
};

extern struct shape shape;
extern struct ctr_table table;
extern const struct ctr_module_state module;

/** Initialise a module with a scope of that shape, by a thread with an lcore id; and end that. */
void begin(struct shape wanted);
void end(void);

/** How many counters an instance has; offset and bits of one. */
unsigned int num_words(void);
unsigned int offset_of(unsigned int n);
unsigned int bits_of(unsigned int n);

/** The low bits of a value, as many as a counter has; a counter in a struct. */
uint64_t cut(unsigned int n, uint64_t value);
uint64_t value_of(const struct values *values, unsigned int n);

/** The lcore id of a copy. */
unsigned int lcore_of(unsigned int copy);
/** What count() adds to a counter of a copy: another amount near the one that is asked for. */
uint64_t amount(uint64_t about, unsigned int copy, unsigned int n);
/** Add that to each counter of an instance in all copies. */
void count(uint32_t at, uint64_t about);
/** The sum of it over the copies. */
uint64_t counted(uint64_t about, unsigned int n);

#endif /* TABLE_H */
