/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions here of the instances of the predecessor's segment. */
#include "ctr_segment_private.h"

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
position(const struct ctr_segment_adoption *adoption, const struct ctr_segment_match *match,
	 uint32_t at)
{
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
		for (i = 0; i < adoption->num_scopes && level + 1 < scope->num_indexes; i++) {
			const struct ctr_segment_match *outer = &adoption->match[i];

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
ctr_segment_was_inside(const struct ctr_segment_adoption *adoption,
		       const struct ctr_segment_match *match, uint32_t at)
{
	const struct ctr_segment_index *index = match->indexes;
	uint32_t level, i;

	for (level = match->old->num_indexes; level-- > 1;) {
		at /= index[level].maximum;
		for (i = 0; i < adoption->num_scopes; i++)
			if (is_outer(&adoption->match[i], match, level - 1) &&
			    ctr_segment_next(adoption->reader, adoption->match[i].old, at) != at)
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
	int rc = 0;

	if (ctr_keys_find(keys, outer, key, &found) == 0) {
		*now = first + found;
		return 0;
	}
	for (tried = 0; tried < keys->each && scope->create != NULL && exists(scope, at); tried++)
		at = first + (at - first + 1) % keys->each;
	if (scope->create != NULL)
		rc = tried == keys->each ? -ENOSPC : create(scope, at);
	else if (ctr_keys_get(keys, at, unused, &life) == 0)
		rc = -EEXIST;
	if (rc != 0)
		return rc;
	ctr_control_lock(keys->control);
	rc = ctr_keys_set(keys, at, key);
	ctr_control_unlock(keys->control);
	*now = at;
	return rc;
}

/* Note where the instance at `at` there is here, made if it has to be. 0 or -ENOMEM. */
static int
place(struct ctr_segment_adoption *adoption, struct ctr_segment_match *match, uint32_t at)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_keys *keys = NULL;
	uint32_t now = position(adoption, match, at), life;
	int rc = 0;

	if (now == UINT32_MAX)
		return 0;
	if (scope->keys != NULL)
		keys = scope->keys[scope->num_indexes - 1];
	if (keys != NULL && match->old->key_size == keys->size &&
	    ctr_segment_read_key(adoption->reader, match->old, at, adoption->key) == 0)
		rc = by_key(scope, (struct ctr_keys *)(uintptr_t)keys, adoption->key, &now);
	else if (!exists(scope, now))
		rc = create(scope, now);
	else if (keys != NULL && ctr_keys_get(keys, now, adoption->key, &life) == 0)
		rc = -EEXIST; /* the application's, of another key */
	if (rc == 0)
		match->moved[at] = now;
	return rc == -ENOMEM ? rc : 0;
}

int
ctr_segment_place_all(struct ctr_segment_adoption *adoption, struct ctr_segment_match *match)
{
	uint32_t at;
	int rc = 0;

	for (at = 0; !match->stays && rc == 0; at++) {
		at = ctr_segment_next(adoption->reader, match->old, at);
		if (at >= match->old->total)
			break;
		rc = place(adoption, match, at);
	}
	return rc;
}
