/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reader meets a thread that registers, counts and leaves: the slot is whole when it
 * is seen, and what was counted stays when the lcore id has its next owner.
 */
#include "model.h"

#include "ctr_table.h"

struct slot {
	uint64_t ready; /* Set by prepare(), with a plain store. */
	uint64_t count;
};

static int
prepare(const struct ctr_domain *domain, void *slot)
{
	(void)domain;
	((struct slot *)slot)->ready = 1;
	return 0;
}

static const struct ctr_strategy strategy = { .prepare = prepare };
static const struct ctr_domain domain = { .strategy = &strategy };
static struct ctr_slots slots = { .size = sizeof(struct slot) };

static uint64_t
sum(void)
{
	uint64_t counted = 0;
	unsigned int lcore;

	CTR_SLOTS_FOREACH(lcore, &slots) {
		const struct slot *slot = (const struct slot *)ctr_slots_get(&slots, lcore);

		CHECK(slot != NULL && slot->ready == 1);
		counted += ctr_load64(&slot->count);
	}
	return counted;
}

/* Another way to a slot: not by the set of those in use. */
static void
look(void)
{
	const struct slot *slot = (const struct slot *)ctr_slots_get(&slots, 0);

	if (slot != NULL)
		CHECK(slot->ready == 1);
}

static void *
worker(void *arg)
{
	struct slot *slot;

	(void)arg;
	if (ctr_thread_register() != 0)
		abort();
	slot = (struct slot *)slots.slot[ctr_lcore_id()];
	ctr_add64(&slot->count, 1);
	ctr_thread_unregister();
	return NULL;
}

int
main(void)
{
	pthread_t threads[2];
	uint64_t counted;

	if (ctr_slots_open(&slots, &domain) != 0)
		abort();
	threads[0] = model_start(worker, 0);
	threads[1] = model_start(worker, 0);
#ifdef MODEL_LOOK
	look();
	counted = 0;
#else
	(void)look;
	counted = sum();
#endif
	CHECK(counted <= 2);
	CHECK(counted <= sum());
	model_join(threads[0]);
	model_join(threads[1]);
	CHECK(sum() == 2);
	return 0;
}
