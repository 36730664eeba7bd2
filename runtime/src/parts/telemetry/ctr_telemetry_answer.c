/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_telemetry_answer.h"

const char *const ctr_telemetry_commands[] = { "info", "list", "stats", "scope",
					       "lcore", "view", "reset" };
const unsigned int ctr_telemetry_num_commands =
	sizeof(ctr_telemetry_commands) / sizeof(ctr_telemetry_commands[0]);

bool
ctr_telemetry_is_command(const char *word)
{
	unsigned int i;

	for (i = 0; i < ctr_telemetry_num_commands; i++)
		if (strcmp(ctr_telemetry_commands[i], word) == 0)
			return true;
	return false;
}

uint64_t
ctr_telemetry_unix_ns(const struct ctr_telemetry_source *source, uint64_t time_ns)
{
	return time_ns == 0 ? 0 : source->start_unix_ns + (time_ns - source->start_ns);
}

int
ctr_telemetry_view(const struct ctr_telemetry_source *source, struct ctr_words *words,
		   unsigned int *view, struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	const char *name = ctr_words_next(words);

	if (module->num_views == 0)
		ctr_page_error(page, "%s has no views but default", module->name);
	else if (name == NULL)
		ctr_page_error(page, "which view? /%s/info has them", module->name);
	else {
		for (*view = 0; *view < module->num_views; ++*view)
			if (strcmp(module->views[*view], name) == 0)
				return 0;
		ctr_page_error(page, "no view '%.60s'", name);
	}
	return -EINVAL;
}

static void
answer_lcore(const struct ctr_telemetry_source *source, struct ctr_words *words,
	     struct ctr_page *page)
{
	struct ctr_telemetry_what what = { CTR_TELEMETRY_LCORE, 0, "" };
	const bool other = words->count > 0 && strcmp(words->word[0].text, "non_lcore") == 0;
	char before[32];
	uint64_t number = CTR_NON_LCORE;

	if (words->count == 0) {
		ctr_page_error(page, "which lcore? A number, or non_lcore");
		return;
	}
	if (other)
		words->at++;
	else if (ctr_words_number(words, "an lcore", 0, &number, page) != 0)
		return;
	if (!other && number >= CTR_MAX_LCORE) {
		ctr_page_error(page, "an lcore is 0 to %u", CTR_MAX_LCORE - 1);
		return;
	}
	what.number = (unsigned int)number;
	snprintf(before, sizeof(before), other ? "non_lcore," : "%u,", what.number);
	what.before = before;
	ctr_telemetry_stats(source, &what, words, page);
}

static void
answer_view(const struct ctr_telemetry_source *source, struct ctr_words *words,
	    struct ctr_page *page)
{
	struct ctr_telemetry_what what = { CTR_TELEMETRY_VIEW, 0, "" };
	char before[CTR_PAGE_TEXT];

	if (ctr_telemetry_view(source, words, &what.number, page) != 0)
		return;
	snprintf(before, sizeof(before), "%s,", source->module->views[what.number]);
	what.before = before;
	ctr_telemetry_stats(source, &what, words, page);
}

static void
answer_words(const struct ctr_telemetry_source *source, const char *command,
	     struct ctr_words *words, struct ctr_page *page)
{
	static const struct ctr_telemetry_what all = { CTR_TELEMETRY_ALL, 0, "" };
	const bool named = strcmp(command, "scope") == 0;
	const struct ctr_scope *scope;

	if (strcmp(command, "info") == 0)
		ctr_telemetry_info(source, words, page);
	else if (strcmp(command, "list") == 0)
		ctr_telemetry_list(source, words, page);
	else if (strcmp(command, "stats") == 0)
		ctr_telemetry_stats(source, &all, words, page);
	else if (strcmp(command, "lcore") == 0)
		answer_lcore(source, words, page);
	else if (strcmp(command, "view") == 0)
		answer_view(source, words, page);
	else if (strcmp(command, "reset") == 0)
		ctr_telemetry_reset(source, words, page);
	else {
		command = named ? ctr_words_next(words) : command;
		scope = ctr_scope_find(source->module, command);
		if (scope == NULL)
			ctr_page_error(page, "no scope '%.60s'", command != NULL ? command : "");
		else
			ctr_telemetry_instance(source, scope, named, words, page);
	}
}

void
ctr_telemetry_answer(const struct ctr_telemetry_source *source, const char *command,
		     const char *params, struct ctr_page *page)
{
	struct ctr_words *words = (struct ctr_words *)malloc(sizeof(*words));

	ctr_page_begin(page);
	if (words == NULL)
		ctr_page_error(page, "no memory");
	else if (source->module->ready != NULL &&
		 !__atomic_load_n(source->module->ready, __ATOMIC_RELAXED))
		ctr_page_error(page, "not initialised");
	else if (ctr_words_split(words, params, page) == 0)
		answer_words(source, command, words, page);
	free(words);
}
