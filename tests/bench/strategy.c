/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * One strategy, generated and by hand. Compiled once for each strategy with
 * MODULE (the generated module), HEADER, TWIN, NAME and SESSIONS defined.
 */
#include HEADER
#include "twins/common.h"
#include TWIN
#include "bench.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define P(name) PASTE(PASTE(MODULE, _stats_), name)
#define SELF PASTE(bench_, MODULE)

static int
init(void)
{
#ifdef HAND_PER_LCORE
	hand_lcore[ctr_lcore_id()] = ctr_alloc(sizeof(struct hand_stats), ctr_lcore_id());
	if (hand_lcore[ctr_lcore_id()] == NULL)
		return -ENOMEM;
#endif
	return P(init)();
}

static void
hand(const uint32_t *session, const uint16_t *size, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		hand_update(session[i], size[i]);
}

static void
single(const uint32_t *session, const uint16_t *size, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		P(update_packet)(session[i], size[i]);
}

static void
batch(const uint32_t *session, const uint16_t *size, unsigned int n)
{
	unsigned int i;

	while (n != 0) {
		struct PASTE(MODULE, _stats_batch) b;
		unsigned int burst = n < BURST ? n : BURST;

		P(batch_begin)(&b);
		for (i = 0; i < burst; i++)
			P(batch_packet)(&b, session[i], size[i]);
		P(batch_end)(&b);
		session += burst;
		size += burst;
		n -= burst;
	}
}

static void
bulk(const uint32_t *session, const uint16_t *size, unsigned int n)
{
	while (n != 0) {
		unsigned int burst = n < BURST ? n : BURST;

		P(update_packet_bulk)(session, size, burst);
		session += burst;
		size += burst;
		n -= burst;
	}
}

static uint64_t
counted(void)
{
	P(flush)();
	return P(get_total_pkts)();
}

extern const struct bench SELF;
const struct bench SELF = {
	.name = NAME,
	.init = init,
	.hand = hand,
	.single = single,
	.batch = batch,
	.bulk = bulk,
	.counted = counted,
};
