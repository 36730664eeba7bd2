/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern by hand with instances of dynamic scopes: where they are, and that updates reach them. */
#include <stdio.h>

#include "s_stats_hand.h"

#define EXPECT(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d: %s\n", __LINE__, #condition); \
			return 1; \
		} \
	} while (0)

#ifdef SHARED
#define SELF (&hand_stats)
#define COMMON (&hand_stats)
#else
#define SELF hand_lcore[ctr_lcore_id()]
#define COMMON (&hand_common)
#endif

int
main(void)
{
	struct hand_scope_bearer *bearer;

	/* Tables of what is allocated, not 3000 tunnels and 9000 bearers. */
	EXPECT(sizeof(struct hand_stats) <= 4 * CTR_CACHE_LINE);
	EXPECT(ctr_thread_register() == 0);
	EXPECT(hand_init(ctr_lcore_id()) == 0);
	hand_update_packet(2999, 2, 100);
	hand_update_packet(2999, 2, 100);
	hand_update_packet(2999, 1, 1);
	hand_update_opened(2999);
	EXPECT(SELF->global.pkts == 3);
	EXPECT(hand_find_tunnel(SELF, 2999)->bytes == 201);
	EXPECT(hand_find_tunnel(COMMON, 2999)->open == 1);
	bearer = hand_find_bearer(SELF, 2999 * 3 + 2);
	EXPECT(bearer->pkts == 2 && (bearer - 1)->pkts == 1);
	EXPECT(hand_find_tunnel(SELF, 2998)->bytes == 0);
	/* What does not exist is not counted. */
	SELF->bearer[0] = NULL;
	hand_update_packet(0, 0, 100);
	EXPECT(SELF->global.pkts == 3 && hand_find_tunnel(SELF, 0)->bytes == 0);
	return 0;
}
