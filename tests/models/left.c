/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing stays in the buffer of an lcore that leaves while another thread has the lock, and
 * nothing is applied twice. MODEL_ADOPT gives the buffer an owner again, who counts on.
 */
#include "model.h"

#ifndef MODEL_UPDATES
#define MODEL_UPDATES 1
#endif

static uint64_t count CTR_CACHE_ALIGNED;

static struct {
	struct ctr_wb wb;
	struct ctr_wb_add adds[4];
} buffer CTR_CACHE_ALIGNED;

static void
apply(const char *at, const char *end)
{
	for (; at < end; at += CTR_WB_SIZE(struct ctr_wb_add))
		ctr_wb_apply_add((const struct ctr_wb_add *)(const void *)at);
}

static struct ctr_wb_pool pool = {
	.size = sizeof(buffer.adds),
	.largest = sizeof(buffer.adds[0]),
	.hints = 1,
	.apply = apply,
};

static void *
leaver(void *arg)
{
	(void)arg;
	ctr_wb_append(&pool, &buffer.wb, (uintptr_t)&count, 1, 3 * sizeof(buffer.adds[0]));
	ctr_wb_leave(&pool, &buffer.wb);
#ifdef MODEL_ADOPT
	ctr_wb_takeover(&pool, &buffer.wb);
	ctr_wb_append(&pool, &buffer.wb, (uintptr_t)&count, 1, 3 * sizeof(buffer.adds[0]));
	ctr_wb_flush(&pool, &buffer.wb);
#endif
	return NULL;
}

static void *
holder(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < MODEL_UPDATES; i++) {
		ctr_wb_lock(&pool);
		ctr_add64(&count, 1);
		ctr_wb_unlock(&pool);
	}
	return NULL;
}

int
main(void)
{
	pthread_t threads[2];

	threads[0] = model_start(leaver, 0);
	threads[1] = model_start(holder, 0);
	model_join(threads[0]);
	model_join(threads[1]);
#ifdef MODEL_ADOPT
	CHECK(count == MODEL_UPDATES + 2);
#else
	CHECK(count == MODEL_UPDATES + 1);
#endif
	return 0;
}
