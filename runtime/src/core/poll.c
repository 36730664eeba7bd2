/* SPDX-License-Identifier: BSD-3-Clause */
/* Draining: by the control thread of the library, or by the application. */
#include "core.h"
#include "ctr_fork.h"

const struct ctr_poll_ops ctr_poll_ops = { ctr_poller_start, ctr_poller_stop };

void
ctr_module_poll(const struct ctr_module_state *module)
{
	ctr_control_lock(module->control);
	(void)ctr_core_drain(module);
	ctr_control_unlock(module->control);
}
