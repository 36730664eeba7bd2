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

/**
 * Create the instance at a position.
 *
 * @return 0; -ENODEV: the module is not initialised; -ENOENT: nor is there what it lies in;
 *   -EEXIST; -EBUSY: the former one is not settled; -ENOMEM
 */
int ctr_life_create(const struct ctr_table *table, uint32_t at);

/**
 * Create the instance at the lowest index that is free and settled, inside of an outer one.
 *
 * @param table the scope
 * @param first position of the first one in that; 0 for a scope with one index
 * @param index its own index, when 0 is returned
 * @return as ctr_life_create(); -ENOSPC
 */
int ctr_life_alloc(const struct ctr_table *table, uint32_t first, uint32_t *index);

/** What receives the final counts of instances that end with the one that they are inside of. */
struct ctr_life_ops {
	const void *ops; /**< The generated struct of functions; NULL: nobody needs the counts. */
	void *user;      /**< Passed on to them. */
};

/**
 * Retire an instance, or go on with one that is.
 *
 * @param table the scope
 * @param at    its position
 * @param last  where its final counts go; NULL: nobody needs them, and it is settled later
 * @param ops   what receives those of all inside of it; NULL: there must not be any that exist
 * @return 0: it is settled; -EINPROGRESS: it is retired, call again; -ENOENT; -EBUSY: instances
 *   inside of it exist, and @p ops is NULL
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

/**
 * Give back the memory of instances that are gone and settled.
 *
 * @return 0; -EINPROGRESS: some may still be in there, call again; -ENOTSUP: no lcore reports
 */
int ctr_life_trim(const struct ctr_table *table);

/** Stop the program if the calling lcore has reported since the instance was destroyed. */
void ctr_life_check(const struct ctr_table *table, uint32_t at, const char *file, int line,
		    const char *function);

#ifdef __cplusplus
}
#endif

#endif /* CTR_LIFE_H */
