/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_telemetry_reply.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr.h"
#include "ctr_telemetry.h"

/* The library's own, which no module may take the names of. */
static const char *const dpdk_names[] = { "bbdev", "bonding", "cryptodev", "dmadev", "eal", "ethdev",
				     "eventdev", "graph", "gpudev", "help", "info", "ipsec",
				     "lcore", "malloc", "memory", "mempool", "mldev", "rawdev",
				     "regexdev", "ring", "security" };

/* A name that is registered: the library never forgets it. */
struct registered {
	struct registered *next;
	const struct ctr_module *module; /* NULL after unregistering. */
	bool resets;                     /* Whether resets are allowed. */
	uint64_t clock_ns;               /* The latest ctr_clock_ns(). */
	bool known;                      /* Whether the library has its commands. */
	char name[64];
};

/* Callbacks take it to read, for as long as they use a module. */
static pthread_rwlock_t registry_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct registered *all_registered;

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
answer(const char *command, const char *params, struct rte_tel_data *data)
{
	struct ctr_reply reply = { .data = data };
	const char *word = strchr(command + 1, '/');
	struct registered *at;

	if (word == NULL || rte_tel_data_start_dict(data) != 0)
		return -EINVAL;
	(void)pthread_rwlock_rdlock(&registry_lock);
	at = find(command + 1, (size_t)(word - command - 1));
	if (at != NULL) {
		reply.resets = at->resets;
		reply.clock_ns = ctr_clock_ns(ctr_load64(&at->clock_ns));
		ctr_store64(&at->clock_ns, reply.clock_ns);
	}
	ctr_telemetry_answer(at != NULL ? at->module : NULL, word + 1, params, &reply);
	(void)pthread_rwlock_unlock(&registry_lock);
	return 0;
}

static int
add_commands(const struct ctr_module *module)
{
	char command[160];
	int rc = 0;

	ctr_port_stay_loaded(); /* the library does not take commands back */
	for (unsigned int i = 0; i < CTR_TELEMETRY_COMMANDS && rc == 0; i++) {
		snprintf(command, sizeof(command), "/%s/%s", module->name,
			 ctr_telemetry_commands[i].name);
		rc = rte_telemetry_register_cmd(command, answer, ctr_telemetry_commands[i].help);
	}
	if (rc != 0)
		return rc == -EINVAL ? -ENAMETOOLONG : -ENOMEM;
	return 0;
}

static bool
is_taken(const char *name)
{
	for (size_t i = 0; i < sizeof(dpdk_names) / sizeof(dpdk_names[0]); i++)
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
	if (at->module != NULL)
		return -EEXIST;
	rc = at->known ? 0 : add_commands(module);
	if (rc != 0)
		return rc;
	at->known = true;
	at->resets = (flags & CTR_TELEMETRY_RESET) != 0;
	at->clock_ns = ctr_clock_ns(0);
	at->module = module;
	return 0;
}

int
ctr_telemetry_register(const struct ctr_module *module, unsigned int flags)
{
	int rc;

	if (module == NULL || module->abi != CTR_ABI || (flags & ~CTR_TELEMETRY_RESET) != 0)
		return -EINVAL;
	if (is_taken(module->name))
		return -EADDRINUSE;
	if (strlen(module->name) >= sizeof(all_registered->name))
		return -ENAMETOOLONG;
	(void)pthread_rwlock_wrlock(&registry_lock);
	rc = enter(module, flags);
	(void)pthread_rwlock_unlock(&registry_lock);
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
	if (at != NULL && at->module == module) {
		at->module = NULL;
		rc = 0;
	}
	(void)pthread_rwlock_unlock(&registry_lock);
	return rc;
}
