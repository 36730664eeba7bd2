/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A page: what a reply of DPDK's telemetry has room for, before it becomes one. The library cuts
 * texts, and leaves out what does not fit, without a word; a page says that it is full.
 */
#ifndef CTR_TELEMETRY_PAGE_H
#define CTR_TELEMETRY_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	uint16_t name; /* Where it is in `texts`. */
	uint16_t text;
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

void ctr_page_begin(struct ctr_page *page);

/* Each adds all of it and returns true, or nothing and returns false. Names are cut nowhere: one
 * that is too long does not fit either.
 */
bool ctr_page_number(struct ctr_page *page, const char *name, uint64_t value);
bool ctr_page_signed(struct ctr_page *page, const char *name, int32_t value);
/* A text of any octets as printable ASCII, others and backslashes as in C (\x0a, \\). One that is
 * longer than the library's goes on under name/1, name/2 ...
 */
bool ctr_page_text(struct ctr_page *page, const char *name, const char *text, size_t length);
/* Lines "word text", "more text" ... with a text as of ctr_page_text(); the first `skip` of them
 * are left out. Returns how many lines the text has, of which *added were added.
 */
unsigned int ctr_page_lines(struct ctr_page *page, const char *word, const char *text,
			    size_t length, unsigned int skip, unsigned int *added);

/* /next and /error, for which there is always room, once each. */
void ctr_page_next(struct ctr_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void ctr_page_error(struct ctr_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The text that starts at a place. */
static inline const char *
ctr_page_at(const struct ctr_page *page, uint16_t place)
{
	return page->texts + place;
}

#endif /* CTR_TELEMETRY_PAGE_H */
