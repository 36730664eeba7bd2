/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two lcores count towards a limit of 2000, the first from a share. As a quota: what was let through,
 * the account and the shares are 2000, and after a burst of each, all of the rest can be used.
 * MODEL_THRESHOLD: the crossing is reported once, with the count; MODEL_LEAVES: the lcore with the
 * share leaves. MODEL_ENDS: the life ends instead;
 * its rest is exact, though an lcore answers a recall at that time; it ends in the next generation.
 * MODEL_DUE: one lcore counts so many, and the other thread is the control side, which finds that the
 * deadline of the threshold has passed: it is reported once, with the count. With MODEL_SETS that
 * thread also sets it again, if it is not reported: then the deadline is over.
 * MODEL_TWO: the shares of two instances are recalled during a burst of the lcore that holds them.
 */
#define MODEL_TIME_NS 1
#include "model.h"

/* GenMC's unistd.h has macros of names that are members of structs here. */
#undef open
#undef read
#undef close
#include "memory.h"
#include "ctr_limit.h"

#define ctr_core_provide(table, at) ((void)(table), (void)(at), 0)
#define ctr_module_note(count, n) ((void)(count), (void)(n))
#include "limit.c"
#include "limit_set.c"

#ifdef MODEL_DUE
#define MODEL_THRESHOLD
#endif
#ifdef MODEL_THRESHOLD
#define STOPS false
#else
#define STOPS true
#endif
#if defined(MODEL_THRESHOLD) || defined(MODEL_ENDS)
#define MUCH 1990u
#else
#define MUCH 600u
#endif
#define GRANT 2000u
#ifdef MODEL_TWO
#define INSTANCES 2
#else
#define INSTANCES 1
#endif

/* What an lcore has. */
struct lcore {
	uint64_t queue; /* An object of one width. */
	struct ctr_limit_share share[INSTANCES];
};

static struct ctr_control control = CTR_CONTROL_INITIALIZER;
static struct ctr_flag ready;
static struct lcore lcores[2];
static struct ctr_slots slots;
static struct ctr_limit_account account[INSTANCES];
static struct ctr_limit_reports crossings;
static const struct ctr_limits every;
static const struct ctr_table table;
static const struct ctr_table *const tables[] = { &table };
static const struct ctr_module_state module = { .control = &control, .ready = &ready };
static const struct ctr_domain domain = {
	.module = &module, .slots = &slots, .tables = tables, .num_tables = 1, .own = &domain,
};
static const struct ctr_table table = {
	.domain = &domain, .max = INSTANCES, .common = account, .common_size = sizeof(*account),
	.limits = &every,
};
static const struct ctr_table shares = {
	.domain = &domain, .max = INSTANCES,
	.data = { offsetof(struct lcore, share), 0, sizeof(struct ctr_limit_share) },
};
static const struct ctr_limit limit = {
	.table = &table, .shares = &shares, .reports = &crossings, .stops = STOPS,
	.most = CTR_LIMIT_MOST,
};
static const struct ctr_limit *const list[] = { &limit };
static const struct ctr_limits every = { list, 1 };
static uint64_t through[2];
#ifdef MODEL_DUE
#define AGAIN 5000u
static struct ctr_crossing crossing;
static unsigned int found;
static bool again;
#endif

static void
count(unsigned int me, uint64_t n)
{
	if (ctr_limit_take(lcores[me].share, n) || ctr_limit_take_slowly(&limit, 0, n, STOPS))
		through[me] += n;
}

static void *
first(void *arg)
{
	(void)arg;
	model_enter(0);
#ifndef MODEL_TWO
	count(0, 1);
#endif
#if defined(MODEL_TWO)
#elif defined(MODEL_DUE)
	count(0, MODEL_DUE);
#else
	count(0, 20);
#endif
#if defined(MODEL_LEAVES)
	ctr_strategy_limits.leave(&domain, &lcores[0]);
#elif !defined(MODEL_ENDS)
	ctr_strategy_limits.flush(&domain, CTR_BURST_END);
#endif
	return NULL;
}

#ifdef MODEL_DUE
static void
look(void)
{
	found += ctr_limit_crossed_next(&every, &crossing) == 0;
}
#endif

static void *
second(void *arg)
{
	(void)arg;
	model_enter(1);
#ifdef MODEL_DUE
	look();
#ifdef MODEL_SETS
	if (found == 0)
		again = ctr_limit_set(&limit, 0, AGAIN) == 0;
#else
	look();
#endif
	return NULL;
#endif
#ifdef MODEL_TWO
	for (unsigned int i = 0; i < INSTANCES; i++)
		CHECK(!ctr_limit_take_slowly(&limit, i, GRANT, true));
#else
	count(1, MUCH);
	count(1, 3);
#endif
#ifndef MODEL_ENDS
	ctr_strategy_limits.flush(&domain, CTR_BURST_END);
#endif
	return NULL;
}

#ifdef MODEL_ENDS
/* The lcore has reported since the instance was retired, and is still asked to return its share. */
static void *
late_burst(void *arg)
{
	(void)arg;
	model_enter(0);
	ctr_strategy_limits.flush(&domain, CTR_BURST_END);
	return NULL;
}
#endif

/* The end of the burst of each lcore. */
static void
bursts(void)
{
	model_enter(0);
	ctr_strategy_limits.flush(&domain, CTR_BURST_END);
	model_enter(1);
	ctr_strategy_limits.flush(&domain, CTR_BURST_END);
}

int
main(void)
{
#ifndef MODEL_DUE
	struct ctr_crossing crossing;
#endif
	pthread_t a, b;
	uint64_t used;
	unsigned int i;

	model_lcores(2);
	for (i = 0; i < 2; i++)
		slots.slot[i] = slots.copy[i] = &lcores[i];
	slots.num = 2;
	ready.set = true;
	CHECK(ctr_limit_set(&limit, 0, GRANT) == 0);
#ifdef MODEL_DUE
	CHECK(ctr_limit_deadline(&limit, 0, 1) == 0);
	account[0].due_ns = 1; /* That is now. */
#endif
#ifdef MODEL_TWO
	CHECK(ctr_limit_set(&limit, 1, GRANT) == 0);
	model_enter(0);
	for (i = 0; i < INSTANCES; i++)
		CHECK(ctr_limit_take_slowly(&limit, i, 1, true));
#endif
	a = model_start(first, 0);
	b = model_start(second, 1);
	model_join(a);
	model_join(b);
	used = through[0] + through[1];
#if defined(MODEL_ENDS)
	a = model_start(late_burst, 0);
	ctr_limit_ops.end(&every, 0);
	CHECK(ctr_limit_ops.value(&limit, 0, false) + used == GRANT);
	ctr_limit_ops.clear(&limit, 0);
	model_join(a);
	CHECK(lcores[0].share->left == 0 && lcores[1].share->left == 0);
	CHECK(ctr_limit_ops.value(&limit, 0, false) == 0);
	bursts();
	CHECK(ctr_limit_set(&limit, 0, 5) == 0 && ctr_limit_take_slowly(&limit, 0, 5, true));
	CHECK(!ctr_limit_take_slowly(&limit, 0, 1, true));
	(void)crossing;
#elif defined(MODEL_TWO)
	bursts();
	for (i = 0; i < INSTANCES; i++)
		CHECK(ctr_limit_take_slowly(&limit, i, GRANT - 1, true));
	(void)crossing;
#elif defined(MODEL_DUE)
	bursts();
	look();
	look();
	CHECK(used == 1 + MODEL_DUE && found == !again);
	if (!again) {
		CHECK(crossing.count <= used && crossing.expired == (crossing.count < GRANT));
		CHECK(ctr_limit_set(&limit, 0, AGAIN) == 0);
	}
	CHECK(ctr_limit_ops.value(&limit, 0, false) == AGAIN - (used - crossing.count));
#elif defined(MODEL_THRESHOLD)
	bursts();
	CHECK(used == 2014);
	CHECK(ctr_limit_crossed_next(&every, &crossing) == 0);
	CHECK(crossing.count >= GRANT && crossing.count <= used);
	CHECK(ctr_limit_crossed_next(&every, &crossing) == -ENOENT);
#else
	CHECK(used <= GRANT && ctr_limit_ops.value(&limit, 0, false) == GRANT - used);
	model_enter(0);
	count(0, GRANT - used + 1); /* Refused: shares are recalled. */
	CHECK(through[0] + through[1] == used);
	bursts();
	model_enter(0);
	count(0, GRANT - used);
	CHECK(through[0] + through[1] == GRANT);
	(void)crossing;
#endif
	return 0;
}
