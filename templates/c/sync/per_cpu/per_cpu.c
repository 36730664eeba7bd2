/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy for each CPU, and one more, to which threads add that have none there. */
#include "ctr_cpu.h"
#include "ctr_strategy.h"

extern const struct ctr_strategy ctr_strategy_per_cpu;

static int
open(const struct ctr_domain *domain)
{
	domain->slots->cpus = ctr_cpu_count(domain->most_cpus);
	return 0;
}

/* A library with updates may be unloaded after that. */
static void
flush(const struct ctr_domain *domain, enum ctr_flush how)
{
	(void)domain;
	(void)how;
	ctr_cpu_forget();
}

const struct ctr_strategy ctr_strategy_per_cpu = {
	.open = open,
	.flush = flush,
};
