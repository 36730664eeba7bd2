/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "ctr_fork.h"

static int
open_domain(const struct ctr_domain *domain)
{
	int rc = 0;

	if (domain->strategy->open != NULL)
		rc = domain->strategy->open(domain);
	if (rc == 0 && domain->slots != NULL && domain->num_tables != 0)
		rc = ctr_slots_open(domain->slots, domain);
	if (rc == 0 && domain->held != NULL)
		rc = ctr_slots_open(domain->held, domain);
	return rc;
}

static void
close_domain(const struct ctr_domain *domain)
{
	if (domain->held != NULL)
		ctr_slots_close(domain->held);
	if (domain->slots != NULL)
		ctr_slots_close(domain->slots);
	if (domain->strategy->close != NULL)
		domain->strategy->close(domain);
	if (domain->shared != NULL)
		ctr_slots_shrink(domain, domain->shared);
}

/* ---- dropping all counts ---- */

static void
module_reinit(const struct ctr_module_state *module)
{
	for (uint32_t i = 0; i < module->num_domains; i++) {
		const struct ctr_domain *domain = module->domains[i];

		if (domain->shared != NULL)
			memset(domain->shared, 0, domain->size);
		if (domain->strategy->reinit != NULL)
			domain->strategy->reinit(domain);
		if (domain->ending != NULL)
			ctr_store32(&domain->ending->word, 0);
		if (domain->drain_tokens != NULL)
			memset(domain->drain_tokens, 0, sizeof(*domain->drain_tokens));
	}
	for (uint32_t i = 0; i < module->num_tables; i++) {
		const struct ctr_table *table = module->tables[i];

		if (table->key_ops != NULL)
			table->key_ops->forget(table->keys);
		if (table->sources != NULL)
			table->sources->ops->forget(table);
		if (table->torn != NULL)
			memset(table->torn, 0, (size_t)table->bases * ((table->max + 63) / 64) * 8);
		if (table->chunk_ops != NULL)
			table->chunk_ops->reinit(table);
		else if (table->records != NULL)
			memset(table->records, 0, (size_t)table->max * table->record_size);
	}
	if (module->common != NULL)
		memset(module->common, 0, module->common_size);
}

/* The numbers of updates that changed nothing are 0. */
static void
clear_notes(const struct ctr_module_state *module)
{
	ctr_store64(&module->dropped->word, 0);
	ctr_store64(&module->late->word, 0);
}

/* ---- a child of fork(), which has only the forking thread ---- */

static void
fork_child(struct ctr_fork *self)
{
	const struct ctr_module_state *module = ((struct ctr_module_fork *)self)->module;

	for (uint32_t i = 0; i < module->num_domains; i++) {
		const struct ctr_domain *domain = module->domains[i];

		if (domain->others != NULL)
			ctr_spin_reinit(domain->others, false);
		if (domain->strategy->fork_child != NULL)
			domain->strategy->fork_child(domain);
	}
	for (uint32_t i = 0; i < module->num_tables; i++) {
		if (module->tables[i]->chunk_ops != NULL)
			module->tables[i]->chunk_ops->fork_child(module->tables[i]);
		if (module->tables[i]->value_ops != NULL)
			module->tables[i]->value_ops->fork_child(module->tables[i]);
	}
}

static void
forget_forked(struct ctr_fork *self)
{
	module_reinit(((struct ctr_module_fork *)self)->module);
	clear_notes(((struct ctr_module_fork *)self)->module);
}

/* ---- the module ---- */

static void
close_module(const struct ctr_module_state *module)
{
	if (module->poll_ops != NULL)
		module->poll_ops->stop(module);
	module->ready->set = false;
	ctr_fork_unwatch(&module->fork->fork);
	for (uint32_t i = module->num_domains; i-- != 0;)
		close_domain(module->domains[i]);
	for (uint32_t i = 0; i < module->num_tables; i++) {
		const struct ctr_table *table = module->tables[i];

		if (table->chunk_ops != NULL)
			table->chunk_ops->free(table);
		if (table->key_ops != NULL)
			table->key_ops->free(table->keys);
		if (table->sources != NULL)
			table->sources->ops->free(table);
	}
	module_reinit(module);
}

int
ctr_module_init(const struct ctr_module_state *module)
{
	int rc;

	if (module->ready->set)
		return -EALREADY;
	rc = ctr_port_check(module->alone);
	for (uint32_t i = 0; i < module->num_domains && rc == 0; i++)
		rc = open_domain(module->domains[i]);
	if (rc == 0 && module->poll_ops != NULL)
		rc = module->poll_ops->start(module);
	module->ready->since_ns = ctr_time_ns();
	module->ready->set = rc == 0;
	if (rc == 0) {
		module->fork->fork.fork_child = fork_child;
		module->fork->fork.reinit = forget_forked;
		module->fork->module = module;
		ctr_fork_watch(&module->fork->fork);
	} else {
		close_module(module);
	}
	return rc;
}

void
ctr_module_fini(const struct ctr_module_state *module)
{
	close_module(module);
	clear_notes(module);
}
