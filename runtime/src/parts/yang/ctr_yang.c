/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ctr.h"
#include "ctr_yang.h"

/* What is being written: `between` is what goes before the next member. */
struct text {
	FILE *out;
	const char *between;
	uint64_t now_ns;  /* ctr_time_ns(), */
	uint64_t wall_ns; /* and the time of day then */
};

/* Octets of the character of UTF-8 at `at`, or 0 for what YANG has in no string. */
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
	octets = 2;
	if (code >= 0xe0)
		octets = code >= 0xf0 ? 4 : 3;
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
	const uint64_t ago_ns = (int64_t)(text->now_ns - when_ns) > 0 ? text->now_ns - when_ns : 0;
	const uint64_t wall_ns = ago_ns < text->wall_ns ? text->wall_ns - ago_ns : 0;
	const time_t seconds = (time_t)(wall_ns / 1000000000u);
	char day[32];
	struct tm tm;

	if (when_ns == 0 || gmtime_r(&seconds, &tm) == NULL)
		return;
	put_name(text, name);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(text->out, "\"%s.%06uZ\"", day, (unsigned int)(wall_ns % 1000000000u / 1000u));
}

static void
put_label(struct text *text, const char *name, const struct ctr_label *labels, unsigned int count,
	  int64_t value)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (labels[i].value == value) {
			put_name(text, name);
			fprintf(text->out, "\"%s\"", labels[i].name);
			return;
		}
	}
}

/* Octets of an item that is no number, as text. */
static void
put_octet_leaf(struct text *text, const char *name, const struct ctr_item *item, const void *values)
{
	const uint8_t *octets = (const uint8_t *)values + item->offset;
	char shown[INET6_ADDRSTRLEN] = "";

	put_name(text, name);
	if (item->type == CTR_STRING) {
		put_string(text->out, (const char *)octets,
			   strnlen((const char *)octets, item->size));
		return;
	}
	if (item->type == CTR_MAC)
		snprintf(shown, sizeof(shown), "%02x:%02x:%02x:%02x:%02x:%02x", octets[0],
			 octets[1], octets[2], octets[3], octets[4], octets[5]);
	else
		inet_ntop(item->type == CTR_IPV6 ? AF_INET6 : AF_INET, octets, shown,
			  sizeof(shown));
	fprintf(text->out, "\"%s\"", shown);
}

static void
put_leaf(struct text *text, const struct ctr_yang_leaf *leaf, const struct ctr_item *item,
	 const void *values)
{
	const char *quote = leaf->quoted ? "\"" : "";
	uint64_t n;

	if (!ctr_item_available(item, values))
		return;
	if (item->type >= CTR_IPV4 && item->type <= CTR_STRING) {
		put_octet_leaf(text, leaf->name, item, values);
		return;
	}
	n = ctr_item_value(item, values);
	if (item->type == CTR_TIMESTAMP) {
		put_time(text, leaf->name, n);
	} else if (leaf->labels != NULL) {
		put_label(text, leaf->name, leaf->labels, leaf->num_labels, (int64_t)n);
	} else if (item->type == CTR_BOOL) {
		put_name(text, leaf->name);
		fputs(n != 0 ? "true" : "false", text->out);
	} else if (item->type == CTR_I32 || item->type == CTR_ENUM) {
		put_name(text, leaf->name);
		fprintf(text->out, "%s%" PRId64 "%s", quote, (int64_t)n, quote);
	} else {
		put_name(text, leaf->name);
		fprintf(text->out, "%s%" PRIu64 "%s", quote, n, quote);
	}
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
put_entry(struct text *text, const struct ctr_yang *yang, const struct ctr_yang_node *node,
	     uint32_t at, uint32_t *index, void *values, const char *before)
{
	const struct ctr_scope *scope = &yang->module->scopes[node->scope];
	uint64_t jumped_ns = 0;
	uint32_t rest = at;
	unsigned int i;
	int rc = -EAGAIN;

	for (i = scope->num_indexes; i-- > 0; rest /= scope->index_maxima[i])
		index[i] = rest % scope->index_maxima[i];
	yang->module->read_lock();
	for (i = 0; i < CTR_EAGAIN_TRIES && rc == -EAGAIN; i++)
		rc = scope->read(index, values);
	if (node->discontinuity != NULL && scope->discontinuity_ns != NULL &&
	    *scope->discontinuity_ns != NULL)
		jumped_ns = __atomic_load_n(&(*scope->discontinuity_ns)[at], __ATOMIC_RELAXED);
	yang->module->read_unlock();
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
put_node(struct text *text, const struct ctr_yang *yang, const struct ctr_yang_node *node,
	 bool *any)
{
	const struct ctr_scope *scope = &yang->module->scopes[node->scope];
	const bool list = scope->num_indexes != 0;
	uint32_t *index = calloc(scope->num_indexes + 1u, sizeof(*index));
	void *values = calloc(1, scope->value_size);
	uint32_t total = 1, at;
	char before[160];
	bool found = false;
	unsigned int i;
	int rc = 0;

	if (index == NULL || values == NULL)
		rc = -ENOMEM;
	for (i = 0; i < scope->num_indexes; i++)
		total *= scope->index_maxima[i];
	snprintf(before, sizeof(before), "%s\n    \"%s\": %s", *any ? "," : "", node->name,
		 list ? "[\n      " : "");
	for (at = 0; rc == 0 && at < total && !ferror(text->out); at++) {
		if (scope->next != NULL)
			at = scope->next(at);
		if (at < total && put_entry(text, yang, node, at, index, values,
					       found ? ",\n      " : before))
			found = true;
	}
	if (list && found)
		fputs("\n    ]", text->out);
	*any = *any || found;
	free(values);
	free(index);
	return rc;
}

int
ctr_yang_write(const struct ctr_yang *yang, FILE *out)
{
	struct text text = { out, "", 0, 0 };
	struct timespec wall = { 0, 0 };
	bool any = false;
	unsigned int i;
	int rc = 0;

	if (yang == NULL || out == NULL)
		return -EINVAL;
	clock_gettime(CLOCK_REALTIME, &wall);
	text.now_ns = ctr_time_ns();
	text.wall_ns = (uint64_t)wall.tv_sec * 1000000000u + (uint64_t)wall.tv_nsec;
	fprintf(out, "{\n  \"%s:%s\": {", yang->name, yang->name);
	for (i = 0; i < yang->num_nodes && rc == 0; i++)
		rc = put_node(&text, yang, &yang->nodes[i], &any);
	fputs(any ? "\n  }\n}\n" : "}\n}\n", out);
	if (rc == 0 && (fflush(out) != 0 || ferror(out)))
		rc = -EIO;
	return rc;
}
