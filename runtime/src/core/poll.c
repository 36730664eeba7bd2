/* SPDX-License-Identifier: BSD-3-Clause */
/* What lcores send is applied: by the control thread of the library, or by the application. */
#include "core.h"
#include "ctr_fork.h"

const struct ctr_poll_ops ctr_poll_ops = { ctr_poller_start, ctr_poller_stop };

bool
ctr_core_drain(const struct ctr_module_state *module)
{
	bool any = false;

	for (uint32_t i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->poll != NULL)
			any |= module->domains[i]->strategy->poll(module->domains[i]);
	return any;
}

void
ctr_module_poll(const struct ctr_module_state *module)
{
	ctr_control_lock(module->control);
	(void)ctr_core_drain(module);
	ctr_control_unlock(module->control);
}
