/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* clock_gettime() */
#include <time.h>

#include "ctr_port.h"
#include "ctr_type.h"
#include "ctr_values.h"

const struct ctr_scope *
ctr_scope_find(const struct ctr_module *module, const char *name)
{
	unsigned int i;

	for (i = 0; module != NULL && name != NULL && i < ctr_scopes_shown(module); i++)
		if (strcmp(module->scopes[i].name, name) == 0)
			return &module->scopes[i];
	return NULL;
}

const struct ctr_item *
ctr_item_find(const struct ctr_scope *scope, const char *name)
{
	for (unsigned int i = 0; scope != NULL && name != NULL && i < scope->num_items; i++)
		if (strcmp(scope->items[i].name, name) == 0)
			return &scope->items[i];
	return NULL;
}

int
ctr_label_find(const struct ctr_scope *scope, const char *index, const char *label,
	       unsigned int *position, uint32_t *value)
{
	if (scope == NULL || label == NULL)
		return -EINVAL;
	for (unsigned int i = 0; scope->index_labels != NULL && i < scope->num_indexes; i++) {
		if (scope->index_labels[i] == NULL ||
		    (index != NULL && strcmp(scope->index_names[i], index) != 0))
			continue;
		for (uint32_t n = 0; n < scope->index_maxima[i]; n++) {
			if (strcmp(scope->index_labels[i][n], label) != 0)
				continue;
			if (position != NULL)
				*position = i;
			if (value != NULL)
				*value = n;
			return 0;
		}
	}
	return -ENOENT;
}

const struct ctr_label *
ctr_item_label(const struct ctr_item *item, const char *name, int32_t value)
{
	for (unsigned int i = 0; item != NULL && i < item->num_labels; i++)
		if (name != NULL ? strcmp(item->labels[i].name, name) == 0 :
				   item->labels[i].value == value)
			return &item->labels[i];
	return NULL;
}

uint64_t
ctr_item_value(const struct ctr_item *item, const void *values)
{
	const struct ctr_type_info *type;
	const char *at;
	uint64_t wide;
	uint32_t narrow;

	if (item == NULL || values == NULL || ctr_type_info(item->type)->text != 0)
		return 0;
	type = ctr_type_info(item->type);
	at = (const char *)values + item->offset;
	if (type->size == sizeof(wide)) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	if (type->size == sizeof(bool))
		return *at != 0;
	memcpy(&narrow, at, sizeof(narrow));
	return type->is_signed ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
}

uint64_t
ctr_scope_total(const struct ctr_scope *scope)
{
	uint64_t total = 1;

	for (unsigned int i = 0; i < scope->num_indexes; i++)
		total *= scope->index_maxima[i];
	return total;
}

void
ctr_scope_indexes(const struct ctr_scope *scope, uint64_t at, uint32_t *index)
{
	for (unsigned int i = scope->num_indexes; i-- > 0; at /= scope->index_maxima[i])
		index[i] = (uint32_t)(at % scope->index_maxima[i]);
}

uint64_t
ctr_scope_next(const struct ctr_scope *scope, uint64_t at)
{
	return scope->next != NULL && at <= UINT32_MAX ? scope->next((uint32_t)at) : at;
}

int
ctr_scope_read(const struct ctr_scope *scope, const uint32_t *index, void *values)
{
	int rc = -EAGAIN;

	for (unsigned int tries = 0; tries < CTR_EAGAIN_TRIES && rc == -EAGAIN; tries++)
		rc = scope->read(index, values);
	return rc;
}

uint64_t
ctr_scope_since(const struct ctr_scope *scope, uint64_t at)
{
	const uint64_t *table = scope->discontinuity_ns != NULL ? *scope->discontinuity_ns : NULL;

	return table != NULL ? __atomic_load_n(&table[at], __ATOMIC_RELAXED) : 0;
}

uint64_t
ctr_unix_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t
ctr_clock_ns(uint64_t former_ns)
{
	const int64_t step_ns = 500000000;
	const uint64_t clock_ns = ctr_unix_ns() - ctr_time_ns();
	const int64_t by_ns = (int64_t)(clock_ns - former_ns);

	return by_ns > step_ns || by_ns < -step_ns ? clock_ns : former_ns;
}

/* The increase of a counter, modulo 2^width; false if it decreased. */
static bool
grown(const struct ctr_item *item, const void *now, const void *before, uint64_t *by)
{
	*by = ctr_item_value(item, now) - ctr_item_value(item, before);
	if (item->width == 32)
		*by &= UINT32_MAX;
	return *by <= INT64_MAX;
}

static bool
comparable(const struct ctr_sample *now, const struct ctr_sample *before)
{
	return now != NULL && before != NULL && now->scope != NULL && now->scope == before->scope &&
	       now->values != NULL && before->values != NULL && now->time_ns >= before->time_ns;
}

int
ctr_delta(const struct ctr_sample *now, const struct ctr_sample *before, void *delta)
{
	const struct ctr_item *item;
	uint64_t by;
	uint32_t narrow;

	if (!comparable(now, before) || delta == NULL)
		return -EINVAL;
	memcpy(delta, now->values, now->scope->value_size);
	for (unsigned int i = 0; i < now->scope->num_items; i++) {
		item = &now->scope->items[i];
		if (item->kind != CTR_COUNTER)
			continue;
		if (!ctr_item_available(item, now->values) ||
		    !ctr_item_available(item, before->values))
			continue;
		if (!grown(item, now->values, before->values, &by)) {
			memcpy(delta, now->values, now->scope->value_size);
			return -ESTALE;
		}
		narrow = (uint32_t)by;
		memcpy((char *)delta + item->offset,
		       item->width == 32 ? (const void *)&narrow : (const void *)&by, item->size);
	}
	return 0;
}

double
ctr_rate(const struct ctr_item *item, const struct ctr_sample *now,
	 const struct ctr_sample *before)
{
	uint64_t by;

	if (item == NULL || !comparable(now, before))
		return 0;
	by = ctr_item_value(item, now->values);
	if (item->kind != CTR_COUNTER)
		return ctr_type_info(item->type)->is_signed ? (double)(int64_t)by : (double)by;
	if (!ctr_item_available(item, now->values) || !ctr_item_available(item, before->values))
		return 0;
	if (!grown(item, now->values, before->values, &by) || now->time_ns == before->time_ns)
		return 0;
	return (double)by * 1e9 / (double)(now->time_ns - before->time_ns);
}
