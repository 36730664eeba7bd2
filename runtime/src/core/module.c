/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "ctr_cpu.h"
#include "ctr_key.h"
#include "ctr_life.h"
#include "ctr_poller.h"
#include "ctr_quiescent.h"
#include "ctr_seqcount.h"
#include "ctr_whole.h"

/* ---- copies ---- */

static void
close_copies(const struct ctr_domain *domain)
{
	const struct ctr_strategy *strategy = domain->strategy;
	uint32_t i;

	if (domain->slots != NULL)
		ctr_slots_close(domain->slots);
	if (domain->cpus != NULL)
		ctr_slots_close(domain->cpus);
	if (strategy->close != NULL)
		strategy->close(domain);
	for (i = 0; i < domain->num_tables; i++)
		if (domain->shared != NULL && domain->tables[i]->dynamic &&
		    domain->tables[i]->data.size != 0)
			ctr_life_shrink(domain->tables[i], domain->shared);
}

/* CPUs come first: lcores may be too many. */
static int
open_copies(const struct ctr_domain *domain)
{
	const struct ctr_strategy *strategy = domain->strategy;
	int rc = 0;

	if (strategy->open != NULL)
		rc = strategy->open(domain);
	if (rc == 0 && domain->cpus != NULL) {
		domain->cpus->cpus = ctr_cpu_count(domain->most_cpus);
		rc = ctr_slots_open(domain->cpus);
	} else if (domain->most_cpus != 0) {
		domain->slots->cpus = ctr_cpu_count(domain->most_cpus);
	}
	if (rc == 0 && domain->slots != NULL)
		rc = ctr_slots_open(domain->slots);
	return rc;
}

/* ---- forgetting ---- */

static void
forget_table(const struct ctr_table *table)
{
	if (table->keys != NULL)
		ctr_keys_forget(table->keys);
	if (table->torn != NULL)
		memset(table->torn, 0, (size_t)table->bases * ((table->max + 63) / 64) * 8);
	if (table->dynamic)
		ctr_life_anew(table);
	else if (table->records != NULL)
		memset(table->records, 0, (size_t)table->max * table->record_size);
}

static void
anew(const struct ctr_module_state *module)
{
	uint32_t i;

	for (i = 0; i < module->num_domains; i++) {
		const struct ctr_domain *domain = module->domains[i];

		if (domain->strategy->anew != NULL)
			domain->strategy->anew(domain);
		else if (domain->shared != NULL)
			memset(domain->shared, 0, domain->size);
		if (domain->ending != NULL)
			ctr_store32(&domain->ending->word, 0);
		if (domain->settled != NULL)
			memset(domain->settled, 0, sizeof(*domain->settled));
	}
	for (i = 0; i < module->num_tables; i++)
		forget_table(module->tables[i]);
	if (module->common != NULL)
		memset(module->common, 0, module->common_size);
	ctr_store64(&module->dropped->word, 0);
	ctr_store64(&module->late->word, 0);
}

/* ---- a child of fork(), which has the thread alone that forked ---- */

/* Setters of cells may be gone in the middle. */
static void
mend_cells(const struct ctr_table *table)
{
	unsigned int v;
	uint32_t at;

	for (v = 0; v < table->num_values; v++) {
		if (table->values[v].form != CTR_FORM_CELL)
			continue;
		for (at = 0; at < table->max; at++) {
			char *part = ctr_core_common(table, at);

			if (part != NULL)
				ctr_seq_repair((uint32_t *)(void *)(part + table->values[v].at));
		}
	}
}

static void
mend(const struct ctr_module_state *module)
{
	uint32_t i;

	for (i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->mend != NULL)
			module->domains[i]->strategy->mend(module->domains[i]);
	for (i = 0; i < module->num_tables; i++) {
		if (module->tables[i]->dynamic)
			ctr_readers_mend(&module->tables[i]->state->readers);
		mend_cells(module->tables[i]);
	}
}

static void
mend_forked(struct ctr_fork *self)
{
	mend(((struct ctr_module_fork *)self)->module);
}

static void
forget_forked(struct ctr_fork *self)
{
	anew(((struct ctr_module_fork *)self)->module);
}

/* ---- the module ---- */

int
ctr_module_init(const struct ctr_module_state *module)
{
	uint32_t i;
	int rc;

	if (module->ready->set)
		return -EALREADY;
	rc = ctr_port_check(CTR_PORT_ALONE);
	for (i = 0; i < module->num_domains && rc == 0; i++)
		rc = open_copies(module->domains[i]);
	if (rc == 0 && module->poller != NULL)
		rc = ctr_poller_start(module->poller);
	module->ready->since_ns = ctr_time_ns();
	module->ready->set = rc == 0;
	if (rc == 0) {
		module->fork->fork.mend = mend_forked;
		module->fork->fork.anew = forget_forked;
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
	uint32_t i;

	if (module->poller != NULL)
		ctr_poller_stop(module->poller);
	module->ready->set = false;
	ctr_fork_unwatch(&module->fork->fork);
	for (i = module->num_domains; i-- != 0;)
		close_copies(module->domains[i]);
	for (i = 0; i < module->num_tables; i++) {
		if (module->tables[i]->dynamic)
			ctr_life_free(module->tables[i]);
		if (module->tables[i]->keys != NULL)
			ctr_keys_free(module->tables[i]->keys);
	}
	anew(module);
}

void
ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how)
{
	uint32_t i;

	for (i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->flush != NULL)
			module->domains[i]->strategy->flush(module->domains[i], how);
}

void
ctr_module_burst_end(const struct ctr_module_state *module)
{
	ctr_module_flush(module, CTR_BURST_END);
	ctr_quiescent();
}

void
ctr_module_poll(const struct ctr_module_state *module)
{
	uint32_t i;

	ctr_control_lock(module->control);
	for (i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->poll != NULL)
			(void)module->domains[i]->strategy->poll(module->domains[i]);
	ctr_control_unlock(module->control);
}

void
ctr_module_read_lock(const struct ctr_module_state *module)
{
	uint32_t i;

	ctr_control_section_begin(module->control, module->read_unlock);
	for (i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->section != NULL)
			module->domains[i]->strategy->section(module->domains[i], true);
}

void
ctr_module_read_unlock(const struct ctr_module_state *module)
{
	uint32_t i;

	for (i = module->num_domains; i-- != 0;)
		if (module->domains[i]->strategy->section != NULL)
			module->domains[i]->strategy->section(module->domains[i], false);
	ctr_control_section_end(module->control);
}

int
ctr_module_reset(const struct ctr_module_state *module)
{
	uint32_t i;
	int rc = 0;

	ctr_module_read_lock(module);
	for (i = 0; i < module->num_tables; i++)
		if (module->tables[i]->resets && ctr_table_reset_all(module->tables[i], NULL) != 0)
			rc = -EAGAIN;
	ctr_module_read_unlock(module);
	return rc;
}

void
ctr_module_note(struct ctr_line64 *count, uint64_t n)
{
	ctr_atomic_add64(&count->word, n);
}
