/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Lives of the instances of dynamic scopes, from their tables (ctr_table.h).
 *
 * Generated headers have typed functions around these. All of them take the control lock of the
 * module, but for ctr_life_exists() and ctr_life_next(); no update waits for it. An instance that
 * is destroyed is retired at once: readers do not find it any more. It is settled, and its index
 * free, when every lcore that reports quiescence has done so since.
 */
#ifndef CTR_LIFE_H
#define CTR_LIFE_H

#include "ctr_common.h"

struct ctr_table;

#ifdef __cplusplus
extern "C" {
#endif

/** Create the instance at a position, with all counters 0. 0; -ERANGE; -ENODEV: the module is not
 * initialised; -ENOENT: its holder does not exist; -EEXIST; -EBUSY: the former one is not
 * reclaimed; -ENOMEM. */
int ctr_life_create(const struct ctr_table *table, uint32_t at);

/** Create one at the lowest free index inside of the outer one that begins at position @p first;
 * its own index goes to *@p index. As ctr_life_create(); -EINVAL: NULL; -ENOSPC: there is none. */
int ctr_life_alloc(const struct ctr_table *table, uint32_t first, uint32_t *index);

/** What receives the final counts of instances that end with the one that they are inside of. */
struct ctr_life_ops {
	const void *ops; /**< The generated struct of functions; NULL: nobody needs the counts. */
	void *user;      /**< Passed on to them. */
};

/**
 * Destroy an instance: readers do not find it any more. Its index can be used again when it is
 * reclaimed: when every lcore that reports has done so since. With @p ops all instances inside of
 * it are destroyed too, the innermost first. Until it returns 0, no counts are handed over.
 * @param table the scope
 * @param at   position of the instance
 * @param last its final counts; NULL: not needed, and the next creation may reclaim it
 * @param ops  receives those of all inside of it; NULL: none may exist
 * @return 0: it is reclaimed; -EINPROGRESS: it is retired, call again; -ERANGE; -ENOENT; -EBUSY:
 *   instances inside of it exist, or have final counts that were not collected
 */
int ctr_life_destroy(const struct ctr_table *table, uint32_t at, void *last,
		     const struct ctr_life_ops *ops);

/** Whether the instance at a position exists. Any thread; takes no lock. */
bool ctr_life_exists(const struct ctr_table *table, uint32_t at);

/** How many instances exist. Any thread; takes no lock. */
uint32_t ctr_life_instances(const struct ctr_table *table);

/** How many creations failed with -ENOSPC or -ENOMEM since the module was initialised. Likewise. */
uint64_t ctr_life_refused(const struct ctr_table *table);

/** The first position from @p at on where one exists, or `max`. Any thread; takes no lock. */
uint32_t ctr_life_next(const struct ctr_table *table, uint32_t at);

/** Free the memory of reclaimed instances, chunk by chunk; no thread without an lcore id has their
 * indexes. 0: nothing is left to free; -EINPROGRESS: call again; -ENOTSUP: no lcore ever
 * reported. */
int ctr_life_trim(const struct ctr_table *table);

/** Stop the program if the calling lcore has reported since the instance was destroyed. */
void ctr_life_check(const struct ctr_table *table, uint32_t at, const char *file, int line,
		    const char *function);

#ifdef __cplusplus
}
#endif

#endif /* CTR_LIFE_H */
