/* SPDX-License-Identifier: BSD-3-Clause */
/* What telemetry answers of a module, without DPDK: ctr_telemetry.c makes replies of the pages. */
#ifndef CTR_TELEMETRY_ANSWER_H
#define CTR_TELEMETRY_ANSWER_H

#include "ctr_key.h"
#include "ctr_module.h"
#include "ctr_telemetry_page.h"

/* ---- the parameters of a command: words between commas, and what they name ---- */

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

/* ---- answers ---- */

/* A module, and what is to be known about it. */
struct ctr_telemetry_source {
	const struct ctr_module *module;
	bool resets;            /* Whether resets are allowed. */
	uint64_t start_unix_ns; /* The time of day when it was registered, */
	uint64_t start_ns;      /* and ctr_time_ns() then. */
};

/* Commands behind the name of the module. The rest are scopes. */
extern const char *const ctr_telemetry_commands[];
extern const unsigned int ctr_telemetry_num_commands;

/* Whether a word is one of them. */
bool ctr_telemetry_is_command(const char *word);

/* Answer "/MODULE/command,params" for a module that is initialised; params may be NULL. */
void ctr_telemetry_answer(const struct ctr_telemetry_source *source, const char *command,
			  const char *params, struct ctr_page *page);

/* A time of ctr_time_ns() as Unix time in nanoseconds; 0 for 0. */
uint64_t ctr_telemetry_unix_ns(const struct ctr_telemetry_source *source, uint64_t time_ns);

/* Possible instances of a scope. */
static inline uint64_t
ctr_telemetry_total(const struct ctr_scope *scope)
{
	uint64_t total = 1;
	unsigned int i;

	for (i = 0; i < scope->num_indexes; i++)
		total *= scope->index_maxima[i];
	return total;
}

/* The indexes of a position. */
static inline void
ctr_telemetry_indexes(const struct ctr_scope *scope, uint64_t at, uint32_t *index)
{
	unsigned int i;

	for (i = scope->num_indexes; i-- > 0; at /= scope->index_maxima[i])
		index[i] = (uint32_t)(at % scope->index_maxima[i]);
}

/* ---- the answers, each in its own file ---- */

enum ctr_telemetry_of {
	CTR_TELEMETRY_ALL,
	CTR_TELEMETRY_LCORE,
	CTR_TELEMETRY_VIEW
};

/* What is read of instances. */
struct ctr_telemetry_what {
	enum ctr_telemetry_of of;
	unsigned int number; /* Of the lcore or view. */
	const char *before;  /* Words before the scope in /next: the lcore or view, a comma. */
};

/* The instances of the scope in the words, and where to start. */
void ctr_telemetry_stats(const struct ctr_telemetry_source *source,
			 const struct ctr_telemetry_what *what, struct ctr_words *words,
			 struct ctr_page *page);
/* One instance; `named`: /next has the name of the scope. */
void ctr_telemetry_instance(const struct ctr_telemetry_source *source,
			    const struct ctr_scope *scope, bool named, struct ctr_words *words,
			    struct ctr_page *page);
void ctr_telemetry_info(const struct ctr_telemetry_source *source, struct ctr_words *words,
			struct ctr_page *page);
void ctr_telemetry_list(const struct ctr_telemetry_source *source, struct ctr_words *words,
			struct ctr_page *page);
void ctr_telemetry_reset(const struct ctr_telemetry_source *source, struct ctr_words *words,
			 struct ctr_page *page);
/* The next word as a view of the module; -EINVAL, with an error. */
int ctr_telemetry_view(const struct ctr_telemetry_source *source, struct ctr_words *words,
		       unsigned int *view, struct ctr_page *page);

#endif /* CTR_TELEMETRY_ANSWER_H */
