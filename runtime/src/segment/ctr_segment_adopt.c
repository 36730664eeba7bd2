/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ctr_key.h"
#include "ctr_segment_private.h"
#include "ctr_segment_reader.h"

/* How often to look whether the former process is done, in microseconds. */
#define POLL_US 200u

/* Bytes of a page, or fewer. */
#define PAGE 4096u

/* ---- instances ---- */

/* Position here of the instance at `at` there, but for its own key; UINT32_MAX: none. */
static uint32_t
position(const struct ctr_segment_adoption *adoption, const struct ctr_segment_match *match,
	 uint32_t at)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_segment_index *index = (const struct ctr_segment_index *)
		ctr_segment_table(adoption->reader, CTR_SEGMENT_INDEXES, NULL);
	uint32_t there[CTR_SEGMENT_LEVELS], level, prefix = 0, now = 0, i;

	index += match->old->first_index;
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

			if (outer->moved == NULL ||
			    outer->source->module != match->source->module ||
			    strcmp(outer->source->scope->name, scope->index_names[level]) != 0 ||
			    outer->old->num_indexes != level + 1)
				continue;
			now = outer->moved[prefix];
			if (now == UINT32_MAX)
				return UINT32_MAX;
		}
	}
	return now;
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

	ctr_segment_unflat(scope, at, index);
	return scope->create(index);
}

/* The instance with the key that was read; made, or given the key, if there is none. */
static uint32_t
by_key(const struct ctr_scope *scope, struct ctr_keys *keys, const void *key, uint32_t at)
{
	const uint32_t outer = at / keys->each, first = outer * keys->each;
	uint32_t found, tried, life;
	uint8_t unused[CTR_KEY_ROOM];
	int rc;

	if (ctr_keys_find(keys, outer, key, &found) == 0)
		return first + found;
	for (tried = 0; tried < keys->each && scope->create != NULL && exists(scope, at); tried++)
		at = first + (at - first + 1) % keys->each;
	if (scope->create != NULL && (tried == keys->each || create(scope, at) != 0))
		return UINT32_MAX;
	if (scope->create == NULL && ctr_keys_get(keys, at, unused, &life) == 0)
		return UINT32_MAX;
	ctr_control_lock(keys->control);
	rc = ctr_keys_set(keys, at, key);
	ctr_control_unlock(keys->control);
	return rc == 0 ? at : UINT32_MAX;
}

/* Where the instance at `at` there is here, made if it has to be; UINT32_MAX: nowhere. */
static uint32_t
place(struct ctr_segment_adoption *adoption, struct ctr_segment_match *match, uint32_t at)
{
	const struct ctr_scope *scope = match->source->scope;
	const struct ctr_keys *keys = NULL;
	uint32_t now = position(adoption, match, at);

	if (now == UINT32_MAX)
		return UINT32_MAX;
	if (scope->keys != NULL)
		keys = scope->keys[scope->num_indexes - 1];
	if (keys != NULL && match->old->key_size == keys->size &&
	    ctr_segment_read_key(adoption->reader, match->old, at, adoption->key) == 0)
		now = by_key(scope, (struct ctr_keys *)(uintptr_t)keys, adoption->key, now);
	else if (!exists(scope, now) && create(scope, now) != 0)
		now = UINT32_MAX;
	if (match->moved != NULL)
		match->moved[at] = now;
	return now;
}

/* ---- scopes ---- */

/* The time of the last discontinuity of an instance here. */
static uint64_t
since(const struct ctr_segment_adoption *adoption, const struct ctr_segment_match *match,
      uint64_t since_ns)
{
	if (match->jumps)
		return ctr_time_ns();
	if (since_ns == ctr_segment_header(adoption->reader)->start_ns)
		return 0;
	return since_ns - adoption->segment->header->clock_ns;
}

static bool
adopt_instance(struct ctr_segment_adoption *adoption, struct ctr_segment_match *match, uint32_t at)
{
	const struct ctr_segment_source *source = match->source;
	const struct ctr_scope *scope = source->scope;
	uint32_t index[CTR_SEGMENT_LEVELS], now = at;
	struct ctr_segment_info info;
	bool any;
	int rc = 0;

	if (ctr_segment_read(adoption->reader, match->old, at, adoption->old, &info) != 0)
		return false;
	if (!match->stays)
		now = place(adoption, match, at);
	if (now == UINT32_MAX)
		return false;
	ctr_segment_unflat(scope, now, index);
	any = ctr_segment_translate(adoption, match, adoption->views);
	if (scope->view_read != NULL)
		rc = ctr_segment_adopt_views(adoption, match, at, index);
	else if (any)
		rc = scope->adopt(index, adoption->views);
	if ((info.flags & CTR_SEGMENT_TORN) != 0 && scope->tear != NULL)
		scope->tear(index);
	if (source->discontinuity_ns != NULL && adoption->former->final)
		__atomic_store_n(&source->discontinuity_ns[now],
				 since(adoption, match, info.since_ns), __ATOMIC_RELAXED);
	return rc == 0;
}

/* Outside of read sections: they may have the lock that an addition takes. */
static void
adopt_scope(struct ctr_segment_adoption *adoption, struct ctr_segment_match *match)
{
	const struct ctr_module *module = match->source->module;
	uint32_t at;

	for (at = 0; (at = ctr_segment_next(adoption->reader, match->old, at)) < match->old->total;
	     at++) {
		if (adopt_instance(adoption, match, at))
			adoption->former->instances++;
		else
			ctr_segment_tell(adoption->former, CTR_SEGMENT_LOST, module->name,
					 match->source->scope->name, NULL, at);
	}
	module->flush();
}

/* Which view of the module there is which one here. 0 or -ENOMEM. */
static int
match_views(const struct ctr_segment_adoption *adoption, struct ctr_segment_match *match,
	    const struct ctr_segment_module *there)
{
	const uint32_t *names = (const uint32_t *)
		ctr_segment_table(adoption->reader, CTR_SEGMENT_VIEWS, NULL);
	const struct ctr_module *module = match->source->module;
	uint32_t i, j;

	match->view = (uint32_t *)calloc(module->num_views + 1u, sizeof(*match->view));
	if (match->view == NULL)
		return -ENOMEM;
	for (i = 0; i < module->num_views; i++) {
		match->view[i] = UINT32_MAX;
		for (j = 0; j < there->num_views; j++)
			if (strcmp(module->views[i], ctr_segment_text(adoption->reader,
					names[there->first_view + j])) == 0)
				match->view[i] = j;
	}
	return 0;
}

static const struct ctr_segment_source *
find_source(const struct ctr_segment *segment, const char *module, const char *scope)
{
	const struct ctr_segment_source *renamed = NULL;
	uint32_t i;

	for (i = 0; i < segment->num_sources; i++) {
		const struct ctr_segment_source *source = &segment->source[i];

		if (strcmp(source->module->name, module) != 0)
			continue;
		if (strcmp(source->scope->name, scope) == 0)
			return source;
		if (strcmp(ctr_segment_former_name(source->module, source->scope->name, NULL),
			   scope) == 0)
			renamed = source;
	}
	return renamed;
}

static int
adopt_module(struct ctr_segment_adoption *adoption, const struct ctr_segment_module *there)
{
	const struct ctr_segment_scope *old = (const struct ctr_segment_scope *)
		ctr_segment_table(adoption->reader, CTR_SEGMENT_SCOPES, NULL);
	const char *module = ctr_segment_text(adoption->reader, there->name);
	uint32_t i;

	for (i = there->first_scope; i < there->first_scope + there->num_scopes; i++) {
		const char *scope = ctr_segment_text(adoption->reader, old[i].name);
		struct ctr_segment_match *match = &adoption->match[adoption->num_scopes];
		int rc;

		match->reader = adoption->reader;
		match->old = &old[i];
		match->source = find_source(adoption->segment, module, scope);
		if (match->source == NULL ||
		    match->source->scope->num_indexes != old[i].num_indexes) {
			ctr_segment_tell(adoption->former,
				match->source != NULL ? CTR_SEGMENT_CHANGED : CTR_SEGMENT_REMOVED,
				module, scope, NULL, 0);
			continue;
		}
		adoption->num_scopes++;
		rc = ctr_segment_match(match, adoption->former);
		if (rc == 0)
			rc = match_views(adoption, match, there);
		if (rc != 0)
			return rc;
		adopt_scope(adoption, match);
	}
	return 0;
}

/* ---- the whole ---- */

/* Wait until the former process is done. 0; -ETIMEDOUT. */
static int
wait_for(struct ctr_segment_adoption *adoption)
{
	const uint64_t until = ctr_time_ns() + adoption->former->wait_ms * UINT64_C(1000000);
	const struct timespec pause = { 0, POLL_US * 1000 };

	while (ctr_segment_state(adoption->reader) != CTR_SEGMENT_FINAL) {
		if (!ctr_segment_alive(adoption->reader))
			break;
		if (ctr_time_ns() >= until)
			return -ETIMEDOUT;
		(void)nanosleep(&pause, NULL);
	}
	adoption->former->final = ctr_segment_state(adoption->reader) == CTR_SEGMENT_FINAL;
	return 0;
}

static int
take_room(struct ctr_segment_adoption *adoption)
{
	const struct ctr_segment *segment = adoption->segment;
	size_t size = 8, views = 2;
	uint32_t count, i;
	const struct ctr_segment_scope *old = (const struct ctr_segment_scope *)
		ctr_segment_table(adoption->reader, CTR_SEGMENT_SCOPES, &count);

	for (i = 0; i < segment->num_sources; i++) {
		if (segment->source[i].scope->value_size > size)
			size = segment->source[i].scope->value_size;
		if (segment->source[i].module->num_views > views)
			views = segment->source[i].module->num_views;
	}
	for (i = 0; i < count; i++)
		if (old[i].value_size > size)
			size = old[i].value_size;
	size = CTR_SEGMENT_WORDS(size);
	adoption->old = (uint8_t *)calloc(1, size);
	adoption->part = (uint8_t *)calloc(1, size);
	adoption->views = (uint8_t *)calloc(views, size);
	adoption->key = (uint8_t *)calloc(1, CTR_KEY_ROOM);
	adoption->match = (struct ctr_segment_match *)calloc(count + 1u,
			sizeof(*adoption->match));
	if (adoption->old == NULL || adoption->part == NULL || adoption->views == NULL ||
	    adoption->key == NULL || adoption->match == NULL)
		return -ENOMEM;
	return 0;
}

/* Have the pages of all records at hand, before somebody waits. */
static void
touch(const struct ctr_segment_adoption *adoption)
{
	uint32_t count, i;
	uint64_t at;
	const struct ctr_segment_scope *old = (const struct ctr_segment_scope *)
		ctr_segment_table(adoption->reader, CTR_SEGMENT_SCOPES, &count);

	for (i = 0; i < count; i++)
		for (at = 0; at < old[i].total; at += 1 + PAGE / old[i].stride)
			(void)ctr_segment_read(adoption->reader, &old[i], (uint32_t)at,
					       adoption->old, NULL);
}

/* Tell of the scopes that the former process did not have. */
static void
tell_new(const struct ctr_segment_adoption *adoption)
{
	const struct ctr_segment *segment = adoption->segment;
	uint32_t i, j;

	for (i = 0; i < segment->num_sources; i++) {
		const struct ctr_segment_source *source = &segment->source[i];

		for (j = 0; j < adoption->num_scopes && adoption->match[j].source != source; j++)
			;
		if (j == adoption->num_scopes)
			ctr_segment_tell(adoption->former, CTR_SEGMENT_NEW, source->module->name,
					 source->scope->name, NULL, 0);
	}
}

static int
adopt_all(struct ctr_segment_adoption *adoption)
{
	uint32_t count, i;
	const struct ctr_segment_module *there = (const struct ctr_segment_module *)
		ctr_segment_table(adoption->reader, CTR_SEGMENT_MODULES, &count);
	uint64_t began_ns;
	int rc = take_room(adoption);

	if (rc == 0) {
		touch(adoption);
		rc = wait_for(adoption);
	}
	began_ns = ctr_time_ns();
	if (rc == 0 && adoption->former->final)
		adoption->segment->header->start_ns =
			ctr_segment_header(adoption->reader)->start_ns;
	for (i = 0; i < count && rc == 0; i++)
		rc = adopt_module(adoption, &there[i]);
	if (rc == 0)
		tell_new(adoption);
	adoption->former->took_ns = ctr_time_ns() - began_ns;
	return rc;
}

int
ctr_segment_adopt(struct ctr_segment *segment, struct ctr_segment_former *former)
{
	struct ctr_segment_adoption adoption = {
		.segment = segment,
		.former = former,
	};
	uint32_t i;
	int rc;

	former->final = false;
	former->instances = 0;
	if (former->path != NULL)
		former->error = ctr_segment_open(&adoption.reader, former->path);
	else
		former->error = ctr_segment_open_fd(&adoption.reader, former->fd);
	if (former->error != 0)
		return 0;
	rc = adopt_all(&adoption);
	for (i = 0; i < adoption.num_scopes; i++)
		ctr_segment_match_free(&adoption.match[i]);
	free(adoption.match);
	free(adoption.old);
	free(adoption.part);
	free(adoption.views);
	free(adoption.key);
	ctr_segment_leave(adoption.reader);
	return rc;
}
