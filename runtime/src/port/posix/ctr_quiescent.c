/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_quiescent.h"

struct ctr_quiescent_slot ctr_quiescent_counter = { 1 };
struct ctr_quiescent_slot ctr_quiescent_slots[CTR_MAX_LCORE];

/* The latest token whose grace period is known to have elapsed. */
static uint64_t known_passed;
/* No lcore with this id, or a greater one, has ever reported. */
static unsigned int most_lcores;

void
ctr_quiescent_online(void)
{
	unsigned int lcore = ctr_lcore_id(), most = __atomic_load_n(&most_lcores, __ATOMIC_RELAXED);
	uint64_t epoch;

	if (lcore >= CTR_MAX_LCORE)
		return;
	/* Seen, as the slot of the lcore is, by a thread that takes a token after the lcore came
	 * online. */
	while (most <= lcore &&
	       !__atomic_compare_exchange_n(&most_lcores, &most, lcore + 1, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	epoch = __atomic_load_n(&ctr_quiescent_counter.epoch, __ATOMIC_ACQUIRE);
	__atomic_store_n(&ctr_quiescent_slots[lcore].epoch, epoch, __ATOMIC_RELEASE);
	/* This and ctr_quiescent_start() change the same word, so one of them is first: a token
	 * after this finds the slot taken; one before has made its caller's stores visible here.
	 * Adding 0 would do, but clang 14 leaves that out. */
	(void)__atomic_fetch_add(&ctr_quiescent_counter.epoch, 1, __ATOMIC_ACQ_REL);
}

void
ctr_quiescent_offline(void)
{
	unsigned int lcore = ctr_lcore_id();

	if (lcore < CTR_MAX_LCORE)
		ctr_quiescent_leave(lcore);
}

void
ctr_quiescent_leave(unsigned int lcore)
{
	__atomic_store_n(&ctr_quiescent_slots[lcore].epoch, 0, __ATOMIC_RELEASE);
}

uint64_t
ctr_quiescent_start(void)
{
	return __atomic_add_fetch(&ctr_quiescent_counter.epoch, 1, __ATOMIC_ACQ_REL);
}

bool
ctr_quiescent_passed(uint64_t token)
{
	unsigned int num;

	if (__atomic_load_n(&known_passed, __ATOMIC_ACQUIRE) >= token)
		return true;
	num = __atomic_load_n(&most_lcores, __ATOMIC_RELAXED);
	for (unsigned int lcore = 0; lcore < num; lcore++) {
		uint64_t epoch =
			__atomic_load_n(&ctr_quiescent_slots[lcore].epoch, __ATOMIC_ACQUIRE);

		if (epoch != 0 && epoch < token)
			return false;
	}
	/* Another thread may put it back: then the slots are asked once more. */
	__atomic_store_n(&known_passed, token, __ATOMIC_RELEASE);
	return true;
}

bool
ctr_quiescent_is_online(unsigned int lcore)
{
	return lcore < CTR_MAX_LCORE &&
	       __atomic_load_n(&ctr_quiescent_slots[lcore].epoch, __ATOMIC_ACQUIRE) != 0;
}

bool
ctr_quiescent_since(uint64_t token)
{
	const unsigned int lcore = ctr_lcore_id();

	return ctr_quiescent_is_online(lcore) &&
	       __atomic_load_n(&ctr_quiescent_slots[lcore].epoch, __ATOMIC_RELAXED) >= token;
}

bool
ctr_quiescent_used(void)
{
	return __atomic_load_n(&most_lcores, __ATOMIC_RELAXED) != 0;
}

uint64_t
ctr_quiescent_now(void)
{
	return __atomic_load_n(&ctr_quiescent_counter.epoch, __ATOMIC_RELAXED);
}
