/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* strnlen() */
#include <arpa/inet.h>
#include <stdio.h>

#include "ctr_key.h"
#include "ctr_type.h"
#include "ctr_values.h"

/* Longest text of a part: two digits for each octet. */
#define TEXT ((size_t)2 * CTR_KEY_ROOM)

/* ---- as sub-identifiers ---- */

static uint32_t
put_suffix(uint32_t *suffix, uint32_t at, const uint8_t *octets, size_t count, bool counted)
{
	if (counted)
		suffix[at++] = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		suffix[at++] = octets[i];
	return at;
}

static uint32_t
key_number(const struct ctr_key_part *part, const void *from)
{
	uint16_t narrow;
	uint32_t wide;

	if (part->type == CTR_KEY_PORT) {
		memcpy(&narrow, from, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, from, sizeof(wide));
	return wide;
}

static uint32_t
put_part(const struct ctr_key_part *part, const uint8_t *from, uint32_t *suffix, uint32_t at)
{
	const enum ctr_key_type type = part->type;
	struct ctr_ip_address address;

	if (type == CTR_KEY_IPV4 || type == CTR_KEY_IPV6) {
		suffix[at++] = type == CTR_KEY_IPV4 ? CTR_IP_V4 : CTR_IP_V6;
		return put_suffix(suffix, at, from, part->size, true);
	}
	if (type == CTR_KEY_IP) {
		memcpy(&address, from, sizeof(address));
		suffix[at++] = address.type;
		return put_suffix(suffix, at, address.octets, address.type == CTR_IP_V4 ? 4 : 16,
				  true);
	}
	if (type == CTR_KEY_STRING)
		return put_suffix(suffix, at, from, strnlen((const char *)from, part->size),
				  !part->whole && !part->implied);
	if (type == CTR_KEY_MAC || type == CTR_KEY_OCTETS)
		return put_suffix(suffix, at, from, part->size, false);
	suffix[at++] = key_number(part, from);
	return at;
}

uint32_t
ctr_key_suffix(const struct ctr_keys *keys, const void *key, uint32_t *suffix)
{
	uint32_t length = 0;

	for (unsigned int i = 0; i < keys->num_parts; i++) {
		const struct ctr_key_part *part = &keys->parts[i];

		length = put_part(part, (const uint8_t *)key + part->offset, suffix, length);
	}
	return length;
}

int
ctr_scope_suffix(const struct ctr_scope *scope, const uint32_t *index, uint32_t *suffix,
		 uint64_t *life)
{
	uint64_t key[CTR_KEY_ROOM / sizeof(uint64_t)], lives = 0;
	uint32_t length = 0, at = 0, one;

	for (unsigned int i = 0; i < scope->num_indexes; i++) {
		const struct ctr_keys *keys = scope->keys != NULL ? scope->keys[i] : NULL;

		at = at * scope->index_maxima[i] + index[i];
		if (keys == NULL) {
			suffix[length++] = index[i] + 1;
			continue;
		}
		if (ctr_keys_get(keys, at, key, &one) != 0)
			return -ENOENT;
		length += ctr_key_suffix(keys, key, suffix + length);
		lives += one;
	}
	if (life != NULL)
		*life = lives;
	return (int)length;
}

uint64_t
ctr_scope_life(const struct ctr_scope *scope, const uint32_t *index)
{
	uint64_t lives = 0;
	uint32_t at = 0;

	for (unsigned int i = 0; i < scope->num_indexes; i++) {
		at = at * scope->index_maxima[i] + index[i];
		if (scope->keys != NULL && scope->keys[i] != NULL)
			lives += ctr_keys_life(scope->keys[i], at);
	}
	return lives;
}

/* ---- as text ---- */

int
ctr_key_text(const struct ctr_key_part *part, const void *key, char *text, size_t room)
{
	const uint8_t *from = (const uint8_t *)key + part->offset;
	const enum ctr_key_type type = part->type;
	struct ctr_ip_address address;
	char whole[TEXT];
	int at = 0;

	if (type == CTR_KEY_STRING)
		return snprintf(text, room, "%.*s", (int)part->size, (const char *)from);
	if (type == CTR_KEY_IPV4 || type == CTR_KEY_IPV6) {
		(void)inet_ntop(type == CTR_KEY_IPV4 ? AF_INET : AF_INET6, from, whole, TEXT);
	} else if (type == CTR_KEY_IP) {
		memcpy(&address, from, sizeof(address));
		(void)inet_ntop(address.type == CTR_IP_V4 ? AF_INET : AF_INET6, address.octets,
				whole, TEXT);
	} else if (type == CTR_KEY_MAC || type == CTR_KEY_OCTETS) {
		whole[0] = '\0';
		for (uint32_t i = 0; i < part->size; i++)
			at += snprintf(whole + at, TEXT - (size_t)at, "%s%02x",
				       i != 0 && type == CTR_KEY_MAC ? ":" : "", from[i]);
	} else {
		(void)snprintf(whole, TEXT, "%lu", (unsigned long)key_number(part, from));
		for (unsigned int i = 0; i < part->num_labels; i++)
			if (part->labels[i].value == (int32_t)key_number(part, from))
				(void)snprintf(whole, TEXT, "%s", part->labels[i].name);
	}
	return snprintf(text, room, "%s", whole);
}

size_t
ctr_item_text(const struct ctr_item *item, const void *values, char *text)
{
	const struct ctr_key_part part = {
		.type = (enum ctr_key_type)ctr_type_info(item->type)->text,
		.offset = (uint32_t)item->offset,
		.size = (uint32_t)item->size,
	};
	const struct ctr_label *label;

	if (part.type != 0)
		return (size_t)ctr_key_text(&part, values, text, CTR_ITEM_TEXT);
	label = ctr_item_label(item, NULL, (int32_t)ctr_item_value(item, values));
	return (size_t)snprintf(text, CTR_ITEM_TEXT, "%s", label != NULL ? label->name : "");
}
