/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ctr.h"
#include "ctr_yang.h"
#include "ctr_type.h"

/* The output; `between` precedes the next member. */
struct text {
	FILE *out;
	const char *between;
	uint64_t zero_ns; /* The time of day when ctr_time_ns() was 0. */
};

/* Octets of the UTF-8 character at `at`; 0 if YANG allows it in no string. */
static unsigned int
character(const uint8_t *at, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned int octets, i;
	uint32_t code = at[0];

	if (code < 0x80)
		return code >= 0x20 && code != 0x7f ? 1 : 0;
	if (code < 0xc2 || code > 0xf4)
		return 0;
	octets = 2u + (code >= 0xe0) + (code >= 0xf0);
	if (octets > left)
		return 0;
	code &= 0x7fu >> octets;
	for (i = 1; i < octets; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fu);
	}
	if (code < least[octets] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ||
	    (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe)
		return 0;
	return octets;
}

static void
put_string(FILE *out, const char *value, size_t length)
{
	const uint8_t *at = (const uint8_t *)value;
	size_t i, octets;

	fputc('"', out);
	for (i = 0; i < length; i += octets) {
		octets = character(at + i, length - i);
		if (octets == 0) {
			octets = 1;
			fputs("\xef\xbf\xbd", out);
			continue;
		}
		if (at[i] == '"' || at[i] == '\\')
			fputc('\\', out);
		fwrite(at + i, 1, octets, out);
	}
	fputc('"', out);
}

static void
put_name(struct text *text, const char *name)
{
	fprintf(text->out, "%s\"%s\": ", text->between, name);
	text->between = ", ";
}

/* A time of ctr_time_ns() as one of the day. */
static void
put_time(struct text *text, const char *name, uint64_t when_ns)
{
	const uint64_t wall_ns = text->zero_ns + when_ns;
	const time_t seconds = (time_t)(wall_ns / CTR_SECOND_NS);
	char day[32];
	struct tm tm;

	if (when_ns == 0 || gmtime_r(&seconds, &tm) == NULL)
		return;
	put_name(text, name);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(text->out, "\"%s.%06uZ\"", day, (unsigned int)(wall_ns % CTR_SECOND_NS / 1000u));
}

static void
put_label(struct text *text, const char *name, const struct ctr_label *labels, unsigned int count,
	  int64_t value)
{
	const struct ctr_item item = { .labels = labels, .num_labels = count };
	const struct ctr_label *label = ctr_item_label(&item, NULL, (int32_t)value);

	if (label != NULL) {
		put_name(text, name);
		fprintf(text->out, "\"%s\"", label->name);
	}
}

static void
put_leaf(struct text *text, const struct ctr_yang_leaf *leaf, const struct ctr_item *item,
	 const void *values)
{
	const struct ctr_type_info *type = ctr_type_info(item->type);
	const char *quote = leaf->quoted ? "\"" : "";
	const uint64_t n = ctr_item_value(item, values);
	char shown[CTR_ITEM_TEXT];

	if (!ctr_item_available(item, values))
		return;
	if (item->type == CTR_TIMESTAMP) {
		put_time(text, leaf->name, n);
		return;
	}
	if (leaf->labels != NULL) {
		put_label(text, leaf->name, leaf->labels, leaf->num_labels, (int64_t)n);
		return;
	}
	put_name(text, leaf->name);
	if (type->text != 0)
		put_string(text->out, shown, ctr_item_text(item, values, shown));
	else if (item->type == CTR_BOOL)
		fputs(n != 0 ? "true" : "false", text->out);
	else if (type->is_signed)
		fprintf(text->out, "%s%" PRId64 "%s", quote, (int64_t)n, quote);
	else
		fprintf(text->out, "%s%" PRIu64 "%s", quote, n, quote);
}

static void
put_key_leaves(struct text *text, const struct ctr_yang_key *keys, const uint32_t *index,
	       unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (keys[i].labels != NULL) {
			put_label(text, keys[i].name, keys[i].labels, keys[i].num_labels,
				  (int64_t)index[i] + 1);
			continue;
		}
		put_name(text, keys[i].name);
		fprintf(text->out, "%" PRIu64, (uint64_t)index[i] + 1);
	}
}

/* An instance as an object; `at` is its position. False if there is none. */
static bool
put_entry(struct text *text, const struct ctr_module *module, const struct ctr_yang_node *node,
	  uint64_t at, void *values, const char *before)
{
	const struct ctr_scope *scope = &module->scopes[node->scope];
	uint32_t index[CTR_INDEXES_MAX];
	uint64_t jumped_ns;
	unsigned int i;
	int rc;

	ctr_scope_indexes(scope, at, index);
	module->read_lock();
	rc = ctr_scope_read(scope, index, values);
	jumped_ns = ctr_scope_since(scope, at);
	module->read_unlock();
	if (rc != 0 && rc != -EAGAIN)
		return false;

	fprintf(text->out, "%s{", before);
	text->between = "";
	put_key_leaves(text, node->keys, index, scope->num_indexes);
	for (i = 0; i < node->num_leaves; i++)
		put_leaf(text, &node->leaves[i], &scope->items[node->leaves[i].item], values);
	if (node->discontinuity != NULL)
		put_time(text, node->discontinuity, jumped_ns);
	fputc('}', text->out);
	return true;
}

static int
put_node(struct text *text, const struct ctr_module *module, const struct ctr_yang_node *node,
	 bool *any)
{
	const struct ctr_scope *scope = &module->scopes[node->scope];
	const bool list = scope->num_indexes != 0;
	const uint64_t total = ctr_scope_total(scope);
	void *values = calloc(1, scope->value_size);
	char before[160];
	bool found = false;
	uint64_t at;

	if (values == NULL)
		return -ENOMEM;
	snprintf(before, sizeof(before), "%s\n    \"%s\": %s", *any ? "," : "", node->name,
		 list ? "[\n      " : "");
	for (at = 0; (at = ctr_scope_next(scope, at)) < total && !ferror(text->out); at++)
		if (put_entry(text, module, node, at, values, found ? ",\n      " : before))
			found = true;
	if (list && found)
		fputs("\n    ]", text->out);
	*any = *any || found;
	free(values);
	return 0;
}

int
ctr_yang_write(const struct ctr_yang *yang, FILE *out)
{
	struct text text = { out, "", 0 };
	bool any = false;
	unsigned int i;
	int rc = 0;

	if (yang == NULL || out == NULL)
		return -EINVAL;
	text.zero_ns = ctr_unix_ns() - ctr_time_ns();
	fprintf(out, "{\n  \"%s:%s\": {", yang->name, yang->name);
	for (i = 0; i < yang->num_nodes && rc == 0; i++)
		rc = put_node(&text, yang->module, &yang->nodes[i], &any);
	fputs(any ? "\n  }\n}\n" : "}\n}\n", out);
	if (rc == 0 && (fflush(out) != 0 || ferror(out)))
		rc = -EIO;
	return rc;
}
