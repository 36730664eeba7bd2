/* SPDX-License-Identifier: BSD-3-Clause */
/* Retries and grace periods of readers, and of updates that lcores defer. */
#include "ctr_quiescent.h"
#include "ctr_read_ctx.h"

bool
ctr_read_retry_slow(struct ctr_read_ctx *reading)
{
	if (reading->locked) {
		reading->locked = false;
		ctr_control_release(reading->control);
		return false;
	}
	ctr_spin_wait(&reading->tries);
	if (reading->tries >= CTR_READ_RETRIES) {
		ctr_control_hold(reading->control);
		reading->locked = true;
	}
	reading->begin = ctr_seq_read_begin(reading->epoch);
	return true;
}

void
ctr_grace_start(struct ctr_grace *grace)
{
	/* A read that ctr_grace_elapsed() does not see there sees what was stored before this. */
	ctr_fence(__ATOMIC_SEQ_CST);
	grace->outside[0] = grace->outside[1] = false;
	grace->token = ctr_quiescent_start();
}

bool
ctr_grace_elapsed(struct ctr_grace *grace, struct ctr_srcu *readers)
{
	const bool reported = ctr_quiescent_passed(grace->token);

	while (!grace->outside[0] || !grace->outside[1]) {
		uint32_t idle = readers->phase.word ^ 1;

		if (ctr_load_acquire(&readers->inside[idle].word) != 0)
			return false;
		grace->outside[idle] = true;
		ctr_store32(&readers->phase.word, idle);
	}
	return reported;
}

bool
ctr_drained_since(const struct ctr_drain_tokens *tokens, uint64_t token)
{
	for (unsigned int lcore = 0; lcore < CTR_MAX_LCORE; lcore++) {
		uint64_t drained = __atomic_load_n(&tokens->token[lcore], __ATOMIC_ACQUIRE);

		if (drained != 0 && drained < token && ctr_quiescent_is_online(lcore))
			return false;
	}
	return true;
}
