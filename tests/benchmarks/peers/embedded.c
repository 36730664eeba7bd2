/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strategy of ctrgen that only has counters in the application's own objects, which the
 * application locks whether it counts or not. Compiled as strategy.c.
 */
#include <errno.h>

#include "ctr.h"
#include HEADER

#include "peers.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define STATS(name) JOIN(MODULE, _stats_##name)
#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

static struct object {
	struct ctr_spin lock;
	struct STATS(flow_embedded) counters;
} *objects;

static int
init(uint32_t instances)
{
	objects = PEER_ARRAY(struct object, instances);
	for (uint32_t i = 0; objects != NULL && i < instances; i++)
		STATS(flow_init)(&objects[i].counters);
	return objects != NULL ? STATS(init)() : -ENOMEM;
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	(void)thread;
	ctr_spin_lock(&objects[instance].lock);
	STATS(update_packet)(&objects[instance].counters, bytes);
	ctr_spin_unlock(&objects[instance].lock);
}

PEER_BURST(update, (void)0)

static void
bare(unsigned int thread, const uint32_t *instance, const uint16_t *bytes)
{
	(void)thread;
	for (uint32_t i = 0; i < BURST; i++) {
		PEER_PACKET();
		ctr_spin_lock(&objects[instance[i]].lock);
		__asm__ volatile("" : : "r"((uint32_t)bytes[i]));
		ctr_spin_unlock(&objects[instance[i]].lock);
	}
}

static void
read_now(uint32_t instance, struct pair *now)
{
	struct STATS(flow) values;

	ctr_spin_lock(&objects[instance].lock);
	(void)STATS(flow_read)(&objects[instance].counters, &values);
	ctr_spin_unlock(&objects[instance].lock);
	*now = (struct pair){ values.packets, values.bytes };
}

static void
reset(uint32_t instance, struct pair *taken)
{
	struct STATS(flow) values;

	ctr_spin_lock(&objects[instance].lock);
	(void)STATS(flow_reset)(&objects[instance].counters, &values);
	ctr_spin_unlock(&objects[instance].lock);
	*taken = (struct pair){ values.packets, values.bytes };
}

PEER(single, .name = TEXT(MODULE), .init = init, .burst = burst, .bare = bare, .read = read_now,
     .reset = reset, .bytes = sizeof(struct STATS(flow_embedded)));
