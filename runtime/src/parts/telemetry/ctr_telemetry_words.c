/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ctr_telemetry_answer.h"

int
ctr_words_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The octet at `*at`, which goes behind it; -1 for a backslash that nothing follows. */
static int
octet(const char **at)
{
	int high, low;

	if (**at != '\\')
		return (unsigned char)*(*at)++;
	if ((*at)[1] == '\\') {
		*at += 2;
		return '\\';
	}
	high = (*at)[1] == 'x' ? ctr_words_digit((*at)[2]) : -1;
	low = high >= 0 ? ctr_words_digit((*at)[3]) : -1;
	*at += low >= 0 ? 4 : 0;
	return low >= 0 ? high * 16 + low : -1;
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
	if (strlen(params) >= CTR_WORDS_ROOM) {
		ctr_page_error(page, "the parameters are too long");
		return -EINVAL;
	}
	for (;; params++) {
		char *begin = out;

		if (words->count == CTR_WORDS_MAX) {
			ctr_page_error(page, "more than %u parameters", CTR_WORDS_MAX);
			return -EINVAL;
		}
		while (*params != '\0' && *params != ',') {
			c = octet(&params);
			if (c < 0) {
				ctr_page_error(page, "write a backslash as two, others as \\xNN");
				return -EINVAL;
			}
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
	ctr_page_error(page, "nobody asked for '%.60s'", words->word[words->at].text);
	return -EINVAL;
}

bool
ctr_words_whole(const char *text, size_t length, uint64_t most, uint64_t *number)
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
ctr_words_number(struct ctr_words *words, const char *what, uint64_t otherwise, uint64_t *number,
		 struct ctr_page *page)
{
	const unsigned int at = words->at;

	*number = otherwise;
	if (at == words->count)
		return 0;
	words->at++;
	if (ctr_words_whole(words->word[at].text, words->word[at].length, UINT64_MAX, number))
		return 0;
	ctr_page_error(page, "%s is a number, not '%.60s'", what, words->word[at].text);
	return -EINVAL;
}

/* The instance of a level with the key in the next words; `outer` is the position of its parent. */
static int
find_key(struct ctr_words *words, const struct ctr_keys *keys, uint32_t outer, uint32_t *index,
	 struct ctr_page *page)
{
	union {
		uint64_t align;
		uint8_t octets[CTR_KEY_ROOM];
	} key;
	unsigned int i;

	memset(&key, 0, sizeof(key));
	for (i = 0; i < keys->num_parts; i++, words->at++) {
		const struct ctr_key_part *part = &keys->parts[i];

		if (words->at == words->count || words->word[words->at].text[0] != '=') {
			ctr_page_error(page, "the key also has %s: write =VALUE", part->name);
			return -EINVAL;
		}
		if (ctr_telemetry_part(part, words->word[words->at].text + 1,
				       words->word[words->at].length - 1, &key) != 0) {
			ctr_page_error(page, "%s cannot be '%.60s'", part->name,
				       words->word[words->at].text + 1);
			return -EINVAL;
		}
	}
	if (ctr_keys_find(keys, outer, &key, index) == 0)
		return 0;
	ctr_page_error(page, "no instance has that key");
	return -EINVAL;
}

/* The value of one index. */
static int
find_index(struct ctr_words *words, const struct ctr_scope *scope, unsigned int level,
	   uint32_t *index, struct ctr_page *page)
{
	const char *const *labels =
		scope->index_labels != NULL ? scope->index_labels[level] : NULL;
	const char *text = words->word[words->at].text;
	const size_t length = words->word[words->at++].length;
	uint64_t number;
	uint32_t i;

	for (i = 0; labels != NULL && i < scope->index_maxima[level]; i++) {
		if (strcmp(labels[i], text) == 0) {
			*index = i;
			return 0;
		}
	}
	if (!ctr_words_whole(text, length, UINT64_MAX, &number))
		ctr_page_error(page, "no %s '%.60s'", scope->index_names[level], text);
	else if (number >= scope->index_maxima[level])
		ctr_page_error(page, "%s is 0 to %u, not %.20s", scope->index_names[level],
			       scope->index_maxima[level] - 1, text);
	else
		return (void)(*index = (uint32_t)number), 0;
	return -EINVAL;
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

		if (words->at == words->count) {
			ctr_page_error(page, "which %s?", scope->index_names[level]);
			return -EINVAL;
		}
		if (keys != NULL && words->word[words->at].text[0] == '=')
			rc = find_key(words, keys, outer, &index[level], page);
		else
			rc = find_index(words, scope, level, &index[level], page);
		if (rc == 0)
			outer = outer * scope->index_maxima[level] + index[level];
	}
	return rc;
}
