/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_telemetry_reply.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr.h"

/* The number of the view that an application means with none. */
#define DEFAULT_VIEW 1u
/* Octets of all parameters; the library reads up to 1023 with the command. */
#define WORDS_ROOM 1024u
/* A command's own parameter, a scope, its indexes, an item. */
#define WORDS_MAX (CTR_INDEXES_MAX + 3u)

/* A request: a module, and the parameters between commas. */
struct ctr_request {
	const struct ctr_module *module;
	struct ctr_reply *reply;
	unsigned int count;
	unsigned int at; /* The next word to read. */
	const char *word[WORDS_MAX];
	char room[WORDS_ROOM];
};

/* ---- parameters; each function returns 0, or -EINVAL with an error in the reply ---- */

static int
split(struct ctr_request *request, const char *params)
{
	char *rest = request->room;

	snprintf(request->room, sizeof(request->room), "%s", params != NULL ? params : "");
	while (*request->room != '\0' && rest != NULL) {
		if (request->count == WORDS_MAX)
			return ctr_reply_error(request->reply, "more than %u parameters",
					       WORDS_MAX);
		request->word[request->count++] = strsep(&rest, ",");
	}
	return 0;
}

/* The next word, or NULL. */
static const char *
next_word(struct ctr_request *request)
{
	return request->at < request->count ? request->word[request->at++] : NULL;
}

static int
end_of_words(const struct ctr_request *request)
{
	if (request->at == request->count)
		return 0;
	return ctr_reply_error(request->reply, "unexpected parameter '%.60s'",
			       request->word[request->at]);
}

/* A text of digits alone as a number. */
static bool
is_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0;
}

/* The next words as the place where to begin: of each index a number or a label, and the number of
 * an item; the first of those that there is no word for. */
static int
find_start(struct ctr_request *request, const struct ctr_scope *scope, uint64_t *at, uint64_t *item)
{
	const char *text;

	*at = *item = 0;
	for (unsigned int level = 0; level < scope->num_indexes; level++) {
		const char *name = scope->index_names[level];
		uint64_t number = 0;
		uint32_t label;

		text = next_word(request);
		if (text != NULL && ctr_label_find(scope, name, text, NULL, &label) == 0)
			number = label;
		else if (text != NULL &&
			 (!is_number(text, &number) || number >= scope->index_maxima[level]))
			return ctr_reply_error(request->reply, "%s is 0 to %u, not '%.60s'", name,
					       scope->index_maxima[level] - 1, text);
		*at = *at * scope->index_maxima[level] + number;
	}
	text = next_word(request);
	if (text != NULL && (!is_number(text, item) || *item >= scope->num_items))
		return ctr_reply_error(request->reply, "%s has %u items, not '%.60s'", scope->name,
				       scope->num_items, text);
	return end_of_words(request);
}

/* The next word as a view of the module. */
static int
find_view(struct ctr_request *request, unsigned int *view)
{
	const struct ctr_module *module = request->module;
	const char *name = next_word(request);

	if (name == NULL)
		return ctr_reply_error(request->reply, "which view? /%s/info has them",
				       module->name);
	for (*view = 0; *view < module->num_views; ++*view)
		if (strcmp(module->views[*view], name) == 0)
			return 0;
	*view = DEFAULT_VIEW;
	if (module->num_views == 0 && strcmp(name, "default") == 0)
		return 0;
	return ctr_reply_error(request->reply, "no view '%.60s'", name);
}

/* ---- commands ---- */

/* The name of something, as "views/0". */
static void
put_name(struct ctr_reply *reply, const char *what, unsigned int number, const char *name)
{
	char numbered[32];

	snprintf(numbered, sizeof(numbered), "%s/%u", what, number);
	if (!ctr_reply_text(reply, numbered, name, strlen(name)) && !reply->failed)
		ctr_reply_error(reply, "more than a reply has room for");
}

static void
answer_info(struct ctr_request *request)
{
	const struct ctr_module *module = request->module;
	struct ctr_reply *reply = request->reply;
	const char *about = module->description;
	char name[16];

	if (end_of_words(request) != 0)
		return;
	(void)ctr_reply_text(reply, "module", module->name, strlen(module->name));
	(void)ctr_reply_text(reply, "description", about, strlen(about));
	for (unsigned int i = 0; i < module->num_views; i++)
		put_name(reply, "views", i, module->views[i]);
	for (unsigned int i = 0; i < ctr_scopes_shown(module); i++)
		put_name(reply, "scopes", i, module->scopes[i].name);
	for (unsigned int i = 0; i < CTR_SLOTS; i++) {
		snprintf(name, sizeof(name), i < CTR_MAX_LCORE ? "%u" : "non_lcore", i);
		if (ctr_slots_exists(i))
			put_name(reply, "lcores", i, name);
	}
}

/* Whether the instances of a scope can be read so; else there is an error. */
static bool
is_readable(const struct ctr_request *request, const struct ctr_telemetry_walk *walk)
{
	const struct ctr_scope *scope = walk->scope;

	if (scope->read == NULL)
		ctr_reply_error(request->reply, "%s: only the application knows its instances",
				scope->name);
	else if (walk->of == CTR_TELEMETRY_LCORE && scope->lcore_read == NULL)
		ctr_reply_error(request->reply, "%s: %s does not keep lcores apart", scope->name,
				scope->strategy);
	return !request->reply->failed;
}

/* Put the words of the next request, which begins at an item of an instance; `own`: its first. */
static void
put_next(struct ctr_reply *reply, const char *own, const struct ctr_scope *scope, uint64_t next)
{
	char words[2 * CTR_REPLY_TEXT];
	uint32_t index[CTR_INDEXES_MAX];

	snprintf(words, sizeof(words), "%s%s%s", own, own[0] != '\0' ? "," : "", scope->name);
	ctr_scope_indexes(scope, next / scope->num_items, index);
	for (unsigned int i = 0; i < scope->num_indexes; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), ",%" PRIu32, index[i]);
	if (next % scope->num_items != 0)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), ",%" PRIu64,
			 next % scope->num_items);
	ctr_reply_last(reply, "/next", "%s", words);
}

/* The instances of the scope in the next word, and where to begin; `number`: of the lcore or view,
 * which is the first word. */
static void
answer_all(struct ctr_request *request, enum ctr_telemetry_of of, unsigned int number)
{
	const char *name = next_word(request);
	const struct ctr_scope *scope =
		ctr_scope_find(request->module, name != NULL ? name : "global");
	const struct ctr_telemetry_walk walk = { request->module, scope, of, number };
	uint64_t at, item, next;

	if (scope == NULL && name == NULL)
		ctr_reply_error(request->reply, "which scope? /%s/info has them",
				request->module->name);
	else if (scope == NULL)
		ctr_reply_error(request->reply, "no scope '%.60s'", name);
	if (scope == NULL || find_start(request, scope, &at, &item) != 0 ||
	    !is_readable(request, &walk) || scope->num_items == 0)
		return;
	next = ctr_telemetry_put(&walk, request->reply, at, (unsigned int)item,
				 ctr_scope_total(scope));
	if (next != UINT64_MAX)
		put_next(request->reply, of != CTR_TELEMETRY_ALL ? request->word[0] : "", scope,
			 next);
}

static void
answer_stats(struct ctr_request *request)
{
	answer_all(request, CTR_TELEMETRY_ALL, 0);
}

static void
answer_lcore(struct ctr_request *request)
{
	const char *name = next_word(request);
	uint64_t number = CTR_NON_LCORE;

	if (name == NULL)
		ctr_reply_error(request->reply, "which lcore? A number, or non_lcore");
	else if (strcmp(name, "non_lcore") != 0 &&
		 (!is_number(name, &number) || number >= CTR_MAX_LCORE))
		ctr_reply_error(request->reply, "an lcore is 0 to %u, not '%.60s'",
				CTR_MAX_LCORE - 1, name);
	else
		answer_all(request, CTR_TELEMETRY_LCORE, (unsigned int)number);
}

static void
answer_view(struct ctr_request *request)
{
	unsigned int view = 0;

	if (find_view(request, &view) == 0)
		answer_all(request, CTR_TELEMETRY_VIEW, view);
}

/* Reset all instances of a scope in a view; returns the first error. */
static int
reset_scope(const struct ctr_scope *scope, unsigned int view, uint64_t *count)
{
	const uint64_t total = scope->view_reset != NULL ? ctr_scope_total(scope) : 0;
	uint32_t index[CTR_INDEXES_MAX] = { 0 };
	int rc, result = 0;

	for (uint64_t at = 0; (at = ctr_scope_next(scope, at)) < total; at++) {
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
answer_reset(struct ctr_request *request)
{
	const struct ctr_module *module = request->module;
	struct ctr_reply *reply = request->reply;
	unsigned int view = 0, i;
	uint64_t count = 0;
	int rc = 0, failed;

	if (!reply->resets) {
		ctr_reply_error(reply, "resets are not allowed: CTR_TELEMETRY_RESET allows them");
		return;
	}
	if (find_view(request, &view) != 0 || end_of_words(request) != 0)
		return;
	if (view == 0) {
		ctr_reply_error(reply, "the view %s is never reset", module->views[0]);
		return;
	}
	if (module->num_views == 0)
		rc = module->reset();
	for (i = 0; module->num_views > 0 && i < module->num_scopes; i++) {
		failed = reset_scope(&module->scopes[i], view, &count);
		rc = rc != 0 ? rc : failed;
	}
	(void)ctr_reply_text(reply, "view", request->word[0], strlen(request->word[0]));
	if (module->num_views > 0)
		(void)ctr_reply_number(reply, "instances", count, false);
	if (rc != 0 && rc != -EAGAIN)
		ctr_reply_error(reply, "some could not be reset: error %d", -rc);
}

const struct ctr_telemetry_command ctr_telemetry_commands[CTR_TELEMETRY_COMMANDS] = {
	{ "info", "Views, scopes and lcores of the module", answer_info },
	{ "stats", "Values, from an instance on. Parameters: [SCOPE[,INDEX..[,ITEM]]]", answer_stats },
	{ "lcore", "Likewise what an lcore counted. Parameters: LCORE[,SCOPE..]", answer_lcore },
	{ "view", "Likewise in a view. Parameters: VIEW[,SCOPE..]", answer_view },
	{ "reset", "Reset all counts in a view. Parameters: VIEW", answer_reset },
};

void
ctr_telemetry_answer(const struct ctr_module *module, const char *command, const char *params,
		     struct ctr_reply *reply)
{
	struct ctr_request request = { .module = module, .reply = reply };
	const struct ctr_telemetry_command *at = ctr_telemetry_commands;

	while (strcmp(at->name, command) != 0)
		at++; /* the library has those alone */
	if (module == NULL)
		ctr_reply_error(reply, "not registered");
	else if (module->ready != NULL && !__atomic_load_n(module->ready, __ATOMIC_RELAXED))
		ctr_reply_error(reply, "not initialised");
	else if (split(&request, params) == 0)
		at->answer(&request);
}
