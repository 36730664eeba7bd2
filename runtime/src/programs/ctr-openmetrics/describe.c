/* SPDX-License-Identifier: BSD-3-Clause */
#include "describe.h"
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
	bool invalid; /* A name is none. */
};

static const char *
text_at(const struct describing *d, uint32_t text)
{
	return ctr_segment_text(d->reader, text);
}

static bool
is_name(const char *text, const char *characters)
{
	return text[0] != '\0' && strspn(text, characters) == strlen(text) &&
	       !(text[0] >= '0' && text[0] <= '9');
}

/* A name, of which others are made; another text makes the segment an invalid one. */
static const char *
name_at(struct describing *d, uint32_t text)
{
	const char *name = ctr_segment_text(d->reader, text);

	d->invalid |= !is_name(name, NAME_CHARACTERS);
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

static int
make_labels(struct describing *d, uint32_t first, uint32_t count, const struct ctr_label **labels)
{
	const struct ctr_segment_label *from = labels_at(d, first, count);
	struct ctr_label *made = ctr_om_alloc(d->model, count, sizeof(*made));
	uint32_t i;

	*labels = made;
	for (i = 0; i < count && made != NULL; i++) {
		made[i].name = text_at(d, from[i].name);
		made[i].value = from[i].value;
	}
	return made != NULL ? 0 : -ENOMEM;
}

/* Keys of a level whose texts begin at *offset in those of a record, one behind the other. */
static int
make_keys(struct describing *d, const struct ctr_segment_index *index, uint32_t *offset,
	  const struct ctr_keys **keys)
{
	const struct ctr_segment_part *from = ctr_segment_table(d->reader, CTR_SEGMENT_PARTS, NULL);
	struct ctr_key_part *parts = ctr_om_alloc(d->model, index->num_parts, sizeof(*parts));
	struct ctr_keys *made = ctr_om_alloc(d->model, 1, sizeof(*made));
	uint32_t i;
	int rc = 0;

	if (parts == NULL || made == NULL)
		return -ENOMEM;
	for (i = 0, from += index->first_part; i < index->num_parts && rc == 0; i++, from++) {
		if (from->text != *offset || from->room % 8 != 0)
			return -EBADMSG;
		parts[i].name = name_at(d, from->name);
		parts[i].type = CTR_KEY_STRING;
		parts[i].offset = made->size;
		parts[i].size = from->room;
		parts[i].num_labels = from->num_labels;
		rc = make_labels(d, from->first_label, from->num_labels, &parts[i].labels);
		made->size += from->room;
		*offset += from->room;
	}
	made->parts = parts;
	made->num_parts = index->num_parts;
	*keys = made;
	return rc;
}

static int
make_names(struct describing *d, const struct ctr_segment_index *index,
	   const char *const **names)
{
	const struct ctr_segment_label *from = labels_at(d, index->first_label, index->num_labels);
	const char **made = ctr_om_alloc(d->model, index->num_labels, sizeof(*made));
	uint32_t i;

	*names = made;
	for (i = 0; i < index->num_labels && made != NULL; i++)
		made[i] = text_at(d, from[i].name);
	return made != NULL ? 0 : -ENOMEM;
}

static int
make_indexes(struct describing *d)
{
	const struct ctr_segment_index *from =
		ctr_segment_table(d->reader, CTR_SEGMENT_INDEXES, NULL);
	const uint32_t count = d->from->num_indexes;
	const char **names = ctr_om_alloc(d->model, count, sizeof(*names));
	uint32_t *maxima = ctr_om_alloc(d->model, count, sizeof(*maxima)), i, offset = 0;
	const char *const **labels = ctr_om_alloc(d->model, count, sizeof(*labels));
	const struct ctr_keys **keys =
		ctr_om_alloc(d->model, count, sizeof(const struct ctr_keys *));
	int rc = 0;

	if (count > CTR_INDEXES_MAX)
		return -EBADMSG;
	if (names == NULL || maxima == NULL || labels == NULL || keys == NULL)
		return -ENOMEM;
	for (i = 0, from += d->from->first_index; i < count && rc == 0; i++, from++) {
		names[i] = name_at(d, from->name);
		maxima[i] = from->maximum;
		if (from->num_labels != 0)
			rc = make_names(d, from, &labels[i]);
		if (rc == 0 && from->num_parts != 0)
			rc = make_keys(d, from, &offset, &keys[i]);
	}
	d->to->num_indexes = count;
	d->to->index_names = names;
	d->to->index_maxima = maxima;
	d->to->index_labels = labels;
	d->to->keys = offset != 0 ? keys : NULL;
	return rc != 0 || offset <= d->from->text_size ? rc : -EBADMSG;
}

static int
make_items(struct describing *d)
{
	const struct ctr_segment_item *from = ctr_segment_table(d->reader, CTR_SEGMENT_ITEMS, NULL);
	struct ctr_item *made = ctr_om_alloc(d->model, d->from->num_items, sizeof(*made));
	uint32_t i;
	int rc = made != NULL ? 0 : -ENOMEM;

	for (i = 0, from += d->from->first_item; i < d->from->num_items && rc == 0; i++, from++) {
		made[i].name = name_at(d, from->name);
		made[i].unit = text_at(d, from->unit);
		made[i].description = text_at(d, from->description);
		made[i].kind = (enum ctr_kind)from->kind;
		made[i].type = (enum ctr_type)from->type;
		made[i].width = from->width;
		made[i].offset = from->offset;
		made[i].size = from->size;
		made[i].available = from->available;
		made[i].source = (enum ctr_source)from->source;
		made[i].num_labels = from->num_labels;
		rc = make_labels(d, from->first_label, from->num_labels, &made[i].labels);
	}
	d->to->items = made;
	d->to->num_items = d->from->num_items;
	return rc;
}

/* Whether buckets are an array of counters of 64 bits, as the library has it. */
static bool
is_row(const struct ctr_item *items, uint32_t first, uint32_t last)
{
	uint32_t i;

	for (i = first; i <= last + 1; i++)
		if (items[i].type != CTR_U64 ||
		    (i <= last && items[i].offset != items[first].offset + (size_t)(i - first) * 8))
			return false;
	return true;
}

static bool
ascend(const uint64_t *bounds, uint32_t count)
{
	uint32_t i;

	for (i = 1; i < count; i++)
		if (bounds[i] <= bounds[i - 1])
			return false;
	return true;
}

static int
make_histograms(struct describing *d)
{
	const struct ctr_segment_histogram *from =
		ctr_segment_table(d->reader, CTR_SEGMENT_HISTOGRAMS, NULL);
	const uint64_t *bounds = ctr_segment_table(d->reader, CTR_SEGMENT_BOUNDS, NULL);
	const uint32_t count = d->from->num_histograms;
	struct ctr_histogram *made = ctr_om_alloc(d->model, count, sizeof(*made));
	const struct ctr_histogram **all =
		ctr_om_alloc(d->model, count, sizeof(const struct ctr_histogram *));
	uint32_t i;

	if (made == NULL || all == NULL)
		return -ENOMEM;
	for (i = 0, from += d->from->first_histogram; i < count; i++, from++) {
		const uint32_t last = from->item + from->num_bounds;

		if (last + 1 >= d->to->num_items || !is_row(d->to->items, from->item, last) ||
		    !ascend(bounds + from->first_bound, from->num_bounds))
			return -EBADMSG;
		made[i].name = name_at(d, from->name);
		made[i].unit = text_at(d, from->unit);
		made[i].description = text_at(d, from->description);
		made[i].bounds = bounds + from->first_bound;
		made[i].num_bounds = from->num_bounds;
		made[i].item = from->item;
		made[i].first = d->to->items[from->item].offset;
		made[i].sum = d->to->items[last + 1].offset;
		all[i] = &made[i];
	}
	d->to->histograms = all;
	d->to->num_histograms = count;
	return 0;
}

/* Texts to display: labels behind all others of the scope. */
static int
make_displays(struct describing *d)
{
	const uint32_t count = d->from->num_displays, first = d->next_label;
	struct ctr_display *made = ctr_om_alloc(d->model, count, sizeof(*made));
	const struct ctr_segment_label *from;
	uint32_t total, i;

	(void)ctr_segment_table(d->reader, CTR_SEGMENT_LABELS, &total);
	if (count > total || first > total - count)
		return -EBADMSG;
	from = labels_at(d, first, count);
	for (i = 0; i < count && made != NULL; i++) {
		made[i].of = text_at(d, from[i].name);
		made[i].text = text_at(d, (uint32_t)from[i].value);
		if (strncmp(made[i].of, METRIC, strlen(METRIC)) == 0)
			d->invalid |= !is_name(made[i].text, NAME_CHARACTERS ":");
	}
	d->to->displays = made;
	d->to->num_displays = count;
	return made != NULL ? 0 : -ENOMEM;
}

static int
make_scope(struct describing *d)
{
	int rc;

	d->to->name = name_at(d, d->from->name);
	d->to->description = text_at(d, d->from->description);
	d->to->strategy = text_at(d, d->from->strategy);
	d->to->storage = (enum ctr_storage)d->from->storage;
	d->to->value_size = d->from->value_size;
	rc = make_indexes(d);
	rc = rc != 0 ? rc : make_items(d);
	rc = rc != 0 ? rc : make_histograms(d);
	rc = rc != 0 ? rc : make_displays(d);
	return rc == 0 && d->invalid ? -EBADMSG : rc;
}

int
describe(struct ctr_om_model *model, const struct ctr_segment_reader *reader,
	 const struct ctr_module *const **modules, unsigned int *num_modules)
{
	struct describing d = { .model = model, .reader = reader };
	uint32_t count, m, s;
	const struct ctr_segment_module *from =
		ctr_segment_table(reader, CTR_SEGMENT_MODULES, &count);
	const struct ctr_segment_scope *scopes =
		ctr_segment_table(reader, CTR_SEGMENT_SCOPES, NULL);
	struct ctr_module *made = ctr_om_alloc(model, count, sizeof(*made));
	const struct ctr_module **all =
		ctr_om_alloc(model, count, sizeof(const struct ctr_module *));
	int rc = made != NULL && all != NULL ? 0 : -ENOMEM;

	for (m = 0; m < count && rc == 0; m++, from++) {
		struct ctr_scope *to = ctr_om_alloc(model, from->num_scopes, sizeof(*to));

		made[m].name = name_at(&d, from->name);
		made[m].description = text_at(&d, from->description);
		made[m].scopes = to;
		made[m].num_scopes = from->num_scopes;
		all[m] = &made[m];
		rc = to != NULL ? 0 : -ENOMEM;
		for (s = 0; s < from->num_scopes && rc == 0; s++) {
			d.from = &scopes[from->first_scope + s];
			d.to = &to[s];
			rc = make_scope(&d);
		}
	}
	*modules = all;
	*num_modules = rc == 0 ? count : 0;
	return rc;
}
