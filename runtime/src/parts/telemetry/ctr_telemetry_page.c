/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ctr_telemetry_answer.h"

/* For /next and /error, with what JSON adds to them. */
#define RESERVE ((size_t)2 * (2 * CTR_PAGE_TEXT + 16))

/* Octets of a text in JSON. */
static size_t
json_length(const char *text)
{
	size_t length;

	for (length = 0; *text != '\0'; text++)
		length += *text == '"' || *text == '\\' ? 2 : 1;
	return length;
}

static const char *
keep(struct ctr_page *page, const char *text)
{
	const size_t size = strlen(text) + 1;

	page->in.used += size;
	return (const char *)memcpy(page->texts + page->in.used - size, text, size);
}

bool
ctr_page_add(struct ctr_page *page, enum ctr_page_type type, const char *name, const char *text,
	     uint64_t number)
{
	/* What JSON needs besides the texts, by type. */
	static const size_t more[] = { 24, 24, 6, 3 };
	const size_t json = strlen(name) + json_length(text) + more[type];
	const bool line = type == CTR_PAGE_LINE;

	if (strlen(name) >= CTR_PAGE_TEXT || page->in.json + json + RESERVE > CTR_PAGE_JSON)
		return false;
	if (line ? page->in.lines == CTR_PAGE_LINES :
		   page->in.entries - page->in.lines == CTR_PAGE_NAMES)
		return false;
	page->entry[page->in.entries++] = (struct ctr_page_entry){
		type, keep(page, name), keep(page, text), number
	};
	page->in.json += json;
	page->in.lines += line ? 1 : 0;
	return true;
}

size_t
ctr_page_piece(const char *text, size_t length, char *out, size_t room)
{
	char shown[8];
	size_t at, wide;

	for (at = 0; at < length; at++) {
		const unsigned char octet = (unsigned char)text[at];

		if (octet < 0x20 || octet > 0x7e)
			snprintf(shown, sizeof(shown), "\\x%02x", (unsigned int)octet);
		else
			snprintf(shown, sizeof(shown), octet == '\\' ? "\\\\" : "%c", octet);
		wide = strlen(shown);
		if (wide >= room)
			break;
		memcpy(out, shown, wide);
		out += wide;
		room -= wide;
	}
	*out = '\0';
	return at;
}

bool
ctr_page_text(struct ctr_page *page, const char *name, const char *text, size_t length)
{
	const struct ctr_page_mark before = page->in;
	char part[CTR_PAGE_TEXT], numbered[CTR_PAGE_TEXT + 16];
	unsigned int number = 0;
	size_t taken;

	snprintf(numbered, sizeof(numbered), "%s", name);
	do {
		taken = ctr_page_piece(text, length, part, sizeof(part));
		if (!ctr_page_add(page, CTR_PAGE_STRING, numbered, part, 0)) {
			page->in = before;
			return false;
		}
		text += taken;
		length -= taken;
		snprintf(numbered, sizeof(numbered), "%s/%u", name, ++number);
	} while (length > 0);
	return true;
}

int
ctr_page_last(struct ctr_page *page, const char *name, const char *format, ...)
{
	char text[CTR_PAGE_TEXT * 2], shown[CTR_PAGE_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	(void)ctr_page_piece(text, strlen(text), shown, sizeof(shown));
	page->entry[page->in.entries++] = (struct ctr_page_entry){
		CTR_PAGE_STRING, keep(page, name), keep(page, shown), 0
	};
	return -EINVAL;
}
