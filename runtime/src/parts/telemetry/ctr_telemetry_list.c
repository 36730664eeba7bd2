/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctr.h"
#include "ctr_telemetry_answer.h"

/* ---- what there is, line by line ---- */

/* A list that is being written, from a line on; without a page only its digest is wanted. */
struct list {
	struct ctr_page *page;
	uint64_t start;  /* The first line that is wanted. */
	uint64_t line;   /* The line that comes next. */
	uint64_t next;   /* The first line that had no room, once `full`. */
	bool full;
	uint64_t digest; /* FNV-1a of all lines so far. */
};

static void
digest(struct list *list, const char *text)
{
	do
		list->digest = (list->digest ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	while (*text++ != '\0');
}

static void
put(struct list *list, const char *word, const char *text)
{
	unsigned int skip = 0, added = 0, lines;

	if (list->page == NULL) {
		digest(list, word);
		digest(list, text);
		return;
	}
	if (list->full)
		return;
	if (list->start > list->line)
		skip = list->start - list->line > UINT32_MAX ?
			       UINT32_MAX :
			       (unsigned int)(list->start - list->line);
	lines = ctr_page_lines(list->page, word, text, strlen(text), skip, &added);
	list->full = lines > skip && added < lines - skip;
	list->next = list->line + skip + added;
	list->line += lines;
}

static void put_as(struct list *list, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void
put_as(struct list *list, const char *word, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	put(list, word, text);
}

static void
list_item(struct list *list, const struct ctr_item *item)
{
	static const char *const kinds[] = { "counter", "gauge", "state" };
	static const char *const types[] = { "u32", "u64", "bool", "i32", "enum", "timeticks",
					     "ipv4", "ipv6", "mac", "string", "timestamp" };
	static const char *const sources[] = { "stored", "device", "callback", "derived" };
	unsigned int i;

	put_as(list, "item", "%s %s %s %" PRIu32, item->name, kinds[item->kind],
	       types[item->type], item->width);
	if (item->unit[0] != '\0')
		put(list, "unit", item->unit);
	if (item->description[0] != '\0')
		put(list, "text", item->description);
	if (item->source != CTR_STORED)
		put(list, "source", sources[item->source]);
	for (i = 0; i < item->num_labels; i++)
		put_as(list, "label", "%" PRId32 " %s", item->labels[i].value,
		       item->labels[i].name);
}

static void
list_index(struct list *list, const struct ctr_scope *scope, unsigned int level)
{
	const char *const *labels =
		scope->index_labels != NULL ? scope->index_labels[level] : NULL;
	const struct ctr_keys *keys = scope->keys != NULL ? scope->keys[level] : NULL;
	uint32_t i;

	put_as(list, "index", "%s %" PRIu32, scope->index_names[level],
	       scope->index_maxima[level]);
	for (i = 0; labels != NULL && i < scope->index_maxima[level]; i++)
		put(list, "value", labels[i]);
	for (i = 0; keys != NULL && i < keys->num_parts; i++)
		put(list, "part", keys->parts[i].name);
}

static void
put_histogram(struct list *list, const struct ctr_histogram *histogram)
{
	const unsigned int first = histogram->item;
	unsigned int i;

	put_as(list, "histogram", "%s %u %u", histogram->name, first,
	       first + histogram->num_bounds + 1);
	if (histogram->unit[0] != '\0')
		put(list, "unit", histogram->unit);
	if (histogram->description[0] != '\0')
		put(list, "text", histogram->description);
	for (i = 0; i < histogram->num_bounds; i++)
		put_as(list, "bound", "%" PRIu64, histogram->bounds[i]);
}

static void
put_scope(struct list *list, const struct ctr_scope *scope)
{
	static const char *const storages[] = { "static", "dynamic", "embedded" };
	unsigned int i;

	put_as(list, "scope", "%s %s %s", scope->name, storages[scope->storage],
	       scope->lcore_read != NULL ? "lcores" : "whole");
	put(list, "strategy", scope->strategy);
	if (scope->description[0] != '\0')
		put(list, "text", scope->description);
	for (i = 0; i < scope->num_indexes && !list->full; i++)
		list_index(list, scope, i);
	for (i = 0; i < scope->num_items && !list->full; i++)
		list_item(list, &scope->items[i]);
	for (i = 0; i < scope->num_histograms && !list->full; i++)
		put_histogram(list, scope->histograms[i]);
	for (i = 0; i < scope->num_displays && !list->full; i++) {
		put(list, "display", scope->displays[i].of);
		put(list, "as", scope->displays[i].text);
	}
}

static void
put_module(struct list *list, const struct ctr_module *module)
{
	unsigned int i;

	for (i = 0; i < ctr_scopes_shown(module) && !list->full; i++)
		put_scope(list, &module->scopes[i]);
}

void
ctr_telemetry_list(const struct ctr_telemetry_source *source, struct ctr_words *words,
		   struct ctr_page *page)
{
	struct list list = { .page = page };

	if (ctr_words_number(words, "where to start", 0, &list.start, page) != 0 ||
	    ctr_words_end(words, page) != 0)
		return;
	put_module(&list, source->module);
	if (list.full)
		ctr_page_next(page, "%" PRIu64, list.next);
	else if (list.start > list.line)
		ctr_page_error(page, "the list ends before %" PRIu64, list.start);
}

/* ---- about the module ---- */

/* Names from a number on. */
struct facts {
	struct ctr_page *page;
	uint64_t start, at;
	bool full;
};

/* Whether the next name is wanted. */
static bool
wanted(struct facts *facts)
{
	return !facts->full && facts->at++ >= facts->start;
}

static void
put_fact_number(struct facts *facts, const char *name, uint64_t number)
{
	if (wanted(facts) && !ctr_page_number(facts->page, name, number))
		facts->full = true;
}

static void
put_text(struct facts *facts, const char *name, const char *text)
{
	if (wanted(facts) && !ctr_page_text(facts->page, name, text, strlen(text)))
		facts->full = true;
}

static void
put_names(struct facts *facts, const struct ctr_module *module)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < module->num_views; i++) {
		snprintf(name, sizeof(name), "views/%u", i);
		put_text(facts, name, module->views[i]);
	}
	for (i = 0; i < ctr_scopes_shown(module); i++) {
		snprintf(name, sizeof(name), "scopes/%u", i);
		put_text(facts, name, module->scopes[i].name);
	}
	for (i = 0; i < CTR_SLOTS; i++) {
		if (!ctr_slots_known(i))
			continue;
		snprintf(name, sizeof(name), i < CTR_MAX_LCORE ? "lcores/%u" : "lcores/non_lcore",
			 i);
		put_fact_number(facts, name, i);
	}
}

void
ctr_telemetry_info(const struct ctr_telemetry_source *source, struct ctr_words *words,
		   struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	struct list whole = { .digest = UINT64_C(0xcbf29ce484222325) };
	struct facts facts = { .page = page };
	char layout[17];

	if (ctr_words_number(words, "where to start", 0, &facts.start, page) != 0 ||
	    ctr_words_end(words, page) != 0)
		return;
	put_module(&whole, module);
	snprintf(layout, sizeof(layout), "%016" PRIx64, whole.digest);
	put_text(&facts, "module", module->name);
	put_text(&facts, "description", module->description);
	put_text(&facts, "layout", layout);
	put_fact_number(&facts, "pid", (uint64_t)getpid());
	put_fact_number(&facts, "start_unix_ns", source->start_unix_ns);
	put_fact_number(&facts, "page_values", CTR_PAGE_NAMES);
	put_fact_number(&facts, "page_octets", CTR_PAGE_JSON);
	put_fact_number(&facts, "resets", source->resets ? 1 : 0);
	put_names(&facts, module);
	if (facts.full)
		ctr_page_next(page, "%" PRIu64, facts.at - 1);
}
