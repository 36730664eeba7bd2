/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances of the predecessor's segment: their positions here, and their values. */
#include "ctr_segment_private.h"

/* ---- positions ---- */

/* Whether a scope is that of the instances that others are inside of, at a level. */
static bool
is_outer(const struct ctr_segment_match *outer, const struct ctr_segment_match *match,
	 uint32_t level)
{
	return outer->source->module == match->source->module &&
	       outer->old->num_indexes == level + 1 &&
	       strcmp(outer->source->scope->name, match->source->scope->index_names[level]) == 0;
}

/* Position here of the instance at `at` there, its own key disregarded; UINT32_MAX: none. */
static uint32_t
position(const struct ctr_segment_match *match, uint32_t at)
{
	const struct ctr_segment_handover *handover = match->handover;
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_segment_index *index = match->indexes;
	uint32_t there[CTR_SEGMENT_LEVELS], level, prefix = 0, now = 0, i;

	for (level = match->old->num_indexes; level-- > 0; at /= index[level].maximum)
		there[level] = at % index[level].maximum;
	for (level = 0; level < match->old->num_indexes; level++) {
		uint32_t value = there[level];

		if (match->index[level] != NULL)
			value = match->index[level][value];
		if (value >= scope->index_maxima[level])
			return UINT32_MAX;
		prefix = prefix * index[level].maximum + there[level];
		now = now * scope->index_maxima[level] + value;
		/* A scope that is an ancestor may have its instances elsewhere. */
		for (i = 0; i < handover->num_scopes && level + 1 < scope->num_indexes; i++) {
			const struct ctr_segment_match *outer = &handover->match[i];

			if (outer->old->key == 0 || outer->moved == NULL ||
			    !is_outer(outer, match, level))
				continue;
			now = outer->moved[prefix];
			if (now == UINT32_MAX)
				return UINT32_MAX;
		}
	}
	return now;
}

bool
ctr_segment_was_inside(const struct ctr_segment_match *match, uint32_t at)
{
	const struct ctr_segment_handover *handover = match->handover;
	const struct ctr_segment_index *index = match->indexes;

	for (uint32_t level = match->old->num_indexes; level-- > 1;) {
		at /= index[level].maximum;
		for (uint32_t i = 0; i < handover->num_scopes; i++)
			if (is_outer(&handover->match[i], match, level - 1) &&
			    ctr_segment_next(handover->reader, handover->match[i].old, at) != at)
				return false;
	}
	return true;
}

static bool
exists(const struct ctr_scope *scope, uint32_t at)
{
	return scope->next == NULL || scope->next(at) == at;
}

static int
create(const struct ctr_scope *scope, uint32_t at)
{
	uint32_t index[CTR_SEGMENT_LEVELS];

	ctr_scope_indexes(scope, at, index);
	return scope->create(index);
}

/* Position of the instance with the key that was read, in *now; made, or given the key, if there is
 * none. 0 or -errno. */
static int
by_key(const struct ctr_scope *scope, struct ctr_keys *keys, const void *key, uint32_t *now)
{
	uint32_t at = *now;
	const uint32_t outer = at / keys->each, first = outer * keys->each;
	uint32_t found, tried, life;
	uint8_t unused[CTR_KEY_ROOM];
	int rc;

	if (ctr_keys_find(keys, outer, key, &found) == 0) {
		*now = first + found;
		return 0;
	}
	for (tried = 0; tried < keys->each && scope->create != NULL && exists(scope, at); tried++)
		at = first + (at - first + 1) % keys->each;
	if (tried == keys->each)
		return -ENOSPC;
	if (scope->create == NULL && ctr_keys_get(keys, at, unused, &life) == 0)
		return -EEXIST;
	ctr_control_lock(keys->control);
	rc = ctr_keys_reserve(keys, at); /* first, so that no instance is left without a key */
	if (rc == 0 && scope->create != NULL)
		rc = create(scope, at);
	if (rc == 0)
		rc = ctr_keys_set(keys, at, key);
	ctr_control_unlock(keys->control);
	*now = at;
	return rc;
}

/* Note where the instance at `at` there is here, made if it has to be. 0 or -ENOMEM. */
static int
place(struct ctr_segment_match *match, uint32_t at)
{
	struct ctr_segment_handover *handover = match->handover;
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_keys *keys = NULL;
	uint32_t now = position(match, at), life;
	int rc = 0;

	if (now == UINT32_MAX)
		return 0;
	if (scope->keys != NULL)
		keys = scope->keys[scope->num_indexes - 1];
	if (keys != NULL && match->old->key_size == keys->size &&
	    ctr_segment_read_key(handover->reader, match->old, at, handover->key) == 0)
		rc = by_key(scope, (struct ctr_keys *)(uintptr_t)keys, handover->key, &now);
	else if (!exists(scope, now))
		rc = create(scope, now);
	else if (keys != NULL && ctr_keys_get(keys, now, handover->key, &life) == 0)
		rc = -EEXIST; /* the application's, of another key */
	if (rc == 0)
		match->moved[at] = now;
	return rc == -ENOMEM ? rc : 0;
}

int
ctr_segment_place_all(struct ctr_segment_match *match)
{
	const struct ctr_segment_scope *old = match->old;
	uint32_t at = match->stays ? old->total : 0;
	int rc = 0;

	for (; (at = ctr_segment_next(match->reader, old, at)) < old->total && rc == 0; at++)
		rc = place(match, at);
	return rc;
}

/* ---- values ---- */

/* The value that an enum has here for the label that it had there; 0: none, which is reported. */
static int32_t
label_now(const struct ctr_segment_match *match, const struct ctr_segment_copied *copy,
	  int32_t value)
{
	for (uint32_t i = 0; i < copy->old->num_labels; i++) {
		const struct ctr_segment_label *old = &match->labels[copy->old->first_label + i];

		for (uint32_t j = 0; old->value == value && j < copy->item->num_labels; j++)
			if (strcmp(copy->item->labels[j].name,
				   ctr_segment_text(match->handover->reader, old->name)) == 0)
				return copy->item->labels[j].value;
		if (old->value == value)
			ctr_segment_report_change(match, CTR_SEGMENT_CHANGED, copy->item->name, 0);
	}
	return 0;
}

bool
ctr_segment_translate(const struct ctr_segment_match *match, uint8_t *to)
{
	const struct ctr_segment_handover *handover = match->handover;
	const size_t size = CTR_SEGMENT_WORDS(match->source->scope->value_size);
	const uint64_t clock_ns = ctr_segment_clock_ns(handover->reader) -
				  handover->segment->header->clock_ns;
	uint64_t any = 0, word;

	memset(to, 0, size);
	for (uint32_t i = 0; i < match->num_copies; i++) {
		const struct ctr_segment_copied *copy = &match->copy[i];
		const struct ctr_item *item = copy->item;
		const size_t most = copy->old->size < item->size ? copy->old->size : item->size;
		uint8_t *out = to + item->offset;
		int32_t value;

		memcpy(out, handover->old + copy->old->offset, most);
		if (item->type == CTR_BOOL) {
			*out = *out != 0;
		} else if (item->type == CTR_ENUM) {
			memcpy(&value, out, sizeof(value));
			value = label_now(match, copy, value);
			memcpy(out, &value, sizeof(value));
		} else if (item->type == CTR_TIMESTAMP) {
			/* The Unix time stays, also where the clock began again. */
			memcpy(&word, out, sizeof(word));
			word += word != 0 ? clock_ns : 0;
			memcpy(out, &word, sizeof(word));
		} else if (item->type == CTR_STRING) {
			out[most - 1] = '\0';
		}
	}
	for (size_t at = 0; at < size; at += sizeof(word)) {
		memcpy(&word, to + at, sizeof(word));
		any |= word;
	}
	return any != 0;
}

/* The counters of `to` become those of `a` less those of `b`, modulo 2^width. */
static void
subtract(const struct ctr_segment_match *match, uint8_t *to, const uint8_t *a, const uint8_t *b)
{
	for (uint32_t i = 0; i < match->num_copies; i++) {
		const struct ctr_item *item = match->copy[i].item;
		const uint64_t less = ctr_item_value(item, a) - ctr_item_value(item, b);
		const uint32_t narrow = (uint32_t)less;

		if (item->kind == CTR_COUNTER)
			memcpy(to + item->offset, item->width == 32 ? (const void *)&narrow : &less,
			       item->size);
	}
}

/* Add what was counted when each view was reset, and reset it then, so that it reads what it did
 * there; at last add the rest. All is modulo 2^width, so no order of views is wrong; `views` is
 * what each reads, and that of the first what was counted at all. */
static int
add_by_views(const struct ctr_segment_match *match, const uint32_t *index, uint32_t num_views)
{
	const struct ctr_segment_handover *handover = match->handover;
	const struct ctr_scope *scope = match->source->scope;
	const size_t each = CTR_SEGMENT_WORDS(scope->value_size);
	const uint8_t *whole = handover->views;
	const uint8_t *before = whole; /* What the view reset before this one lacks, from whole. */
	int rc = 0;

	for (uint32_t view = 1; view < num_views && rc == 0; view++) {
		const uint8_t *reads = handover->views + view * each;

		if (memcmp(reads, before, scope->value_size) == 0 && before == whole)
			continue; /* never reset */
		memcpy(handover->part, whole, scope->value_size);
		subtract(match, handover->part, before, reads);
		rc = scope->adopt(index, handover->part);
		if (rc == 0)
			rc = scope->view_reset(view, index, NULL);
		if (rc == -EAGAIN)
			rc = 0; /* counts that are there may not belong together */
		before = reads;
	}
	memcpy(handover->part, before, scope->value_size);
	return rc == 0 ? scope->adopt(index, handover->part) : rc;
}

int
ctr_segment_restore_views(const struct ctr_segment_match *match, uint32_t at, const uint32_t *index)
{
	const struct ctr_segment_handover *handover = match->handover;
	const struct ctr_scope *scope = match->source->scope;
	const size_t each = CTR_SEGMENT_WORDS(scope->value_size);
	const uint32_t num = match->source->module->num_views;

	memcpy(handover->views + each, handover->views, scope->value_size);
	for (uint32_t view = 0; view < num; view++) {
		uint8_t *to = handover->views + view * each;

		if (match->view[view] != UINT32_MAX &&
		    ctr_segment_read_view(handover->reader, match->old, match->view[view], at,
					  handover->old, NULL) == 0)
			(void)ctr_segment_translate(match, to);
		else if (view > 1)
			memcpy(to, handover->views, scope->value_size);
	}
	return add_by_views(match, index, num);
}
