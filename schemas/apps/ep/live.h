/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Where the packets of live.c come from: live_dpdk.c replays a capture through a device of
 * rings, live_posix.c makes packets up and passes them through rings of its own.
 *
 * One thread sends. Each queue is received from by one thread.
 */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stdint.h>

#define LIVE_QUEUES 3	/**< how many threads receive */
#define LIVE_BURST 32	/**< most packets that are received at once */

/** An EP packet that has arrived. */
struct live_packet {
	uint32_t session;
	uint16_t size;		/**< octets, EP header included */
	bool opens;		/**< the session is established behind it */
	bool closes;		/**< it is not any more */
};

/** Set up. The EAL runs, where there is one, and ep_stats_init() was called. */
void live_traffic_start(void);

/** Stop the traffic; no thread sends or receives after it. */
void live_traffic_stop(void);

/** Send one packet. False: its queue is full, and it is the next one to be sent still. */
bool live_send(void);

/** Take what a queue has, and return how many packets that is. */
unsigned int live_receive(unsigned int queue, struct live_packet packet[LIVE_BURST]);

#endif
