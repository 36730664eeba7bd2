/* SPDX-License-Identifier: BSD-3-Clause */
/* Telemetry replies of a module, without DPDK: ctr_telemetry.c converts pages to rte_tel_data. */
#ifndef CTR_TELEMETRY_ANSWER_H
#define CTR_TELEMETRY_ANSWER_H

#include "ctr_key.h"
#include "ctr_values.h"

/* ---- a page: the contents of one reply. The library silently truncates texts and omits entries
 * beyond its limits; a page reports that it is full ----
 */

/* Most names of a dictionary; the library has 256. What is left is for /next and /error. */
#define CTR_PAGE_NAMES 250u
/* Most lines; the library has 512 elements of an array. */
#define CTR_PAGE_LINES 500u
/* Bytes of a text with its end; the library's RTE_TEL_MAX_STRING_LEN. */
#define CTR_PAGE_TEXT 128u
/* Octets of JSON; the library has 16384, of which up to 64 are the command. */
#define CTR_PAGE_JSON 15872u

enum ctr_page_type {
	CTR_PAGE_NUMBER, /* uint64_t */
	CTR_PAGE_SIGNED, /* int32_t */
	CTR_PAGE_STRING, /* text of a name */
	CTR_PAGE_LINE    /* text without a name */
};

struct ctr_page_entry {
	enum ctr_page_type type;
	const char *name; /* In `texts`, as `text`. */
	const char *text;
	uint64_t number;
};

/* How much of a page is in use. */
struct ctr_page_mark {
	unsigned int entries;
	unsigned int lines;
	size_t json;
	size_t used;
};

struct ctr_page {
	struct ctr_page_mark in;
	struct ctr_page_entry entry[CTR_PAGE_NAMES + CTR_PAGE_LINES + 2];
	char texts[2 * CTR_PAGE_JSON];
};

/* Add an entry: true, or false if the page has no room for it. Names are cut nowhere: one that is
 * too long does not fit either.
 */
bool ctr_page_add(struct ctr_page *page, enum ctr_page_type type, const char *name,
		  const char *text, uint64_t number);
/* Likewise a text of any octets as printable ASCII, others and backslashes as in C (\x0a, \\). One
 * that is longer than the library's goes on under name/1, name/2 ...
 */
bool ctr_page_text(struct ctr_page *page, const char *name, const char *text, size_t length);

/* As much of a text as ctr_page_text() shows in `room` bytes; returns how many octets that is. */
size_t ctr_page_piece(const char *text, size_t length, char *out, size_t room);

/* /next and /error, for which there is always room, once each; what is too long is cut. -EINVAL. */
int ctr_page_last(struct ctr_page *page, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define ctr_page_error(page, ...) ctr_page_last(page, "/error", __VA_ARGS__)

/* ---- the parameters of a command: words between commas, and what they name ---- */

/* Octets of all parameters; the library reads up to 1023 with the command. */
#define CTR_WORDS_ROOM 1024u
#define CTR_WORDS_MAX 64u

struct ctr_words {
	unsigned int count;
	unsigned int at; /* The next word to read. */
	struct {
		const char *text; /* Terminated; \xNN and \\ of ctr_page_text() decoded. */
		size_t length;    /* It may have a 0 inside. */
	} word[CTR_WORDS_MAX];
	char room[CTR_WORDS_ROOM + CTR_WORDS_MAX];
};

/* Each returns 0, or -EINVAL with the reason as the error of the page. NULL has no words. */
int ctr_words_split(struct ctr_words *words, const char *params, struct ctr_page *page);
/* The next word as a number; 0 if there is none. */
int ctr_words_number(struct ctr_words *words, const char *what, uint64_t *number,
		     struct ctr_page *page);
/* The last word as the number where to start, 0 without one. */
int ctr_words_start(struct ctr_words *words, uint64_t *start, struct ctr_page *page);
/* Check that no word is left. */
int ctr_words_end(const struct ctr_words *words, struct ctr_page *page);
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

/* ---- answers ---- */

/* A registered module. */
struct ctr_telemetry_source {
	const struct ctr_module *module;
	bool resets;            /* Whether resets are allowed. */
	uint64_t start_unix_ns; /* The time of day when it was registered, */
	uint64_t start_ns;      /* and ctr_time_ns() then. */
};

/* Answer "/MODULE/command,params" for a module that is initialised; params may be NULL. */
void ctr_telemetry_answer(const struct ctr_telemetry_source *source, const char *name,
			  const char *params, struct ctr_page *page);

/* One answer. */
typedef void (*ctr_telemetry_fn)(const struct ctr_telemetry_source *source,
				 struct ctr_words *words, struct ctr_page *page);

/* A command behind the name of the module. */
struct ctr_telemetry_command {
	const char *name, *help;
	ctr_telemetry_fn answer;
};

/* All of them. Other words are scopes. */
#define CTR_TELEMETRY_COMMANDS 7u
extern const struct ctr_telemetry_command ctr_telemetry_commands[CTR_TELEMETRY_COMMANDS];

/* The command of that name, or NULL. */
const struct ctr_telemetry_command *ctr_telemetry_command(const char *name);

/* Which values of instances are read. */
enum ctr_telemetry_of {
	CTR_TELEMETRY_ALL,
	CTR_TELEMETRY_LCORE,
	CTR_TELEMETRY_VIEW
};

/* The instances of the scope in the words, and where to start; `number`: of the lcore or view,
 * which is the first word.
 */
void ctr_telemetry_stats(const struct ctr_telemetry_source *source, enum ctr_telemetry_of of,
			 unsigned int number, struct ctr_words *words, struct ctr_page *page);
/* One instance; `named`: /next has the name of the scope. */
void ctr_telemetry_instance(const struct ctr_telemetry_source *source,
			    const struct ctr_scope *scope, bool named, struct ctr_words *words,
			    struct ctr_page *page);
void ctr_telemetry_info(const struct ctr_telemetry_source *source, struct ctr_words *words,
			struct ctr_page *page);
void ctr_telemetry_list(const struct ctr_telemetry_source *source, struct ctr_words *words,
			struct ctr_page *page);

#endif /* CTR_TELEMETRY_ANSWER_H */
