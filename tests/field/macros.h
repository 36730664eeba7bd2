/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that coccinelle cannot parse where they stand: for spatch alone, values do not matter. */
#define __rte_cache_aligned
#define MAX_PKT_BURST 512
