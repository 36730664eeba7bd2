/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1
#include <pthread.h>

#include "ctr_fork.h"

static pthread_once_t forks_once = PTHREAD_ONCE_INIT;
/* Protects the list. */
static pthread_mutex_t forks_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ctr_fork *fork_watchers;

/* Programs with a control thread have it. */
#pragma weak ctr_poller_fork

static void
prepare(void)
{
	ctr_change_step(CTR_FORK_PREPARE);
	(void)pthread_mutex_lock(&forks_lock);
	ctr_slots_fork(CTR_FORK_PREPARE);
}

static void
parent(void)
{
	ctr_slots_fork(CTR_FORK_PARENT);
	(void)pthread_mutex_unlock(&forks_lock);
	ctr_change_step(CTR_FORK_PARENT);
}

static void
child(void)
{
	struct ctr_fork *module;

	ctr_change_step(CTR_FORK_CHILD);
	forks_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	ctr_control_fork();
	if (ctr_poller_fork != NULL)
		ctr_poller_fork();
	ctr_slots_fork(CTR_FORK_CHILD);
	if (!CTR_FORK_COPIES) {
		for (module = fork_watchers; module != NULL; module = module->next)
			if (module->reinit != NULL)
				module->reinit(module);
		ctr_slots_reinit();
	}
	for (module = fork_watchers; module != NULL; module = module->next)
		module->fork_child(module);
	ctr_port_release_ids();
}

static void
start(void)
{
	(void)pthread_atfork(prepare, parent, child);
}

void
ctr_fork_start(void)
{
	(void)pthread_once(&forks_once, start);
}

void
ctr_fork_watch(struct ctr_fork *module)
{
	ctr_fork_start();
	(void)pthread_mutex_lock(&forks_lock);
	module->next = fork_watchers;
	fork_watchers = module;
	(void)pthread_mutex_unlock(&forks_lock);
}

void
ctr_fork_unwatch(struct ctr_fork *module)
{
	struct ctr_fork **at;

	(void)pthread_mutex_lock(&forks_lock);
	for (at = &fork_watchers; *at != NULL && *at != module; at = &(*at)->next)
		;
	if (*at != NULL)
		*at = module->next;
	(void)pthread_mutex_unlock(&forks_lock);
}
