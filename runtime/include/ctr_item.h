/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Initialisers of descriptors (ctr_module.h), for generated sources. */
#ifndef CTR_ITEM_H
#define CTR_ITEM_H

#include "ctr_histogram.h"
#include "ctr_module.h"

/** The initialiser of report @p n of a module: word @p n of the values of CTR_HEALTH. */
#define CTR_HEALTH_ITEM(n, name_, kind_, most, unit_, text)                                \
	{                                                                                  \
		.name = name_,                                                             \
		.unit = unit_,                                                             \
		.description = text,                                                       \
		.kind = kind_,                                                             \
		.type = CTR_U64,                                                           \
		.width = 64,                                                               \
		.offset = (n) * sizeof(uint64_t),                                          \
		.size = sizeof(uint64_t),                                                  \
		.valid = n,                                                                \
		.maximum = most,                                                           \
	}
/** The initialiser of the scope of @p count reports, which @p read_ reads. */
#define CTR_HEALTH_SCOPE(items_, count, read_)                                             \
	{                                                                                  \
		.name = CTR_HEALTH,                                                        \
		.description = "What the module reports of itself.",                       \
		.strategy = "",                                                            \
		.items = items_,                                                           \
		.num_items = count,                                                        \
		.value_size = (count) * sizeof(uint64_t),                                  \
		.read = read_,                                                             \
	}

/** Members of an initialiser: of @p m of struct @p values, with flags in @p values_valid. */
#define CTR_ITEM_OF(values, m, kind_, type_, width_, low, high, unit_, text)               \
	.name = #m, .unit = unit_, .description = text, .kind = kind_, .type = type_,      \
	.width = width_, .offset = offsetof(struct values, m),                             \
	.size = sizeof(((struct values *)0)->m),                                           \
	.valid = offsetof(struct values##_valid, m), .minimum = low, .maximum = high
/** The initialiser of an item. */
#define CTR_ITEM(values, m, kind, type, width, low, high, labels_, count, unit, text)      \
	{                                                                                  \
		CTR_ITEM_OF(values, m, kind, type, width, low, high, unit, text),          \
		.labels = labels_, .num_labels = count                                     \
	}
/** The initialiser of a counter of @p n bits. */
#define CTR_COUNTER_ITEM(values, m, n, unit, text) \
	CTR_ITEM(values, m, CTR_COUNTER, CTR_U##n, n, 0, UINT##n##_MAX, NULL, 0, unit, text)
/** The initialiser of a gauge of @p width bits that goes from @p low to @p high. */
#define CTR_GAUGE_ITEM(values, m, width, low, high, unit, text) \
	CTR_ITEM(values, m, CTR_GAUGE, CTR_U##width, width, low, high, NULL, 0, unit, text)
/** The initialiser of a number that is not stored, of the enum ctr_source @p from. */
#define CTR_EXTERNAL_ITEM(values, m, kind, n, low, high, from, name, as_one, unit, text)    \
	{                                                                                  \
		CTR_ITEM_OF(values, m, kind, CTR_U##n, n, low, high, unit, text),          \
		.available = offsetof(struct values, available.m), .source = from,         \
		.statistic = name, .together = as_one                                      \
	}
/** The initialiser of a state of the enum ctr_type @p type. */
#define CTR_STATE_ITEM(values, m, type, unit, text) \
	CTR_ITEM(values, m, CTR_STATE, type, 0, 0, 0, NULL, 0, unit, text)
/** The initialiser of a state that is one of @p count labels. */
#define CTR_ENUM_ITEM(values, m, labels, count, unit, text) \
	CTR_ITEM(values, m, CTR_STATE, CTR_ENUM, 0, 0, 0, labels, count, unit, text)

#endif /* CTR_ITEM_H */
