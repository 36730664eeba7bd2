/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Lcores whose traffic has stopped while their loops go on: in place of P_flush() they call
 * P_burst_end(). No thread unregisters, not even when it ends, as that applies what it holds; no
 * control thread drains. What includes this defines BURST_END, and links with --wrap of all four.
 */
#include <pthread.h>

#define CALLS 1024 /* after so many, readers see everything: docs/strategies.md */

int __real_pthread_key_create(pthread_key_t *key, void (*at_exit)(void *));
int __wrap_pthread_key_create(pthread_key_t *key, void (*at_exit)(void *));
int __wrap_ctr_poller_start(const void *module);
void __wrap_ctr_thread_unregister(void);
void __wrap_ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how);

int
__wrap_pthread_key_create(pthread_key_t *key, void (*at_exit)(void *))
{
	(void)at_exit;
	return __real_pthread_key_create(key, NULL);
}

int
__wrap_ctr_poller_start(const void *module)
{
	(void)module;
	return 0;
}

void
__wrap_ctr_thread_unregister(void)
{
}

void
__wrap_ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how)
{
	unsigned int i;

	(void)module;
	(void)how;
	for (i = 0; i < CALLS; i++)
		BURST_END();
}
