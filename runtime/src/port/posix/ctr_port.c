/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CTR_PORT_POSIX
#error "this is the runtime for POSIX threads: compile it with the flags of 'ctrgen runtime --port posix --cflags'"
#endif

#define _GNU_SOURCE 1
#include <stdio.h>

#include "ctr_device.h"
#include "ctr_port.h"

#if defined(__GLIBC__) && !defined(__USE_GNU)
#include "_GNU_SOURCE comes too late: compile with -D_GNU_SOURCE"
#endif

/* In the program if DPDK is; one that CTR_PORT_GUARD gives no advice about. */
extern const char dpdk_is_here __asm__("rte_eal_process_type") __attribute__((weak));

CTR_THREAD_LOCAL unsigned int ctr_posix_lcore = CTR_LCORE_ANY;

int
ctr_port_check(bool alone)
{
	if (!alone || &dpdk_is_here == NULL)
		return 0;
	fprintf(stderr, "ctrgen: DPDK with the POSIX port of the runtime: write 'ctrgen runtime "
			"--port dpdk', or -DCTR_POSIX_BESIDE_DPDK if no lcore counts\n");
	return -EPROTO;
}

/* ---- devices: there are none ---- */

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
