/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

bool
ctr_core_again(struct ctr_reading *reading)
{
	return ctr_reading_again(reading);
}
