/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * For readers of any module: scopes, items and labels by name, differences and rates. Any thread,
 * while no other thread writes to the memory passed. Allocates no memory. */
#ifndef CTR_VALUES_H
#define CTR_VALUES_H

#include "ctr_module.h"

CTR_C_BEGIN

/** The scope of that name in the schema, such as "session"; NULL if there is none, or for NULL. */
const struct ctr_scope *ctr_scope_find(const struct ctr_module *module, const char *name);

/** The item of that name in the schema, such as "pkts"; NULL if there is none, or for NULL. */
const struct ctr_item *ctr_item_find(const struct ctr_scope *scope, const char *name);

/** Find a label: stores the value of the index to *@p value, and the position of the index to *@p
 * position, unless NULL. @p index is the name of the index; NULL: the first index with the label.
 * 0; -ENOENT; -EINVAL: @p scope or @p label is NULL. */
int ctr_label_find(const struct ctr_scope *scope, const char *index, const char *label,
		   unsigned int *position, uint32_t *value);

/** The label of an enum by name, or by @p value if @p name is NULL; NULL: none. */
const struct ctr_label *ctr_item_label(const struct ctr_item *item, const char *name,
				       int32_t value);

/** The value of a numeric item, in two's complement if negative; 0 for text and addresses. */
uint64_t ctr_item_value(const struct ctr_item *item, const void *values);

/** Room for ctr_item_text(). */
#define CTR_ITEM_TEXT 256u

/** An address, a string or the name of an enum's label as text; empty for other types or without a
 * label. @p text has room for CTR_ITEM_TEXT octets. Returns the length. */
size_t ctr_item_text(const struct ctr_item *item, const void *values, char *text);

/** Number of reads that return -EAGAIN, after which the values of an instance are used. */
#define CTR_EAGAIN_TRIES 8u

/** Most indexes of a scope. */
#define CTR_INDEXES_MAX 8u

/** Number of possible instances of a scope. */
uint64_t ctr_scope_total(const struct ctr_scope *scope);

/** The indexes of the instance at position @p at (row-major). */
void ctr_scope_indexes(const struct ctr_scope *scope, uint64_t at, uint32_t *index);

/** Position of the first existing instance from @p at on; ctr_scope_total() or more: none. */
uint64_t ctr_scope_next(const struct ctr_scope *scope, uint64_t at);

/** Read an instance, up to CTR_EAGAIN_TRIES times. As `scope->read`: values of -EAGAIN are exact,
 * but not consistent. */
int ctr_scope_read(const struct ctr_scope *scope, const uint32_t *index, void *values);

/** When the instance at @p at last had a discontinuity; 0: never, or no table is open. In a
 * read section, or while the caller has the table open. */
uint64_t ctr_scope_since(const struct ctr_scope *scope, uint64_t at);

/** The time of day: nanoseconds since 1970. */
uint64_t ctr_unix_ns(void);

/** Unix time when ctr_time_ns() was 0: plus this, times of the module are Unix time. Follows steps
 * of the wall clock, also after a suspend, but no slow corrections, which would move times.
 * @param former_ns  the former result; 0 at first */
uint64_t ctr_clock_ns(uint64_t former_ns);

/** A read of one instance, and its time. */
struct ctr_sample {
	const struct ctr_scope *scope; /**< The scope of the instance. */
	const void *values;            /**< Its value struct, of `scope->value_size` bytes. */
	uint64_t time_ns;              /**< ctr_time_ns() when that was read. */
};

/** The change from @p before to @p now, as a value struct: counters are increases, modulo 2^width;
 * gauges and states are those of @p now, as are items that were unavailable before. An increase of
 * a 64-bit counter by 2^63 or more is a decrease: it was reset, or its instance was created again.
 * A 32-bit counter does not show that: see the scope's `discontinuity_ns`.
 * @param now     the later sample
 * @param before  the earlier one, of the same scope
 * @param delta   `scope->value_size` bytes, which overlap neither sample
 * @return 0; -ESTALE: a counter decreased, and @p delta has the values of @p now; -EINVAL: NULL,
 *   samples of different scopes, or @p now is the older one */
int ctr_delta(const struct ctr_sample *now, const struct ctr_sample *before, void *delta);

/** Rate of a counter in its unit per second; of other numbers, the value in @p now. 0 if it
 * decreased or is not available in both, for samples that ctr_delta() refuses, and for samples of
 * the same time. */
double ctr_rate(const struct ctr_item *item, const struct ctr_sample *now,
		const struct ctr_sample *before);

CTR_C_END

#endif /* CTR_VALUES_H */
