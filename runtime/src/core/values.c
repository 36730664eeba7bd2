/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "ctr_limit.h"
#include "ctr_peak.h"

/* A cell: its sequence counter, and the words behind that. */
static uint32_t *
cell_seq(const struct ctr_value *v, char *part)
{
	return (uint32_t *)(void *)(part + v->at);
}

static uint64_t *
cell_words(const struct ctr_value *v, char *part)
{
	return (uint64_t *)(void *)(part + v->at + 8);
}

static bool
is_limit(const struct ctr_value *v)
{
	return v->form >= CTR_FORM_LIMIT_LEFT && v->form <= CTR_FORM_LIMIT_STATE;
}

static const struct ctr_limit *
limit_of(const struct ctr_table *table, const struct ctr_value *v)
{
	return table->limits->limit[v->octets];
}

/* The value of a word of the instance at a position. */
static uint64_t
value_in(const struct ctr_table *table, uint32_t at, const struct ctr_value *v, char *part,
	 bool restart)
{
	uint64_t *word = (uint64_t *)(void *)(part + v->at);
	const uint64_t *gauge = (const uint64_t *)(void *)(part + v->gauge);
	uint64_t raw;

	switch (v->form) {
	case CTR_FORM_LIMIT_LEFT:
	case CTR_FORM_LIMIT_SINCE:
	case CTR_FORM_LIMIT_STATE:
		return table->limit_ops->value(limit_of(table, v), at, v->form);
	case CTR_FORM_HIGHEST:
	case CTR_FORM_LOWEST:
		return ctr_peak_read(word, v->form == CTR_FORM_LOWEST, v->low, v->high, restart);
	case CTR_FORM_MARK_HIGHEST:
	case CTR_FORM_MARK_LOWEST:
		return ctr_mark_read(word, gauge, v->form == CTR_FORM_MARK_LOWEST, v->low, v->high,
				     restart);
	default:
		break;
	}
	raw = v->bits == 64 ? ctr_load64(word) : ctr_load32((const uint32_t *)(void *)word);
	if (v->form == CTR_FORM_LATCHED)
		return ctr_latch(raw, v->low, v->high);
	if (v->form == CTR_FORM_SIGNED && (int32_t)raw < (int32_t)v->low)
		return (uint32_t)v->low;
	if (v->form == CTR_FORM_SIGNED && (int32_t)raw > (int32_t)v->high)
		return (uint32_t)v->high;
	return v->form == CTR_FORM_BOOL ? raw != 0 : raw;
}

static void
copy_value(const struct ctr_table *table, uint32_t at, const struct ctr_value *v, char *part,
	   char *out, bool restart)
{
	uint64_t wide;
	uint32_t narrow;

	if (v->form == CTR_FORM_CELL) {
		ctr_cell_get(cell_seq(v, part), cell_words(v, part), out + v->value, v->octets);
		return;
	}
	wide = value_in(table, at, v, part, restart);
	narrow = (uint32_t)wide;
	if (v->size == 8)
		memcpy(out + v->value, &wide, sizeof(wide));
	else if (v->size == 4)
		memcpy(out + v->value, &narrow, sizeof(narrow));
	else
		out[v->value] = (char)(wide != 0);
}

static void
values_read(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, bool restart)
{
	char *part, *out;

	for (uint32_t i = 0; i < n; i++) {
		part = ctr_common_of(table, at + i);
		out = (char *)values + (size_t)i * table->value_size;
		for (unsigned int v = 0; part != NULL && v < table->num_values; v++)
			copy_value(table, at + i, &table->values[v], part, out, restart);
	}
}

static void
clear_value(const struct ctr_table *table, uint32_t at, const struct ctr_value *v, char *part)
{
	char *word = part + v->at;

	if (v->form == CTR_FORM_LIMIT_LEFT)
		table->limit_ops->clear(limit_of(table, v), at);
	if (is_limit(v))
		return;
	if (v->form == CTR_FORM_CELL)
		ctr_cell_set(cell_seq(v, part), cell_words(v, part), "", 0, v->octets);
	else if (v->bits == 64)
		ctr_store64((uint64_t *)(void *)word, 0);
	else
		ctr_store32((uint32_t *)(void *)word, 0);
}

void
ctr_clear_plain(const struct ctr_table *table, void *element)
{
	for (unsigned int v = 0; v < table->num_beside; v++)
		clear_value(table, 0, &table->beside[v], (char *)element);
}

static void
values_clear(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_domain *domain = table->domain;
	char *part;

	part = table->num_values != 0 ? ctr_common_of(table, at) : NULL;
	for (unsigned int v = 0; part != NULL && v < table->num_values; v++)
		clear_value(table, at, &table->values[v], part);
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
		*part = ctr_common_of(table, at);
		return &table->values[word];
	}
	*part = ctr_element(table, &table->data, table->domain->shared, at);
	return &table->beside[word - table->num_values];
}

/* Enter a read of an instance, which may not exist; the word with a number, or NULL. */
static const struct ctr_value *
enter_value(const struct ctr_table *table, uint32_t at, unsigned int word, char **part,
	    uint32_t *phase)
{
	const struct ctr_value *v = NULL;

	*phase = table->dynamic ? ctr_srcu_read_lock(&table->state->readers) : 0;
	if (ctr_core_exists(table, at))
		v = find_value(table, at, word, part);
	return v != NULL && *part != NULL ? v : NULL;
}

uint64_t
ctr_table_value(const struct ctr_table *table, uint32_t at, unsigned int word)
{
	const struct ctr_value *v;
	uint64_t value = 0;
	uint32_t phase;
	char *part;

	if (at >= table->max)
		return 0;
	v = enter_value(table, at, word, &part, &phase);
	if (v != NULL)
		value = value_in(table, at, v, part, false);
	ctr_core_leave(table, phase);
	return value;
}

int
ctr_table_cell_get(const struct ctr_table *table, uint32_t at, unsigned int word, void *out)
{
	const struct ctr_value *v;
	uint32_t phase;
	char *part;

	if (out == NULL)
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	v = enter_value(table, at, word, &part, &phase);
	if (v != NULL)
		ctr_cell_get(cell_seq(v, part), cell_words(v, part), out, v->octets);
	ctr_core_leave(table, phase);
	return v != NULL ? 0 : -ENOENT;
}

int
ctr_table_cell_set(const struct ctr_table *table, uint32_t at, unsigned int word, const void *value,
		   bool text)
{
	const struct ctr_value *v;
	uint32_t phase;
	char *part;

	if (value == NULL)
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	if (!table->dynamic && !table->domain->module->ready->set)
		return -ENODEV;
	v = enter_value(table, at, word, &part, &phase);
	if (v != NULL && text)
		ctr_cell_set_text(cell_seq(v, part), cell_words(v, part), value, v->octets);
	else if (v != NULL)
		ctr_cell_set(cell_seq(v, part), cell_words(v, part), value, v->octets, v->octets);
	ctr_core_leave(table, phase);
	return v != NULL ? 0 : -ENOENT;
}

static void
values_beside(const struct ctr_table *table, const void *element, void *values)
{
	for (unsigned int v = 0; v < table->num_beside; v++)
		copy_value(table, 0, &table->beside[v], (char *)(uintptr_t)element, values, false);
}

/* ---- values of another process ---- */

/* Set a gauge or a state to its value there; a peak observes it. */
static void
restore_value(const struct ctr_value *v, char *part, const char *values)
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
		ctr_cell_set(cell_seq(v, part), cell_words(v, part), value, v->octets, v->octets);
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
values_restore(const struct ctr_table *table, uint32_t at, const char *values)
{
	const unsigned int num = table->num_values + (unsigned int)table->num_beside;
	const struct ctr_value *v;
	char *part;

	for (unsigned int word = 0; word < num; word++) {
		v = find_value(table, at, word, &part);
		if (part != NULL && v->form == CTR_FORM_LIMIT_STATE)
			table->limit_ops->restore(limit_of(table, v), at, values);
		else if (part != NULL && !is_limit(v))
			restore_value(v, part, values);
	}
}

/* ---- a child of fork(), which has only the forking thread ---- */

/* Setters of cells may have ended in the middle of it. */
static void
values_fork_child(const struct ctr_table *table)
{
	const unsigned int num = table->num_values + (unsigned int)table->num_beside;
	const struct ctr_value *v;
	char *part;

	for (unsigned int word = 0; word < num; word++) {
		for (uint32_t at = 0; at < table->max; at++) {
			v = find_value(table, at, word, &part);
			if (v->form != CTR_FORM_CELL)
				break;
			if (part != NULL)
				ctr_seq_repair(cell_seq(v, part));
		}
	}
}

const struct ctr_value_ops ctr_value_ops = {
	.read = values_read,
	.beside = values_beside,
	.clear = values_clear,
	.restore = values_restore,
	.fork_child = values_fork_child,
};
