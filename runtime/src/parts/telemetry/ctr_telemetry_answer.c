/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_telemetry_answer.h"

/* The number of the view that an application means with none. */
#define DEFAULT_VIEW 1u

static void
answer_stats(const struct ctr_telemetry_source *source, struct ctr_words *words,
	     struct ctr_page *page)
{
	ctr_telemetry_stats(source, CTR_TELEMETRY_ALL, 0, words, page);
}

/* An instance of a scope by its name; `named`: the name is one of the words. */
static void
answer_instance(const struct ctr_telemetry_source *source, const char *name, bool named,
		struct ctr_words *words, struct ctr_page *page)
{
	const struct ctr_scope *scope = ctr_scope_find(source->module, name);

	if (scope == NULL)
		ctr_page_error(page, "no scope '%.60s'", name != NULL ? name : "");
	else
		ctr_telemetry_instance(source, scope, named, words, page);
}

static void
answer_scope(const struct ctr_telemetry_source *source, struct ctr_words *words,
	     struct ctr_page *page)
{
	answer_instance(source, ctr_words_next(words), true, words, page);
}

static void
answer_lcore(const struct ctr_telemetry_source *source, struct ctr_words *words,
	     struct ctr_page *page)
{
	uint64_t number = CTR_NON_LCORE;

	if (words->count == 0) {
		ctr_page_error(page, "which lcore? A number, or non_lcore");
		return;
	}
	if (strcmp(words->word[0].text, "non_lcore") == 0) {
		words->at++;
	} else if (ctr_words_number(words, "an lcore", &number, page) != 0) {
		return;
	} else if (number >= CTR_MAX_LCORE) {
		ctr_page_error(page, "an lcore is 0 to %u", CTR_MAX_LCORE - 1);
		return;
	}
	ctr_telemetry_stats(source, CTR_TELEMETRY_LCORE, (unsigned int)number, words, page);
}

/* The next word as a view of the module; -EINVAL, with an error. */
static int
find_view(const struct ctr_module *module, struct ctr_words *words, unsigned int *view,
	  struct ctr_page *page)
{
	const char *name = ctr_words_next(words);

	if (module->num_views == 0)
		return ctr_page_error(page, "%s has no views but default", module->name);
	if (name == NULL)
		return ctr_page_error(page, "which view? /%s/info has them", module->name);
	for (*view = 0; *view < module->num_views; ++*view)
		if (strcmp(module->views[*view], name) == 0)
			return 0;
	return ctr_page_error(page, "no view '%.60s'", name);
}

static void
answer_view(const struct ctr_telemetry_source *source, struct ctr_words *words,
	    struct ctr_page *page)
{
	unsigned int view;

	if (find_view(source->module, words, &view, page) == 0)
		ctr_telemetry_stats(source, CTR_TELEMETRY_VIEW, view, words, page);
}

/* Reset all instances of a scope in a view; returns the first error. */
static int
reset_scope(const struct ctr_scope *scope, unsigned int view, uint64_t *count)
{
	const uint64_t total = scope->view_reset != NULL ? ctr_scope_total(scope) : 0;
	uint32_t index[CTR_INDEXES_MAX] = { 0 };
	uint64_t at;
	int rc, result = 0;

	for (at = 0; (at = ctr_scope_next(scope, at)) < total; at++) {
		ctr_scope_indexes(scope, at, index);
		rc = scope->view_reset(view, index, NULL);
		/* After -EAGAIN each count is reset, if not all at once. */
		if (rc == 0 || rc == -EAGAIN)
			++*count;
		else if (rc != -ENOENT && result == 0)
			result = rc;
	}
	return result;
}

static void
answer_reset(const struct ctr_telemetry_source *source, struct ctr_words *words,
	     struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	const bool views = module->num_views > 0;
	const char *name = "default";
	unsigned int view = DEFAULT_VIEW, i;
	uint64_t count = 0;
	int rc = 0, failed;

	if (!source->resets) {
		ctr_page_error(page, "resets are not allowed: CTR_TELEMETRY_RESET allows them");
		return;
	}
	if (!views && words->count == 1 && strcmp(words->word[0].text, name) == 0)
		words->at++;
	else if (find_view(module, words, &view, page) != 0)
		return;
	if (ctr_words_end(words, page) != 0)
		return;
	if (view == 0) {
		ctr_page_error(page, "the view %s is never reset", module->views[0]);
		return;
	}
	if (!views)
		rc = module->reset();
	for (i = 0; views && i < module->num_scopes; i++) {
		failed = reset_scope(&module->scopes[i], view, &count);
		rc = rc != 0 ? rc : failed;
	}
	name = views ? module->views[view] : name;
	(void)ctr_page_text(page, "view", name, strlen(name));
	if (views)
		(void)ctr_page_add(page, CTR_PAGE_NUMBER, "instances", "", count);
	if (rc != 0 && rc != -EAGAIN)
		ctr_page_error(page, "some could not be reset: error %d", -rc);
}

const struct ctr_telemetry_command ctr_telemetry_commands[CTR_TELEMETRY_COMMANDS] = {
	{ "info", "What the module is. Parameters: [START]", ctr_telemetry_info },
	{ "list", "Scopes and their items, line by line. Parameters: [START]", ctr_telemetry_list },
	{ "stats", "Values of a scope. Parameters: [SCOPE[,START]]", answer_stats },
	{ "scope", "Values of an instance. Parameters: SCOPE[,INDEX..][,START]", answer_scope },
	{ "lcore", "What an lcore counted. Parameters: LCORE[,SCOPE[,START]]", answer_lcore },
	{ "view", "Values in a view. Parameters: VIEW[,SCOPE[,START]]", answer_view },
	{ "reset", "Reset all counts in a view. Parameters: VIEW", answer_reset },
};

const struct ctr_telemetry_command *
ctr_telemetry_command(const char *name)
{
	unsigned int i;

	for (i = 0; i < CTR_TELEMETRY_COMMANDS; i++)
		if (strcmp(ctr_telemetry_commands[i].name, name) == 0)
			return &ctr_telemetry_commands[i];
	return NULL;
}

static void
answer_words(const struct ctr_telemetry_source *source, const char *name, struct ctr_words *words,
	     struct ctr_page *page)
{
	const struct ctr_telemetry_command *command = ctr_telemetry_command(name);

	if (command != NULL)
		command->answer(source, words, page);
	else
		answer_instance(source, name, false, words, page);
}

void
ctr_telemetry_answer(const struct ctr_telemetry_source *source, const char *name,
		     const char *params, struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	struct ctr_words *words = (struct ctr_words *)malloc(sizeof(*words));

	memset(&page->in, 0, sizeof(page->in));
	if (words == NULL)
		ctr_page_error(page, "no memory");
	else if (module == NULL)
		ctr_page_error(page, "not registered");
	else if (module->ready != NULL && !__atomic_load_n(module->ready, __ATOMIC_RELAXED))
		ctr_page_error(page, "not initialised");
	else if (ctr_words_split(words, params, page) == 0)
		answer_words(source, name, words, page);
	free(words);
}
