/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ctr_segment_private.h"

/* Poll interval for the exit of the predecessor, in nanoseconds. */
#define DONE_POLL_NS 200000

/* ---- scopes ---- */

/* Take over an instance, but its values if they are `taken` already. */
static bool
restore_instance(const struct ctr_segment_match *match, uint32_t at, bool taken)
{
	const struct ctr_segment_handover *handover = match->handover;
	const struct ctr_segment_source *source = match->source;
	const struct ctr_scope *scope = source->scope;
	const uint32_t now = match->stays ? at : match->moved[at];
	uint32_t index[CTR_SEGMENT_LEVELS];
	struct ctr_segment_info info;
	uint64_t since_ns;
	bool any;
	int rc = 0;

	if (ctr_segment_read(handover->reader, match->old, at, handover->old, &info) != 0 ||
	    now == UINT32_MAX)
		return false;
	ctr_scope_indexes(scope, now, index);
	any = ctr_segment_translate(match, handover->views);
	if (!taken && scope->view_read != NULL)
		rc = ctr_segment_restore_views(match, at, index);
	else if (!taken && any)
		rc = scope->adopt(index, handover->views);
	if (!taken && (info.flags & CTR_SEGMENT_TORN) != 0 && scope->tear != NULL)
		scope->tear(index);
	since_ns = info.since_ns - handover->segment->began_ns; /* wraps after a reboot */
	if (source->discontinuity_ns != NULL && handover->former->final &&
	    (!taken || source->discontinuity_ns[now] == 0)) /* no reset since then */
		ctr_store64(&source->discontinuity_ns[now],
			    match->jumps ? ctr_time_ns() | CTR_OWN_TIME : since_ns & ~CTR_OWN_TIME);
	return rc == 0;
}

/* Restore outside of read sections: they may have the lock that an addition takes. */
static void
restore_scope(const struct ctr_segment_match *match)
{
	const struct ctr_segment_handover *handover = match->handover;
	const struct ctr_module *module = match->source->module;
	const bool taken = ctr_segment_has_taken(handover->claim, module);
	uint32_t at;

	for (at = 0; (at = ctr_segment_next(handover->reader, match->old, at)) < match->old->total;
	     at++) {
		if (restore_instance(match, at, taken))
			handover->former->instances++;
		else if (ctr_segment_was_inside(match, at))
			ctr_segment_report_change(match, CTR_SEGMENT_LOST, NULL, at);
	}
	module->flush();
}

/* Which view of the module there is which one here. 0 or -ENOMEM. */
static int
match_views(struct ctr_segment_match *match, const struct ctr_segment_module *there)
{
	const uint32_t *names = ctr_segment_table(match->reader, CTR_SEGMENT_VIEWS, NULL);
	const struct ctr_module *module = match->source->module;

	match->view = calloc(module->num_views + 1u, sizeof(*match->view));
	if (match->view == NULL)
		return -ENOMEM;
	names += there->first_view;
	for (uint32_t i = 0; i < module->num_views; i++) {
		match->view[i] = UINT32_MAX;
		for (uint32_t j = 0; j < there->num_views; j++)
			if (strcmp(module->views[i],
				   ctr_segment_text(match->reader, names[j])) == 0)
				match->view[i] = j;
	}
	return 0;
}

static struct ctr_segment_source *
source_named(struct ctr_segment *segment, const char *module, const char *scope)
{
	struct ctr_segment_source *renamed = NULL;

	for (uint32_t i = 0; i < segment->num_sources; i++) {
		struct ctr_segment_source *source = &segment->source[i];

		if (strcmp(source->module->name, module) != 0)
			continue;
		if (strcmp(source->scope->name, scope) == 0)
			return source;
		if (strcmp(ctr_segment_former_name(source->module, source->scope->name, NULL),
			   scope) == 0)
			renamed = source;
	}
	return renamed;
}

/* Match a scope of the predecessor, and place its instances. */
static int
match_scope(struct ctr_segment_handover *handover, const struct ctr_segment_module *there,
	    const struct ctr_segment_scope *old)
{
	const char *module = ctr_segment_text(handover->reader, there->name);
	const char *scope = ctr_segment_text(handover->reader, old->name);
	struct ctr_segment_match *match = &handover->match[handover->num_scopes];
	const char *difference = NULL;
	bool same;
	int rc;

	if (strcmp(scope, CTR_HEALTH) == 0)
		return 0; /* each process reports of itself */
	match->handover = handover;
	match->reader = handover->reader;
	match->old = old;
	match->indexes = ctr_segment_table(handover->reader, CTR_SEGMENT_INDEXES, NULL);
	match->indexes += old->first_index;
	match->items = ctr_segment_table(handover->reader, CTR_SEGMENT_ITEMS, NULL);
	match->items += old->first_item;
	match->labels = ctr_segment_table(handover->reader, CTR_SEGMENT_LABELS, NULL);
	match->source = source_named(handover->segment, module, scope);
	same = match->source != NULL && match->source->scope->num_indexes == old->num_indexes;
	if (same)
		difference = ctr_segment_difference(match);
	if (!same || difference != NULL) {
		ctr_segment_report(handover->former,
				   match->source != NULL ? CTR_SEGMENT_CHANGED :
							   CTR_SEGMENT_REMOVED,
				   module, scope, difference, 0);
		return 0;
	}
	handover->num_scopes++;
	rc = ctr_segment_match(match);
	if (rc == 0)
		rc = match_views(match, there);
	return rc == 0 ? ctr_segment_place_all(match) : rc;
}

static int
match_all(struct ctr_segment_handover *handover)
{
	uint32_t count;
	const struct ctr_segment_module *there =
		ctr_segment_table(handover->reader, CTR_SEGMENT_MODULES, &count);
	const struct ctr_segment_scope *old =
		ctr_segment_table(handover->reader, CTR_SEGMENT_SCOPES, NULL);
	int rc = ctr_segment_claim_room(handover->claim, handover->segment->num_sources);

	/* Parents first: their instances must exist, and be placed, before those inside of them. */
	for (uint32_t levels = 0; levels <= CTR_SEGMENT_LEVELS; levels++)
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t j = there[i].first_scope;
			     j < there[i].first_scope + there[i].num_scopes && rc == 0; j++)
				if (old[j].num_indexes == levels)
					rc = match_scope(handover, &there[i], &old[j]);
	return rc;
}

/* Take over, when nothing can fail any more. */
static void
take_over(struct ctr_segment_handover *handover)
{
	struct ctr_segment_claim *claim = handover->claim;

	for (uint32_t i = 0; i < handover->num_scopes; i++)
		restore_scope(&handover->match[i]);
	for (uint32_t i = 0; i < handover->segment->num_sources; i++)
		if (!ctr_segment_has_taken(claim, handover->segment->source[i].module))
			claim->taken[claim->num_taken++] = handover->segment->source[i].module;
}

/* ---- the whole ---- */

/* Wait until the predecessor is done. 0; -ETIMEDOUT. */
static int
wait_for(struct ctr_segment_handover *handover, uint64_t until_ns)
{
	const struct timespec pause = { 0, DONE_POLL_NS };

	while (ctr_segment_state(handover->reader) != CTR_SEGMENT_FINAL) {
		if (!ctr_segment_alive(handover->reader))
			break;
		if (ctr_time_ns() >= until_ns)
			return -ETIMEDOUT;
		(void)nanosleep(&pause, NULL);
	}
	return 0;
}

static int
take_room(struct ctr_segment_handover *handover)
{
	const struct ctr_segment *segment = handover->segment;
	size_t size = 8, views = 2;
	uint32_t count;
	const struct ctr_segment_scope *old =
		ctr_segment_table(handover->reader, CTR_SEGMENT_SCOPES, &count);

	for (uint32_t i = 0; i < segment->num_sources; i++) {
		if (segment->source[i].scope->value_size > size)
			size = segment->source[i].scope->value_size;
		if (segment->source[i].module->num_views > views)
			views = segment->source[i].module->num_views;
	}
	for (uint32_t i = 0; i < count; i++)
		if (old[i].value_size > size)
			size = old[i].value_size;
	size = CTR_SEGMENT_WORDS(size);
	handover->old = calloc(2 + views, size);
	handover->match = calloc(count + 1u, sizeof(*handover->match));
	if (handover->old == NULL || handover->match == NULL)
		return -ENOMEM;
	handover->part = handover->old + size;
	handover->views = handover->part + size;
	return ctr_segment_reserve(handover->reader);
}

/* Report the scopes that the predecessor did not have. */
static void
tell_new(const struct ctr_segment_handover *handover)
{
	const struct ctr_segment *segment = handover->segment;
	uint32_t j;

	for (uint32_t i = 0; i < segment->num_sources; i++) {
		const struct ctr_segment_source *source = &segment->source[i];

		for (j = 0; j < handover->num_scopes && handover->match[j].source != source; j++)
			;
		if (j == handover->num_scopes && strcmp(source->scope->name, CTR_HEALTH) != 0)
			ctr_segment_report(handover->former, CTR_SEGMENT_NEW, source->module->name,
					   source->scope->name, NULL, 0);
	}
}

static int
restore_all(struct ctr_segment_handover *handover, uint64_t until_ns)
{
	struct ctr_segment_former *former = handover->former;
	uint64_t began_ns;
	int rc = take_room(handover);

	if (rc == 0)
		rc = wait_for(handover, until_ns);
	if (rc != 0)
		return rc;
	began_ns = ctr_time_ns();
	rc = ctr_segment_snapshot(handover->reader);
	if (rc == -EBADMSG) {
		former->error = rc;
		return 0;
	}
	former->final = ctr_segment_state(handover->reader) == CTR_SEGMENT_FINAL;
	if (rc == 0)
		rc = match_all(handover);
	if (rc != 0)
		return rc;
	if (former->final)
		handover->segment->header->start_ns =
			ctr_segment_header(handover->reader)->start_ns;
	take_over(handover);
	tell_new(handover);
	former->took_ns = ctr_time_ns() - began_ns;
	return 0;
}

/* Whether a successor has given the name of the predecessor's file to its own. */
static bool
is_replaced(const struct ctr_segment_reader *reader, const char *path)
{
	struct stat own, named;

	return path != NULL && fstat(reader->fd, &own) == 0 && stat(path, &named) == 0 &&
	       (own.st_dev != named.st_dev || own.st_ino != named.st_ino);
}

/* Open and claim the predecessor's segment; former->error: why nothing is restored. 0; -errno. */
static int
open_former(struct ctr_segment_handover *handover, uint64_t until_ns)
{
	struct ctr_segment_former *former = handover->former;
	int rc;

	former->error = 0;
	do {
		ctr_segment_leave(handover->reader);
		handover->reader = NULL;
		if (former->path != NULL)
			rc = ctr_segment_open(&handover->reader, former->path);
		else
			rc = ctr_segment_open_fd(&handover->reader, former->fd);
		if (rc == 0)
			rc = ctr_segment_claim(&handover->claim, handover->reader, until_ns);
	} while (rc == -EALREADY && is_replaced(handover->reader, former->path));
	if (rc != -ENOENT && rc != -EBADMSG && rc != -EPROTONOSUPPORT && rc != -EPERM &&
	    rc != -EALREADY)
		return rc; /* 0, or it may be there the next time */
	former->error = rc;
	return 0;
}

int
ctr_segment_restore_scopes(struct ctr_segment *segment, struct ctr_segment_former *former,
		  struct ctr_segment_claim **claim)
{
	const uint64_t until_ns = ctr_time_ns() + former->wait_ms * UINT64_C(1000000);
	struct ctr_segment_handover handover = {
		.segment = segment,
		.former = former,
	};
	int rc;

	former->final = false;
	former->instances = 0;
	rc = open_former(&handover, until_ns);
	if (rc == 0 && former->error == 0)
		rc = restore_all(&handover, until_ns);
	for (uint32_t i = 0; i < handover.num_scopes; i++)
		ctr_segment_match_free(&handover.match[i]);
	free(handover.match);
	free(handover.old);
	ctr_segment_leave(handover.reader);
	if (former->error == 0)
		*claim = handover.claim;
	else
		ctr_segment_release(handover.claim);
	return rc;
}
