/* SPDX-License-Identifier: BSD-3-Clause */
/* What lcores send is applied: by the control thread of the library, or by the application. */
#include "core.h"
#include "ctr_fork.h"

/* Apply it, if there is any; the control lock is taken. */
static bool
module_drain(const struct ctr_module_state *module)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->poll != NULL)
			any |= module->domains[i]->strategy->poll(module->domains[i]);
	return any;
}

static bool
drain_polled(struct ctr_poller *self)
{
	return module_drain(((struct ctr_module_poller *)self)->module);
}

static int
start_polling(const struct ctr_module_state *module)
{
	module->poller->poller.control = module->control;
	module->poller->poller.poll = drain_polled;
	module->poller->module = module;
	return ctr_poller_start(&module->poller->poller);
}

static void
stop_polling(const struct ctr_module_state *module)
{
	ctr_poller_stop(&module->poller->poller);
}

const struct ctr_poll_ops ctr_poll_ops = { start_polling, stop_polling };

void
ctr_module_poll(const struct ctr_module_state *module)
{
	ctr_control_lock(module->control);
	(void)module_drain(module);
	ctr_control_unlock(module->control);
}
