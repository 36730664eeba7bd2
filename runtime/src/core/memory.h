/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory and words of the instances of dynamic scopes; under the control lock. */
#ifndef CTR_CORE_MEMORY_H
#define CTR_CORE_MEMORY_H

#include "core.h"

/* Allocate the chunks for a position: records, common parts, and of every copy; all or none. */
int ctr_core_provide(const struct ctr_table *table, uint32_t at);

/* Collect the final counts of a retired instance and all inside of it, if no lcore can still count
 * there; then its index is free. 0; -EINPROGRESS. */
int ctr_core_end(const struct ctr_table *table, uint32_t at, void *last,
		 const struct ctr_life_ops *ops);

/* Collect the counts inside of an instance; `ops`, or NULL, receive the final counts. */
void ctr_core_end_inside(const struct ctr_table *table, uint32_t outer,
			 const struct ctr_life_ops *ops);

/* Reclaim retired instances in order, up to the first that has to wait. */
void ctr_core_tidy(const struct ctr_table *table);

/* Count ending instances and chunks, whose pending updates lcores apply. */
static inline void
ctr_core_count_ending(const struct ctr_domain *domain, uint32_t by)
{
	if (domain->ending != NULL)
		ctr_store32(&domain->ending->word, domain->ending->word + by);
}

/* Apply pending updates whose lcore has left. */
static inline void
ctr_core_settle(const struct ctr_domain *domain)
{
	if (domain->strategy->drain_orphans != NULL)
		domain->strategy->drain_orphans(domain);
	else if (domain->strategy->poll != NULL)
		(void)domain->strategy->poll(domain);
}

/* Begin a generation; *last receives late counts of the former one. */
void ctr_core_begin(const struct ctr_table *table, uint32_t at, void *last);

/* Store all counts to *out, as those of the generation that ends; all views start from zero. */
void ctr_core_settle_counts(const struct ctr_table *table, uint32_t at, void *out);

/* Whether the outer instance of an instance exists; for the outermost, the module. */
static inline int
ctr_core_holder(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_table *holder = table->holder;

	if (holder == NULL)
		return table->domain->module->ready->set ? 0 : -ENODEV;
	return ctr_core_lives(ctr_core_record(holder, at / table->stride)) ? 0 : -ENOENT;
}

#endif /* CTR_CORE_MEMORY_H */
