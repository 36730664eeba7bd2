/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_control.h"
#include "ctr_port.h"

/* Its address identifies the thread. */
static CTR_THREAD_LOCAL char self;

void
ctr_control_lock(struct ctr_control *control)
{
	uintptr_t me = (uintptr_t)&self;

	if (__atomic_load_n(&control->owner, __ATOMIC_RELAXED) != me) {
		(void)pthread_mutex_lock(&control->mutex);
		__atomic_store_n(&control->owner, me, __ATOMIC_RELAXED);
	}
	control->depth++;
}

void
ctr_control_unlock(struct ctr_control *control)
{
	if (--control->depth == 0) {
		__atomic_store_n(&control->owner, 0, __ATOMIC_RELAXED);
		(void)pthread_mutex_unlock(&control->mutex);
	}
}

void
ctr_control_mark(uint64_t *const *discontinuity_ns, uint32_t at)
{
	uint64_t *table = *discontinuity_ns;

	if (table != NULL)
		__atomic_store_n(&table[at], ctr_time_ns(), __ATOMIC_RELAXED);
}
