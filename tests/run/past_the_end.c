/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Every call of a module with an index past the end: nothing that can be read is changed by it,
 * and what was to count is a drop. calls.h has the calls, which the test makes from the header.
 */
#include "harness.h"
#include "ep_stats.h"

#define KEPT (1u << 20)

static unsigned char before[KEPT], after[KEPT];
static _Alignas(64) unsigned char buffer[1u << 16];
static struct ep_stats_flow_embedded flow, *flows[] = { &flow };
static struct ep_stats_batch batch;
static unsigned int calls;

/* All values of all instances, one after the other. */
static void
keep(unsigned char *into)
{
	const struct ctr_module *module = &ep_stats_module;
	unsigned int s, i, total, rest;
	uint32_t index[4];
	size_t at = 0;

	ep_stats_flush();
	for (s = 0; s < module->num_scopes; s++) {
		const struct ctr_scope *scope = &module->scopes[s];

		if (scope->read == NULL)
			continue;
		for (total = 1, i = 0; i < scope->num_indexes; i++)
			total *= scope->index_maxima[i];
		for (; total > 0; total--) {
			for (rest = total - 1, i = scope->num_indexes; i > 0; i--) {
				index[i - 1] = rest % scope->index_maxima[i - 1];
				rest /= scope->index_maxima[i - 1];
			}
			CHECK(at + scope->value_size <= KEPT, "more than is kept");
			(void)scope->read(index, into + at);
			at += scope->value_size;
		}
	}
	CHECK(at > 0, "nothing was read");
}

/* What a call has done: `dropped` is what it should add to the drops. */
static void
made(const char *call, uint64_t dropped, uint64_t drops)
{
	CHECK(ep_stats_drops() == drops + dropped, "%s: %" PRIu64 " drops, not %" PRIu64, call,
	      ep_stats_drops() - drops, dropped);
	calls++;
}

#define MADE(dropped, call)                           \
	do {                                          \
		uint64_t drops = ep_stats_drops();    \
                                                      \
		call;                                 \
		made(#call, dropped, drops);          \
	} while (0)

static void
all(void)
{
	keep(before);
#include "calls.h"
	keep(after);
	CHECK(memcmp(before, after, KEPT) == 0, "something has changed");
}

TEST(calls)
{
	EQUAL(ep_stats_init(), 0);
	ep_stats_flow_init(&flow);
	EQUAL(ep_stats_port_create(EP_STATS_PORT_MAX - 1), 0);
	EQUAL(ep_stats_rail_create(EP_STATS_RAIL_MAX - 1), 0);
	all();
	EQUAL(ctr_thread_register(), 0);
	all();
	ctr_thread_unregister();
	ep_stats_fini();
	printf("calls=%u\n", calls);
}
