/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <pthread.h>

#include "ctr_quiescent.h"

/* In older C libraries they are in another one, which what loads libraries has. */
#pragma weak dladdr
#pragma weak dlopen

/* What rte_rcu_qsbr_get_memsize() asks for: counts of threads, then a bit for each. */
#define BITS ((RTE_MAX_LCORE + 63) / 64 * 64 / 8)
#define SIZE                                                                          \
	(sizeof(struct rte_rcu_qsbr) + sizeof(struct rte_rcu_qsbr_cnt) * RTE_MAX_LCORE + \
	 RTE_CACHE_LINE_ROUNDUP(BITS))

struct rte_rcu_qsbr *ctr_quiescent_variable[RTE_MAX_LCORE];

static char own_qsbr[SIZE] CTR_ALIGNED(RTE_CACHE_LINE_SIZE);
static pthread_mutex_t qsbr_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rte_rcu_qsbr *variable;
static bool qsbr_used;
static bool lcores_watched;
/* By lcore id: whether its thread was registered here, and not by the application. */
static bool registered[RTE_MAX_LCORE];
/* The latest token of ctr_quiescent_start(); all are greater than 1. */
static uint64_t latest = 1;

static struct rte_rcu_qsbr *
get_qsbr(void)
{
	struct rte_rcu_qsbr *v = __atomic_load_n(&variable, __ATOMIC_ACQUIRE);

	if (v != NULL)
		return v;
	(void)pthread_mutex_lock(&qsbr_lock);
	if (variable == NULL) {
		v = (struct rte_rcu_qsbr *)own_qsbr;
		if (rte_rcu_qsbr_get_memsize(RTE_MAX_LCORE) <= sizeof(own_qsbr) &&
		    rte_rcu_qsbr_init(v, RTE_MAX_LCORE) == 0)
			__atomic_store_n(&variable, v, __ATOMIC_RELEASE);
	}
	v = variable;
	(void)pthread_mutex_unlock(&qsbr_lock);
	return v;
}

int
ctr_quiescent_use(struct rte_rcu_qsbr *v)
{
	int rc = 0;

	if (v == NULL || v->max_threads < RTE_MAX_LCORE)
		return -EINVAL;
	(void)pthread_mutex_lock(&qsbr_lock);
	if (variable != NULL && variable != v)
		rc = -EBUSY;
	else
		__atomic_store_n(&variable, v, __ATOMIC_RELEASE);
	if (rc == 0)
		__atomic_store_n(&qsbr_used, true, __ATOMIC_RELAXED);
	(void)pthread_mutex_unlock(&qsbr_lock);
	return rc;
}

/* The calling lcore is online there from now on, or offline. */
static void
set_variable(unsigned int lcore, struct rte_rcu_qsbr *v)
{
	__atomic_store_n(&ctr_quiescent_variable[lcore], v, __ATOMIC_RELEASE);
}

void
ctr_quiescent_leave(void)
{
	unsigned int lcore = rte_lcore_id();
	struct rte_rcu_qsbr *v = __atomic_load_n(&variable, __ATOMIC_ACQUIRE);

	if (lcore >= RTE_MAX_LCORE || v == NULL || !registered[lcore])
		return;
	registered[lcore] = false;
	set_variable(lcore, NULL);
	rte_rcu_qsbr_thread_offline(v, lcore);
	(void)rte_rcu_qsbr_thread_unregister(v, lcore);
}

/* Runs in the thread whose lcore id is unregistered. DPDK calls callbacks in their order of
 * registration, so this one may come before the one that applies the lcore's pending updates. That
 * one then calls ctr_quiescent_leave() when it is done. */
static void
leave(unsigned int lcore, CTR_UNUSED void *unused)
{
	if (lcore == rte_lcore_id() && !ctr_port_watched())
		ctr_quiescent_leave();
}

void
ctr_port_stay_loaded(void)
{
	int (*const find_object)(const void *, Dl_info *) = dladdr;
	void *(*const pin)(const char *, int) = dlopen;
	Dl_info own;

	if (find_object != NULL && pin != NULL && find_object(registered, &own) != 0)
		(void)pin(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void
ctr_quiescent_online(void)
{
	unsigned int lcore = rte_lcore_id();
	struct rte_rcu_qsbr *v;

	if (lcore >= RTE_MAX_LCORE || ctr_quiescent_variable[lcore] != NULL)
		return;
	v = get_qsbr();
	if (v == NULL || rte_rcu_qsbr_thread_register(v, lcore) != 0)
		return;
	if (!__atomic_exchange_n(&lcores_watched, true, __ATOMIC_RELAXED)) {
		/* The callback stays, too: a thread that calls exit() may have DPDK's lock. */
		ctr_port_stay_loaded();
		(void)rte_lcore_callback_register("ctr-quiescent", NULL, leave, NULL);
	}
	__atomic_store_n(&qsbr_used, true, __ATOMIC_RELAXED);
	registered[lcore] = true;
	/* Its fence is behind this: what the lcore loads from now on, it loads as one that is seen
	 * to be online. */
	set_variable(lcore, v);
	rte_rcu_qsbr_thread_online(v, lcore);
}

void
ctr_quiescent_offline(void)
{
	unsigned int lcore = rte_lcore_id();

	if (lcore >= RTE_MAX_LCORE || ctr_quiescent_variable[lcore] == NULL)
		return;
	rte_rcu_qsbr_thread_offline(ctr_quiescent_variable[lcore], lcore);
	set_variable(lcore, NULL);
}

uint64_t
ctr_quiescent_start(void)
{
	struct rte_rcu_qsbr *v = get_qsbr();
	uint64_t token = v != NULL ? rte_rcu_qsbr_start(v) : 0;
	uint64_t before = __atomic_load_n(&latest, __ATOMIC_RELAXED);

	/* A thread that sees this token reports no earlier one. */
	while (before < token &&
	       !__atomic_compare_exchange_n(&latest, &before, token, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	/* Pairs with that of an lcore that goes online: either it is found there, or it sees what
	 * the caller has stored before. */
	rte_atomic_thread_fence(__ATOMIC_SEQ_CST);
	return token;
}

bool
ctr_quiescent_passed(uint64_t token)
{
	struct rte_rcu_qsbr *v = get_qsbr();

	return v != NULL && rte_rcu_qsbr_check(v, token, false) == 1;
}

bool
ctr_quiescent_is_online(unsigned int lcore)
{
	return lcore < RTE_MAX_LCORE &&
	       __atomic_load_n(&ctr_quiescent_variable[lcore], __ATOMIC_ACQUIRE) != NULL;
}

bool
ctr_quiescent_since(uint64_t token)
{
	const unsigned int lcore = rte_lcore_id();

	return ctr_quiescent_is_online(lcore) &&
	       __atomic_load_n(&variable->qsbr_cnt[lcore].cnt, __ATOMIC_RELAXED) >= token;
}

bool
ctr_quiescent_used(void)
{
	return __atomic_load_n(&qsbr_used, __ATOMIC_RELAXED);
}

void
ctr_quiescent_reinit(void)
{
	qsbr_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	variable = NULL;
	qsbr_used = false;
	latest = 1;
	/* Locks of DPDK may be taken for ever. */
	lcores_watched = true;
	memset(registered, 0, sizeof(registered));
	memset(ctr_quiescent_variable, 0, sizeof(ctr_quiescent_variable));
}

uint64_t
ctr_quiescent_now(void)
{
	return __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
}
