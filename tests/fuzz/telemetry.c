/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What telemetry answers to any command and parameters: a page that the library has room for, of
 * names that it takes, and to whoever follows /next it comes to an end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tel_stats.h"
#include "ctr_telemetry_answer.h"
#include "target.h"

static struct ctr_page page;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct tel_stats_session_key key = { .imsi = "a,b\\" };
	uint32_t i;

	(void)argc;
	(void)argv;
	expect(tel_stats_init() == 0);
	for (i = 0; i < 300; i += 3)
		expect(tel_stats_session_create(i) == 0);
	expect(tel_stats_session_key_set(3, &key) == 0);
	expect(tel_stats_peer_create(7) == 0);
	tel_stats_set_title("\x80\xff\"\\\n");
	return 0;
}

/* The octets of a reply in JSON, counted in another way than the page counts them. */
static size_t
octets_of(const char *text)
{
	size_t octets = 0;

	for (; *text != '\0'; text++) {
		expect(*text >= 0x20 && *text <= 0x7e);
		octets += *text == '"' || *text == '\\' ? 2 : 1;
	}
	return octets;
}

static const char *
check(void)
{
	const char *next = NULL;
	size_t octets = 2;
	unsigned int i, names = 0;

	for (i = 0; i < page.in.entries; i++) {
		const struct ctr_page_entry *entry = &page.entry[i];
		const char *name = entry->name;
		const char *text = entry->text;

		expect(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_/") == strlen(name));
		expect(strlen(name) < CTR_PAGE_TEXT && strlen(text) < CTR_PAGE_TEXT);
		octets += strlen(name) + octets_of(text) + 6 +
			  (entry->type <= CTR_PAGE_SIGNED ? 18u : 0u);
		names += entry->type != CTR_PAGE_LINE ? 1 : 0;
		next = strcmp(name, "/next") == 0 ? text : next;
	}
	expect(octets + 64 < 16384 && names < 256 && page.in.lines <= 512);
	return next;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "info", "list", "stats", "scope", "lcore", "view",
					     "reset", "global", "port", "queue", "drop", "session",
					     "peer", "none" };
	struct ctr_telemetry_source source = { .module = &tel_stats_module };
	char params[1200], follow[CTR_PAGE_TEXT];
	const char *word, *next;
	unsigned int pages;

	if (size == 0 || size > sizeof(params))
		return 0;
	word = words[data[0] % (sizeof(words) / sizeof(words[0]))];
	source.resets = (data[0] & 0x80) != 0;
	memcpy(params, data + 1, size - 1);
	params[size - 1] = '\0';
	ctr_telemetry_answer(&source, word, params, &page);
	for (pages = 0; (next = check()) != NULL; pages++) {
		expect(pages < 100);
		snprintf(follow, sizeof(follow), "%s", next);
		ctr_telemetry_answer(&source, word, follow, &page);
	}
	return 0;
}
