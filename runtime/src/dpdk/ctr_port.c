/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CTR_PORT_DPDK
#error "this is the runtime for DPDK: compile it with the flags of 'ctrgen runtime --port dpdk --cflags'"
#endif

#include "ctr_port.h"

int
ctr_port_check(bool alone)
{
	(void)alone;
	return 0;
}
