/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_telemetry_reply.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr.h"
#include "ctr_key.h"
#include "ctr_type.h"

CTR_STATIC_ASSERT(CTR_REPLY_NAMES + 4 <= RTE_TEL_MAX_DICT_ENTRIES, "names of a dictionary");
CTR_STATIC_ASSERT(CTR_REPLY_TEXT <= RTE_TEL_MAX_STRING_LEN, "octets of a text");

/* For /next and /error. */
#define RESERVE ((size_t)2 * (CTR_REPLY_VALUE + 8))
/* What JSON adds to a name and its value, and digits of a number. */
#define AROUND 6u
#define DIGITS 20u
/* Octets of JSON of an entry, at most. */
#define ENTRY (CTR_REPLY_TEXT + AROUND + CTR_REPLY_VALUE)
/* Digits of an index, and what is between two. */
#define INDEX_ROOM 11u

/* ---- entries of a reply ---- */

/* Octets of a text in JSON. */
static size_t
json_length(const char *text)
{
	size_t length;

	for (length = 0; *text != '\0'; text++)
		length += *text == '"' || *text == '\\' ? 2 : 1;
	return length;
}

/* Whether there is room for `names` more, which take `json` octets. */
static bool
reply_fits(const struct ctr_reply *reply, size_t names, size_t json)
{
	return reply->names + names <= CTR_REPLY_NAMES &&
	       reply->json + json + RESERVE <= CTR_REPLY_JSON;
}

/* Account for an entry whose value takes so many octets; false: there is no room. */
static bool
take(struct ctr_reply *reply, const char *name, size_t json)
{
	json += strlen(name) + AROUND;
	if (strlen(name) >= CTR_REPLY_TEXT || !reply_fits(reply, 1, json))
		return false;
	reply->names++;
	reply->json += json;
	return true;
}

bool
ctr_reply_number(struct ctr_reply *reply, const char *name, uint64_t number, bool is_signed)
{
	if (!take(reply, name, DIGITS))
		return false;
	if (is_signed)
		return rte_tel_data_add_dict_int(reply->data, name, (int)(int64_t)number) == 0;
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	return rte_tel_data_add_dict_uint(reply->data, name, number) == 0;
#else
	return rte_tel_data_add_dict_u64(reply->data, name, number) == 0;
#endif
}

/* A text as printable ASCII, of up to CTR_REPLY_TEXT octets with its end. */
static void
legible(const char *text, size_t length, char *out)
{
	static const char dots[] = "...";
	size_t at, used = 0, whole = 0;
	char shown[8];

	for (at = 0; at < length; at++) {
		const unsigned char octet = (unsigned char)text[at];

		if (octet < 0x20 || octet > 0x7e)
			snprintf(shown, sizeof(shown), "\\x%02x", (unsigned int)octet);
		else
			snprintf(shown, sizeof(shown), octet == '\\' ? "\\\\" : "%c", octet);
		if (used + strlen(shown) >= CTR_REPLY_TEXT) {
			memcpy(out + whole, dots, sizeof(dots));
			return;
		}
		memcpy(out + used, shown, strlen(shown));
		used += strlen(shown);
		whole = used + sizeof(dots) <= CTR_REPLY_TEXT ? used : whole;
	}
	out[used] = '\0';
}

bool
ctr_reply_text(struct ctr_reply *reply, const char *name, const char *text, size_t length)
{
	char shown[CTR_REPLY_TEXT];

	legible(text, length, shown);
	return take(reply, name, json_length(shown)) &&
	       rte_tel_data_add_dict_string(reply->data, name, shown) == 0;
}

int
ctr_reply_last(struct ctr_reply *reply, const char *name, const char *format, ...)
{
	char text[CTR_REPLY_TEXT * 2], shown[CTR_REPLY_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	legible(text, strlen(text), shown);
	(void)rte_tel_data_add_dict_string(reply->data, name, shown);
	reply->failed |= strcmp(name, "/error") == 0;
	return -EINVAL;
}

/* ---- instances ---- */

/* An instance that is put into a reply. */
struct instance {
	const struct ctr_telemetry_walk *walk;
	struct ctr_reply *reply;
	uint32_t index[CTR_INDEXES_MAX];
	char prefix[CTR_INDEXES_MAX * INDEX_ROOM + 1]; /* Of names: "7/" */
	void *values;
};

static bool
put_item(const struct instance *at, const struct ctr_item *item)
{
	const struct ctr_type_info *type = ctr_type_info(item->type);
	uint64_t number = ctr_item_value(item, at->values);
	char name[2 * CTR_REPLY_TEXT], text[CTR_ITEM_TEXT];

	if (at->walk->of == CTR_TELEMETRY_LCORE && item->kind != CTR_COUNTER)
		return true;
	if (!ctr_item_available(item, at->values))
		return true;
	snprintf(name, sizeof(name), "%s%s", at->prefix, item->name);
	if (item->type == CTR_ENUM || type->text != 0)
		return ctr_reply_text(at->reply, name, text, ctr_item_text(item, at->values, text));
	if (item->type == CTR_TIMESTAMP && number != 0)
		number += at->reply->clock_ns;
	return ctr_reply_number(at->reply, name, number, type->is_signed);
}

/* The parts of the keys of all levels, as "/key/7/0/imsi". */
static bool
put_keys(const struct instance *in)
{
	const struct ctr_scope *scope = in->walk->scope;
	char name[2 * CTR_REPLY_TEXT], text[CTR_KEY_ROOM * 2 + 1];
	uint64_t key[CTR_KEY_ROOM / sizeof(uint64_t)];
	uint32_t at = 0;
	int wide;

	for (unsigned int level = 0; scope->keys != NULL && level < scope->num_indexes; level++) {
		const struct ctr_keys *keys = scope->keys[level];

		at = at * scope->index_maxima[level] + in->index[level];
		if (keys == NULL || ctr_keys_get(keys, at, key, NULL) != 0)
			continue;
		for (unsigned int i = 0; i < keys->num_parts; i++) {
			snprintf(name, sizeof(name), "/key/%s%u/%s", in->prefix, level,
				 keys->parts[i].name);
			wide = ctr_key_text(&keys->parts[i], key, text, sizeof(text));
			if (!ctr_reply_text(in->reply, name, text, (size_t)wide))
				return false;
		}
	}
	return true;
}

static int
read_values(struct instance *at)
{
	const struct ctr_telemetry_walk *walk = at->walk;
	int rc = -EAGAIN;

	for (unsigned int i = 0; i < CTR_EAGAIN_TRIES && rc == -EAGAIN; i++) {
		if (walk->of == CTR_TELEMETRY_LCORE)
			rc = walk->scope->lcore_read(walk->number, at->index, at->values);
		else if (walk->of == CTR_TELEMETRY_VIEW && walk->scope->view_read != NULL)
			rc = walk->scope->view_read(walk->number, at->index, at->values);
		else
			rc = walk->scope->read(at->index, at->values);
	}
	return rc == -EAGAIN ? 0 : rc;
}

/* Put the items of an instance from `item` on, if it exists; returns the first without room. */
static unsigned int
put_instance(struct instance *at, unsigned int item)
{
	const struct ctr_module *module = at->walk->module;
	const struct ctr_scope *scope = at->walk->scope;
	bool room = true;

	module->read_lock();
	if (read_values(at) != 0)
		item = scope->num_items;
	else if (item == 0)
		room = put_keys(at);
	while (room && item < scope->num_items) {
		room = put_item(at, &scope->items[item]);
		item += room ? 1 : 0;
	}
	module->read_unlock();
	return item;
}

/* Entries of an instance, at most. */
static size_t
count_entries(const struct ctr_scope *scope)
{
	size_t count = scope->num_items;

	for (unsigned int level = 0; scope->keys != NULL && level < scope->num_indexes; level++)
		count += scope->keys[level] != NULL ? scope->keys[level]->num_parts : 0;
	return count;
}

/* The indexes of an instance as the prefix of names. */
static void
set_prefix(struct instance *at)
{
	size_t used = 0;

	for (unsigned int i = 0; i < at->walk->scope->num_indexes; i++)
		used += (size_t)snprintf(at->prefix + used, sizeof(at->prefix) - used,
					 "%" PRIu32 "/", at->index[i]);
}

uint64_t
ctr_telemetry_put(const struct ctr_telemetry_walk *walk, struct ctr_reply *reply, uint64_t at,
		  unsigned int item, uint64_t end)
{
	const struct ctr_scope *scope = walk->scope;
	const size_t entries = count_entries(scope);
	struct instance in = { .walk = walk, .reply = reply };
	uint64_t next = UINT64_MAX;
	unsigned int reached;

	in.values = calloc(1, scope->value_size);
	if (in.values == NULL)
		ctr_reply_error(reply, "no memory");
	for (; in.values != NULL && next == UINT64_MAX; at++, item = 0) {
		at = ctr_scope_next(scope, at);
		if (at >= end)
			break;
		if (reply->names > 0 && !reply_fits(reply, entries, entries * ENTRY)) {
			next = at * scope->num_items;
			break;
		}
		ctr_scope_indexes(scope, at, in.index);
		set_prefix(&in);
		reached = put_instance(&in, item);
		if (reached < scope->num_items && reply->names == 0) {
			ctr_reply_error(reply, "%s is too long", scope->items[reached].name);
			break;
		}
		if (reached < scope->num_items)
			next = at * scope->num_items + reached;
	}
	free(in.values);
	return next;
}
