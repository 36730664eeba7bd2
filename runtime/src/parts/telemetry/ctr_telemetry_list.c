/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctr.h"
#include "ctr_telemetry_answer.h"
#include "ctr_type.h"

/* Lines or names that are being put on a page, from a number on; without a page only the digest of
 * lines is wanted.
 */
struct list {
	struct ctr_page *page;
	uint64_t start;  /* The first that is wanted. */
	uint64_t at;     /* The one that comes next; behind the first without room, once `full`. */
	bool full;
	uint64_t digest; /* FNV-1a of all lines so far. */
};

/* Whether the next one is wanted. */
static bool
wanted(struct list *list)
{
	return !list->full && list->at++ >= list->start;
}

static void
put_next_page(const struct list *list)
{
	if (list->full)
		(void)ctr_page_last(list->page, "/next", "%" PRIu64, list->at - 1);
}

/* ---- what there is, line by line ---- */

static void
digest(struct list *list, const char *text)
{
	do
		list->digest = (list->digest ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	while (*text++ != '\0');
}

/* The lines "word text", "more text" ... */
static void
put(struct list *list, const char *word, const char *text)
{
	char line[CTR_PAGE_TEXT];
	int wide;

	if (list->page == NULL) {
		digest(list, word);
		digest(list, text);
		return;
	}
	do {
		wide = snprintf(line, sizeof(line), "%s ", word);
		text += ctr_page_piece(text, strlen(text), line + wide,
				       sizeof(line) - (size_t)wide);
		if (wanted(list))
			list->full = !ctr_page_add(list->page, CTR_PAGE_LINE, "", line, 0);
		word = "more";
	} while (*text != '\0');
}

/* A line for what need not be there. */
static void
put_some(struct list *list, const char *word, const char *text)
{
	if (text[0] != '\0')
		put(list, word, text);
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
	static const char *const sources[] = { "", "device", "callback", "derived" };
	unsigned int i;

	put_as(list, "item", "%s %s %s %" PRIu32, item->name, kinds[item->kind],
	       ctr_type_info(item->type)->name, item->width);
	put_some(list, "unit", item->unit);
	put_some(list, "text", item->description);
	put_some(list, "source", sources[item->source]);
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
list_histogram(struct list *list, const struct ctr_histogram *histogram)
{
	unsigned int i;

	put_as(list, "histogram", "%s %u %u", histogram->name, histogram->item,
	       histogram->item + histogram->num_bounds + 1);
	put_some(list, "unit", histogram->unit);
	put_some(list, "text", histogram->description);
	for (i = 0; i < histogram->num_bounds; i++)
		put_as(list, "bound", "%" PRIu64, histogram->bounds[i]);
}

static void
list_module(struct list *list, const struct ctr_module *module)
{
	static const char *const storages[] = { "static", "dynamic", "embedded" };
	const struct ctr_scope *scope = module->scopes;
	unsigned int i;

	for (; scope < module->scopes + ctr_scopes_shown(module) && !list->full; scope++) {
		put_as(list, "scope", "%s %s %s", scope->name, storages[scope->storage],
		       scope->lcore_read != NULL ? "lcores" : "whole");
		put(list, "strategy", scope->strategy);
		put_some(list, "text", scope->description);
		for (i = 0; i < scope->num_indexes; i++)
			list_index(list, scope, i);
		for (i = 0; i < scope->num_items; i++)
			list_item(list, &scope->items[i]);
		for (i = 0; i < scope->num_histograms; i++)
			list_histogram(list, scope->histograms[i]);
		for (i = 0; i < scope->num_displays; i++) {
			put(list, "display", scope->displays[i].of);
			put(list, "as", scope->displays[i].text);
		}
	}
}

void
ctr_telemetry_list(const struct ctr_telemetry_source *source, struct ctr_words *words,
		   struct ctr_page *page)
{
	struct list list = { .page = page };

	if (ctr_words_start(words, &list.start, page) != 0)
		return;
	list_module(&list, source->module);
	put_next_page(&list);
	if (!list.full && list.start > list.at)
		ctr_page_error(page, "the list ends before %" PRIu64, list.start);
}

/* ---- about the module ---- */

static void
put_fact(struct list *list, const char *name, uint64_t number)
{
	if (wanted(list))
		list->full = !ctr_page_add(list->page, CTR_PAGE_NUMBER, name, "", number);
}

static void
put_text(struct list *list, const char *name, const char *text)
{
	if (wanted(list))
		list->full = !ctr_page_text(list->page, name, text, strlen(text));
}

static void
put_names(struct list *list, const struct ctr_module *module)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < module->num_views; i++) {
		snprintf(name, sizeof(name), "views/%u", i);
		put_text(list, name, module->views[i]);
	}
	for (i = 0; i < ctr_scopes_shown(module); i++) {
		snprintf(name, sizeof(name), "scopes/%u", i);
		put_text(list, name, module->scopes[i].name);
	}
	for (i = 0; i < CTR_SLOTS; i++) {
		if (!ctr_slots_known(i))
			continue;
		snprintf(name, sizeof(name), i < CTR_MAX_LCORE ? "lcores/%u" : "lcores/non_lcore",
			 i);
		put_fact(list, name, i);
	}
}

void
ctr_telemetry_info(const struct ctr_telemetry_source *source, struct ctr_words *words,
		   struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	struct list whole = { .digest = UINT64_C(0xcbf29ce484222325) };
	struct list facts = { .page = page };
	char layout[17];

	if (ctr_words_start(words, &facts.start, page) != 0)
		return;
	list_module(&whole, module);
	snprintf(layout, sizeof(layout), "%016" PRIx64, whole.digest);
	put_text(&facts, "module", module->name);
	put_text(&facts, "description", module->description);
	put_text(&facts, "layout", layout);
	put_fact(&facts, "pid", (uint64_t)getpid());
	put_fact(&facts, "start_unix_ns", source->start_unix_ns);
	put_fact(&facts, "page_values", CTR_PAGE_NAMES);
	put_fact(&facts, "page_octets", CTR_PAGE_JSON);
	put_fact(&facts, "resets", source->resets ? 1 : 0);
	put_names(&facts, module);
	put_next_page(&facts);
}
