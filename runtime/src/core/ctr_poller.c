/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread_condattr_setclock() and others */
#define _GNU_SOURCE 1
#include <time.h>

#include "core.h"
#include "ctr_fork.h"

/* Nanoseconds between two rounds: after one that drained something, and at most. */
#define SHORTEST_NS 1000000L
#define LONGEST_NS 40000000L
#define SECOND_NS 1000000000L

/* Starts and stops exclude each other. */
static pthread_mutex_t poller_changes = PTHREAD_MUTEX_INITIALIZER;
/* Protects the list and `poller_ends`; the thread has it in each round. */
static pthread_mutex_t poller_list = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t poller_wakes;
static struct ctr_module_poller *pollers;
static bool poller_runs, poller_ends;

bool
ctr_core_drain(const struct ctr_module_state *module)
{
	bool any = false;

	for (uint32_t i = 0; i < module->num_domains; i++)
		if (module->domains[i]->strategy->poll != NULL)
			any |= module->domains[i]->strategy->poll(module->domains[i]);
	return any;
}

static void *
run_poller(void *unused)
{
	struct ctr_module_poller *poller;
	long wait_ns = SHORTEST_NS;
	struct timespec next;
	bool any;

	(void)pthread_mutex_lock(&poller_list);
	while (!poller_ends) {
		any = false;
		for (poller = pollers; poller != NULL; poller = poller->next) {
			struct ctr_control *control = poller->module->control;

			if (!ctr_control_try_lock(control)) {
				any = true; /* Perhaps. */
				continue;
			}
			any |= ctr_core_drain(poller->module);
			ctr_control_unlock(control);
		}
		wait_ns = any ? SHORTEST_NS : 2 * wait_ns;
		if (wait_ns > LONGEST_NS)
			wait_ns = LONGEST_NS;
		(void)clock_gettime(CLOCK_MONOTONIC, &next);
		next.tv_nsec += wait_ns;
		next.tv_sec += next.tv_nsec / SECOND_NS;
		next.tv_nsec %= SECOND_NS;
		(void)pthread_cond_timedwait(&poller_wakes, &poller_list, &next);
	}
	(void)pthread_mutex_unlock(&poller_list);
	return unused;
}

static struct ctr_port_control poller_thread = { .run = run_poller };

static int
start_thread(void)
{
	pthread_condattr_t clock;
	int rc;

	(void)pthread_condattr_init(&clock);
	(void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&poller_wakes, &clock);
	(void)pthread_condattr_destroy(&clock);
	poller_ends = false;
	rc = ctr_port_control_start(&poller_thread, "ctr-poll");
	poller_runs = rc == 0;
	if (rc != 0)
		(void)pthread_cond_destroy(&poller_wakes);
	return rc;
}

int
ctr_poller_start(const struct ctr_module_state *module)
{
	struct ctr_module_poller *poller = module->poller;
	int rc = 0;

	(void)pthread_mutex_lock(&poller_changes);
	if (!poller_runs)
		rc = start_thread();
	if (rc == 0) {
		(void)pthread_mutex_lock(&poller_list);
		poller->module = module;
		poller->next = pollers;
		pollers = poller;
		(void)pthread_mutex_unlock(&poller_list);
	}
	(void)pthread_mutex_unlock(&poller_changes);
	return rc;
}

void
ctr_poller_stop(const struct ctr_module_state *module)
{
	struct ctr_module_poller *const poller = module->poller, **at;

	(void)pthread_mutex_lock(&poller_changes);
	(void)pthread_mutex_lock(&poller_list);
	for (at = &pollers; *at != NULL && *at != poller; at = &(*at)->next)
		;
	if (*at != NULL)
		*at = poller->next;
	(void)pthread_mutex_unlock(&poller_list);
	if (poller_runs && pollers == NULL) {
		(void)pthread_mutex_lock(&poller_list);
		poller_ends = true;
		(void)pthread_cond_signal(&poller_wakes);
		(void)pthread_mutex_unlock(&poller_list);
		ctr_port_control_join(&poller_thread);
		(void)pthread_cond_destroy(&poller_wakes);
		poller_runs = false;
	}
	(void)pthread_mutex_unlock(&poller_changes);
}

void
ctr_poller_fork(void)
{
	poller_changes = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	poller_list = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	poller_runs = false;
}
