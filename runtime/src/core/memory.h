/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory and words of the instances of dynamic scopes; under the control lock. */
#ifndef CTR_CORE_MEMORY_H
#define CTR_CORE_MEMORY_H

#include "ctr_table.h"

/* Allocate the chunks for a position: records, common parts, and of every copy; all or none. */
int ctr_core_provide(const struct ctr_table *table, uint32_t at);

/* Settle the instances in line, up to one that has to wait. */
void ctr_core_tidy(const struct ctr_table *table);

/* Set the counters of an instance in the only copy to 0; add what they were to *out. */
void ctr_core_take(const struct ctr_table *table, uint32_t at, void *out);

/* Make *out, the sums of an instance, the baselines of all views; then its default counts. */
void ctr_core_settle_bases(const struct ctr_table *table, uint32_t at, void *out);

/* Set what one copy has of an instance to 0, and take it off the baselines. */
void ctr_core_wipe(const struct ctr_table *table, void *copy, uint32_t at);

/* Gauges, peaks and states of a new instance begin at 0. */
void ctr_core_clear(const struct ctr_table *table, uint32_t at);

/* The peaks of an instance, to *out. */
void ctr_core_peaks(const struct ctr_table *table, uint32_t at, void *out);

/* Apply what is held back and has no lcore any more that would. */
static inline void
ctr_core_settle(const struct ctr_domain *domain)
{
	if (domain->strategy->settle != NULL)
		domain->strategy->settle(domain);
}

#endif /* CTR_CORE_MEMORY_H */
