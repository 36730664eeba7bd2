/* SPDX-License-Identifier: BSD-3-Clause */
/* What lcores send is applied: by the control thread of the library, or by the application. */
#include "core.h"
#include "ctr_fork.h"

/* Apply it, if there is any; the control lock is taken. */
static bool
module_drain(const struct ctr_module_state *module)
{
	bool any = false;

	for (uint32_t i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->poll != NULL)
			any |= module->domains[i]->strategy->poll(module->domains[i]);
	return any;
}

static int
start_polling(const struct ctr_module_state *module)
{
	module->poller->control = module->control;
	module->poller->poll = module_drain;
	module->poller->module = module;
	return ctr_poller_start(module->poller);
}

static void
stop_polling(const struct ctr_module_state *module)
{
	ctr_poller_stop(module->poller);
}

const struct ctr_poll_ops ctr_poll_ops = { start_polling, stop_polling };

void
ctr_module_poll(const struct ctr_module_state *module)
{
	ctr_control_lock(module->control);
	(void)module_drain(module);
	ctr_control_unlock(module->control);
}
