/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Limits: counts that act. A quota stops updates when its grant is used up; a threshold is reported
 * once when it is crossed. The algorithm is perfbook's limit counter (chapter Counting): an lcore
 * holds a share of the remaining amount and subtracts from that; the rest is in an account that all
 * lcores change atomically.
 *
 * Near the limit no shares are lent, and shares that lcores hold are recalled: an lcore returns a
 * recalled share at its next `_burst_end()`, and all shares at `_flush()`. Then each take is one
 * atomic change of the account. At any time the account, the shares and the admitted amounts add up
 * to the grants.
 * A share is at most CTR_LIMIT_SHARE, and at most a quarter of the rest divided by the number of
 * lcores when it was lent: at a refusal each other lcore holds at most that much, and nothing after
 * its next `_burst_end()`. */
#ifndef CTR_LIMIT_H
#define CTR_LIMIT_H

#include "ctr_access.h"
#include "ctr_slots.h"

/** Largest share of an lcore. */
#define CTR_LIMIT_SHARE (UINT64_C(1) << 20)

/** Number of instances that a call without a crossing checks for expired deadlines. */
#define CTR_LIMIT_LOOKS 1024u

/** Largest remaining amount of an instance. */
#define CTR_LIMIT_MOST (UINT64_C(1) << 56)

/** An lcore's share of an instance. */
struct ctr_limit_share {
	uint32_t left; /**< Twice the share, plus 1; written by the lcore; 0: no share. */
	uint32_t next; /**< The next instance to return, position + 1; 0: none. */
} CTR_ALIGNED(8);

/** The account of an instance, in its common part. */
struct ctr_limit_account {
	uint64_t word;    /**< Amount that is not lent, signed, times 64; and six flags. */
	uint64_t total;   /**< Sum of grants; or the count of the crossing; or a ceiling. */
	uint64_t base;    /**< Threshold: the count of the last report. */
	uint32_t pending; /**< Lcores that have not answered a recall, and the one that recalls. */
	uint32_t next;    /**< The next instance to report, position + 1; 0: none. */
	uint64_t over;    /**< By how much the last take crossed a threshold, modulo 2^64; or the
			   * value of a gauge when it was refused. */
	uint64_t due_ns;  /**< Threshold: its deadline; 0: none. */
};

/** State of a limit. */
enum ctr_limit_state {
	CTR_LIMIT_IDLE = 1, /**< Never set. */
	CTR_LIMIT_OPEN,     /**< Lcores hold shares. */
	CTR_LIMIT_NEAR,     /**< Each take changes the account. */
	CTR_LIMIT_REACHED,  /**< The quota has refused, or the threshold is crossed: report due. */
	CTR_LIMIT_REPORTED  /**< Reported, and not set since then. */
};

/** Instances to report of a limit. Zero-initialise. */
struct ctr_limit_reports {
	uint32_t head;  /**< Pushed by lcores, the last first: position + 1, or 0. */
	uint32_t first; /**< First of those taken from there, in order; under the control lock. */
	uint32_t last;  /**< The last of these. */
	uint32_t timed; /**< Number of instances with a deadline. */
	uint32_t seen;  /**< Position up to which deadlines were checked. */
} CTR_CACHE_ALIGNED;

/** A counter or gauge that a limit is of. */
struct ctr_limit_of {
	uint32_t value; /**< Offset in the struct of values. */
	uint32_t bits;  /**< 64 or 32. */
};

/** A limit of a scope. */
struct ctr_limit {
	const struct ctr_table *table;     /**< The scope. */
	const struct ctr_table *shares;    /**< Shares of its instances; NULL: a gauge's ceiling. */
	struct ctr_limit_reports *reports; /**< Instances to report. */
	uint32_t account; /**< Offset of the account in the common part of an instance. */
	size_t queue;     /**< Offset in an lcore's shares of the instances to return. */
	uint32_t number;  /**< Number of the limit in the scope. */
	uint32_t num_of;  /**< Length of `of`. */
	uint32_t gauge;   /**< Offset of the gauge in the common part. */
	const struct ctr_limit_of *of; /**< Its counters, or its gauge. */
	bool stops;       /**< A quota; else a threshold. */
	uint64_t most;    /**< Largest amount that the width of the counter allows. */
};

/** The limits of a scope. */
struct ctr_limits {
	const struct ctr_limit *const *limit; /**< In the order of the schema. */
	uint32_t num;                         /**< Length of `limit`. */
};

/** Operations on limits, for tables that have any. Under the control lock. */
struct ctr_limit_ops {
	/** Allocate shares for an instance that is created: 0; -ENOMEM. */
	int (*provide)(const struct ctr_limits *limits, uint32_t at);
	/** An instance has ended: return all shares, cancel reports. */
	void (*end)(const struct ctr_limits *limits, uint32_t at);
	/** Whether lcores have still to return shares of any of @p n instances. */
	bool (*recalled)(const struct ctr_limits *limits, uint32_t at, uint32_t n);
	/** An instance begins, without a grant. */
	void (*clear)(const struct ctr_limit *limit, uint32_t at);
	/** The value of an item of a limit, by its enum ctr_form. Any thread. */
	uint64_t (*value)(const struct ctr_limit *limit, uint32_t at, unsigned int form);
	/** Continue with the values that an instance had in another process. A crossing that was
	 * not reported there is reported here. */
	void (*restore)(const struct ctr_limit *limit, uint32_t at, const char *values);
};

/** For tables of scopes with limits. */
extern const struct ctr_limit_ops ctr_limit_ops;
/** The operations of the domain that has the shares; its `own` is the domain of the limits. */
extern const struct ctr_strategy ctr_strategy_limits;

/** A crossing: a quota refused an update, or a threshold was reached. */
struct ctr_crossing {
	uint32_t at;    /**< Position of the instance, row-major. */
	uint32_t limit; /**< Number of the limit: `P_S_LIMIT_X`. */
	bool expired;   /**< A threshold was not reached before its deadline. */
	uint64_t count; /**< The count at that time, since the instance was created or, in a former
			* process, reset; or the value of the gauge. */
};

/** Take @p n from the calling lcore's share. Whether it is enough; else nothing changes. */
static inline bool
ctr_limit_take(struct ctr_limit_share *share, uint64_t n)
{
	const uint32_t by = (uint32_t)n * 2;
	bool lacks;

	if (ctr_unlikely(n > INT32_MAX))
		return false;
#if CTR_ASM_X86_64
	/* In between it is odd still if it was: not 0. */
	__asm__ volatile("sub{l}\t{%k2, %0|%0, %k2}"
			 : "+m"(share->left), "=@ccb"(lacks)
			 : "er"(n * 2));
	if (ctr_unlikely(lacks))
		ctr_add32(&share->left, by);
#else
	lacks = ctr_load32(&share->left) < by;
	if (!lacks)
		ctr_store32(&share->left, share->left - by);
#endif
	return !lacks;
}

/** The sum of two amounts; the largest number if it is greater. */
static inline uint64_t
ctr_limit_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

CTR_C_BEGIN

/** Take @p n from the account, and borrow a share. Any thread; never waits. With @p refuse nothing
 * is taken where too little remains, which returns false; else the rest may become negative.
 * With an instance that does not exist nothing is taken either. */
bool ctr_limit_take_slowly(const struct ctr_limit *limit, uint32_t at, uint64_t n,
			   bool refuse) CTR_COLD;

/** Add @p n, signed, to the gauge that a limit is the ceiling of. With @p refuse a value above the
 * ceiling is refused, which returns false; lowering never is. Any thread; never waits. Else as
 * ctr_limit_take_slowly(). */
bool ctr_limit_raise(const struct ctr_limit *limit, uint32_t at, uint64_t n, bool refuse);

/** Return @p n that was taken, for an update that another limit refused. Any thread. */
void ctr_limit_return(const struct ctr_limit *limit, uint32_t at, uint64_t n) CTR_COLD;

/** The same of each of @p num instances of a list: at @p base plus what is in @p list. */
void ctr_limit_return_list(const struct ctr_limit *limit, uint32_t base, const uint32_t *list,
			   uint32_t num, uint64_t n) CTR_COLD;

/** Grant @p n more of a quota; of a gauge, @p n is its ceiling: an update in progress may go by the
 * former one. Or set a threshold: the crossing is at @p n more than the count of the last report,
 * or than 0. Control threads; blocks for the control lock. 0; -ERANGE: no such
 * instance, or more than CTR_LIMIT_MOST or the counter's width would remain; -ENOENT; -ENODEV: not
 * initialised. Of a threshold -EINVAL: @p n is 0; -EBUSY: the last crossing is not reported. */
int ctr_limit_set(const struct ctr_limit *limit, uint32_t at, uint64_t n);

/** Report a threshold that is set after @p seconds from now even if it is not crossed, once; 0: not
 * because of time. A crossing, and setting it again, cancel that. ctr_limit_crossed_next() looks
 * for deadlines, CTR_LIMIT_LOOKS instances in a call that finds no other crossing; shares of lcores
 * return before the report. Control threads. 0; -EINVAL: the threshold is not set, or crossed;
 * -ERANGE; -ENOENT; -ENODEV as ctr_limit_set(). */
int ctr_limit_deadline(const struct ctr_limit *limit, uint32_t at, uint32_t seconds);

/** Take back up to @p n of a quota that is not used; *@p taken receives how much. 0: @p n, or all
 * that remains; -EINPROGRESS: lcores return the rest, call again for what is missing; -EINVAL:
 * NULL. Else as ctr_limit_set(). */
int ctr_limit_withdraw(const struct ctr_limit *limit, uint32_t at, uint64_t n, uint64_t *taken);

/** The next crossing of a scope, which is reported once. Control threads. 0; -ENOENT: none;
 * -EINVAL: NULL. */
int ctr_limit_crossed_next(const struct ctr_limits *limits, struct ctr_crossing *out);

/** Report the crossings that there are to @p report, which may set limits. Control threads. How
 * many they were. */
unsigned int ctr_limit_crossed(const struct ctr_limits *limits,
			       void (*report)(const struct ctr_crossing *crossing, void *user),
			       void *user);

CTR_C_END

#endif /* CTR_LIMIT_H */
