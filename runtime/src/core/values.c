/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "ctr_seqcount.h"
#include "ctr_peak.h"
#include "ctr_strategy.h"
#include "memory.h"

/* The value of a word. */
static uint64_t
value_in(const struct ctr_value *v, char *part, bool anew)
{
	uint64_t *word = (uint64_t *)(void *)(part + v->at);
	const uint64_t *gauge = (const uint64_t *)(void *)(part + v->gauge);
	uint64_t raw;

	switch ((enum ctr_form)v->form) {
	case CTR_FORM_HIGHEST:
	case CTR_FORM_LOWEST:
		return ctr_peak_read(word, v->form == CTR_FORM_LOWEST, v->low, v->high, anew);
	case CTR_FORM_MARK_HIGHEST:
	case CTR_FORM_MARK_LOWEST:
		return ctr_mark_read(word, gauge, v->form == CTR_FORM_MARK_LOWEST, v->low, v->high,
				     anew);
	case CTR_FORM_PLAIN:
	case CTR_FORM_BOOL:
	case CTR_FORM_LATCHED:
	case CTR_FORM_SIGNED:
	case CTR_FORM_CELL:
	default:
		break;
	}
	raw = v->bits == 64 ? ctr_load64(word) : ctr_load32((const uint32_t *)(void *)word);
	if (v->form == CTR_FORM_LATCHED)
		return ctr_latch(raw, v->low, v->high);
	if (v->form == CTR_FORM_SIGNED)
		return (uint32_t)ctr_latch_signed((int32_t)(uint32_t)raw, (int32_t)(uint32_t)v->low,
						  (int32_t)(uint32_t)v->high);
	return v->form == CTR_FORM_BOOL ? raw != 0 : raw;
}

static void
copy_value(const struct ctr_value *v, char *part, char *out, bool anew)
{
	uint64_t wide;
	uint32_t narrow;

	if (v->form == CTR_FORM_CELL) {
		const uint32_t *seq = (const uint32_t *)(void *)(part + v->at);
		const uint64_t *words = (const uint64_t *)(void *)(part + v->at + 8);

		ctr_cell_get(seq, words, out + v->value, v->octets);
		return;
	}
	wide = value_in(v, part, anew);
	narrow = (uint32_t)wide;
	if (v->size == 8)
		memcpy(out + v->value, &wide, sizeof(wide));
	else if (v->size == 4)
		memcpy(out + v->value, &narrow, sizeof(narrow));
	else
		out[v->value] = (char)(wide != 0);
}

static void
values_read(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, bool anew)
{
	char *part, *out;
	unsigned int v;
	uint32_t i;

	for (i = 0; table->num_values != 0 && i < n; i++) {
		part = ctr_core_common(table, at + i);
		out = (char *)values + (size_t)i * table->value_size;
		for (v = 0; part != NULL && v < table->num_values; v++)
			copy_value(&table->values[v], part, out, anew);
	}
}

static bool
is_peak(const struct ctr_value *v)
{
	return v->form >= CTR_FORM_HIGHEST && v->form <= CTR_FORM_MARK_LOWEST;
}

static void
values_peaks(const struct ctr_table *table, uint32_t at, void *out)
{
	char *part = table->num_values != 0 ? ctr_core_common(table, at) : NULL;
	unsigned int v;

	for (v = 0; part != NULL && v < table->num_values; v++)
		if (is_peak(&table->values[v]))
			copy_value(&table->values[v], part, out, false);
}

static void
clear_value(const struct ctr_value *v, char *part)
{
	char *word = part + v->at;

	if (v->form == CTR_FORM_CELL)
		ctr_cell_set((uint32_t *)(void *)word, (uint64_t *)(void *)(word + 8), "", 0,
			     v->octets);
	else if (v->bits == 64)
		ctr_store64((uint64_t *)(void *)word, 0);
	else
		ctr_store32((uint32_t *)(void *)word, 0);
}

void
ctr_clear_plain(const struct ctr_table *table, void *element)
{
	unsigned int v;

	for (v = 0; v < table->num_beside; v++)
		clear_value(&table->beside[v], (char *)element);
}

static void
values_clear(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_domain *domain = table->domain;
	char *part;
	unsigned int v;

	part = table->num_values != 0 ? ctr_core_common(table, at) : NULL;
	for (v = 0; part != NULL && v < table->num_values; v++)
		clear_value(&table->values[v], part);
	part = table->num_beside != 0 ? ctr_element(table, &table->data, domain->shared, at) : NULL;
	if (part == NULL)
		return;
	if (domain->strategy->clear != NULL)
		domain->strategy->clear(table, part);
	else
		ctr_clear_plain(table, part);
}

/* ---- single values ---- */

/* The word with a number, and the part of an instance that it is in; NULL where there is none. */
static const struct ctr_value *
find_value(const struct ctr_table *table, uint32_t at, unsigned int word, char **part)
{
	if (word < table->num_values) {
		*part = ctr_core_common(table, at);
		return &table->values[word];
	}
	*part = ctr_element(table, &table->data, table->domain->shared, at);
	return &table->beside[word - table->num_values];
}

/* Enter a read of an instance, which may not exist; whether it does. */
static bool
enter_value(const struct ctr_table *table, uint32_t at, uint32_t *phase)
{
	if (table->dynamic)
		*phase = ctr_readers_enter(&table->state->readers);
	return ctr_core_exists(table, at);
}

uint64_t
ctr_table_value(const struct ctr_table *table, uint32_t at, unsigned int word)
{
	const struct ctr_value *v;
	uint64_t value = 0;
	uint32_t phase = 0;
	char *part;

	if (at >= table->max)
		return 0;
	if (enter_value(table, at, &phase)) {
		v = find_value(table, at, word, &part);
		if (part != NULL)
			value = value_in(v, part, false);
	}
	ctr_core_leave(table, phase);
	return value;
}

int
ctr_table_cell_get(const struct ctr_table *table, uint32_t at, unsigned int word, void *out)
{
	const struct ctr_value *v;
	uint32_t phase = 0;
	int rc = -ENOENT;
	char *part;

	if (at >= table->max)
		return -ERANGE;
	if (enter_value(table, at, &phase)) {
		v = find_value(table, at, word, &part);
		ctr_cell_get((const uint32_t *)(void *)(part + v->at),
			     (const uint64_t *)(void *)(part + v->at + 8), out, v->octets);
		rc = 0;
	}
	ctr_core_leave(table, phase);
	return rc;
}

int
ctr_table_cell_set(const struct ctr_table *table, uint32_t at, unsigned int word, const void *value,
		   bool text)
{
	const struct ctr_value *v;
	uint32_t phase = 0;
	int rc = -ENOENT;
	uint64_t *words;
	uint32_t *seq;
	char *part;

	if (value == NULL)
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	if (!table->dynamic && !table->domain->module->ready->set)
		return -ENODEV;
	if (enter_value(table, at, &phase)) {
		v = find_value(table, at, word, &part);
		seq = (uint32_t *)(void *)(part + v->at);
		words = (uint64_t *)(void *)(part + v->at + 8);
		if (text)
			ctr_cell_set_text(seq, words, value, v->octets);
		else
			ctr_cell_set(seq, words, value, v->octets, v->octets);
		rc = 0;
	}
	ctr_core_leave(table, phase);
	return rc;
}

static void
values_beside(const struct ctr_table *table, const void *element, void *values)
{
	unsigned int v;

	for (v = 0; v < table->num_beside; v++)
		copy_value(&table->beside[v], (char *)(uintptr_t)element, values, false);
}

/* ---- what another process had ---- */

/* Set a gauge or a state to what it was there; a peak observes that. */
static void
adopt_value(const struct ctr_value *v, char *part, const char *values)
{
	uint64_t *word = (uint64_t *)(void *)(part + v->at);
	const char *value = values + v->value;
	uint64_t wide = 0;
	uint32_t narrow;

	if (v->size == 8) {
		memcpy(&wide, value, sizeof(wide));
	} else if (v->size == 4) {
		memcpy(&narrow, value, sizeof(narrow));
		wide = narrow;
	} else if (v->size == 1) {
		wide = *value != 0;
	}
	if (v->form == CTR_FORM_CELL)
		ctr_cell_set((uint32_t *)(void *)word, word + 1, value, v->octets, v->octets);
	else if (v->form == CTR_FORM_HIGHEST || v->form == CTR_FORM_MARK_HIGHEST)
		ctr_peak_highest(word, wide);
	else if (v->form == CTR_FORM_LOWEST || v->form == CTR_FORM_MARK_LOWEST)
		ctr_peak_lowest(word, wide);
	else if (v->bits == 64)
		__atomic_store_n(word, wide, __ATOMIC_SEQ_CST);
	else
		ctr_store32((uint32_t *)(void *)word, (uint32_t)wide);
}

static void
values_adopt(const struct ctr_table *table, uint32_t at, const char *values)
{
	const unsigned int num = table->num_values + (unsigned int)table->num_beside;
	const struct ctr_value *v;
	unsigned int word;
	char *part;

	for (word = 0; word < num; word++) {
		v = find_value(table, at, word, &part);
		if (part != NULL)
			adopt_value(v, part, values);
	}
}

/* ---- a child of fork(), which has the thread alone that forked ---- */

/* Setters of cells may have ended in the middle of it. */
static void
values_mend(const struct ctr_table *table)
{
	const unsigned int num = table->num_values + (unsigned int)table->num_beside;
	const struct ctr_value *v;
	unsigned int word;
	uint32_t at;
	char *part;

	for (word = 0; word < num; word++) {
		for (at = 0; at < table->max; at++) {
			v = find_value(table, at, word, &part);
			if (v->form != CTR_FORM_CELL)
				break;
			if (part != NULL)
				ctr_seq_repair((uint32_t *)(void *)(part + v->at));
		}
	}
}

const struct ctr_value_ops ctr_value_ops = {
	.read = values_read,
	.beside = values_beside,
	.peaks = values_peaks,
	.clear = values_clear,
	.adopt = values_adopt,
	.mend = values_mend,
};
