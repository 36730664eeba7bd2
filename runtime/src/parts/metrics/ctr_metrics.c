/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_metrics.h"

#include <rte_lcore.h>
#include <rte_metrics.h>

#define LEVELS 16
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

/* What may be unavailable is none: the library has no way to say that. */
static bool
is_number(const struct ctr_item *item)
{
	return item->type <= CTR_TIMETICKS && item->source == CTR_STORED;
}

/* Metrics of a scope; 0 if they are none: what is created and destroyed, or not reachable. */
static uint64_t
metrics_of(const struct ctr_scope *scope)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < scope->num_items; i++)
		count += is_number(&scope->items[i]) ? 1 : 0;
	if (scope->storage != CTR_STATIC || scope->num_indexes > LEVELS)
		return 0;
	for (i = 0; i < scope->num_indexes; i++)
		count *= scope->index_maxima[i];
	return count;
}

static void
indexes_at(const struct ctr_scope *scope, uint64_t at, uint32_t *index)
{
	unsigned int i;

	for (i = scope->num_indexes; i-- > 0; at /= scope->index_maxima[i])
		index[i] = (uint32_t)(at % scope->index_maxima[i]);
}

/* Name the metrics of an instance, from names[0] on; returns how many, or -ENAMETOOLONG. */
static int
name_instance(const struct ctr_module *module, const struct ctr_scope *scope,
	      const uint32_t *index, char (*names)[RTE_METRICS_MAX_NAME_LEN])
{
	char prefix[512];
	size_t used;
	unsigned int i;
	int count = 0, length;

	used = (size_t)snprintf(prefix, sizeof(prefix), "%s_", module->name);
	if (scope->num_indexes > 0)
		used += (size_t)snprintf(prefix + used, sizeof(prefix) - used, "%s_", scope->name);
	for (i = 0; i < scope->num_indexes && used < sizeof(prefix); i++) {
		if (scope->index_labels != NULL && scope->index_labels[i] != NULL)
			used += (size_t)snprintf(prefix + used, sizeof(prefix) - used, "%s_",
						 scope->index_labels[i][index[i]]);
		else
			used += (size_t)snprintf(prefix + used, sizeof(prefix) - used,
						 "%" PRIu32 "_", index[i]);
	}
	if (used >= RTE_METRICS_MAX_NAME_LEN)
		return -ENAMETOOLONG;
	for (i = 0; i < scope->num_items; i++) {
		if (!is_number(&scope->items[i]))
			continue;
		length = snprintf(names[count++], RTE_METRICS_MAX_NAME_LEN, "%s%s", prefix,
				  scope->items[i].name);
		if (length >= RTE_METRICS_MAX_NAME_LEN)
			return -ENAMETOOLONG;
	}
	return count;
}

/* Name the metrics of a scope; returns how many, or -ENAMETOOLONG. */
static int
name_scope(const struct ctr_module *module, const struct ctr_scope *scope,
	   char (*names)[RTE_METRICS_MAX_NAME_LEN])
{
	const uint64_t count = metrics_of(scope);
	uint32_t index[LEVELS] = { 0 };
	uint64_t at, done = 0;
	int rc;

	for (at = 0; done < count; at++, done += (uint64_t)rc) {
		indexes_at(scope, at, index);
		rc = name_instance(module, scope, index, names + done);
		if (rc < 0)
			return rc;
	}
	return (int)count;
}

/* Choose the scopes that fit, and name their metrics. */
static int
choose(struct registered_metrics *made, char (*names)[RTE_METRICS_MAX_NAME_LEN])
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
		rc = name_scope(module, scope, names + made->count);
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
	char (*names)[RTE_METRICS_MAX_NAME_LEN] =
		calloc(RTE_METRICS_MAX_METRICS, sizeof(*names));
	const char *list[RTE_METRICS_MAX_METRICS];
	unsigned int i;
	int rc = names != NULL ? choose(made, names) : -ENOMEM;

	for (i = 0; i < made->count; i++)
		list[i] = names[i];
	if (rc == 0 && made->count > 0) {
		rc = rte_metrics_reg_names(list, (uint16_t)made->count);
		made->first = rc >= 0 ? (unsigned int)rc : 0;
		rc = rc >= 0 ? 0 : rc;
	}
	free(names);
	return rc;
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

/* Read an instance, and store its numbers from `to` on; returns how many. */
static unsigned int
read_instance(const struct ctr_scope *scope, const uint32_t *index, void *values, uint64_t *to)
{
	unsigned int i, count = 0;
	int rc = -EAGAIN;

	for (i = 0; i < CTR_EAGAIN_TRIES && rc == -EAGAIN; i++)
		rc = scope->read(index, values);
	for (i = 0; i < scope->num_items; i++)
		if (is_number(&scope->items[i]))
			to[count++] = ctr_item_value(&scope->items[i], values);
	return count;
}

static int
update(const struct registered_metrics *which)
{
	uint64_t values[RTE_METRICS_MAX_METRICS];
	uint32_t index[LEVELS] = { 0 };
	unsigned int i, done = 0;

	for (i = 0; i < which->num_scopes; i++) {
		const struct ctr_scope *scope = which->scopes[i];
		const unsigned int end = done + (unsigned int)metrics_of(scope);
		void *read = calloc(1, scope->value_size);
		uint64_t at;

		if (read == NULL)
			return -ENOMEM;
		for (at = 0; done < end; at++) {
			indexes_at(scope, at, index);
			done += read_instance(scope, index, read, values + done);
		}
		free(read);
	}
	return which->count == 0 ? 0 :
				   rte_metrics_update_values(RTE_METRICS_GLOBAL,
							     (uint16_t)which->first, values,
							     which->count);
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
