/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_device.h"

uint32_t
ctr_device_read(CTR_UNUSED const struct ctr_item *items, CTR_UNUSED unsigned int count,
		CTR_UNUSED const char *const *const *labels, CTR_UNUSED uint32_t port,
		CTR_UNUSED const uint32_t *index, CTR_UNUSED void *values)
{
	return 0;
}

void
ctr_device_lock(void)
{
}

void
ctr_device_unlock(void)
{
}
