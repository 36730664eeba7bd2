/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What only the library has of its port: its control thread, and lcores that come and go.
 */
#ifndef CTR_PORT_OWN_H
#define CTR_PORT_OWN_H

#include "ctr_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Start the thread of ctr_poller.c, which runs @p run; one at a time. 0 or -errno. */
int ctr_port_control_start(void (*run)(void));

/** Wait until it has returned. */
void ctr_port_control_join(void);

/** Called by the port, under its lock (DPDK: that of its lcores), when @p lcore comes into use. */
typedef int (*ctr_lcore_up_t)(unsigned int lcore);
/** Likewise, in the thread that unregisters, when @p lcore goes out of use. */
typedef void (*ctr_lcore_down_t)(unsigned int lcore);

/** Call @p up for every lcore in use and every later one, @p down when one goes out of use. For
 * ctr_slots.c; thread-safe. 0, or the first error of @p up. */
int ctr_port_watch(ctr_lcore_up_t up, ctr_lcore_down_t down);

/** Unregister the callbacks of ctr_port_watch(). */
void ctr_port_unwatch(void);

#ifdef __cplusplus
}
#endif

#endif /* CTR_PORT_OWN_H */
