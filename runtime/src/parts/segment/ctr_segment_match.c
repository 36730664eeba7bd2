/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr_segment_private.h"

void
ctr_segment_report(const struct ctr_segment_former *former, enum ctr_segment_fate fate,
		   const char *module, const char *scope, const char *item, uint32_t at)
{
	const struct ctr_segment_change change = { fate, module, scope, item, at };

	if (former->report != NULL)
		former->report(&change, former->context);
}

void
ctr_segment_report_change(const struct ctr_segment_match *match, enum ctr_segment_fate fate,
		 const char *item, uint32_t at)
{
	ctr_segment_report(match->handover->former, fate, match->source->module->name,
			   match->source->scope->name, item, at);
}

/* ---- items ---- */

const char *
ctr_segment_former_name(const struct ctr_module *module, const char *scope, const char *item)
{
	for (unsigned int i = 0; i < module->num_renames; i++) {
		const struct ctr_rename *rename = &module->renames[i];

		if (strcmp(rename->scope, scope) != 0 || (rename->item == NULL) != (item == NULL))
			continue;
		if (item == NULL || strcmp(rename->item, item) == 0)
			return rename->former;
	}
	return item != NULL ? item : scope;
}

/* An item by its former name. Most are where they were, so the search begins there. */
static const struct ctr_segment_item *
find_item(const struct ctr_segment_match *match, const char *name, uint32_t hint)
{
	for (uint32_t i = 0; i < match->old->num_items; i++) {
		const struct ctr_segment_item *item =
			&match->items[(hint + i) % match->old->num_items];

		if (strcmp(ctr_segment_text(match->reader, item->name), name) == 0)
			return item;
	}
	return NULL;
}

static bool
same_kind(const struct ctr_segment_match *match, const struct ctr_segment_item *old,
	  const struct ctr_item *item)
{
	return old->kind == (uint32_t)item->kind && old->type == (uint32_t)item->type &&
	       old->width == item->width &&
	       strcmp(ctr_segment_text(match->reader, old->unit), item->unit) == 0 &&
	       (old->size == item->size || item->type == CTR_STRING);
}

/* Whether an item is a bucket, or the sum, of a histogram that had other bounds. */
static bool
other_bounds(const struct ctr_segment_match *match, uint32_t number)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_segment_histogram *old =
		ctr_segment_table(match->reader, CTR_SEGMENT_HISTOGRAMS, NULL);
	const uint64_t *bounds = ctr_segment_table(match->reader, CTR_SEGMENT_BOUNDS, NULL);

	for (uint32_t i = 0; i < scope->num_histograms; i++) {
		const struct ctr_histogram *now = scope->histograms[i];

		if (number < now->item || number > now->item + now->num_bounds + 1)
			continue;
		for (uint32_t j = 0; j < match->old->num_histograms; j++) {
			const struct ctr_segment_histogram *at =
				&old[match->old->first_histogram + j];

			if (strcmp(ctr_segment_text(match->reader, at->name), now->name) == 0)
				return at->num_bounds != now->num_bounds ||
				       memcmp(bounds + at->first_bound, now->bounds,
					      now->num_bounds * sizeof(*bounds)) != 0;
		}
	}
	return false;
}

static void
match_item(struct ctr_segment_match *match, uint32_t number, bool *taken)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_item *item = &scope->items[number];
	const char *former_name =
		ctr_segment_former_name(match->source->module, scope->name, item->name);
	const struct ctr_segment_item *old = find_item(match, item->name, number);

	if (old == NULL)
		old = find_item(match, former_name, number);
	if (old == NULL || taken[old - match->items]) {
		ctr_segment_report_change(match, CTR_SEGMENT_NEW, item->name, 0);
		return;
	}
	taken[old - match->items] = true;
	if (item->source != CTR_STORED) { /* nothing of it is kept anywhere */
		if (old->source != (uint32_t)item->source)
			ctr_segment_report_change(match, CTR_SEGMENT_CHANGED, item->name, 0);
		return;
	}
	if (old->source != CTR_STORED || !same_kind(match, old, item) ||
	    other_bounds(match, number)) {
		match->jumps = true;
		ctr_segment_report_change(match, CTR_SEGMENT_CHANGED, item->name, 0);
		return;
	}
	match->copy[match->num_copies++] = (struct ctr_segment_copied){ item, old };
}

/* ---- indexes ---- */

/* Whether a part of the key of the scope of that index is what it was, under a former name too. */
static bool
same_part(const struct ctr_segment_match *match, const char *index,
	  const struct ctr_segment_part *old, const struct ctr_key_part *part)
{
	const char *was = ctr_segment_text(match->reader, old->name);
	const char *former = ctr_segment_former_name(match->source->module, index, part->name);
	const struct ctr_segment_label *label = match->labels;

	if ((strcmp(was, part->name) != 0 && strcmp(was, former) != 0) ||
	    old->type != (uint32_t)part->type || old->offset != part->offset ||
	    old->size != part->size || old->num_labels != part->num_labels)
		return false;
	label += old->first_label;
	for (uint32_t i = 0; i < part->num_labels; i++)
		if (label[i].value != part->labels[i].value ||
		    strcmp(ctr_segment_text(match->reader, label[i].name),
			   part->labels[i].name) != 0)
			return false;
	return true;
}

/* The part of a key that differs, or the name of the index if one side has more; NULL: none. */
static const char *
other_part(const struct ctr_segment_match *match, uint32_t level)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_segment_index *old = &match->indexes[level];
	const struct ctr_segment_part *part =
		ctr_segment_table(match->reader, CTR_SEGMENT_PARTS, NULL);
	const struct ctr_keys *keys = scope->keys != NULL ? scope->keys[level] : NULL;
	const char *index = scope->index_names[level];
	const uint32_t num = keys != NULL ? keys->num_parts : 0;

	part += old->first_part;
	for (uint32_t i = 0; i < num && i < old->num_parts; i++)
		if (!same_part(match, index, &part[i], &keys->parts[i]))
			return keys->parts[i].name;
	return num != old->num_parts ? index : NULL;
}

const char *
ctr_segment_difference(const struct ctr_segment_match *match)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_segment_index *old = match->indexes;

	for (uint32_t level = 0; level < scope->num_indexes; level++, old++) {
		const char *name = scope->index_names[level], *other;
		const bool named = scope->index_labels != NULL &&
				   scope->index_labels[level] != NULL;
		const char *was = ctr_segment_text(match->reader, old->name);

		if (named != (old->num_labels != 0) ||
		    (strcmp(was, name) != 0 &&
		     strcmp(was, ctr_segment_former_name(match->source->module, name, NULL)) != 0))
			return name;
		other = other_part(match, level);
		if (other != NULL)
			return other;
	}
	return NULL;
}

/* Where the labels of an index are now. */
static int
match_labels(struct ctr_segment_match *match, uint32_t level)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_segment_index *old = match->indexes;
	const struct ctr_segment_label *label = match->labels;
	const char *const *names = scope->index_labels != NULL ? scope->index_labels[level] : NULL;

	old += level;
	if (names == NULL || old->num_labels == 0)
		return 0;
	match->index[level] = calloc(old->maximum, sizeof(uint32_t));
	if (match->index[level] == NULL)
		return -ENOMEM;
	label += old->first_label;
	for (uint32_t i = 0; i < old->maximum; i++) {
		const char *name = ctr_segment_text(match->reader, label[i].name);

		match->index[level][i] = UINT32_MAX;
		for (uint32_t j = 0; j < scope->index_maxima[level]; j++)
			if (strcmp(names[j], name) == 0)
				match->index[level][i] = j;
	}
	return 0;
}

/* ---- scopes ---- */

static int
match_items(struct ctr_segment_match *match)
{
	const struct ctr_scope *scope = match->source->scope;
	bool *taken = calloc(match->old->num_items + 1u, sizeof(*taken));

	match->copy = calloc(scope->num_items + 1u, sizeof(*match->copy));
	if (taken == NULL || match->copy == NULL) {
		free(taken);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < scope->num_items; i++)
		match_item(match, i, taken);
	for (uint32_t i = 0; i < match->old->num_items; i++)
		if (!taken[i])
			ctr_segment_report_change(match, CTR_SEGMENT_REMOVED,
					 ctr_segment_text(match->reader, match->items[i].name), 0);
	free(taken);
	return 0;
}

/* Whether every instance is where it was, and exists. */
static bool
stays(const struct ctr_segment_match *match)
{
	const struct ctr_scope *scope = match->source->scope;

	for (uint32_t level = 0; level < scope->num_indexes; level++)
		if (match->indexes[level].maximum != scope->index_maxima[level] ||
		    match->indexes[level].num_parts != 0 || match->index[level] != NULL)
			return false;
	return scope->next == NULL && scope->keys == NULL;
}

int
ctr_segment_match(struct ctr_segment_match *match)
{
	int rc = match_items(match);

	match->index = calloc(match->old->num_indexes + 1u, sizeof(*match->index));
	if (match->index == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < match->old->num_indexes && rc == 0; i++)
		rc = match_labels(match, i);
	match->stays = rc == 0 && stays(match);
	if (!match->stays && rc == 0) {
		match->moved = malloc((size_t)match->old->total * sizeof(*match->moved));
		if (match->moved == NULL)
			return -ENOMEM;
		memset(match->moved, 0xff, (size_t)match->old->total * sizeof(*match->moved));
	}
	return rc;
}

void
ctr_segment_match_free(struct ctr_segment_match *match)
{
	for (uint32_t i = 0; match->index != NULL && i < match->old->num_indexes; i++)
		free(match->index[i]);
	free(match->index);
	free(match->copy);
	free(match->view);
	free(match->moved);
}
