/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CTR_PORT_DPDK
#error "this is the runtime for DPDK: compile it with the flags of 'ctrgen runtime --port dpdk --cflags'"
#endif

#include "ctr_port.h"

extern CTR_THREAD_LOCAL char ctr_port_mark_dpdk;
CTR_THREAD_LOCAL char ctr_port_mark_dpdk;

int
ctr_port_check(bool alone)
{
	(void)alone;
	return 0;
}
