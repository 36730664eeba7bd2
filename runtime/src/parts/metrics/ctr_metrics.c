/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_metrics.h"
#include "ctr_type.h"

#include <rte_lcore.h>
#include <rte_metrics.h>

/* The library refuses the last of its RTE_METRICS_MAX_METRICS. */
#define MOST (RTE_METRICS_MAX_METRICS - 1)

/* A module whose metrics are registered, `count` in a row from `first` on. */
struct registered_metrics {
	struct registered_metrics *next;
	const struct ctr_module *module;
	const struct ctr_scope *scopes[RTE_METRICS_MAX_METRICS];
	unsigned int num_scopes;
	unsigned int first;
	unsigned int count;
};

static struct registered_metrics *all_metrics;

/* Of the module that is being registered. */
static char metric_names[RTE_METRICS_MAX_METRICS][RTE_METRICS_MAX_NAME_LEN];

/* What may be unavailable is none: the library has no way to say that. */
static bool
is_number(const struct ctr_item *item)
{
	return ctr_type_info(item->type)->text == 0 && item->type != CTR_TIMESTAMP &&
	       item->source == CTR_STORED;
}

/* Metrics of a scope: 0 of one whose instances come and go, or that is not reachable. */
static uint64_t
metrics_of(const struct ctr_scope *scope)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; scope->storage == CTR_STATIC && i < scope->num_items; i++)
		count += is_number(&scope->items[i]) ? 1 : 0;
	return count * ctr_scope_total(scope);
}

/* Prefix of the names of an instance's metrics. */
static void
put_prefix(const struct ctr_module *module, const struct ctr_scope *scope, uint64_t at,
	   char *prefix, size_t room)
{
	uint32_t index[CTR_INDEXES_MAX];
	unsigned int i;
	size_t used;

	ctr_scope_indexes(scope, at, index);
	snprintf(prefix, room, scope->num_indexes > 0 ? "%s_%s_" : "%s_", module->name,
		 scope->name);
	for (i = 0; i < scope->num_indexes; i++) {
		used = strlen(prefix);
		if (scope->index_labels != NULL && scope->index_labels[i] != NULL)
			snprintf(prefix + used, room - used, "%s_",
				 scope->index_labels[i][index[i]]);
		else
			snprintf(prefix + used, room - used, "%" PRIu32 "_", index[i]);
	}
}

/* Name the metrics of a scope; returns how many, or -ENAMETOOLONG. */
static int
name_scope(const struct ctr_module *module, const struct ctr_scope *scope,
	   char (*names)[RTE_METRICS_MAX_NAME_LEN])
{
	const uint64_t total = ctr_scope_total(scope);
	char prefix[512];
	unsigned int i;
	int count = 0, length;
	uint64_t at;

	for (at = 0; at < total; at++) {
		put_prefix(module, scope, at, prefix, sizeof(prefix));
		for (i = 0; i < scope->num_items; i++) {
			if (!is_number(&scope->items[i]))
				continue;
			length = snprintf(names[count++], RTE_METRICS_MAX_NAME_LEN, "%s%s", prefix,
					  scope->items[i].name);
			if (length >= RTE_METRICS_MAX_NAME_LEN)
				return -ENAMETOOLONG;
		}
	}
	return count;
}

/* Choose the scopes that fit, and name their metrics. */
static int
choose(struct registered_metrics *made)
{
	const struct ctr_module *module = made->module;
	const int taken = rte_metrics_get_names(NULL, 0);
	unsigned int i, room;
	int rc;

	if (taken < 0)
		return taken;
	room = taken < MOST ? MOST - (unsigned int)taken : 0;
	for (i = 0; i < ctr_scopes_shown(module); i++) {
		const struct ctr_scope *scope = &module->scopes[i];
		const uint64_t count = metrics_of(scope);
		const bool needed = i < module->num_scopes; /* CTR_HEALTH may be left out */

		if (count > room && scope->num_indexes == 0 && needed)
			return -ENOSPC;
		if (count == 0 || count > room)
			continue;
		rc = name_scope(module, scope, metric_names + made->count);
		if (rc < 0 && needed)
			return rc;
		if (rc < 0)
			continue;
		room -= (unsigned int)count;
		made->count += (unsigned int)count;
		made->scopes[made->num_scopes++] = scope;
	}
	return 0;
}

static int
register_names(struct registered_metrics *made)
{
	const char *list[RTE_METRICS_MAX_METRICS];
	unsigned int i;
	int rc = choose(made);

	for (i = 0; i < made->count; i++)
		list[i] = metric_names[i];
	if (rc == 0 && made->count > 0) {
		rc = rte_metrics_reg_names(list, (uint16_t)made->count);
		made->first = rc >= 0 ? (unsigned int)rc : 0;
	}
	return rc < 0 ? rc : 0;
}

int
ctr_metrics_register(const struct ctr_module *module)
{
	struct registered_metrics *made, *at;
	int rc;

	if (module == NULL || module->abi != CTR_ABI)
		return -EINVAL;
	for (at = all_metrics; at != NULL; at = at->next)
		if (at->module == module)
			return -EEXIST;
	made = (struct registered_metrics *)calloc(1, sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	made->module = module;
	rc = rte_metrics_init((int)rte_socket_id());
	if (rc == 0)
		rc = register_names(made);
	if (rc != 0) {
		free(made);
		return rc;
	}
	made->next = all_metrics;
	all_metrics = made;
	return (int)made->count;
}

static int
update(const struct registered_metrics *which)
{
	uint64_t values[RTE_METRICS_MAX_METRICS], at;
	uint32_t index[CTR_INDEXES_MAX];
	unsigned int i, j, done = 0;

	for (i = 0; i < which->num_scopes; i++) {
		const struct ctr_scope *scope = which->scopes[i];
		const uint64_t total = ctr_scope_total(scope);
		void *read = calloc(1, scope->value_size);

		if (read == NULL)
			return -ENOMEM;
		for (at = 0; at < total; at++) {
			ctr_scope_indexes(scope, at, index);
			(void)ctr_scope_read(scope, index, read);
			for (j = 0; j < scope->num_items; j++)
				if (is_number(&scope->items[j]))
					values[done++] = ctr_item_value(&scope->items[j], read);
		}
		free(read);
	}
	if (done == 0)
		return 0;
	return rte_metrics_update_values(RTE_METRICS_GLOBAL, (uint16_t)which->first, values, done);
}

int
ctr_metrics_update(void)
{
	const struct registered_metrics *at;
	int rc = 0, failed;

	for (at = all_metrics; at != NULL; at = at->next) {
		failed = update(at);
		rc = rc != 0 ? rc : failed;
	}
	return rc;
}
