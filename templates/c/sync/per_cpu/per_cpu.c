/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies by CPU (runtime/include/ctr_cpu.h). */
#include "ctr_cpu.h"
#include "ctr_table.h"

static int
open_by_cpu(const struct ctr_domain *domain)
{
	domain->slots->cpus = ctr_cpu_count(domain->most_cpus);
	return 0;
}

/* Afterwards a library with updates may be unloaded. */
static void
forget_cpu(CTR_UNUSED const struct ctr_domain *domain, CTR_UNUSED enum ctr_flush how)
{
	ctr_cpu_forget();
}

const struct ctr_strategy ctr_strategy_per_cpu = {
	.open = open_by_cpu,
	.flush = forget_cpu,
};
