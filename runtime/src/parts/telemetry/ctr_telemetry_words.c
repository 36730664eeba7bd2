/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "ctr_telemetry_answer.h"

/* The octet of two hexadecimal digits, or -1. */
static int
hexadecimal_octet(const char *text)
{
	static const char digits[] = "00112233445566778899AaBbCcDdEeFf";
	const char *high = text[0] != '\0' ? strchr(digits, text[0]) : NULL;
	const char *low = high != NULL && text[1] != '\0' ? strchr(digits, text[1]) : NULL;

	return low != NULL ? (int)((high - digits) / 2 * 16 + (low - digits) / 2) : -1;
}

/* The octet at `*at`, which goes behind it; -1 for a backslash that nothing follows. */
static int
octet(const char **at)
{
	int value;

	if (**at != '\\')
		return (unsigned char)*(*at)++;
	if ((*at)[1] == '\\') {
		*at += 2;
		return '\\';
	}
	value = (*at)[1] == 'x' ? hexadecimal_octet(*at + 2) : -1;
	*at += value >= 0 ? 4 : 0;
	return value;
}

int
ctr_words_split(struct ctr_words *words, const char *params, struct ctr_page *page)
{
	char *out = words->room;
	int c;

	words->count = 0;
	words->at = 0;
	if (params == NULL || *params == '\0')
		return 0;
	if (strlen(params) >= CTR_WORDS_ROOM)
		return ctr_page_error(page, "the parameters are too long");
	for (;; params++) {
		char *begin = out;

		if (words->count == CTR_WORDS_MAX)
			return ctr_page_error(page, "more than %u parameters", CTR_WORDS_MAX);
		while (*params != '\0' && *params != ',') {
			c = octet(&params);
			if (c < 0)
				return ctr_page_error(page, "write a backslash as two, "
							    "others as \\xNN");
			*out++ = (char)c;
		}
		words->word[words->count].text = begin;
		words->word[words->count++].length = (size_t)(out - begin);
		*out++ = '\0';
		if (*params == '\0')
			return 0;
	}
}

int
ctr_words_end(const struct ctr_words *words, struct ctr_page *page)
{
	if (words->at == words->count)
		return 0;
	return ctr_page_error(page, "unexpected parameter '%.60s'", words->word[words->at].text);
}

/* A text of digits alone as a number up to `most`. */
static bool
whole_number(const char *text, size_t length, uint64_t most, uint64_t *number)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		const uint64_t units = (uint64_t)(unsigned char)text[i] - '0';

		if (units > 9 || units > most || value > (most - units) / 10)
			return false;
		value = value * 10 + units;
	}
	*number = value;
	return length > 0;
}

int
ctr_words_number(struct ctr_words *words, const char *what, uint64_t *number,
		 struct ctr_page *page)
{
	const unsigned int at = words->at;

	*number = 0;
	if (at == words->count)
		return 0;
	words->at++;
	if (whole_number(words->word[at].text, words->word[at].length, UINT64_MAX, number))
		return 0;
	return ctr_page_error(page, "%s is a number, not '%.60s'", what, words->word[at].text);
}

int
ctr_words_start(struct ctr_words *words, uint64_t *start, struct ctr_page *page)
{
	const int rc = ctr_words_number(words, "where to start", start, page);

	return rc != 0 ? rc : ctr_words_end(words, page);
}

/* ---- keys, as ctr_key_text() writes their parts ---- */

static bool
read_label(const struct ctr_key_part *part, const char *text, uint8_t *out)
{
	const struct ctr_item item = { .labels = part->labels, .num_labels = part->num_labels };
	const struct ctr_label *label = ctr_item_label(&item, text, 0);

	if (label != NULL)
		memcpy(out, &label->value, sizeof(label->value));
	return label != NULL;
}

static bool
read_address(const char *text, uint8_t *out)
{
	struct ctr_ip_address address;

	memset(&address, 0, sizeof(address));
	address.type = strchr(text, ':') != NULL ? CTR_IP_V6 : CTR_IP_V4;
	if (inet_pton(address.type == CTR_IP_V6 ? AF_INET6 : AF_INET, text, address.octets) != 1)
		return false;
	memcpy(out, &address, sizeof(address));
	return true;
}

/* Octets as hexadecimal digits, with `between` between each two, or 0. */
static bool
read_octets(const char *text, char between, uint8_t *out, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const int value = hexadecimal_octet(text);

		if (value < 0)
			return false;
		out[i] = (uint8_t)value;
		text += 2;
		if (between != '\0' && i + 1 < count && *text++ != between)
			return false;
	}
	return *text == '\0';
}

/* Read a part; false if it is no such thing. */
static bool
read_part(const struct ctr_key_part *part, const char *text, size_t length, void *key)
{
	uint8_t *out = (uint8_t *)key + part->offset;
	uint64_t most = UINT32_MAX, value;
	uint32_t number;
	uint16_t port;

	if (strlen(text) != length)
		return false;
	switch (part->type) {
	case CTR_KEY_UINT32:
	case CTR_KEY_INT32:
	case CTR_KEY_PORT:
		if (part->type != CTR_KEY_UINT32)
			most = part->type == CTR_KEY_PORT ? UINT16_MAX : INT32_MAX;
		if (!whole_number(text, length, most, &value))
			return false;
		number = (uint32_t)value;
		port = (uint16_t)value;
		memcpy(out, part->type == CTR_KEY_PORT ? (const void *)&port : &number, part->size);
		return true;
	case CTR_KEY_ENUM:
		return read_label(part, text, out);
	case CTR_KEY_IPV4:
		return inet_pton(AF_INET, text, out) == 1;
	case CTR_KEY_IPV6:
		return inet_pton(AF_INET6, text, out) == 1;
	case CTR_KEY_IP:
		return read_address(text, out);
	case CTR_KEY_MAC:
		return read_octets(text, ':', out, part->size);
	case CTR_KEY_OCTETS:
		return read_octets(text, '\0', out, part->size);
	case CTR_KEY_STRING:
	default:
		if (length == 0 || length >= part->size)
			return false;
		memcpy(out, text, length);
		return true;
	}
}

/* The instance of a level with the key in the next words; `outer` is the position of its parent. */
static int
find_key(struct ctr_words *words, const struct ctr_keys *keys, uint32_t outer, uint32_t *index,
	 struct ctr_page *page)
{
	uint64_t key[CTR_KEY_ROOM / sizeof(uint64_t)] = { 0 };
	const char *text;
	unsigned int i;

	for (i = 0; i < keys->num_parts; i++) {
		const struct ctr_key_part *part = &keys->parts[i];

		text = ctr_words_next(words);
		if (text == NULL || text[0] != '=')
			return ctr_page_error(page, "the key also has %s: write =VALUE", part->name);
		if (!read_part(part, text + 1, words->word[words->at - 1].length - 1, key))
			return ctr_page_error(page, "%s cannot be '%.60s'", part->name, text + 1);
	}
	if (ctr_keys_find(keys, outer, key, index) == 0)
		return 0;
	return ctr_page_error(page, "no instance has that key");
}

/* ---- instances ---- */

/* The value of one index. */
static int
find_index(struct ctr_words *words, const struct ctr_scope *scope, unsigned int level,
	   uint32_t *index, struct ctr_page *page)
{
	const char *name = scope->index_names[level], *text = words->word[words->at].text;
	const size_t length = words->word[words->at++].length;
	uint64_t number;

	if (ctr_label_find(scope, name, text, NULL, index) == 0)
		return 0;
	if (!whole_number(text, length, UINT64_MAX, &number))
		return ctr_page_error(page, "no %s '%.60s'", name, text);
	if (number >= scope->index_maxima[level])
		return ctr_page_error(page, "%s is 0 to %u, not %.20s", name,
				      scope->index_maxima[level] - 1, text);
	*index = (uint32_t)number;
	return 0;
}

int
ctr_words_instance(struct ctr_words *words, const struct ctr_scope *scope, uint32_t *index,
		   struct ctr_page *page)
{
	uint32_t outer = 0;
	unsigned int level;
	int rc = 0;

	for (level = 0; level < scope->num_indexes && rc == 0; level++) {
		const struct ctr_keys *keys = scope->keys != NULL ? scope->keys[level] : NULL;

		if (words->at == words->count)
			return ctr_page_error(page, "which %s?", scope->index_names[level]);
		if (keys != NULL && words->word[words->at].text[0] == '=')
			rc = find_key(words, keys, outer, &index[level], page);
		else
			rc = find_index(words, scope, level, &index[level], page);
		if (rc == 0)
			outer = outer * scope->index_maxima[level] + index[level];
	}
	return rc;
}
