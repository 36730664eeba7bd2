/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>

#include "ctr_quiescent.h"

/* What rte_rcu_qsbr_get_memsize() asks for: counts of threads, then a bit for each. */
#define BITS ((RTE_MAX_LCORE + 63) / 64 * 64 / 8)
#define SIZE                                                                          \
	(sizeof(struct rte_rcu_qsbr) + sizeof(struct rte_rcu_qsbr_cnt) * RTE_MAX_LCORE + \
	 RTE_CACHE_LINE_ROUNDUP(BITS))

struct rte_rcu_qsbr *ctr_quiescent_variable[RTE_MAX_LCORE];

static char own[SIZE] __rte_cache_aligned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rte_rcu_qsbr *variable;
static bool used;
static bool watched;

static struct rte_rcu_qsbr *
get(void)
{
	struct rte_rcu_qsbr *v = __atomic_load_n(&variable, __ATOMIC_ACQUIRE);

	if (v != NULL)
		return v;
	(void)pthread_mutex_lock(&lock);
	if (variable == NULL) {
		v = (struct rte_rcu_qsbr *)own;
		if (rte_rcu_qsbr_get_memsize(RTE_MAX_LCORE) <= sizeof(own) &&
		    rte_rcu_qsbr_init(v, RTE_MAX_LCORE) == 0)
			__atomic_store_n(&variable, v, __ATOMIC_RELEASE);
	}
	v = variable;
	(void)pthread_mutex_unlock(&lock);
	return v;
}

int
ctr_quiescent_use(struct rte_rcu_qsbr *v)
{
	int rc = 0;

	if (v == NULL || v->max_threads < RTE_MAX_LCORE)
		return -EINVAL;
	(void)pthread_mutex_lock(&lock);
	if (variable != NULL && variable != v)
		rc = -EBUSY;
	else
		__atomic_store_n(&variable, v, __ATOMIC_RELEASE);
	if (rc == 0)
		__atomic_store_n(&used, true, __ATOMIC_RELAXED);
	(void)pthread_mutex_unlock(&lock);
	return rc;
}

void
ctr_quiescent_leave(void)
{
	unsigned int lcore = rte_lcore_id();
	struct rte_rcu_qsbr *v = lcore < RTE_MAX_LCORE ? ctr_quiescent_variable[lcore] : NULL;

	if (v == NULL)
		return;
	ctr_quiescent_variable[lcore] = NULL;
	rte_rcu_qsbr_thread_offline(v, lcore);
	(void)rte_rcu_qsbr_thread_unregister(v, lcore);
}

/* Runs in the thread whose id goes out of use. DPDK calls callbacks in the order in which they were
 * registered, so this one may come before that which applies what the lcore holds back: where there
 * is that one, it calls ctr_quiescent_leave() when it is done.
 */
static void
leave(unsigned int lcore, void *unused)
{
	(void)unused;
	if (lcore == rte_lcore_id() && !ctr_port_watched())
		ctr_quiescent_leave();
}

static void
watch(void)
{
	bool first;

	(void)pthread_mutex_lock(&lock);
	first = !watched;
	watched = true;
	(void)pthread_mutex_unlock(&lock);
	if (first)
		(void)rte_lcore_callback_register("ctr-quiescent", NULL, leave, NULL);
}

void
ctr_quiescent_online(void)
{
	unsigned int lcore = rte_lcore_id();
	struct rte_rcu_qsbr *v;

	if (lcore >= RTE_MAX_LCORE || ctr_quiescent_variable[lcore] != NULL)
		return;
	v = get();
	if (v == NULL || rte_rcu_qsbr_thread_register(v, lcore) != 0)
		return;
	watch();
	__atomic_store_n(&used, true, __ATOMIC_RELAXED);
	rte_rcu_qsbr_thread_online(v, lcore);
	ctr_quiescent_variable[lcore] = v;
}

void
ctr_quiescent_offline(void)
{
	unsigned int lcore = rte_lcore_id();

	if (lcore >= RTE_MAX_LCORE || ctr_quiescent_variable[lcore] == NULL)
		return;
	rte_rcu_qsbr_thread_offline(ctr_quiescent_variable[lcore], lcore);
	ctr_quiescent_variable[lcore] = NULL;
}

uint64_t
ctr_quiescent_start(void)
{
	struct rte_rcu_qsbr *v = get();
	uint64_t moment = v != NULL ? rte_rcu_qsbr_start(v) : 0;

	/* Pairs with that of an lcore that goes online: either it is found there, or it sees
	 * what the caller has stored before.
	 */
	rte_atomic_thread_fence(__ATOMIC_SEQ_CST);
	return moment;
}

bool
ctr_quiescent_passed(uint64_t moment)
{
	struct rte_rcu_qsbr *v = get();

	return v != NULL && rte_rcu_qsbr_check(v, moment, false) == 1;
}

bool
ctr_quiescent_reports(unsigned int lcore)
{
	struct rte_rcu_qsbr *v = __atomic_load_n(&variable, __ATOMIC_ACQUIRE);
	const unsigned int word = lcore / 64;
	uint64_t *at, threads;

	if (v == NULL || lcore >= RTE_MAX_LCORE)
		return false;
	/* Who is registered takes part, or is offline. */
	at = (uint64_t *)__RTE_QSBR_THRID_ARRAY_ELM(v, word);
	threads = __atomic_load_n(at, __ATOMIC_ACQUIRE);
	return (threads >> lcore % 64 & 1) != 0;
}

bool
ctr_quiescent_takes_part(unsigned int lcore)
{
	struct rte_rcu_qsbr *v = __atomic_load_n(&variable, __ATOMIC_ACQUIRE);
	uint64_t *count;

	if (v == NULL || lcore >= RTE_MAX_LCORE || !ctr_quiescent_reports(lcore))
		return false;
	count = (uint64_t *)&v->qsbr_cnt[lcore].cnt;
	return __atomic_load_n(count, __ATOMIC_RELAXED) != __RTE_QSBR_CNT_THR_OFFLINE;
}

bool
ctr_quiescent_since(uint64_t moment)
{
	const unsigned int lcore = rte_lcore_id();

	return ctr_quiescent_takes_part(lcore) &&
	       __atomic_load_n(&variable->qsbr_cnt[lcore].cnt, __ATOMIC_RELAXED) >= moment;
}

bool
ctr_quiescent_used(void)
{
	return __atomic_load_n(&used, __ATOMIC_RELAXED);
}

void
ctr_quiescent_anew(void)
{
	static const pthread_mutex_t free_mutex = PTHREAD_MUTEX_INITIALIZER;

	lock = free_mutex;
	variable = NULL;
	used = false;
	memset(ctr_quiescent_variable, 0, sizeof(ctr_quiescent_variable));
}

uint64_t
ctr_quiescent_now(void)
{
	struct rte_rcu_qsbr *v = get();

	return v != NULL ? __atomic_load_n(&v->token, __ATOMIC_RELAXED) : 0;
}

bool
ctr_settled_since(const struct ctr_settled *settled, uint64_t moment)
{
	struct rte_rcu_qsbr *v = __atomic_load_n(&variable, __ATOMIC_ACQUIRE);
	unsigned int lcore;

	for (lcore = 0; v != NULL && lcore < RTE_MAX_LCORE; lcore++) {
		uint64_t told = __atomic_load_n(&settled->moment[lcore], __ATOMIC_ACQUIRE);

		if (told != 0 && told < moment && ctr_quiescent_reports(lcore) &&
		    __atomic_load_n(&v->qsbr_cnt[lcore].cnt, __ATOMIC_ACQUIRE) !=
			    __RTE_QSBR_CNT_THR_OFFLINE)
			return false;
	}
	return true;
}
