/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a telemetry command: words between commas, and what they name. */
#ifndef CTR_TELEMETRY_WORDS_H
#define CTR_TELEMETRY_WORDS_H

#include "ctr_key.h"
#include "ctr_module.h"
#include "ctr_telemetry_page.h"

/* Octets of all parameters; the library reads up to 1023 with the command. */
#define CTR_WORDS_ROOM 1024u
#define CTR_WORDS_MAX 64u
/* Most indexes of a scope that telemetry shows. */
#define CTR_WORDS_LEVELS 11u

struct ctr_words {
	unsigned int count;
	unsigned int at; /* The word that is to be read next. */
	struct {
		const char *text; /* Terminated; \xNN and \\ of ctr_page_text() decoded. */
		size_t length;    /* It may have a 0 inside. */
	} word[CTR_WORDS_MAX];
	char room[CTR_WORDS_ROOM + CTR_WORDS_MAX];
};

/* Each returns 0, or -EINVAL with the reason as the error of the page. NULL has no words. */
int ctr_words_split(struct ctr_words *words, const char *params, struct ctr_page *page);
/* Nothing is left. */
int ctr_words_end(const struct ctr_words *words, struct ctr_page *page);
/* The next word as a number; `otherwise` if there is none. */
int ctr_words_number(struct ctr_words *words, const char *what, uint64_t otherwise,
		     uint64_t *number, struct ctr_page *page);
/* The next words as an instance: of each index a number or a label, of what has a key the number,
 * or its parts with a = before each.
 */
int ctr_words_instance(struct ctr_words *words, const struct ctr_scope *scope, uint32_t *index,
		       struct ctr_page *page);

/* The next word, or NULL. */
static inline const char *
ctr_words_next(struct ctr_words *words)
{
	return words->at < words->count ? words->word[words->at++].text : NULL;
}

/* A text of digits alone as a number up to `most`. */
bool ctr_words_whole(const char *text, size_t length, uint64_t most, uint64_t *number);
/* The value of a hexadecimal digit, or -1. */
int ctr_words_digit(char c);

/* Read a part of a key as ctr_key_text() writes it. -EINVAL if it is no such thing. */
int ctr_telemetry_part(const struct ctr_key_part *part, const char *text, size_t length,
		       void *key);

#endif /* CTR_TELEMETRY_WORDS_H */
