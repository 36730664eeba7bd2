/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors of the modules of a segment. */
#include "segments.h"
#include "ctr_histogram.h"

/* What names of metrics and labels have (OpenMetrics 1.0, "Metric names"). */
#define NAME_CHARACTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
/* Names of metrics that a schema has given may have colons. */
#define METRIC "metric "

/* A segment while it is described. `next_label` is behind all labels of former scopes. */
struct describing {
	struct ctr_om_model *model;
	const struct ctr_segment_reader *reader;
	const struct ctr_segment_scope *from;
	struct ctr_scope *to;
	uint32_t next_label;
	int rc; /* -ENOMEM or -EBADMSG once something was wrong. */
};

static void *
make(struct describing *d, size_t count, size_t size)
{
	void *made = ctr_om_alloc(d->model, count, size);

	if (made == NULL)
		d->rc = -ENOMEM;
	return made;
}

static void
require(struct describing *d, bool right)
{
	if (!right && d->rc == 0)
		d->rc = -EBADMSG;
}

static bool
is_name(const char *text, const char *characters)
{
	return text[0] != '\0' && strspn(text, characters) == strlen(text) &&
	       !(text[0] >= '0' && text[0] <= '9');
}

/* A name, of which others are made. */
static const char *
name_at(struct describing *d, uint32_t text)
{
	const char *name = ctr_segment_text(d->reader, text);

	require(d, is_name(name, NAME_CHARACTERS));
	return name;
}

static const struct ctr_segment_label *
labels_at(struct describing *d, uint32_t first, uint32_t count)
{
	const struct ctr_segment_label *labels =
		ctr_segment_table(d->reader, CTR_SEGMENT_LABELS, NULL);

	if (count != 0 && first + count > d->next_label)
		d->next_label = first + count;
	return labels + first;
}

static const struct ctr_label *
make_labels(struct describing *d, uint32_t first, uint32_t count)
{
	const struct ctr_segment_label *from = labels_at(d, first, count);
	struct ctr_label *made = make(d, count, sizeof(*made));

	for (uint32_t i = 0; i < count && d->rc == 0; i++)
		made[i] = (struct ctr_label){ .name = ctr_segment_text(d->reader, from[i].name),
					      .value = from[i].value };
	return made;
}

/* Keys of a level whose texts begin at *offset in those of a record, one behind the other. */
static const struct ctr_keys *
make_keys(struct describing *d, const struct ctr_segment_index *index, uint32_t *offset)
{
	const struct ctr_segment_part *from = ctr_segment_table(d->reader, CTR_SEGMENT_PARTS, NULL);
	struct ctr_key_part *parts = make(d, index->num_parts, sizeof(*parts));
	struct ctr_keys *made = make(d, 1, sizeof(*made));
	uint32_t i;

	for (i = 0, from += index->first_part; i < index->num_parts && d->rc == 0; i++, from++) {
		require(d, from->text == *offset && from->room % 8 == 0);
		parts[i].name = name_at(d, from->name);
		parts[i].type = CTR_KEY_STRING;
		parts[i].offset = made->size;
		parts[i].size = from->room;
		parts[i].num_labels = from->num_labels;
		parts[i].labels = make_labels(d, from->first_label, from->num_labels);
		made->size += from->room;
		*offset += from->room;
	}
	if (d->rc != 0)
		return NULL;
	made->parts = parts;
	made->num_parts = index->num_parts;
	return made;
}

static const char *const *
make_names(struct describing *d, const struct ctr_segment_index *index)
{
	const struct ctr_segment_label *from = labels_at(d, index->first_label, index->num_labels);
	const char **made = make(d, index->num_labels, sizeof(*made));

	for (uint32_t i = 0; i < index->num_labels && d->rc == 0; i++)
		made[i] = ctr_segment_text(d->reader, from[i].name);
	return made;
}

static void
make_indexes(struct describing *d)
{
	const struct ctr_segment_index *from =
		ctr_segment_table(d->reader, CTR_SEGMENT_INDEXES, NULL);
	const uint32_t count = d->from->num_indexes;
	const char **names = make(d, count, sizeof(*names));
	uint32_t *maxima = make(d, count, sizeof(*maxima)), i, offset = 0;
	const char *const **labels = make(d, count, sizeof(*labels));
	const struct ctr_keys **keys = make(d, count, sizeof(const struct ctr_keys *));

	require(d, count <= CTR_INDEXES_MAX);
	for (i = 0, from += d->from->first_index; i < count && d->rc == 0; i++, from++) {
		names[i] = name_at(d, from->name);
		maxima[i] = from->maximum;
		if (from->num_labels != 0)
			labels[i] = make_names(d, from);
		if (from->num_parts != 0)
			keys[i] = make_keys(d, from, &offset);
	}
	require(d, offset <= d->from->text_size);
	d->to->num_indexes = count;
	d->to->index_names = names;
	d->to->index_maxima = maxima;
	d->to->index_labels = labels;
	d->to->keys = offset != 0 ? keys : NULL;
}

static void
make_items(struct describing *d)
{
	const struct ctr_segment_item *from = ctr_segment_table(d->reader, CTR_SEGMENT_ITEMS, NULL);
	struct ctr_item *made = make(d, d->from->num_items, sizeof(*made));
	uint32_t i;

	d->to->num_items = d->from->num_items;
	for (i = 0, from += d->from->first_item; i < d->to->num_items && d->rc == 0; i++, from++) {
		made[i].name = name_at(d, from->name);
		made[i].unit = ctr_segment_text(d->reader, from->unit);
		made[i].description = ctr_segment_text(d->reader, from->description);
		made[i].kind = (enum ctr_kind)from->kind;
		made[i].type = (enum ctr_type)from->type;
		made[i].width = from->width;
		made[i].offset = from->offset;
		made[i].size = from->size;
		made[i].available = from->available;
		made[i].source = (enum ctr_source)from->source;
		made[i].num_labels = from->num_labels;
		made[i].labels = make_labels(d, from->first_label, from->num_labels);
	}
	d->to->items = made;
}

/* Whether buckets, and a sum, are an array of counters of 64 bits, as the library has it. */
static bool
is_row(const struct ctr_item *items, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last + 1; i++)
		if (items[i].type != CTR_U64 ||
		    (i <= last && items[i].offset != items[first].offset + (size_t)(i - first) * 8))
			return false;
	return true;
}

static bool
ascend(const uint64_t *bounds, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (bounds[i] <= bounds[i - 1])
			return false;
	return true;
}

static void
make_histograms(struct describing *d)
{
	const struct ctr_segment_histogram *from =
		ctr_segment_table(d->reader, CTR_SEGMENT_HISTOGRAMS, NULL);
	const uint64_t *bounds = ctr_segment_table(d->reader, CTR_SEGMENT_BOUNDS, NULL);
	const uint32_t count = d->from->num_histograms;
	struct ctr_histogram *made = make(d, count, sizeof(*made));
	const struct ctr_histogram **all = make(d, count, sizeof(const struct ctr_histogram *));
	uint32_t i;

	for (i = 0, from += d->from->first_histogram; i < count && d->rc == 0; i++, from++) {
		const uint32_t last = from->item + from->num_bounds;

		require(d, last + 1 < d->to->num_items && is_row(d->to->items, from->item, last) &&
				   ascend(bounds + from->first_bound, from->num_bounds));
		if (d->rc != 0)
			return;
		made[i].name = name_at(d, from->name);
		made[i].unit = ctr_segment_text(d->reader, from->unit);
		made[i].description = ctr_segment_text(d->reader, from->description);
		made[i].bounds = bounds + from->first_bound;
		made[i].num_bounds = from->num_bounds;
		made[i].item = from->item;
		made[i].first = d->to->items[from->item].offset;
		made[i].sum = d->to->items[last + 1].offset;
		all[i] = &made[i];
	}
	d->to->histograms = all;
	d->to->num_histograms = count;
}

/* Texts to display: labels behind all others of the scope. */
static void
make_displays(struct describing *d)
{
	const uint32_t count = d->from->num_displays, first = d->next_label;
	struct ctr_display *made = make(d, count, sizeof(*made));
	const struct ctr_segment_label *from;
	uint32_t total;

	(void)ctr_segment_table(d->reader, CTR_SEGMENT_LABELS, &total);
	require(d, count <= total && first <= total - count);
	from = labels_at(d, first, count);
	for (uint32_t i = 0; i < count && d->rc == 0; i++) {
		made[i].of = ctr_segment_text(d->reader, from[i].name);
		made[i].text = ctr_segment_text(d->reader, (uint32_t)from[i].value);
		require(d, strncmp(made[i].of, METRIC, strlen(METRIC)) != 0 ||
				   is_name(made[i].text, NAME_CHARACTERS ":"));
	}
	d->to->displays = made;
	d->to->num_displays = count;
}

int
describe(struct ctr_om_model *model, const struct ctr_segment_reader *reader,
	 const struct ctr_module *const **modules, unsigned int *num_modules)
{
	struct describing d = { .model = model, .reader = reader };
	uint32_t count;
	const struct ctr_segment_module *from =
		ctr_segment_table(reader, CTR_SEGMENT_MODULES, &count);
	const struct ctr_segment_scope *scopes =
		ctr_segment_table(reader, CTR_SEGMENT_SCOPES, NULL);
	struct ctr_module *made = make(&d, count, sizeof(*made));
	const struct ctr_module **all = make(&d, count, sizeof(const struct ctr_module *));

	for (uint32_t m = 0; m < count && d.rc == 0; m++, from++) {
		struct ctr_scope *to = make(&d, from->num_scopes, sizeof(*to));

		made[m].name = name_at(&d, from->name);
		made[m].description = ctr_segment_text(reader, from->description);
		made[m].scopes = to;
		made[m].num_scopes = from->num_scopes;
		all[m] = &made[m];
		for (uint32_t s = 0; s < from->num_scopes && d.rc == 0; s++) {
			d.from = &scopes[from->first_scope + s];
			d.to = &to[s];
			d.to->name = name_at(&d, d.from->name);
			d.to->description = ctr_segment_text(reader, d.from->description);
			d.to->strategy = ctr_segment_text(reader, d.from->strategy);
			d.to->storage = (enum ctr_storage)d.from->storage;
			d.to->value_size = d.from->value_size;
			make_indexes(&d);
			make_items(&d);
			make_histograms(&d);
			make_displays(&d);
		}
	}
	*modules = all;
	*num_modules = d.rc == 0 ? count : 0;
	return d.rc;
}
