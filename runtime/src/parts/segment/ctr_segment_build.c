/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr_segment_private.h"

/* A directory in the making. */
struct build {
	struct {
		uint8_t *data;
		uint32_t count;
		uint32_t room;
	} table[CTR_SEGMENT_TABLES];
	bool views; /* Publish views. */
	int rc;     /* 0, or the first error. */
};

/* ---- tables ---- */

/* Append entries to a table; returns the number of the first. */
static uint32_t
append(struct build *build, enum ctr_segment_tables which, const void *entries, size_t count)
{
	const uint32_t first = build->table[which].count, size = ctr_segment_entry[which];
	const uint64_t needed = (uint64_t)first + count;

	if (needed * size > CTR_SEGMENT_DIRECTORY_MAX && build->rc == 0)
		build->rc = -EFBIG;
	if (build->rc == 0 && needed > build->table[which].room) {
		const size_t room = needed < 64 ? 64 : (size_t)needed * 2;
		void *data = realloc(build->table[which].data, room * size);

		if (data == NULL) {
			build->rc = -ENOMEM;
			return 0;
		}
		build->table[which].data = data;
		build->table[which].room = (uint32_t)room;
	}
	if (build->rc != 0)
		return 0;
	memcpy(build->table[which].data + (size_t)first * size, entries, count * size);
	build->table[which].count = (uint32_t)needed;
	return first;
}

/* Text 0 is the empty one. */
static uint32_t
text_of(struct build *build, const char *text)
{
	if (text == NULL || *text == '\0')
		return 0;
	return append(build, CTR_SEGMENT_TEXT, text, strlen(text) + 1);
}

static uint32_t
labels_of(struct build *build, const struct ctr_label *labels, unsigned int count)
{
	const uint32_t first = build->table[CTR_SEGMENT_LABELS].count;
	struct ctr_segment_label label;

	for (unsigned int i = 0; i < count; i++) {
		label.name = text_of(build, labels[i].name);
		label.value = labels[i].value;
		append(build, CTR_SEGMENT_LABELS, &label, 1);
	}
	return first;
}

/* ---- entries ---- */

/* Bytes for the text of a part of a key: whole words. */
static uint32_t
room_of(const struct ctr_key_part *part)
{
	size_t room = 48; /* any number or address */

	if (part->type == CTR_KEY_STRING)
		room = part->size;
	if (part->type == CTR_KEY_OCTETS)
		room = (size_t)part->size * 2 + 1;
	for (unsigned int i = 0; i < part->num_labels; i++)
		if (strlen(part->labels[i].name) >= room)
			room = strlen(part->labels[i].name) + 1;
	return (uint32_t)CTR_SEGMENT_WORDS(room);
}

static void
describe_key(struct build *build, const struct ctr_keys *keys,
	     struct ctr_segment_scope *scope, struct ctr_segment_index *index)
{
	index->num_parts = keys->num_parts;
	for (unsigned int i = 0; i < keys->num_parts; i++) {
		const struct ctr_key_part *from = &keys->parts[i];
		struct ctr_segment_part part = {
			.name = text_of(build, from->name),
			.type = from->type,
			.offset = from->offset,
			.size = from->size,
			.text = scope->text_size,
			.room = room_of(from),
			.first_label = labels_of(build, from->labels, from->num_labels),
			.num_labels = from->num_labels,
		};

		scope->text_size += part.room;
		append(build, CTR_SEGMENT_PARTS, &part, 1);
	}
}

static void
describe_index(struct build *build, const struct ctr_scope *from, unsigned int level,
	       struct ctr_segment_scope *scope, struct ctr_segment_index *index)
{
	const char *const *names = from->index_labels != NULL ? from->index_labels[level] : NULL;
	const struct ctr_keys *keys = from->keys != NULL ? from->keys[level] : NULL;

	index->name = text_of(build, from->index_names[level]);
	index->maximum = from->index_maxima[level];
	index->first_label = build->table[CTR_SEGMENT_LABELS].count;
	for (uint32_t i = 0; names != NULL && i < index->maximum; i++) {
		const struct ctr_label label = { names[i], (int32_t)i };

		(void)labels_of(build, &label, 1);
		index->num_labels++;
	}
	index->first_part = build->table[CTR_SEGMENT_PARTS].count;
	if (keys == NULL)
		return;
	describe_key(build, keys, scope, index);
	if (level == from->num_indexes - 1)
		scope->key_size = keys->size;
}

static void
describe_items(struct build *build, const struct ctr_scope *from)
{
	for (unsigned int i = 0; i < from->num_items; i++) {
		const struct ctr_item *item = &from->items[i];
		struct ctr_segment_item entry = {
			.minimum = item->minimum,
			.maximum = item->maximum,
			.name = text_of(build, item->name),
			.unit = text_of(build, item->unit),
			.description = text_of(build, item->description),
			.kind = item->kind,
			.type = item->type,
			.width = item->width,
			.offset = (uint32_t)item->offset,
			.size = (uint32_t)item->size,
			.first_label = labels_of(build, item->labels, item->num_labels),
			.num_labels = item->num_labels,
			.available = (uint32_t)item->available,
			.source = item->source,
		};

		append(build, CTR_SEGMENT_ITEMS, &entry, 1);
	}
	for (unsigned int i = 0; i < from->num_histograms; i++) {
		const struct ctr_histogram *histogram = from->histograms[i];
		struct ctr_segment_histogram entry = {
			.name = text_of(build, histogram->name),
			.unit = text_of(build, histogram->unit),
			.description = text_of(build, histogram->description),
			.first_bound = append(build, CTR_SEGMENT_BOUNDS, histogram->bounds,
					      histogram->num_bounds),
			.num_bounds = histogram->num_bounds,
			.item = histogram->item,
		};

		append(build, CTR_SEGMENT_HISTOGRAMS, &entry, 1);
	}
}

static void
describe_displays(struct build *build, const struct ctr_scope *from)
{
	for (unsigned int i = 0; i < from->num_displays; i++) {
		const struct ctr_segment_label entry = {
			.name = text_of(build, from->displays[i].of),
			.value = (int32_t)text_of(build, from->displays[i].text),
		};

		append(build, CTR_SEGMENT_LABELS, &entry, 1);
	}
}

/* Lay out the record of a scope. */
static void
lay_out(struct ctr_segment_scope *scope)
{
	const uint64_t each = CTR_SEGMENT_WORDS(scope->value_size);
	uint64_t at = sizeof(struct ctr_segment_record);

	scope->values = (uint32_t)at;
	at += each;
	scope->views = scope->num_views != 0 ? (uint32_t)at : 0;
	at += each * scope->num_views;
	scope->key = scope->key_size != 0 ? (uint32_t)at : 0;
	at += CTR_SEGMENT_WORDS(scope->key_size);
	scope->text = scope->text_size != 0 ? (uint32_t)at : 0;
	at += scope->text_size;
	scope->stride = (uint32_t)at;
}

static void
describe_scope(struct build *build, const struct ctr_module *module, const struct ctr_scope *from)
{
	struct ctr_segment_scope scope = {
		.name = text_of(build, from->name),
		.description = text_of(build, from->description),
		.strategy = text_of(build, from->strategy),
		.storage = from->storage,
		.consistent = from->consistent,
		.value_size = (uint32_t)from->value_size,
		.num_views = build->views && from->view_read != NULL ? module->num_views : 0,
		.first_index = build->table[CTR_SEGMENT_INDEXES].count,
		.num_indexes = from->num_indexes,
		.first_item = build->table[CTR_SEGMENT_ITEMS].count,
		.num_items = from->num_items,
		.first_histogram = build->table[CTR_SEGMENT_HISTOGRAMS].count,
		.num_histograms = from->num_histograms,
		.num_displays = from->num_displays,
	};
	uint64_t total = 1;

	if (from->num_indexes > CTR_SEGMENT_LEVELS)
		build->rc = -EINVAL;
	for (unsigned int i = 0; i < from->num_indexes && build->rc == 0; i++) {
		struct ctr_segment_index index = { 0 };

		describe_index(build, from, i, &scope, &index);
		append(build, CTR_SEGMENT_INDEXES, &index, 1);
		total *= index.maximum;
		if (total > UINT32_MAX)
			build->rc = -EFBIG;
	}
	scope.total = (uint32_t)total;
	describe_items(build, from);
	describe_displays(build, from);
	lay_out(&scope);
	append(build, CTR_SEGMENT_SCOPES, &scope, 1);
}

/* Place the directory and the records; fills in what the header says of them. 0 or -EFBIG. */
static int
place_all(struct build *build, struct ctr_segment_header *header)
{
	struct ctr_segment_scope *scope = (void *)build->table[CTR_SEGMENT_SCOPES].data;
	uint64_t at = 0;

	for (uint32_t i = 0; i < CTR_SEGMENT_TABLES; i++) {
		header->table[i].offset = (uint32_t)at;
		header->table[i].count = build->table[i].count;
		at += CTR_SEGMENT_WORDS((uint64_t)build->table[i].count * ctr_segment_entry[i]);
	}
	if (at > CTR_SEGMENT_DIRECTORY_MAX)
		return -EFBIG;
	header->directory = sizeof(*header);
	header->directory_size = (uint32_t)at;
	at += sizeof(*header);
	for (uint32_t i = 0; i < build->table[CTR_SEGMENT_SCOPES].count; i++, scope++) {
		scope->exists = at;
		at += ((uint64_t)scope->total + 63) / 64 * 8;
		scope->records = at;
		at += (uint64_t)scope->total * scope->stride;
	}
	header->size = at;
	return at <= (uint64_t)INT64_MAX && at <= SIZE_MAX ? 0 : -EFBIG;
}

static void
describe_module(struct build *build, const struct ctr_module *from)
{
	struct ctr_segment_module module = {
		.name = text_of(build, from->name),
		.description = text_of(build, from->description),
		.first_scope = build->table[CTR_SEGMENT_SCOPES].count,
		.first_view = build->table[CTR_SEGMENT_VIEWS].count,
		.num_views = from->num_views,
	};

	for (unsigned int i = 0; i < from->num_views; i++) {
		const uint32_t view = text_of(build, from->views[i]);

		append(build, CTR_SEGMENT_VIEWS, &view, 1);
	}
	for (unsigned int i = 0; i < ctr_scopes_shown(from) && build->rc == 0; i++) {
		if (from->scopes[i].read == NULL)
			continue;
		describe_scope(build, from, &from->scopes[i]);
		module.num_scopes++;
	}
	append(build, CTR_SEGMENT_MODULES, &module, 1);
}

int
ctr_segment_describe(const struct ctr_module *const *modules, unsigned int count, bool views,
		     struct ctr_segment_header *header, uint8_t **directory)
{
	struct build build = { .views = views };

	append(&build, CTR_SEGMENT_TEXT, "", 1);
	for (unsigned int i = 0; i < count; i++)
		describe_module(&build, modules[i]);
	if (build.rc == 0)
		build.rc = place_all(&build, header);
	*directory = build.rc == 0 ? calloc(1, header->directory_size) : NULL;
	if (build.rc == 0 && *directory == NULL)
		build.rc = -ENOMEM;
	for (unsigned int i = 0; i < CTR_SEGMENT_TABLES; i++) {
		if (build.rc == 0 && build.table[i].count != 0)
			memcpy(*directory + header->table[i].offset, build.table[i].data,
			       (size_t)build.table[i].count * ctr_segment_entry[i]);
		free(build.table[i].data);
	}
	return build.rc;
}
