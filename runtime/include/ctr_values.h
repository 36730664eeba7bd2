/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * For readers of any module: scopes, items and labels by name, differences and rates.
 *
 * All of this works on descriptors, which are constant, and on memory of the caller: any thread may
 * call it at any time, for as long as nobody writes to that memory. Nothing is allocated.
 */
#ifndef CTR_VALUES_H
#define CTR_VALUES_H

#include "ctr_module.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The scope of that name in the schema, such as "session"; NULL if there is none, or for NULL. */
const struct ctr_scope *ctr_scope_find(const struct ctr_module *module, const char *name);

/** The item of that name in the schema, such as "pkts"; NULL if there is none, or for NULL. */
const struct ctr_item *ctr_item_find(const struct ctr_scope *scope, const char *name);

/**
 * The index that has a label: its value goes to *@p value, and its position among the indexes of
 * the scope to *@p position, both unless NULL. @p index is what the index is called, such as
 * "reason", or NULL for the first one that has the label.
 *
 * @return 0; -ENOENT: there is no such label; -EINVAL: @p scope or @p label is NULL
 */
int ctr_label_find(const struct ctr_scope *scope, const char *index, const char *label,
		   unsigned int *position, uint32_t *value);

/**
 * The label of an enum, by its name (or by @p value, where @p name is NULL); NULL if there is none,
 * or if the item is no enum.
 */
const struct ctr_label *ctr_item_label(const struct ctr_item *item, const char *name,
				       int32_t value);

/**
 * The value of a number in the value struct of its scope: a counter, a gauge, or a state that is a
 * number. A negative one is given as its two's complement; text and addresses are 0.
 */
uint64_t ctr_item_value(const struct ctr_item *item, const void *values);

/** Number of reads of an instance that returns -EAGAIN, after which its values are used. */
#define CTR_EAGAIN_TRIES 8u

/** What a reader has read of one instance, and when. */
struct ctr_sample {
	const struct ctr_scope *scope; /**< The scope of the instance. */
	const void *values;            /**< Its value struct, of `scope->value_size` bytes. */
	uint64_t time_ns;              /**< ctr_time_ns() when that was read. */
};

/**
 * What changed from @p before to @p now, as a value struct: of a counter how much it
 * grew, modulo 2^width, so that one wrap in between does not matter; gauges and states are those of
 * @p now. Units are those of the items.
 *
 * An item that is not available in @p now has no difference; one that was not before, its value.
 *
 * A counter of 64 bits that seems to have grown by 2^63 or more went back: between the samples it
 * was reset, or its instance began anew. Counters of 32 bits do not tell that; who has them looks
 * at the scope's `discontinuity_ns`, or reads a view that nobody resets.
 *
 * @param now     the later sample
 * @param before  the earlier one, of the same scope
 * @param delta   `scope->value_size` bytes, which overlap neither sample
 * @return 0; -ESTALE: a counter went back, and @p delta holds the values of @p now; -EINVAL: NULL,
 *   samples of different scopes, or @p now is the older one
 */
int ctr_delta(const struct ctr_sample *now, const struct ctr_sample *before, void *delta);

/**
 * How fast a counter grew from @p before to @p now: its unit per second. Of other numbers, the
 * value in @p now. 0 where that counter went back or is not available in both, for what ctr_delta()
 * refuses, and between samples of the same time.
 */
double ctr_rate(const struct ctr_item *item, const struct ctr_sample *now,
		const struct ctr_sample *before);

#ifdef __cplusplus
}
#endif

#endif /* CTR_VALUES_H */
