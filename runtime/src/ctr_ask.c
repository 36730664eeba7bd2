/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <time.h>

#include "ctr_ask.h"
#include "ctr_quiescent.h"

/* Between two looks at the lcores. */
#define NAP_NS 20000

/* Whether an lcore has a request still, which is taken back if it is `late` or takes no part. */
static bool
is_open(struct ctr_asks *asks, unsigned int lcore, bool late)
{
	uint32_t state = ctr_load32(&asks->of[lcore].state);

	if (state == CTR_ASK_ASKED && (late || !ctr_quiescent_takes_part(lcore)) &&
	    ctr_ask_withdraw(asks, lcore))
		return false;
	return state == CTR_ASK_ASKED || state == CTR_ASK_COPYING;
}

void
ctr_asks_wait(struct ctr_asks *asks, uint64_t wait_ns)
{
	static const struct timespec nap = { 0, NAP_NS };
	const uint64_t begin = ctr_time_ns();
	unsigned int lcore;
	int state;

	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	for (;;) {
		const bool late = ctr_time_ns() - begin >= wait_ns;
		bool open = false;

		for (lcore = 0; lcore < CTR_MAX_LCORE; lcore++)
			open |= is_open(asks, lcore, late);
		if (!open)
			break;
		(void)nanosleep(&nap, NULL);
	}
	ctr_store32(&asks->open.word, 0);
	(void)pthread_setcancelstate(state, NULL);
}

void
ctr_asks_mend(struct ctr_asks *asks)
{
	memset(asks, 0, sizeof(*asks));
}
