/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strategy of ctrgen as a pattern, by single calls.
 * Compiled once for each strategy with MODULE and HEADER, those of the code generated for it;
 * HOLDS where lcores hold back what they count, POLLS where a control thread has to apply it.
 */
#include <errno.h>

#include HEADER

#include "peers.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define STATS(name) JOIN(MODULE, _stats_##name)
#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

static int
init(uint32_t instances)
{
	(void)instances; /* As the schema says. */
	return STATS(init)();
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	(void)thread;
	STATS(update_packet)(instance, bytes);
}

#ifdef HOLDS
#define HINT() STATS(burst_end)()
#define END STATS(flush)
#else
#define HINT() (void)0
#define END NULL
#endif

PEER_BURST(update, HINT())

static void
read_now(uint32_t instance, struct pair *now)
{
	struct STATS(flow) values;

	/* One that may not be whole says so. */
	while (STATS(flow_read)(instance, &values) == -EAGAIN)
		continue;
	*now = (struct pair){ values.packets, values.bytes };
}

static void
reset(uint32_t instance, struct pair *taken)
{
	struct STATS(flow) values;

	(void)STATS(flow_reset)(instance, &values);
	*taken = (struct pair){ values.packets, values.bytes };
}

#ifdef POLLS
#define POLL STATS(poll)
#else
#define POLL NULL
#endif

PEER(single, .name = TEXT(MODULE), .init = init, .burst = burst, .end = END, .poll = POLL,
     .read = read_now, .reset = reset);
