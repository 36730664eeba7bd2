/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files about limits: encoding of an account, and its changes. */
#ifndef CTR_CORE_LIMIT_H
#define CTR_CORE_LIMIT_H

#include "core.h"
#include "ctr_limit.h"

/* Flags of an account. */
enum ctr_limit_flags {
	LIMIT_LENT = 1,   /* Shares were lent that may not have been returned. */
	LIMIT_NEAR = 2,   /* No shares are lent. */
	LIMIT_RECALL = 4, /* A recall is in progress; also LENT. */
	LIMIT_ARMED = 8,  /* A crossing is to be reported. */
	LIMIT_REPORT = 16, /* It is crossed, and not reported yet. */
	LIMIT_DUE = 32 /* It is to be reported when all shares have returned, whatever remains. */
};

#define LIMIT_BITS 6
#define LIMIT_FLAGS ((1u << LIMIT_BITS) - 1)

/* In the place of a share that its lcore is adding to the account. A share is odd, or 0. */
#define LIMIT_MOVES 2u

/* A change of an account, and what it leads to. */
struct limit_step {
	int64_t rest;       /* The account: what is not lent. */
	unsigned int flags; /* enum ctr_limit_flags. */
	bool refused;       /* Whether nothing was taken. */
	bool recalls;       /* Whether a recall begins. */
	bool crosses;       /* Whether a crossing is to be reported, ... */
	uint64_t over;      /* ... and by how much it was crossed. */
	uint64_t share;     /* What is lent. */
};

/* Begin a change of an account. */
static inline void
limit_begin(struct limit_step *step, uint64_t word)
{
	memset(step, 0, sizeof(*step));
	step->rest = (int64_t)word >> LIMIT_BITS;
	step->flags = (unsigned int)word & LIMIT_FLAGS;
}

static inline uint64_t
limit_encode(const struct limit_step *step)
{
	return (uint64_t)step->rest << LIMIT_BITS | step->flags;
}

/* Change an account if it is still *word; otherwise update *word. */
static inline bool
limit_change(struct ctr_limit_account *account, uint64_t *word, const struct limit_step *step)
{
	return __atomic_compare_exchange_n(&account->word, word, limit_encode(step), false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Whether a limit is unlimited: a threshold that is not set. */
static inline bool
limit_is_idle(const struct ctr_limit *limit, unsigned int flags)
{
	return !limit->stops && (flags & LIMIT_ARMED) == 0;
}

/* The account of an instance; NULL where it has no memory. */
static inline struct ctr_limit_account *
limit_account(const struct ctr_limit *limit, uint32_t at)
{
	char *part = ctr_common_of(limit->table, at);

	return part != NULL ? (struct ctr_limit_account *)(void *)(part + limit->account) : NULL;
}

/* That of one that exists, for updates; or NULL. */
static inline struct ctr_limit_account *
limit_find(const struct ctr_limit *limit, uint32_t at)
{
	const struct ctr_table *table = limit->table;

	if (at >= table->max || !table->domain->module->ready->set ||
	    (table->live != NULL && !ctr_bit(table->live, at)))
		return NULL;
	return limit_account(limit, at);
}

/* The gauge of an instance that a limit is the ceiling of. */
static inline uint64_t *
limit_gauge(const struct ctr_limit *limit, struct ctr_limit_account *account)
{
	return (uint64_t *)(void *)((char *)account - limit->account + limit->gauge);
}

/* How far a gauge, a signed quantity, is below a ceiling. */
static inline uint64_t
limit_room(uint64_t ceiling, uint64_t value)
{
	return (int64_t)value < (int64_t)ceiling ? ceiling - value : 0;
}

/* An lcore's share; NULL where it has no memory. */
static inline struct ctr_limit_share *
limit_share(const struct ctr_limit *limit, const void *slot, uint32_t at)
{
	return (struct ctr_limit_share *)ctr_element(limit->shares, &limit->shares->data, slot, at);
}

/* Contents of a share. Another thread may find 0 while the lcore renews or returns it: in a child
 * of fork() an amount that is in neither the share nor the account is lost, not counted twice. */
static inline uint64_t
limit_decode(uint32_t left)
{
	const uint32_t held = left >> 1;

	return (left & 1) != 0 && held <= CTR_LIMIT_SHARE ? held : 0;
}

/* The share of an lcore. */
static inline uint64_t
limit_held(struct ctr_limit_share *share)
{
	return limit_decode(ctr_load32(&share->left));
}

/* The sum of the shares of an instance, each by `held`; 0 of a gauge. */
static inline uint64_t
limit_sum_shares(const struct ctr_limit *limit, uint32_t at,
		 uint64_t (*held)(struct ctr_limit_share *share))
{
	struct ctr_limit_share *share;
	const struct ctr_slots *slots;
	uint64_t sum = 0;
	uint32_t num;

	if (limit->shares == NULL)
		return 0;
	slots = limit->shares->domain->slots;
	num = ctr_load_acquire(&slots->num);
	for (uint32_t i = 0; i < num; i++) {
		share = limit_share(limit, slots->copy[i], at);
		if (share != NULL)
			sum += held(share);
	}
	return sum;
}

/* After a change: recall shares, queue the report. */
void ctr_core_limit_follow(const struct ctr_limit *limit, uint32_t at,
			   struct ctr_limit_account *account, const struct limit_step *step);

/* Recall the shares that are lent, if that is not in progress. */
void ctr_core_limit_recall(struct limit_step *step);

/* A threshold is crossed if all shares have returned and nothing remains, or if it is due. */
void ctr_core_limit_cross(const struct ctr_limit *limit, struct limit_step *step);

#endif /* CTR_CORE_LIMIT_H */
