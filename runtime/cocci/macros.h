/* SPDX-License-Identifier: BSD-3-Clause */
/* What coccinelle should take macros of DPDK for: spatch --macro-file-builtins macros.h */
#define __rte_aligned(n)
#define __rte_cache_aligned
#define __rte_cache_min_aligned
#define __rte_packed
#define __rte_unused
#define __rte_always_inline inline
#define __rte_noinline
#define __rte_cold
#define __rte_hot
#define TAILQ_ENTRY(type)          \
	struct {                   \
		struct type *next; \
	}
#define TAILQ_HEAD(name, type)      \
	struct name {               \
		struct type *first; \
	}
