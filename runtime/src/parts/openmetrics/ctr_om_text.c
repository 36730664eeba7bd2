/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of metrics: OpenMetrics 1.0.0, and the older format of Prometheus. A piece is all that an
 * instance has in a family. It is written again for each page that it is in. */
#include "ctr_om.h"

#include <inttypes.h>

#include "ctr_type.h"

/* Room for the text of a part of a key. */
#define KEY_TEXT (2u * CTR_KEY_ROOM + 1u)

/* A page while it is written. */
struct out {
	char *at;
	size_t left; /* Bytes of the page. */
	size_t skip; /* Octets of the piece that are on former pages. */
	size_t size; /* Octets of the piece. */
};

static void
om_put(struct out *out, const char *text, size_t size)
{
	const size_t former = out->skip < size ? out->skip : size;

	out->size += size;
	out->skip -= former;
	size -= former;
	size = size < out->left ? size : out->left;
	if (size == 0)
		return;
	memcpy(out->at, text + former, size);
	out->at += size;
	out->left -= size;
}

static void
om_put_text(struct out *out, const char *text)
{
	om_put(out, text, strlen(text));
}

static void
put_number(struct out *out, uint64_t number)
{
	char digits[20], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	om_put(out, at, (size_t)(digits + sizeof(digits) - at));
}

/* A time in seconds. */
static void
om_put_time(struct out *out, uint64_t ns)
{
	char fraction[16];

	put_number(out, ns / CTR_SECOND_NS);
	(void)snprintf(fraction, sizeof(fraction), ".%09u", (unsigned int)(ns % CTR_SECOND_NS));
	om_put_text(out, fraction);
}

/* Room for bound_text(). */
#define BOUND_TEXT 40u

/* A bound as a number with a fraction, in as few digits as it takes. */
static const char *
bound_text(uint64_t bound, char *text)
{
	const double number = (double)bound;
	int digits = number < 1e16 ? 17 : 1;

	(void)snprintf(text, BOUND_TEXT, "%.1f", number);
	for (; digits < 17; digits++) {
		(void)snprintf(text, BOUND_TEXT, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return text;
}

/* Octets of the character in UTF-8 at `at`, which ends in 0; 0: it is none. */
static unsigned int
utf8(const uint8_t *at)
{
	unsigned int octets, i;
	uint32_t code = at[0];

	if (code < 0x80)
		return 1;
	if (code < 0xc2 || code > 0xf4)
		return 0;
	octets = 2u + (code >= 0xe0) + (code >= 0xf0);
	for (code &= 0x7fu >> octets, i = 1; i < octets; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fu);
	}
	if ((octets == 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) ||
	    (octets == 4 && (code < 0x10000 || code > 0x10ffff)))
		return 0;
	return octets;
}

/* Escape a label or, without `quoted`, a help text of the older format. Octets that are not UTF-8
 * become \xff, and the backslash of text like that \x5c. */
static void
put_escaped(struct out *out, const char *text, bool quoted)
{
	const char *run = text;
	char octet[8];

	while (*text != '\0') {
		const unsigned int octets = utf8((const uint8_t *)text);

		if (octets != 0 && *text != '\\' && *text != '\n' && (*text != '"' || !quoted)) {
			text += octets;
			continue;
		}
		om_put(out, run, (size_t)(text - run));
		if (octets == 0) {
			(void)snprintf(octet, sizeof(octet), "\\\\x%02x", (uint8_t)*text);
			om_put_text(out, octet);
		} else if (*text != '\\') {
			om_put_text(out, *text == '\n' ? "\\n" : "\\\"");
		} else {
			om_put_text(out, "\\\\");
			if (text[1] == 'x' && strspn(text + 2, "0123456789abcdef") >= 2)
				om_put_text(out, "x5c");
		}
		run = ++text;
	}
	om_put(out, run, (size_t)(text - run));
}

/* ---- labels ---- */

static void
om_put_label(struct out *out, const char *name, const char *value)
{
	om_put_text(out, name);
	om_put(out, "=\"", 2);
	put_escaped(out, value, true);
	om_put(out, "\"", 1);
}

/* A part of a key, or its text to display. */
static void
put_key(struct out *out, const struct ctr_om_label *label, const void *key)
{
	const struct ctr_key_part *part = label->part;
	char text[KEY_TEXT];
	const char *shown = text;

	(void)ctr_key_text(part, key, text, sizeof(text));
	for (unsigned int i = 0; label->texts != NULL && i < part->num_labels && shown == text; i++)
		if (strcmp(part->labels[i].name, text) == 0)
			shown = label->texts[i];
	put_escaped(out, shown, true);
}

static void
put_labels(struct out *out, const struct ctr_om_scope *place, const uint8_t *row)
{
	const struct ctr_om_label *label = place->labels, *end = label + place->num_labels;
	struct ctr_om_instance instance;
	uint32_t index[CTR_INDEXES_MAX];

	memcpy(&instance, row, sizeof(instance));
	ctr_scope_indexes(place->scope, instance.at, index);
	om_put_label(out, "application", place->app->name);
	for (; label < end; label++) {
		om_put(out, ",", 1);
		om_put_text(out, label->name);
		om_put(out, "=\"", 2);
		if (label->part == NULL && label->texts != NULL)
			put_escaped(out, label->texts[index[label->level]], true);
		else if (label->part == NULL)
			put_number(out, index[label->level]);
		else if ((instance.keyed >> label->level & 1) != 0)
			put_key(out, label, row + place->keys + place->key_at[label->level]);
		om_put(out, "\"", 1);
	}
}

/* ---- samples ---- */

/* A sample of a row while it is written. */
struct sample {
	struct out *out;
	const struct ctr_om_family *family;
	const struct ctr_om_member *member;
	const uint8_t *row;
};

/* All of a line in front of its value; the last label is `name`, unless NULL. */
static void
put_series(const struct sample *sample, const char *suffix, const char *name, const char *value)
{
	om_put_text(sample->out, sample->family->name);
	om_put_text(sample->out, suffix);
	om_put(sample->out, "{", 1);
	put_labels(sample->out, sample->member->scope, sample->row);
	if (name != NULL) {
		om_put(sample->out, ",", 1);
		om_put_label(sample->out, name, value);
	}
	om_put(sample->out, "} ", 2);
}

static void
put_line(const struct sample *sample, const char *suffix, uint64_t value)
{
	put_series(sample, suffix, NULL, NULL);
	put_number(sample->out, value);
	om_put(sample->out, "\n", 1);
}

static void
put_created(const struct sample *sample)
{
	struct ctr_om_instance instance;

	memcpy(&instance, sample->row, sizeof(instance));
	if (!sample->member->created || instance.since_ns == 0)
		return;
	put_series(sample, "_created", NULL, NULL);
	om_put_time(sample->out, instance.since_ns);
	om_put(sample->out, "\n", 1);
}

static void
put_histogram(const struct sample *sample, const void *values)
{
	const struct ctr_histogram *histogram = sample->member->histogram;
	const struct ctr_item *items = sample->member->scope->scope->items;
	char bound[BOUND_TEXT];
	uint64_t count = 0, own;

	for (unsigned int i = 0; i <= histogram->num_bounds + 1; i++)
		if (!ctr_item_available(&items[histogram->item + i], values))
			return;
	for (unsigned int i = 0; i <= histogram->num_bounds; i++) {
		own = ctr_histogram_bucket(histogram, values, i);
		count = own > UINT64_MAX - count ? UINT64_MAX : count + own; /* a corrupt segment */
		put_series(sample, "_bucket", "le",
			   i < histogram->num_bounds ? bound_text(histogram->bounds[i], bound) :
						       "+Inf");
		put_number(sample->out, count);
		om_put(sample->out, "\n", 1);
	}
	put_line(sample, "_count", count);
	put_line(sample, "_sum", ctr_histogram_sum(histogram, values));
}

/* Text of a number, or whether an enum has a value. */
static void
put_state(const struct sample *sample, const void *values)
{
	const struct ctr_item *item = sample->member->item;
	const uint64_t number = ctr_item_value(item, values);
	char text[CTR_ITEM_TEXT];

	if (sample->family->type == CTR_OM_INFO) {
		(void)ctr_item_text(item, values, text);
		put_series(sample, "_info", sample->member->key, text);
		om_put(sample->out, "1\n", 2);
		return;
	}
	if (ctr_item_label(item, NULL, (int32_t)number) == NULL)
		return;
	for (unsigned int i = 0; i < item->num_labels; i++) {
		put_series(sample, "", sample->member->key, sample->member->texts[i]);
		om_put(sample->out, item->labels[i].value == (int32_t)number ? "1\n" : "0\n", 2);
	}
}

static void
put_gauge(const struct sample *sample, const void *values, const struct ctr_om_app *app)
{
	const struct ctr_item *item = sample->member->item;
	const uint64_t number = ctr_item_value(item, values);
	bool negative;

	if (item->type == CTR_TIMESTAMP && number == 0)
		return;
	put_series(sample, "", NULL, NULL);
	negative = ctr_type_info(item->type)->is_signed && (int64_t)number < 0;
	om_put(sample->out, "-", negative);
	if (item->type == CTR_TIMESTAMP)
		om_put_time(sample->out, number + app->clock_ns);
	else
		put_number(sample->out, negative ? -number : number);
	om_put(sample->out, "\n", 1);
}

/* All samples of a row, or the time of its creation alone. */
static void
put_sample(const struct sample *sample, bool open, bool later)
{
	const struct ctr_om_member *member = sample->member;
	const void *values = sample->row + sizeof(struct ctr_om_instance);
	const size_t before = sample->out->size;

	if (member->item != NULL && !ctr_item_available(member->item, values))
		return;
	if (later)
		put_created(sample);
	else if (member->item == NULL)
		put_histogram(sample, values);
	else if (sample->family->type == CTR_OM_COUNTER)
		put_line(sample, "_total", ctr_item_value(member->item, values));
	else if (sample->family->type == CTR_OM_GAUGE)
		put_gauge(sample, values, member->scope->app);
	else
		put_state(sample, values);
	if (open && !later && sample->out->size != before)
		put_created(sample);
}

/* The beginning of a line about a family. */
static void
put_head(struct out *out, const char *what, const char *name, const char *suffix)
{
	om_put_text(out, what);
	om_put_text(out, name);
	om_put_text(out, suffix);
	om_put(out, " ", 1);
}

static void
put_heads(struct out *out, const struct ctr_om_family *family, bool open, bool later)
{
	static const char *const types[] = {
		[CTR_OM_COUNTER] = "counter",
		[CTR_OM_GAUGE] = "gauge",
		[CTR_OM_INFO] = "info",
		[CTR_OM_STATESET] = "stateset",
		[CTR_OM_HISTOGRAM] = "histogram",
	};
	const bool plain = family->type == CTR_OM_INFO || family->type == CTR_OM_STATESET;
	const char *suffix = "";

	if (later)
		suffix = "_created";
	else if (!open && family->type == CTR_OM_COUNTER)
		suffix = "_total";
	else if (!open && family->type == CTR_OM_INFO)
		suffix = "_info";
	put_head(out, "# HELP ", family->name, suffix);
	put_escaped(out, family->help, open);
	if (family->unit[0] != '\0' && strcmp(family->unit, "1") != 0) {
		om_put(out, " [", 2);
		put_escaped(out, family->unit, open);
		om_put(out, "]", 1);
	}
	om_put(out, "\n", 1);
	put_head(out, "# TYPE ", family->name, suffix);
	om_put_text(out, later || (!open && plain) ? "gauge" : types[family->type]);
	om_put(out, "\n", 1);
}

/* ---- facts about the server ---- */

static void
put_fact_head(struct out *out, const char *name, const char *help)
{
	const struct ctr_om_family family = { name, CTR_OM_GAUGE, help, "", NULL, 0 };

	put_heads(out, &family, true, false);
}

/* A sample of an application, and of a scope of it unless NULL; its value is a text. */
static void
om_put_fact(struct out *out, const char *name, const struct ctr_om_app *app,
	    const struct ctr_om_scope *place, const char *value)
{
	om_put_text(out, name);
	om_put(out, "{", 1);
	om_put_label(out, "application", app->name);
	if (place != NULL) {
		om_put(out, ",", 1);
		om_put_label(out, "module", place->module->name);
		om_put(out, ",", 1);
		om_put_label(out, "scope", place->scope->name);
	}
	om_put(out, "} ", 2);
	om_put_text(out, value);
	om_put(out, "\n", 1);
}

static void
put_facts(struct out *out, const struct ctr_om_facts *facts, const struct ctr_om_cursor *cursor)
{
	static const char up[] = "ctrgen_application_up", age[] = "ctrgen_published_age_seconds",
			  part[] = "ctrgen_scope_left_out", blank[] = "ctrgen_instances_left_out";
	const struct ctr_om_app *app = facts->feed->apps, *end = app + facts->feed->num_apps;
	const struct ctr_om_scope *const scopes = facts->model->scopes, *place;
	const struct ctr_om_scope *const last = scopes + facts->model->num_scopes;
	char text[128];

	put_fact_head(out, up, "Whether the application could be read.");
	for (; app < end; app++)
		om_put_fact(out, up, app, NULL, app->up ? "1" : "0");
	put_fact_head(out, age, "Time since the application published in its segment.");
	for (app = facts->feed->apps; app < end; app++) {
		(void)snprintf(text, sizeof(text), "%.6f", app->age_s);
		if (app->age_s >= 0)
			om_put_fact(out, age, app, NULL, text);
	}
	put_fact_head(out, part, "Scopes shown in part: too many series.");
	for (place = scopes; place < last; place++)
		if (place->rows[cursor->copy].found > place->rows[cursor->copy].num)
			om_put_fact(out, part, place->app, place, "1");
	put_fact_head(out, blank, "Instances that have counted nothing yet, or have no key.");
	for (place = scopes; place < last; place++) {
		(void)snprintf(text, sizeof(text), "%" PRIu64, place->rows[cursor->copy].left_out);
		if (place->rows[cursor->copy].left_out != 0)
			om_put_fact(out, blank, place->app, place, text);
	}
	put_fact_head(out, "ctrgen_metric_left_out", "Metrics whose names are taken elsewhere.");
	(void)snprintf(text, sizeof(text), "ctrgen_metric_left_out %u\n", facts->model->clashes);
	om_put_text(out, text);
	put_fact_head(out, "ctrgen_collect_seconds", "Time that reading all of this took.");
	(void)snprintf(text, sizeof(text), "ctrgen_collect_seconds %.6f\n", facts->seconds);
	om_put_text(out, text);
}

/* ---- pages ---- */

/* Write the piece at the cursor; a family without samples has no head. */
static void
put_piece(struct out *out, const struct ctr_om_facts *facts, const struct ctr_om_cursor *cursor)
{
	const struct ctr_om_family *family;
	const struct ctr_om_rows *rows;
	struct out first = { .at = NULL };
	struct sample sample;

	if (cursor->family == 0) {
		put_facts(out, facts, cursor);
		return;
	}
	if (cursor->family > facts->model->num_families) {
		if (cursor->open)
			om_put_text(out, "# EOF\n");
		return;
	}
	family = &facts->model->families[cursor->family - 1];
	sample.member = &family->members[cursor->member];
	rows = &sample.member->scope->rows[cursor->copy];
	if (cursor->row >= rows->num)
		return;
	sample.family = family;
	sample.row = rows->data + (size_t)cursor->row * sample.member->scope->stride;
	if (!cursor->headed) {
		sample.out = &first;
		put_sample(&sample, cursor->open, cursor->later);
		if (first.size != 0)
			put_heads(out, family, cursor->open, cursor->later);
	}
	sample.out = out;
	put_sample(&sample, cursor->open, cursor->later);
}

/* Go on behind the piece at the cursor, which had `size` octets. */
static void
advance(const struct ctr_om_model *model, struct ctr_om_cursor *cursor, size_t size)
{
	const struct ctr_om_family *family;

	cursor->offset = 0;
	if (cursor->family == 0 || cursor->family > model->num_families) {
		cursor->done = cursor->family > model->num_families;
		cursor->family++;
		return;
	}
	family = &model->families[cursor->family - 1];
	cursor->headed = cursor->headed || size != 0;
	if (++cursor->row < family->members[cursor->member].scope->rows[cursor->copy].num)
		return;
	cursor->row = 0;
	if (++cursor->member < family->num_members)
		return;
	cursor->member = 0;
	cursor->headed = false;
	cursor->later = !cursor->open && !cursor->later &&
			(family->type == CTR_OM_COUNTER || family->type == CTR_OM_HISTOGRAM);
	cursor->family += !cursor->later;
}

size_t
ctr_om_render(const struct ctr_om_facts *facts, struct ctr_om_cursor *cursor, char *text,
	      size_t room)
{
	struct out out = { .at = text, .left = room };
	size_t here;

	while (!cursor->done && out.left != 0) {
		here = out.left;
		out.skip = cursor->offset;
		out.size = 0;
		put_piece(&out, facts, cursor);
		here -= out.left;
		if (out.size > cursor->offset + here) {
			cursor->offset += here;
			break;
		}
		advance(facts->model, cursor, out.size);
	}
	return room - out.left;
}
