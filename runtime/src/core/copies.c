/* SPDX-License-Identifier: BSD-3-Clause */
/* The copies of a domain, and what lcores hold of its only copy: sets of slots (ctr_slots.h). */
#include "core.h"
#include "ctr_fork.h"

static int
copies_up(const struct ctr_slots *slots, void *slot, unsigned int lcore)
{
	const struct ctr_domain *domain = slots->domain;
	const struct ctr_table *table;
	int rc = 0;

	for (uint32_t i = 0; slots != domain->held && i < domain->num_tables && rc == 0; i++) {
		table = domain->tables[i];
		if (table->chunk_ops != NULL && table->data.size != 0)
			rc = table->chunk_ops->grow(table, slot, lcore);
	}
	if (rc == 0 && domain->strategy->prepare != NULL)
		rc = domain->strategy->prepare(domain, slot);
	return rc;
}

static void
copies_takeover(const struct ctr_slots *slots, void *slot, CTR_UNUSED unsigned int lcore)
{
	const struct ctr_domain *domain;

	for (domain = slots->domain; domain != NULL; domain = domain->shares)
		if (domain->strategy->takeover != NULL)
			domain->strategy->takeover(domain, slot);
}

static void
copies_down(const struct ctr_slots *slots, void *slot, unsigned int lcore)
{
	struct ctr_settled *settled = slots->domain->settled;
	const struct ctr_domain *domain;

	for (domain = slots->domain; domain != NULL; domain = domain->shares)
		if (domain->strategy->leave != NULL)
			domain->strategy->leave(domain, slot);
	if (settled != NULL)
		ctr_settled_leave(settled, lcore);
}

/* Free the chunks of dynamic scopes in a copy. */
static void
shrink(const struct ctr_domain *domain, void *copy)
{
	const struct ctr_table *table;

	for (uint32_t i = 0; i < domain->num_tables; i++) {
		table = domain->tables[i];
		if (table->chunk_ops != NULL && table->data.size != 0)
			table->chunk_ops->shrink(table, copy);
	}
}

static void
copies_drop(const struct ctr_slots *slots, void *slot)
{
	if (slots->domain->strategy->drop != NULL)
		slots->domain->strategy->drop(slots->domain, slot);
	if (slots != slots->domain->held) /* These are copies. */
		shrink(slots->domain, slot);
}

static int
open_set(const struct ctr_domain *domain, struct ctr_slots *slots)
{
	const bool by_lcore = slots->cpus == 0;

	slots->domain = domain;
	slots->up = copies_up;
	slots->drop = copies_drop;
	/* Not where slots are by CPU, which no thread comes to or leaves. */
	slots->takeover = by_lcore ? copies_takeover : NULL;
	slots->down = by_lcore ? copies_down : NULL;
	return ctr_slots_open(slots);
}

int
ctr_core_open(const struct ctr_domain *domain)
{
	int rc = 0;

	if (domain->strategy->open != NULL)
		rc = domain->strategy->open(domain);
	if (rc == 0 && domain->slots != NULL && domain->num_tables != 0)
		rc = open_set(domain, domain->slots);
	if (rc == 0 && domain->held != NULL)
		rc = open_set(domain, domain->held);
	return rc;
}

void
ctr_core_close(const struct ctr_domain *domain)
{
	if (domain->held != NULL)
		ctr_slots_close(domain->held);
	if (domain->slots != NULL)
		ctr_slots_close(domain->slots);
	if (domain->strategy->close != NULL)
		domain->strategy->close(domain);
	if (domain->shared != NULL)
		shrink(domain, domain->shared);
}
