/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The control thread that drains for all modules of the process.
 *
 * P_init() of a module whose strategy leaves work to a control thread starts this one, unless the
 * schema has `poll: application`. It is started with the first such module and ends with the last:
 * `ctr-poll`, with all signals blocked, under DPDK a control thread of the EAL on its control
 * cores. It looks after 1 ms as long as it finds something to drain, then less often, down to every
 * 40 ms. It skips a module whose control lock is taken, so no read section holds up other modules,
 * nor P_fini() in one.
 *
 * A child of fork() has no such thread: there the ends of bursts do its work, until P_init() of any
 * module starts one for all, those that were there before included. Call P_fini() before
 * rte_eal_cleanup(), which takes the memory away.
 */
#ifndef CTR_POLLER_H
#define CTR_POLLER_H

#include "ctr_control.h"

struct ctr_module_state;

/** What the thread does for a module. Zero-initialise, and fill in the first two. */
struct ctr_poller {
	struct ctr_control *control; /**< The module's control lock, taken during the call of: */
	bool (*poll)(struct ctr_poller *self); /**< Drain; whether there was something to. */
	struct ctr_poller *next;     /**< Next module. */
};

/** What the control thread of the library does for a module. */
struct ctr_module_poller {
	struct ctr_poller poller;              /**< In the list of all. */
	const struct ctr_module_state *module; /**< The module. */
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Have the thread poll a module, and start it unless it runs. Any thread.
 *
 * @return 0 or -errno, if the thread cannot be created; then nothing has changed
 */
int ctr_poller_start(struct ctr_poller *poller);

/**
 * Undo ctr_poller_start(); when it returns the thread does nothing in the module any more, and has
 * ended with the last module. Waits for what the thread is draining. Idempotent; any thread.
 */
void ctr_poller_stop(struct ctr_poller *poller);

#ifdef __cplusplus
}
#endif

#endif /* CTR_POLLER_H */
