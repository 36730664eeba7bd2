/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a burst of an lcore; read sections. */
#include "core.h"

void
ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how)
{
	for (uint32_t i = 0; i < module->num_domains; i++)
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
ctr_module_note(struct ctr_padded64 *count, uint64_t n)
{
	ctr_atomic_add64(&count->word, n);
}

void
ctr_module_read_lock(const struct ctr_module_state *module)
{
	if (!ctr_control_section_begin(module->control, module->read_unlock))
		return;
	for (uint32_t i = 0; i < module->num_domains; i++) {
		const struct ctr_domain *domain = module->domains[i];

		if (domain->strategy->section != NULL)
			domain->strategy->section(domain, true);
		else if (domain->strategy->flush != NULL)
			domain->strategy->flush(domain, CTR_FLUSH);
	}
}

void
ctr_module_read_unlock(const struct ctr_module_state *module)
{
	for (uint32_t i = module->control->sections == 1 ? module->num_domains : 0; i-- != 0;)
		if (module->domains[i]->strategy->section != NULL)
			module->domains[i]->strategy->section(module->domains[i], false);
	ctr_control_section_end(module->control);
}
