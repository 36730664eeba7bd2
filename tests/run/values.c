/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What readers of any module have: names that are looked up, differences and rates.
 */
#include <errno.h>

#include "harness.h"
#include "val_stats.h"

TEST(found_by_name)
{
	const struct ctr_module *module = &val_stats_module;
	const struct ctr_scope *fault = ctr_scope_find(module, "fault");
	const struct ctr_item *phase = ctr_item_find(ctr_scope_find(module, "global"), "phase");
	unsigned int position;
	uint32_t value;

	CHECK(fault != NULL && strcmp(fault->name, "fault") == 0, "no fault");
	CHECK(ctr_scope_find(module, "faults") == NULL, "there are faults");
	CHECK(ctr_scope_find(NULL, "fault") == NULL && ctr_scope_find(module, NULL) == NULL,
	      "NULL was found");
	CHECK(ctr_item_find(fault, "pkts") == &fault->items[0], "no pkts");
	CHECK(ctr_item_find(fault, "pkt") == NULL && ctr_item_find(NULL, "pkts") == NULL &&
	      ctr_item_find(fault, NULL) == NULL, "pkt was found");
	EQUAL(ctr_label_find(fault, "direction", "out", &position, &value), 0);
	EQUAL(position, 2);
	EQUAL(value, VAL_STATS_FAULT_DIRECTION_OUT);
	EQUAL(ctr_label_find(fault, NULL, "ttl", &position, &value), 0);
	EQUAL(position, 1);
	EQUAL(value, VAL_STATS_FAULT_REASON_TTL);
	EQUAL(ctr_label_find(fault, NULL, "ttl", NULL, NULL), 0);
	EQUAL(ctr_label_find(fault, "reason", "out", &position, &value), -ENOENT);
	EQUAL(ctr_label_find(fault, "port", "out", &position, &value), -ENOENT);
	EQUAL(ctr_label_find(ctr_scope_find(module, "port"), NULL, "out", NULL, NULL), -ENOENT);
	EQUAL(ctr_label_find(fault, NULL, NULL, NULL, NULL), -EINVAL);
	EQUAL(ctr_label_find(NULL, NULL, "out", NULL, NULL), -EINVAL);
	EQUAL(ctr_item_label(phase, "busy", 0)->value, 7);
	EQUAL(strcmp(ctr_item_label(phase, NULL, -5)->name, "idle"), 0);
	CHECK(ctr_item_label(phase, NULL, 0) == NULL, "0 has a name");
	CHECK(ctr_item_label(ctr_item_find(fault, "pkts"), "busy", 0) == NULL, "a counter has one");
}

/* A text that is too long ends in front of a character. */
TEST(long_texts)
{
	static const struct {
		const char *text;
		size_t size;
	} texts[] = {
		{ "12345678\xe2\x82\xac", 11 },	{ "123456789\xe2\x82\xac", 9 },
		{ "1234567890\xc3\xa9", 10 },	{ "12345678\xf0\x9f\x92\xa9", 8 },
		{ "12345678901\xc3\xa9", 11 },	{ "123456789012", 11 },
		{ "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 8 },
	};
	char name[12];

	EQUAL(val_stats_init(), 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		EQUAL(val_stats_set_name(texts[i].text), 0);
		EQUAL(val_stats_get_name(name), 0);
		EQUAL(strlen(name), texts[i].size);
		EQUAL(strncmp(name, texts[i].text, texts[i].size), 0);
	}
	EQUAL(val_stats_get_name(NULL), -EINVAL);
	val_stats_fini();
}

TEST(walked)
{
	const struct ctr_scope *fault = ctr_scope_find(&val_stats_module, "fault");
	struct val_stats_fault values;
	uint32_t index[CTR_INDEXES_MAX];

	EQUAL(ctr_scope_total(fault), 8);
	ctr_scope_indexes(fault, 6, index);
	EQUAL(index[0], 1);
	EQUAL(index[1], 1);
	EQUAL(index[2], 0);
	EQUAL(ctr_scope_next(fault, 7), 7);
	EQUAL(ctr_scope_next(fault, UINT64_MAX), UINT64_MAX);
	EQUAL(ctr_scope_since(fault, 7), 0);
	EQUAL(val_stats_init(), 0);
	EQUAL(ctr_scope_read(fault, index, &values), 0);
	EQUAL(values.pkts, 0);
	index[0] = 2;
	EQUAL(ctr_scope_read(fault, index, &values), -ERANGE);
	val_stats_fini();
}

TEST(texts)
{
	const struct ctr_scope *global = &val_stats_module.scopes[0];
	struct val_stats_global values = { .phase = VAL_STATS_GLOBAL_PHASE_BUSY };
	char text[CTR_ITEM_TEXT];

	memcpy(values.name, "name", 5);
	EQUAL(ctr_item_text(ctr_item_find(global, "name"), &values, text), 4);
	EQUAL(strcmp(text, "name"), 0);
	EQUAL(ctr_item_text(ctr_item_find(global, "phase"), &values, text), 4);
	EQUAL(strcmp(text, "busy"), 0);
	EQUAL(ctr_item_text(ctr_item_find(global, "wide"), &values, text), 0);
}

static struct ctr_sample
sample(const struct val_stats_global *values, uint64_t seconds)
{
	struct ctr_sample made = { &val_stats_module.scopes[0], values, 1000000000u * seconds };

	return made;
}

static const struct ctr_item *
item(const char *name)
{
	return ctr_item_find(&val_stats_module.scopes[0], name);
}

TEST(differences)
{
	struct val_stats_global a = { 0 }, b = { 0 }, delta;
	struct ctr_sample before = sample(&a, 10), now = sample(&b, 12), other;

	a.wide = UINT64_MAX - 4; /* over both wraps */
	b.wide = 15;
	a.narrow = UINT32_MAX - 1;
	b.narrow = 8;
	a.level = 100;
	b.level = 40;
	b.up = true;
	b.phase = VAL_STATS_GLOBAL_PHASE_IDLE;
	b.temperature = -3;
	b.id = UINT64_MAX;
	memcpy(b.name, "name", 5);
	EQUAL(ctr_delta(&now, &before, &delta), 0);
	EQUAL(delta.wide, 20);
	EQUAL(delta.narrow, 10);
	EQUAL(delta.level, 40);
	EQUAL(delta.up, true);
	EQUAL(delta.phase, -5);
	EQUAL(delta.temperature, -3);
	CHECK(delta.id == UINT64_MAX, "the id is another");
	EQUAL(strcmp(delta.name, "name"), 0);
	EQUAL(ctr_rate(item("wide"), &now, &before), 10);
	EQUAL(ctr_rate(item("narrow"), &now, &before), 5);
	EQUAL(ctr_rate(item("level"), &now, &before), 40);
	EQUAL(ctr_rate(item("temperature"), &now, &before), -3);
	EQUAL(ctr_item_value(item("temperature"), &b), -3);
	EQUAL(ctr_item_value(item("up"), &b), 1);
	EQUAL(ctr_item_value(item("name"), &b), 0);
	EQUAL(ctr_item_value(NULL, &b), 0);

	now.time_ns = before.time_ns;
	EQUAL(ctr_delta(&now, &before, &delta), 0);
	EQUAL(ctr_rate(item("wide"), &now, &before), 0);
	now.time_ns--;
	EQUAL(ctr_delta(&now, &before, &delta), -EINVAL);
	EQUAL(ctr_rate(item("wide"), &now, &before), 0);
	other = sample(&b, 12);
	other.scope = &val_stats_module.scopes[1];
	EQUAL(ctr_delta(&other, &before, &delta), -EINVAL);
	EQUAL(ctr_delta(NULL, &before, &delta), -EINVAL);
	EQUAL(ctr_delta(&now, NULL, &delta), -EINVAL);
	EQUAL(ctr_delta(&now, &before, NULL), -EINVAL);
}

TEST(went_back)
{
	struct val_stats_global a = { 0 }, b = { 0 }, delta;
	struct ctr_sample before = sample(&a, 10), now = sample(&b, 12);

	EQUAL(val_stats_init(), 0);
	val_stats_add_wide(1000);
	val_stats_add_narrow(1000);
	val_stats_flush();
	EQUAL(val_stats_global_read(&a), 0);
	EQUAL(val_stats_reset(), 0);
	val_stats_add_wide(5);
	val_stats_flush();
	EQUAL(val_stats_global_read(&b), 0);
	EQUAL(ctr_delta(&now, &before, &delta), -ESTALE);
	EQUAL(delta.wide, 5);
	EQUAL(delta.narrow, 0);
	EQUAL(ctr_rate(item("wide"), &now, &before), 0);
	before = sample(&b, 12);
	val_stats_add_wide(7);
	val_stats_flush();
	EQUAL(val_stats_global_read(&a), 0);
	now = sample(&a, 13);
	EQUAL(ctr_delta(&now, &before, &delta), 0);
	EQUAL(delta.wide, 7);
	val_stats_fini();
}
