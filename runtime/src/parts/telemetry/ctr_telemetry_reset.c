/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ctr_telemetry_answer.h"

/* The number of the view that an application means with none. */
#define DEFAULT_VIEW 1u

/* Reset all instances of a scope in a view; returns the first error. */
static int
reset_scope(const struct ctr_scope *scope, unsigned int view, uint64_t *count)
{
	uint32_t index[CTR_WORDS_LEVELS] = { 0 };
	const uint64_t total = ctr_telemetry_total(scope);
	uint64_t at;
	int rc, result = 0;

	if (scope->view_reset == NULL || scope->num_indexes > CTR_WORDS_LEVELS)
		return 0;
	for (at = 0; at < total; at++) {
		if (scope->next != NULL)
			at = scope->next((uint32_t)at);
		if (at >= total)
			break;
		ctr_telemetry_indexes(scope, at, index);
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
reset_view(const struct ctr_telemetry_source *source, unsigned int view, struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	uint64_t count = 0;
	unsigned int i;
	int rc = 0, failed;

	for (i = 0; i < module->num_scopes; i++) {
		failed = reset_scope(&module->scopes[i], view, &count);
		rc = rc != 0 ? rc : failed;
	}
	(void)ctr_page_text(page, "view", module->views[view], strlen(module->views[view]));
	(void)ctr_page_number(page, "instances", count);
	if (rc != 0)
		ctr_page_error(page, "some could not be reset: error %d", -rc);
}

void
ctr_telemetry_reset(const struct ctr_telemetry_source *source, struct ctr_words *words,
		    struct ctr_page *page)
{
	const struct ctr_module *module = source->module;
	unsigned int view = DEFAULT_VIEW;
	int rc;

	if (!source->resets) {
		ctr_page_error(page, "resets are not allowed: CTR_TELEMETRY_RESET allows them");
		return;
	}
	if (module->num_views > 0 || words->count != 1 ||
	    strcmp(words->word[0].text, "default") != 0) {
		if (ctr_telemetry_view(source, words, &view, page) != 0)
			return;
	} else {
		words->at++;
	}
	if (ctr_words_end(words, page) != 0)
		return;
	if (view == 0) {
		ctr_page_error(page, "the view %s is never reset", module->views[0]);
	} else if (module->num_views > 0) {
		reset_view(source, view, page);
	} else {
		rc = module->reset();
		(void)ctr_page_text(page, "view", "default", strlen("default"));
		if (rc != 0 && rc != -EAGAIN)
			ctr_page_error(page, "some could not be reset: error %d", -rc);
	}
}
