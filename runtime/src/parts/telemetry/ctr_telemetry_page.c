/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ctr_telemetry_page.h"

/* For /next and /error, with what JSON adds to them. */
#define RESERVE ((size_t)2 * (2 * CTR_PAGE_TEXT + 16))

void
ctr_page_begin(struct ctr_page *page)
{
	memset(&page->in, 0, sizeof(page->in));
}

/* Octets of a text in JSON. */
static size_t
json_length(const char *text)
{
	size_t length;

	for (length = 0; *text != '\0'; text++)
		length += *text == '"' || *text == '\\' ? 2 : 1;
	return length;
}

static uint16_t
keep(struct ctr_page *page, const char *text)
{
	const size_t at = page->in.used;

	page->in.used += strlen(text) + 1;
	memcpy(page->texts + at, text, page->in.used - at);
	return (uint16_t)at;
}

/* Add an entry that takes `json` octets. */
static bool
page_add(struct ctr_page *page, const struct ctr_page_entry *entry, const char *name,
	 const char *text, size_t json)
{
	struct ctr_page_entry *kept = &page->entry[page->in.entries];

	if (strlen(name) >= CTR_PAGE_TEXT || page->in.json + json + RESERVE > CTR_PAGE_JSON)
		return false;
	if (entry->type == CTR_PAGE_LINE ? page->in.lines == CTR_PAGE_LINES :
					   page->in.entries - page->in.lines == CTR_PAGE_NAMES)
		return false;
	*kept = *entry;
	kept->name = keep(page, name);
	kept->text = keep(page, text);
	page->in.json += json;
	page->in.entries++;
	page->in.lines += entry->type == CTR_PAGE_LINE ? 1 : 0;
	return true;
}

bool
ctr_page_number(struct ctr_page *page, const char *name, uint64_t value)
{
	const struct ctr_page_entry entry = { .type = CTR_PAGE_NUMBER, .number = value };

	return page_add(page, &entry, name, "", strlen(name) + 24);
}

bool
ctr_page_signed(struct ctr_page *page, const char *name, int32_t value)
{
	const struct ctr_page_entry entry = { CTR_PAGE_SIGNED, 0, 0, (uint64_t)(int64_t)value };

	return page_add(page, &entry, name, "", strlen(name) + 24);
}

/* As much of a text as has room, printable; returns how many of its octets that is. */
static size_t
piece(const char *text, size_t length, char *out, size_t room)
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
	const struct ctr_page_entry entry = { .type = CTR_PAGE_STRING };
	const struct ctr_page_mark before = page->in;
	char part[CTR_PAGE_TEXT], numbered[CTR_PAGE_TEXT + 16];
	unsigned int number = 0;
	size_t taken;

	snprintf(numbered, sizeof(numbered), "%s", name);
	do {
		taken = piece(text, length, part, sizeof(part));
		if (!page_add(page, &entry, numbered, part,
			      strlen(numbered) + json_length(part) + 6)) {
			page->in = before;
			return false;
		}
		text += taken;
		length -= taken;
		snprintf(numbered, sizeof(numbered), "%s/%u", name, ++number);
	} while (length > 0);
	return true;
}

unsigned int
ctr_page_lines(struct ctr_page *page, const char *word, const char *text, size_t length,
	       unsigned int skip, unsigned int *added)
{
	const struct ctr_page_entry entry = { .type = CTR_PAGE_LINE };
	char line[CTR_PAGE_TEXT];
	unsigned int number = 0;
	bool room = true;

	*added = 0;
	do {
		const int wide = snprintf(line, sizeof(line), "%s ", number == 0 ? word : "more");
		const size_t taken =
			piece(text, length, line + wide, sizeof(line) - (size_t)wide);

		if (number >= skip && room) {
			room = page_add(page, &entry, "", line, json_length(line) + 3);
			*added += room ? 1 : 0;
		}
		number++;
		text += taken;
		length -= taken;
	} while (length > 0);
	return number;
}

/* One of the entries that room is kept for; what is too long for it is cut. */
static void
add_last(struct ctr_page *page, const char *name, const char *format, va_list arguments)
{
	struct ctr_page_entry *entry = &page->entry[page->in.entries++];
	char text[CTR_PAGE_TEXT * 2], shown[CTR_PAGE_TEXT];

	vsnprintf(text, sizeof(text), format, arguments);
	(void)piece(text, strlen(text), shown, sizeof(shown));
	entry->type = CTR_PAGE_STRING;
	entry->name = keep(page, name);
	entry->text = keep(page, shown);
}

void
ctr_page_next(struct ctr_page *page, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_last(page, "/next", format, arguments);
	va_end(arguments);
}

void
ctr_page_error(struct ctr_page *page, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_last(page, "/error", format, arguments);
	va_end(arguments);
}
