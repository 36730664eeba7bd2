/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr_telemetry_answer.h"
#include "ctr_values.h"

/* A scope that is read to a page. */
struct walk {
	const struct ctr_telemetry_source *source;
	const struct ctr_telemetry_what *what;
	const struct ctr_scope *scope;
	struct ctr_page *page;
	uint64_t total; /* Possible instances. */
	uint32_t index[CTR_WORDS_LEVELS];
	char prefix[CTR_PAGE_TEXT]; /* Of names: "7/" */
	void *values;
};

/* Octets of an item that is no number, as text. */
static bool
put_octets(struct walk *walk, const char *name, const struct ctr_item *item)
{
	const uint8_t *octets = (const uint8_t *)walk->values + item->offset;
	char shown[INET6_ADDRSTRLEN] = "";

	if (item->type == CTR_STRING)
		return ctr_page_text(walk->page, name, (const char *)octets,
				     strnlen((const char *)octets, item->size));
	if (item->type == CTR_MAC)
		snprintf(shown, sizeof(shown), "%02x:%02x:%02x:%02x:%02x:%02x", octets[0],
			 octets[1], octets[2], octets[3], octets[4], octets[5]);
	else
		inet_ntop(item->type == CTR_IPV6 ? AF_INET6 : AF_INET, octets, shown,
			  sizeof(shown));
	return ctr_page_text(walk->page, name, shown, strlen(shown));
}

static bool
put_item(struct walk *walk, const struct ctr_item *item)
{
	const uint64_t number = ctr_item_value(item, walk->values);
	const struct ctr_label *label;
	char name[2 * CTR_PAGE_TEXT];

	if (walk->what->of == CTR_TELEMETRY_LCORE && item->kind != CTR_COUNTER)
		return true;
	if (!ctr_item_available(item, walk->values))
		return true;
	snprintf(name, sizeof(name), "%s%s", walk->prefix, item->name);
	switch (item->type) {
	case CTR_IPV4:
	case CTR_IPV6:
	case CTR_MAC:
	case CTR_STRING:
		return put_octets(walk, name, item);
	case CTR_ENUM:
		label = ctr_item_label(item, NULL, (int32_t)number);
		return ctr_page_text(walk->page, name, label != NULL ? label->name : "",
				     label != NULL ? strlen(label->name) : 0);
	case CTR_TIMESTAMP:
		return ctr_page_number(walk->page, name,
				       ctr_telemetry_unix_ns(walk->source, number));
	case CTR_I32:
		return ctr_page_signed(walk->page, name, (int32_t)number);
	case CTR_U32:
	case CTR_U64:
	case CTR_BOOL:
	case CTR_TIMETICKS:
	default:
		return ctr_page_number(walk->page, name, number);
	}
}

/* "/what/7" or "/what", for the instance. */
static void
name_of(const struct walk *walk, const char *what, char *name, size_t room)
{
	const size_t digits = strlen(walk->prefix);

	snprintf(name, room, "/%s%s%.*s", what, digits > 0 ? "/" : "",
		 (int)(digits > 0 ? digits - 1 : 0), walk->prefix);
}

/* The parts of the keys of all levels. */
static bool
put_keys(struct walk *walk)
{
	const struct ctr_scope *scope = walk->scope;
	char name[2 * CTR_PAGE_TEXT], base[CTR_PAGE_TEXT], text[CTR_KEY_ROOM * 2 + 1];
	union {
		uint64_t align;
		uint8_t octets[CTR_KEY_ROOM];
	} key;
	unsigned int level, i;
	uint32_t at = 0;
	int wide;

	name_of(walk, "key", base, sizeof(base));
	for (level = 0; scope->keys != NULL && level < scope->num_indexes; level++) {
		const struct ctr_keys *keys = scope->keys[level];

		at = at * scope->index_maxima[level] + walk->index[level];
		if (keys == NULL || ctr_keys_get(keys, at, &key, NULL) != 0)
			continue;
		for (i = 0; i < keys->num_parts; i++) {
			snprintf(name, sizeof(name), "%s/%u/%s", base, level, keys->parts[i].name);
			wide = ctr_key_text(&keys->parts[i], &key, text, sizeof(text));
			if (!ctr_page_text(walk->page, name, text, (size_t)wide))
				return false;
		}
	}
	return true;
}

/* When the instance last began anew, if that is known. */
static bool
put_since(struct walk *walk, uint64_t at)
{
	uint64_t *const *table = walk->scope->discontinuity_ns;
	char name[CTR_PAGE_TEXT];
	uint64_t time_ns;

	if (walk->what->of != CTR_TELEMETRY_ALL || table == NULL || *table == NULL)
		return true;
	time_ns = __atomic_load_n(&(*table)[at], __ATOMIC_RELAXED);
	if (time_ns == 0)
		return true;
	name_of(walk, "since", name, sizeof(name));
	return ctr_page_number(walk->page, name, ctr_telemetry_unix_ns(walk->source, time_ns));
}

static int
read_values(struct walk *walk)
{
	const struct ctr_scope *scope = walk->scope;
	const unsigned int number = walk->what->number;
	unsigned int i;
	int rc = -EAGAIN;

	for (i = 0; i < CTR_EAGAIN_TRIES && rc == -EAGAIN; i++) {
		if (walk->what->of == CTR_TELEMETRY_LCORE)
			rc = scope->lcore_read(number, walk->index, walk->values);
		else if (walk->what->of == CTR_TELEMETRY_VIEW && scope->view_read != NULL)
			rc = scope->view_read(number, walk->index, walk->values);
		else
			rc = scope->read(walk->index, walk->values);
	}
	return rc == -EAGAIN ? 0 : rc;
}

/* Set the indexes, and what names begin with, to those of a position. */
static void
go_to(struct walk *walk, uint64_t at)
{
	const struct ctr_scope *scope = walk->scope;
	size_t used = 0;
	unsigned int i;

	ctr_telemetry_indexes(scope, at, walk->index);
	walk->prefix[0] = '\0';
	for (i = 0; i < scope->num_indexes && used < sizeof(walk->prefix); i++)
		used += (size_t)snprintf(walk->prefix + used, sizeof(walk->prefix) - used,
					 "%" PRIu32 "/", walk->index[i]);
}

/* Put the items of an instance from *item on; *item is then the first that has no room.
 * -ENOENT: there is no such instance. The caller holds the read lock.
 */
static int
put_instance(struct walk *walk, uint64_t at, unsigned int *item)
{
	const int rc = read_values(walk);

	if (rc != 0)
		return rc;
	if (*item == 0 && !(put_keys(walk) && put_since(walk, at)))
		return 0;
	while (*item < walk->scope->num_items && put_item(walk, &walk->scope->items[*item]))
		++*item;
	return 0;
}

/* As many instances as there is room for, from an item of one on. An instance that does not fit
 * behind others begins a page. Returns where to go on, or UINT64_MAX.
 */
static uint64_t
put_instances(struct walk *walk, uint64_t at, unsigned int item)
{
	const struct ctr_module *module = walk->source->module;
	const unsigned int items = walk->scope->num_items;
	uint64_t next = UINT64_MAX;

	for (; next == UINT64_MAX; at++, item = 0) {
		const struct ctr_page_mark before = walk->page->in;
		unsigned int reached = item;

		if (walk->scope->next != NULL && at < walk->total)
			at = walk->scope->next((uint32_t)at);
		if (at >= walk->total)
			return UINT64_MAX;
		go_to(walk, at);
		module->read_lock();
		if (put_instance(walk, at, &reached) != 0)
			reached = items;
		module->read_unlock();
		if (reached == items)
			continue;
		if (before.entries > 0) {
			walk->page->in = before;
			reached = item;
		} else if (reached == item) {
			ctr_page_begin(walk->page);
			ctr_page_error(walk->page, "%s is too long for a reply",
				       walk->scope->items[item].name);
			return UINT64_MAX;
		}
		next = at * items + reached;
	}
	return next;
}

/* The scope is one that can be read so. */
static bool
readable(const struct walk *walk)
{
	const struct ctr_scope *scope = walk->scope;

	if (scope->read == NULL)
		ctr_page_error(walk->page, "%s: only the application knows its instances",
			       scope->name);
	else if (walk->what->of == CTR_TELEMETRY_LCORE && scope->lcore_read == NULL)
		ctr_page_error(walk->page, "%s: %s does not keep lcores apart", scope->name,
			       scope->strategy);
	else if (scope->num_indexes > CTR_WORDS_LEVELS)
		ctr_page_error(walk->page, "%s has too many indexes", scope->name);
	else
		return true;
	return false;
}

/* Prepare to read a scope; false with an error. Free `values` in the end. */
static bool
begin(struct walk *walk, const struct ctr_telemetry_source *source,
      const struct ctr_telemetry_what *what, const struct ctr_scope *scope, struct ctr_page *page)
{
	memset(walk, 0, sizeof(*walk));
	walk->source = source;
	walk->what = what;
	walk->scope = scope;
	walk->page = page;
	walk->total = ctr_telemetry_total(scope);
	if (!readable(walk))
		return false;
	walk->values = calloc(1, scope->value_size);
	if (walk->values == NULL)
		ctr_page_error(page, "no memory");
	return walk->values != NULL;
}

void
ctr_telemetry_stats(const struct ctr_telemetry_source *source,
		    const struct ctr_telemetry_what *what, struct ctr_words *words,
		    struct ctr_page *page)
{
	const char *name = ctr_words_next(words);
	const struct ctr_scope *scope =
		ctr_scope_find(source->module, name != NULL ? name : "global");
	struct walk walk;
	uint64_t start;

	if (scope == NULL) {
		if (name == NULL)
			ctr_page_error(page, "which scope? /%s/list has them",
				       source->module->name);
		else
			ctr_page_error(page, "no scope '%.60s'", name);
		return;
	}
	if (ctr_words_number(words, "where to start", 0, &start, page) != 0 ||
	    ctr_words_end(words, page) != 0 || !begin(&walk, source, what, scope, page))
		return;
	if (start > walk.total * scope->num_items) {
		ctr_page_error(page, "%s ends before %" PRIu64, scope->name, start);
	} else if (scope->num_items > 0) {
		start = put_instances(&walk, start / scope->num_items,
				      (unsigned int)(start % scope->num_items));
		if (start != UINT64_MAX)
			ctr_page_next(page, "%s%s,%" PRIu64, what->before, scope->name, start);
	}
	free(walk.values);
}

/* /next of one instance: its indexes, and the item. */
static void
put_next(const struct walk *walk, bool named, unsigned int item)
{
	char text[CTR_PAGE_TEXT] = "";
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < walk->scope->num_indexes && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%" PRIu32 ",",
					 walk->index[i]);
	ctr_page_next(walk->page, "%s%s%s%u", named ? walk->scope->name : "", named ? "," : "",
		      text, item);
}

void
ctr_telemetry_instance(const struct ctr_telemetry_source *source, const struct ctr_scope *scope,
		       bool named, struct ctr_words *words, struct ctr_page *page)
{
	static const struct ctr_telemetry_what all = { CTR_TELEMETRY_ALL, 0, "" };
	struct walk walk;
	unsigned int item, i;
	uint64_t start, at = 0;
	int rc;

	if (!begin(&walk, source, &all, scope, page))
		return;
	if (ctr_words_instance(words, scope, walk.index, page) == 0 &&
	    ctr_words_number(words, "where to start", 0, &start, page) == 0 &&
	    ctr_words_end(words, page) == 0) {
		for (i = 0; i < scope->num_indexes; i++)
			at = at * scope->index_maxima[i] + walk.index[i];
		item = (unsigned int)(start < scope->num_items ? start : scope->num_items);
		source->module->read_lock();
		rc = put_instance(&walk, at, &item);
		source->module->read_unlock();
		if (rc != 0)
			ctr_page_error(page, "there is no such %s now", scope->name);
		else if (item < scope->num_items && page->in.entries == 0)
			ctr_page_error(page, "%s is too long for a reply", scope->items[item].name);
		else if (item < scope->num_items)
			put_next(&walk, named, item);
	}
	free(walk.values);
}
