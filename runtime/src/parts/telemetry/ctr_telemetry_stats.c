/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr_telemetry_answer.h"
#include "ctr_type.h"

/* A scope that is read to a page. */
struct walk {
	const struct ctr_telemetry_source *source;
	const struct ctr_scope *scope;
	struct ctr_page *page;
	enum ctr_telemetry_of of;
	unsigned int number; /* of the lcore or view */
	uint32_t index[CTR_INDEXES_MAX];
	char prefix[CTR_PAGE_TEXT]; /* Of names: "7/" */
	void *values;
};

/* Put a time of ctr_time_ns() as Unix time; 0 for 0. */
static bool
put_time_of(struct walk *walk, const char *name, uint64_t time_ns)
{
	const struct ctr_telemetry_source *source = walk->source;

	if (time_ns != 0)
		time_ns += source->start_unix_ns - source->start_ns;
	return ctr_page_add(walk->page, CTR_PAGE_NUMBER, name, "", time_ns);
}

static bool
put_item(struct walk *walk, const struct ctr_item *item)
{
	const struct ctr_type_info *type = ctr_type_info(item->type);
	const uint64_t number = ctr_item_value(item, walk->values);
	char name[2 * CTR_PAGE_TEXT], text[CTR_ITEM_TEXT];

	if (walk->of == CTR_TELEMETRY_LCORE && item->kind != CTR_COUNTER)
		return true;
	if (!ctr_item_available(item, walk->values))
		return true;
	snprintf(name, sizeof(name), "%s%s", walk->prefix, item->name);
	if (item->type == CTR_ENUM || type->text != 0)
		return ctr_page_text(walk->page, name, text,
				     ctr_item_text(item, walk->values, text));
	if (item->type == CTR_TIMESTAMP)
		return put_time_of(walk, name, number);
	return ctr_page_add(walk->page, type->is_signed ? CTR_PAGE_SIGNED : CTR_PAGE_NUMBER, name,
			    "", number);
}

/* The parts of the keys of all levels, as "/key/7/0/imsi". */
static bool
put_keys(struct walk *walk)
{
	const struct ctr_scope *scope = walk->scope;
	char name[2 * CTR_PAGE_TEXT], text[CTR_KEY_ROOM * 2 + 1];
	uint64_t key[CTR_KEY_ROOM / sizeof(uint64_t)];
	unsigned int level, i;
	uint32_t at = 0;
	int wide;

	for (level = 0; scope->keys != NULL && level < scope->num_indexes; level++) {
		const struct ctr_keys *keys = scope->keys[level];

		at = at * scope->index_maxima[level] + walk->index[level];
		if (keys == NULL || ctr_keys_get(keys, at, key, NULL) != 0)
			continue;
		for (i = 0; i < keys->num_parts; i++) {
			snprintf(name, sizeof(name), "/key/%s%u/%s", walk->prefix, level,
				 keys->parts[i].name);
			wide = ctr_key_text(&keys->parts[i], key, text, sizeof(text));
			if (!ctr_page_text(walk->page, name, text, (size_t)wide))
				return false;
		}
	}
	return true;
}

/* The last discontinuity of the instance, if that is known: as "/since/7". */
static bool
put_since(struct walk *walk, uint64_t at)
{
	const uint64_t time_ns =
		walk->of == CTR_TELEMETRY_ALL ? ctr_scope_since(walk->scope, at) : 0;
	char name[2 * CTR_PAGE_TEXT];

	if (time_ns == 0)
		return true;
	snprintf(name, sizeof(name), "/since/%s", walk->prefix);
	name[strlen(name) - 1] = '\0';
	return put_time_of(walk, name, time_ns);
}

static int
read_values(struct walk *walk)
{
	const struct ctr_scope *scope = walk->scope;
	unsigned int i;
	int rc = -EAGAIN;

	for (i = 0; i < CTR_EAGAIN_TRIES && rc == -EAGAIN; i++) {
		if (walk->of == CTR_TELEMETRY_LCORE)
			rc = scope->lcore_read(walk->number, walk->index, walk->values);
		else if (walk->of == CTR_TELEMETRY_VIEW && scope->view_read != NULL)
			rc = scope->view_read(walk->number, walk->index, walk->values);
		else
			rc = scope->read(walk->index, walk->values);
	}
	return rc == -EAGAIN ? 0 : rc;
}

/* Put the items of an instance from *item on; *item is then the first that has no room.
 * -ENOENT: there is no such instance.
 */
static int
put_instance(struct walk *walk, uint64_t at, unsigned int *item)
{
	const struct ctr_module *module = walk->source->module;
	bool room = true;
	int rc;

	module->read_lock();
	rc = read_values(walk);
	if (rc == 0 && *item == 0)
		room = put_keys(walk) && put_since(walk, at);
	while (rc == 0 && room && *item < walk->scope->num_items) {
		room = put_item(walk, &walk->scope->items[*item]);
		*item += room ? 1 : 0;
	}
	module->read_unlock();
	return rc;
}

/* The indexes of an instance as text, with `between` behind each. */
static void
put_indexes(const struct walk *walk, char between, char *text, size_t room)
{
	unsigned int i;

	*text = '\0';
	for (i = 0; i < walk->scope->num_indexes; i++)
		snprintf(text + strlen(text), room - strlen(text), "%" PRIu32 "%c",
			 walk->index[i], between);
}

static void
too_long(const struct walk *walk, unsigned int item)
{
	ctr_page_error(walk->page, "%s is too long for a reply", walk->scope->items[item].name);
}

/* As many instances as there is room for, from an item of one on. An instance that does not fit
 * behind others begins a page. Returns where to go on, or UINT64_MAX.
 */
static uint64_t
put_instances(struct walk *walk, uint64_t at, unsigned int item)
{
	const unsigned int items = walk->scope->num_items;
	const uint64_t total = ctr_scope_total(walk->scope);
	uint64_t next = UINT64_MAX;

	for (; next == UINT64_MAX; at++, item = 0) {
		const struct ctr_page_mark before = walk->page->in;
		unsigned int reached = item;

		at = ctr_scope_next(walk->scope, at);
		if (at >= total)
			return UINT64_MAX;
		ctr_scope_indexes(walk->scope, at, walk->index);
		put_indexes(walk, '/', walk->prefix, sizeof(walk->prefix));
		if (put_instance(walk, at, &reached) != 0)
			reached = items;
		if (reached == items)
			continue;
		if (before.entries > 0) {
			walk->page->in = before;
			reached = item;
		} else if (reached == item) {
			walk->page->in = before;
			too_long(walk, item);
			return UINT64_MAX;
		}
		next = at * items + reached;
	}
	return next;
}

/* Prepare to read a scope; false with an error. Free `values` in the end. */
static bool
begin(struct walk *walk)
{
	const struct ctr_scope *scope = walk->scope;
	struct ctr_page *page = walk->page;

	if (scope->read == NULL)
		ctr_page_error(page, "%s: only the application knows its instances", scope->name);
	else if (walk->of == CTR_TELEMETRY_LCORE && scope->lcore_read == NULL)
		ctr_page_error(page, "%s: %s does not keep lcores apart", scope->name,
			       scope->strategy);
	else
		walk->values = calloc(1, scope->value_size);
	if (walk->values == NULL && page->in.entries == 0)
		ctr_page_error(page, "no memory");
	return walk->values != NULL;
}

void
ctr_telemetry_stats(const struct ctr_telemetry_source *source, enum ctr_telemetry_of of,
		    unsigned int number, struct ctr_words *words, struct ctr_page *page)
{
	const char *name = ctr_words_next(words);
	const struct ctr_scope *scope =
		ctr_scope_find(source->module, name != NULL ? name : "global");
	struct walk walk = { source, scope, page, of, number, { 0 }, "", NULL };
	uint64_t start;

	if (scope == NULL && name == NULL)
		ctr_page_error(page, "which scope? /%s/list has them", source->module->name);
	else if (scope == NULL)
		ctr_page_error(page, "no scope '%.60s'", name);
	if (scope == NULL || ctr_words_start(words, &start, page) != 0 || !begin(&walk))
		return;
	if (start > ctr_scope_total(scope) * scope->num_items) {
		ctr_page_error(page, "%s ends before %" PRIu64, scope->name, start);
	} else if (scope->num_items > 0) {
		start = put_instances(&walk, start / scope->num_items,
				      (unsigned int)(start % scope->num_items));
		if (start != UINT64_MAX)
			ctr_page_last(page, "/next", "%s%s%s,%" PRIu64,
				      of != CTR_TELEMETRY_ALL ? words->word[0].text : "",
				      of != CTR_TELEMETRY_ALL ? "," : "", scope->name, start);
	}
	free(walk.values);
}

void
ctr_telemetry_instance(const struct ctr_telemetry_source *source, const struct ctr_scope *scope,
		       bool named, struct ctr_words *words, struct ctr_page *page)
{
	struct walk walk = { source, scope, page, CTR_TELEMETRY_ALL, 0, { 0 }, "", NULL };
	char indexes[CTR_PAGE_TEXT];
	unsigned int item, i;
	uint64_t start, at = 0;

	if (!begin(&walk))
		return;
	if (ctr_words_instance(words, scope, walk.index, page) == 0 &&
	    ctr_words_start(words, &start, page) == 0) {
		for (i = 0; i < scope->num_indexes; i++)
			at = at * scope->index_maxima[i] + walk.index[i];
		item = (unsigned int)(start < scope->num_items ? start : scope->num_items);
		put_indexes(&walk, ',', indexes, sizeof(indexes));
		if (put_instance(&walk, at, &item) != 0)
			ctr_page_error(page, "there is no such %s now", scope->name);
		else if (item < scope->num_items && page->in.entries == 0)
			too_long(&walk, item);
		else if (item < scope->num_items)
			ctr_page_last(page, "/next", "%s%s%s%u", named ? scope->name : "",
				      named ? "," : "", indexes, item);
	}
	free(walk.values);
}
