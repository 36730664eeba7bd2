/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two lcores raise a gauge by 2 whose ceiling is 3, once more in vain, and lower it again: it never
 * exceeds 3, and the refusals are one crossing. MODEL_SETS: its ceiling is set while an lcore raises
 * it; a refusal by the former one, which was reported, is no crossing of the new one. MODEL_PEAK: a
 * peak begins a new epoch while an lcore raises the gauge; it has what the gauge has at its end.
 */
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
#include "limit_gauge.c"
#include "limit_set.c"

struct part {
	struct ctr_limit_account account;
	uint64_t gauge, mark;
};

static struct part part;
static struct ctr_control control = CTR_CONTROL_INITIALIZER;
static struct ctr_flag ready;
static struct ctr_limit_reports crossings;
static const struct ctr_module_state module = { .control = &control, .ready = &ready };
static const struct ctr_domain domain = { .module = &module };
static const struct ctr_value values[] = { {
	.at = offsetof(struct part, mark), .gauge = offsetof(struct part, gauge),
	.form = CTR_FORM_MARK_HIGHEST, .high = INT64_MAX,
} };
static const struct ctr_table table = {
	.domain = &domain, .max = 1, .common = &part, .common_size = sizeof(part),
	.values = values, .num_values = 1,
};
static const struct ctr_limit limit = {
	.table = &table, .reports = &crossings, .gauge = offsetof(struct part, gauge), .stops = true,
	.most = INT64_MAX,
};
static const struct ctr_limit *const list[] = { &limit };
static const struct ctr_limits every = { list, 1 };
static bool passed[2];

static void *
raise_it(void *arg)
{
	const unsigned int me = (unsigned int)(uintptr_t)arg;

	passed[me] = ctr_limit_raise(&limit, 0, 2, true);
#if !defined(MODEL_SETS) && !defined(MODEL_PEAK)
	CHECK(ctr_load64(&part.gauge) <= 3);
	if (passed[me]) {
		CHECK(!ctr_limit_raise(&limit, 0, 2, true));
		(void)ctr_limit_raise(&limit, 0, (uint64_t)-2, false);
	}
#endif
	return NULL;
}

static void *
control_side(void *arg)
{
	(void)arg;
#ifdef MODEL_PEAK
	CHECK(ctr_mark_read(&part.mark, &part.gauge, false, 0, 100, true) == 9);
#else
	CHECK(ctr_limit_set(&limit, 0, 3) == 0);
#endif
	return NULL;
}

int
main(void)
{
	struct ctr_crossing crossing;
	pthread_t threads[2];

	ready.set = true;
#ifdef MODEL_SETS
	CHECK(ctr_limit_set(&limit, 0, 1) == 0 && !ctr_limit_raise(&limit, 0, 2, true));
	CHECK(ctr_limit_crossed_next(&every, &crossing) == 0);
#else
	CHECK(ctr_limit_set(&limit, 0, 3) == 0);
#endif
	part.mark = 9; /* In the former epoch there was more than what comes. */
	threads[0] = model_start(raise_it, 0);
#if defined(MODEL_SETS) || defined(MODEL_PEAK)
	threads[1] = model_start(control_side, 0);
#else
	threads[1] = model_start(raise_it, 1);
#endif
	model_join(threads[0]);
	model_join(threads[1]);
#if defined(MODEL_SETS)
	CHECK(part.gauge == (passed[0] ? 2 : 0));
	CHECK(ctr_limit_crossed_next(&every, &crossing) == -ENOENT);
#elif defined(MODEL_PEAK)
	CHECK(passed[0] && part.gauge == 2 && part.mark == 2);
#else
	CHECK(part.gauge == 0 && (passed[0] || passed[1]));
	CHECK(ctr_limit_crossed_next(&every, &crossing) == 0 && crossing.count == 2);
	CHECK(ctr_limit_crossed_next(&every, &crossing) == -ENOENT);
#endif
	return 0;
}
