/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_device.h"

uint32_t
ctr_device_read(const struct ctr_item *items, unsigned int count, const char *const *const *labels,
		uint32_t port, const uint32_t *index, void *values)
{
	(void)items;
	(void)count;
	(void)labels;
	(void)port;
	(void)index;
	(void)values;
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
