/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * An lcore whose traffic has stopped while its loop goes on: P_flush() is replaced by calls of P_burst_end(),
 * and threads neither unregister nor have that done when they end, which applies what they hold.
 * Whoever includes this defines BURST_END and WRAPPED_FLUSH, and links with --wrap of all of it.
 */
#include <pthread.h>

#define CALLS 1024 /* after so many, readers see everything: docs/strategies.md */

int __real_pthread_key_create(pthread_key_t *key, void (*at_exit)(void *));
int __wrap_pthread_key_create(pthread_key_t *key, void (*at_exit)(void *));
void __wrap_ctr_thread_unregister(void);
void WRAPPED_FLUSH(void);

int
__wrap_pthread_key_create(pthread_key_t *key, void (*at_exit)(void *))
{
	(void)at_exit;
	return __real_pthread_key_create(key, NULL);
}

void
__wrap_ctr_thread_unregister(void)
{
}

void
WRAPPED_FLUSH(void)
{
	unsigned int i;

	for (i = 0; i < CALLS; i++)
		BURST_END();
}
