/* SPDX-License-Identifier: BSD-3-Clause */
/* Read sections. */
#include "core.h"

void
ctr_module_read_lock(const struct ctr_module_state *module)
{
	uint32_t i;

	if (!ctr_control_section_begin(module->control, module->read_unlock))
		return;
	for (i = 0; i < module->num_domains; i++) {
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
	uint32_t i;

	for (i = module->control->sections == 1 ? module->num_domains : 0; i-- != 0;)
		if (module->domains[i]->strategy->section != NULL)
			module->domains[i]->strategy->section(module->domains[i], false);
	ctr_control_section_end(module->control);
}
