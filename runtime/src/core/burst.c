/* SPDX-License-Identifier: BSD-3-Clause */
/* What lcores do at the end of a burst. */
#include "core.h"
#include "ctr_quiescent.h"

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
ctr_module_note(struct ctr_line64 *count, uint64_t n)
{
	ctr_atomic_add64(&count->word, n);
}
