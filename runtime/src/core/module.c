/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "ctr_fork.h"

/* ---- forgetting ---- */

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
		if (domain->settled != NULL)
			memset(domain->settled, 0, sizeof(*domain->settled));
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
	ctr_store64(&module->dropped->word, 0);
	ctr_store64(&module->late->word, 0);
}

/* ---- a child of fork(), which has the thread alone that forked ---- */

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
}

/* ---- the module ---- */

int
ctr_module_init(const struct ctr_module_state *module)
{
	int rc;

	if (module->ready->set)
		return -EALREADY;
	rc = ctr_port_check(CTR_PORT_ALONE);
	for (uint32_t i = 0; i < module->num_domains && rc == 0; i++)
		rc = ctr_core_open(module->domains[i]);
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
		ctr_module_fini(module);
	}
	return rc;
}

void
ctr_module_fini(const struct ctr_module_state *module)
{
	if (module->poll_ops != NULL)
		module->poll_ops->stop(module);
	module->ready->set = false;
	ctr_fork_unwatch(&module->fork->fork);
	for (uint32_t i = module->num_domains; i-- != 0;)
		ctr_core_close(module->domains[i]);
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
