/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_telemetry.h"
#include "ctr_telemetry_answer.h"

#include <rte_telemetry.h>

CTR_STATIC_ASSERT(CTR_PAGE_NAMES + 4 <= RTE_TEL_MAX_DICT_ENTRIES, "names of a dictionary");
CTR_STATIC_ASSERT(CTR_PAGE_LINES <= RTE_TEL_MAX_ARRAY_ENTRIES, "elements of an array");
CTR_STATIC_ASSERT(CTR_PAGE_TEXT <= RTE_TEL_MAX_STRING_LEN, "octets of a text");

/* The library's own, which no module may take the names of. */
static const char *const dpdk_names[] = { "bbdev", "bonding", "cryptodev", "dmadev", "eal", "ethdev",
				     "eventdev", "graph", "gpudev", "help", "info", "ipsec",
				     "lcore", "malloc", "memory", "mempool", "mldev", "rawdev",
				     "regexdev", "ring", "security" };

/* A name that is registered: the library never forgets it. */
struct registered {
	struct registered *next;
	struct ctr_telemetry_source source; /* Its module is NULL after unregistering. */
	bool known; /* Whether the library has its commands. */
	char name[64];
};

/* Callbacks take it to read, for as long as they use a module. */
static pthread_rwlock_t registry_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct registered *all_registered;

static int
add_entry(struct rte_tel_data *reply, const struct ctr_page_entry *entry)
{
	if (entry->type == CTR_PAGE_STRING)
		return rte_tel_data_add_dict_string(reply, entry->name, entry->text);
	if (entry->type == CTR_PAGE_SIGNED)
		return rte_tel_data_add_dict_int(reply, entry->name, (int)(int64_t)entry->number);
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	return rte_tel_data_add_dict_uint(reply, entry->name, entry->number);
#else
	return rte_tel_data_add_dict_u64(reply, entry->name, entry->number);
#endif
}

/* A page as the library's reply. What the library refuses is an error, positive or not. */
static int
reply_page(struct rte_tel_data *reply, const struct ctr_page *page)
{
	struct rte_tel_data *lines = page->in.lines > 0 ? rte_tel_data_alloc() : NULL;
	unsigned int i;
	int rc = rte_tel_data_start_dict(reply);

	if (rc == 0 && page->in.lines > 0)
		rc = lines != NULL ? rte_tel_data_start_array(lines, RTE_TEL_STRING_VAL) : -ENOMEM;
	for (i = 0; i < page->in.entries && rc == 0; i++) {
		const struct ctr_page_entry *entry = &page->entry[i];

		rc = entry->type == CTR_PAGE_LINE ?
			     rte_tel_data_add_array_string(lines, entry->text) :
			     add_entry(reply, entry);
	}
	if (rc == 0 && lines != NULL)
		rc = rte_tel_data_add_dict_container(reply, "lines", lines, 0);
	if (rc != 0)
		rte_tel_data_free(lines);
	return rc == 0 ? 0 : -EIO;
}

/* The registration of a name; the caller has the lock. */
static struct registered *
find(const char *name, size_t length)
{
	struct registered *at;

	for (at = all_registered; at != NULL; at = at->next)
		if (strlen(at->name) == length && memcmp(at->name, name, length) == 0)
			return at;
	return NULL;
}

/* Answer "/MODULE/COMMAND": on a thread of the library, one for each client. */
static int
answer(const char *command, const char *params, struct rte_tel_data *reply)
{
	static const struct ctr_telemetry_source none;
	const char *word = strchr(command + 1, '/');
	struct ctr_page *page = (struct ctr_page *)malloc(sizeof(*page));
	const struct registered *at;
	int rc = -ENOMEM;

	if (page != NULL && word != NULL) {
		(void)pthread_rwlock_rdlock(&registry_lock);
		at = find(command + 1, (size_t)(word - command - 1));
		ctr_telemetry_answer(at != NULL ? &at->source : &none, word + 1, params, page);
		(void)pthread_rwlock_unlock(&registry_lock);
		rc = reply_page(reply, page);
	}
	free(page);
	return rc;
}

static int
add_command(const struct ctr_module *module, const char *word, const char *help)
{
	char command[160];

	snprintf(command, sizeof(command), "/%s/%s", module->name, word);
	return rte_telemetry_register_cmd(command, answer, help);
}

/* The commands of every module, then those that scopes have besides, as far as there is room. */
static int
add_commands(const struct ctr_module *module)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < CTR_TELEMETRY_COMMANDS && rc == 0; i++)
		rc = add_command(module, ctr_telemetry_commands[i].name,
				 ctr_telemetry_commands[i].help);
	if (rc != 0)
		return rc == -EINVAL ? -ENAMETOOLONG : -ENOMEM;
	for (i = 0; i < module->num_scopes; i++)
		if (ctr_telemetry_command(module->scopes[i].name) == NULL)
			(void)add_command(module, module->scopes[i].name,
					  "Values of an instance. Parameters: [INDEX..][,START]");
	return 0;
}

/* Open the tables of discontinuities of a module's scopes; returns of how many. */
static unsigned int
open_tables(const struct ctr_module *module)
{
	unsigned int i = 0;
	uint64_t *table;

	while (i < module->num_scopes &&
	       ctr_discontinuity_open(module, &module->scopes[i], &table) == 0)
		i++;
	return i;
}

static void
close_tables(const struct ctr_module *module, unsigned int num_scopes)
{
	while (num_scopes-- > 0) {
		const struct ctr_scope *scope = &module->scopes[num_scopes];
		uint64_t *table = scope->discontinuity_ns != NULL ? *scope->discontinuity_ns : NULL;

		ctr_discontinuity_close(module, scope, &table);
	}
}

static bool
is_taken(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(dpdk_names) / sizeof(dpdk_names[0]); i++)
		if (strcmp(dpdk_names[i], name) == 0)
			return true;
	return false;
}

/* Enter a module under its name, which may be known; the caller has the lock. */
static int
enter(const struct ctr_module *module, unsigned int flags)
{
	struct registered *at = find(module->name, strlen(module->name));
	int rc;

	if (at == NULL) {
		at = (struct registered *)calloc(1, sizeof(*at));
		if (at == NULL)
			return -ENOMEM;
		snprintf(at->name, sizeof(at->name), "%s", module->name);
		at->next = all_registered;
		all_registered = at;
	}
	if (at->source.module != NULL)
		return -EEXIST;
	rc = at->known ? 0 : add_commands(module);
	if (rc != 0)
		return rc;
	at->known = true;
	at->source.resets = (flags & CTR_TELEMETRY_RESET) != 0;
	at->source.start_unix_ns = ctr_unix_ns();
	at->source.start_ns = ctr_time_ns();
	at->source.module = module;
	return 0;
}

int
ctr_telemetry_register(const struct ctr_module *module, unsigned int flags)
{
	unsigned int num_open;
	int rc = -ENOMEM;

	if (module == NULL || module->abi != CTR_ABI || (flags & ~CTR_TELEMETRY_RESET) != 0)
		return -EINVAL;
	if (is_taken(module->name))
		return -EADDRINUSE;
	if (strlen(module->name) >= sizeof(all_registered->name))
		return -ENAMETOOLONG;
	num_open = open_tables(module); /* until ctr_telemetry_unregister() */
	if (num_open == module->num_scopes) {
		(void)pthread_rwlock_wrlock(&registry_lock);
		rc = enter(module, flags);
		(void)pthread_rwlock_unlock(&registry_lock);
	}
	if (rc != 0)
		close_tables(module, num_open);
	return rc;
}

int
ctr_telemetry_unregister(const struct ctr_module *module)
{
	struct registered *at;
	int rc = -ENOENT;

	if (module == NULL)
		return -EINVAL;
	(void)pthread_rwlock_wrlock(&registry_lock);
	at = find(module->name, strlen(module->name));
	if (at != NULL && at->source.module == module) {
		at->source.module = NULL;
		rc = 0;
	}
	(void)pthread_rwlock_unlock(&registry_lock);
	if (rc == 0)
		close_tables(module, module->num_scopes);
	return rc;
}
