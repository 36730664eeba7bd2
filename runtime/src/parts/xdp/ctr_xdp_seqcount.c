/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that begin with the sequence counter of a CPU: reads are those of per_core_seqcount. */
#include "ctr_xdp_private.h"

static void
load_slots(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
	   int *rc, struct ctr_reading *reading)
{
	ctr_strategy_per_core_seqcount.load(table, copy, at, n, values, rc, reading);
}

static int
gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	return ctr_strategy_per_core_seqcount.gather(table, at, base, values);
}

static int
locate_words(const struct ctr_table *table, uint32_t at, void *values)
{
	return ctr_strategy_per_core_seqcount.words(table, at, values);
}

const struct ctr_strategy ctr_strategy_xdp_seqcount = {
	.load = load_slots,
	.gather = gather,
	.words = locate_words,
	.settle = ctr_xdp_settle,
	.open = ctr_xdp_domain_open,
	.close = ctr_xdp_domain_close,
	.reinit = ctr_xdp_domain_reinit,
};
