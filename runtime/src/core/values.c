/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core.h"
#include "ctr_cell.h"
#include "ctr_peak.h"
#include "memory.h"

/* The value of a word. */
static uint64_t
value_of(const struct ctr_value *v, char *part, bool anew)
{
	uint64_t *word = (uint64_t *)(void *)(part + v->at);
	const uint64_t *gauge = (const uint64_t *)(void *)(part + v->gauge);
	uint64_t raw;

	switch ((enum ctr_form)v->form) {
	case CTR_FORM_HIGHEST:
		return anew ? ctr_peak_highest_anew(word, v->low, v->high) :
			      ctr_peak_highest_value(word, v->low, v->high);
	case CTR_FORM_LOWEST:
		return anew ? ctr_peak_lowest_anew(word, v->low, v->high) :
			      ctr_peak_lowest_value(word, v->low, v->high);
	case CTR_FORM_MARK_HIGHEST:
		return anew ? ctr_mark_highest_anew(word, gauge, v->low, v->high) :
			      ctr_mark_highest_value(word, gauge, v->low, v->high);
	case CTR_FORM_MARK_LOWEST:
		return anew ? ctr_mark_lowest_anew(word, gauge, v->low, v->high) :
			      ctr_mark_lowest_value(word, gauge, v->low, v->high);
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
	wide = value_of(v, part, anew);
	narrow = (uint32_t)wide;
	if (v->size == 8)
		memcpy(out + v->value, &wide, sizeof(wide));
	else if (v->size == 4)
		memcpy(out + v->value, &narrow, sizeof(narrow));
	else
		out[v->value] = wide != 0;
}

static char *
common_of(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_place place = { 0, 0, table->common_size };

	return ctr_element(table, &place, table->common, at);
}

void
ctr_core_values(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, bool anew)
{
	char *part, *out;
	unsigned int v;
	uint32_t i;

	for (i = 0; table->num_values != 0 && i < n; i++) {
		part = common_of(table, at + i);
		out = (char *)values + (size_t)i * table->value_size;
		for (v = 0; part != NULL && v < table->num_values; v++)
			copy_value(&table->values[v], part, out, anew);
	}
	for (i = 0; table->num_beside != 0 && i < n; i++) {
		part = ctr_element(table, &table->data, table->domain->shared, at + i);
		out = (char *)values + (size_t)i * table->value_size;
		for (v = 0; part != NULL && v < table->num_beside; v++)
			copy_value(&table->beside[v], part, out, anew);
	}
}

static bool
is_peak(const struct ctr_value *v)
{
	return v->form >= CTR_FORM_HIGHEST && v->form <= CTR_FORM_MARK_LOWEST;
}

void
ctr_core_peaks(const struct ctr_table *table, uint32_t at, void *out)
{
	char *part = table->num_values != 0 ? common_of(table, at) : NULL;
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
ctr_core_clear(const struct ctr_table *table, uint32_t at)
{
	char *part;
	unsigned int v;

	part = table->num_values != 0 ? common_of(table, at) : NULL;
	for (v = 0; part != NULL && v < table->num_values; v++)
		clear_value(&table->values[v], part);
	part = table->num_beside != 0 ?
		       ctr_element(table, &table->data, table->domain->shared, at) :
		       NULL;
	for (v = 0; part != NULL && v < table->num_beside; v++)
		clear_value(&table->beside[v], part);
}
