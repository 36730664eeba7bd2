/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CTR_PORT_DPDK
#error "this is the runtime for DPDK: compile it with the flags of 'ctrgen runtime --port dpdk --cflags'"
#endif

#define _GNU_SOURCE 1
#include <signal.h>
#include <stdlib.h>

#include "ctr_fork.h"
#include "ctr_quiescent.h"

#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_thread.h>

static void *lcore_watch;
/* Whether lcore_uninit() is called for an lcore that is unregistered. */
static bool lcore_watched;
static ctr_lcore_up_t watcher_up;
static ctr_lcore_down_t watcher_down;
/* Calls of ctr_thread_register() that ctr_thread_unregister() has not undone. */
static CTR_THREAD_LOCAL unsigned int registrations;
/* The id that one of them gave the thread; LCORE_ID_ANY if it has another, or none. */
static CTR_THREAD_LOCAL unsigned int given_id = LCORE_ID_ANY;
/* Why the thread could not be made an lcore: DPDK does not pass it on. */
static CTR_THREAD_LOCAL int init_error;
/* The thread is in ctr_port_unwatch(). */
static CTR_THREAD_LOCAL bool unwatching;
/* In a child of fork(): DPDK's memory is the parent's, and its locks may be taken for ever. */
static bool forked;

int
ctr_port_check(CTR_UNUSED bool alone)
{
	return 0;
}

static int
lcore_init(unsigned int lcore, CTR_UNUSED void *unused)
{
	init_error = watcher_up(lcore);
	return init_error;
}

static void
lcore_uninit(unsigned int lcore, CTR_UNUSED void *unused)
{
	/* DPDK calls this for every lcore when the callback is unregistered, too. */
	if (lcore != rte_lcore_id() || unwatching)
		return;
	watcher_down(lcore);
	/* Nothing of it is pending any more, so no thread need wait for it. */
	ctr_quiescent_leave();
	/* Should the application register the thread again, then that id is its own. */
	given_id = LCORE_ID_ANY;
}

int
ctr_port_watch(ctr_lcore_up_t up, ctr_lcore_down_t down)
{
	watcher_up = up;
	watcher_down = down;
	/* No other lcore comes into use. */
	if (forked)
		return rte_lcore_id() < RTE_MAX_LCORE ? up(rte_lcore_id()) : 0;
	lcore_watch = rte_lcore_callback_register("ctr", lcore_init, lcore_uninit, NULL);
	__atomic_store_n(&lcore_watched, lcore_watch != NULL, __ATOMIC_RELAXED);
	return lcore_watch != NULL ? 0 : -ENOMEM;
}

void
ctr_port_unwatch(void)
{
	__atomic_store_n(&lcore_watched, false, __ATOMIC_RELAXED);
	unwatching = true;
	if (lcore_watch != NULL && !forked)
		rte_lcore_callback_unregister(lcore_watch);
	unwatching = false;
	lcore_watch = NULL;
}

bool
ctr_port_watched(void)
{
	return __atomic_load_n(&lcore_watched, __ATOMIC_RELAXED);
}

static int
registration_error(int error)
{
	if (error == EINVAL || error == ENOTSUP)
		return -ENOTSUP;
	if (error != ENOMEM)
		return -error;
	/* DPDK also returns this if a callback refused, or if all ids are in use. */
	if (init_error != 0)
		return init_error;
	return rte_lcore_count() >= RTE_MAX_LCORE ? -ENOSPC : -ENOMEM;
}

int
ctr_thread_register(void)
{
	if (rte_lcore_id() == LCORE_ID_ANY) {
		if (forked)
			return -ENOTSUP;
		init_error = 0;
		if (rte_thread_register() != 0)
			return registration_error(rte_errno);
		given_id = rte_lcore_id();
	}
	registrations++;
	return 0;
}

void
ctr_thread_unregister(void)
{
	if (registrations == 0 || --registrations != 0)
		return;
	if (given_id != LCORE_ID_ANY && given_id == rte_lcore_id() && !forked)
		rte_thread_unregister();
	given_id = LCORE_ID_ANY;
}

void
ctr_port_fork(enum ctr_fork_step step)
{
	if (step != CTR_FORK_CHILD)
		return;
	forked = true;
	ctr_quiescent_reinit();
}

void
ctr_port_release_ids(void)
{
}

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
static uint32_t
control_main(void *argument)
{
	const struct ctr_port_control *thread = argument;

	(void)thread->run(thread->argument);
	return 0;
}
#endif

int
ctr_port_control_start(struct ctr_port_control *thread, const char *name)
{
	sigset_t all, former;
	int rc;
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	rte_thread_t id = { 0 };
#else
	pthread_t id = 0;
#endif

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &former);
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	rc = -abs(rte_thread_create_control(&id, name, control_main, thread));
	thread->id = id.opaque_id;
#else
	rc = rte_ctrl_thread_create(&id, name, NULL, thread->run, thread->argument);
	thread->id = (uintptr_t)id;
#endif
	(void)pthread_sigmask(SIG_SETMASK, &former, NULL);
	return rc;
}

void
ctr_port_control_join(const struct ctr_port_control *thread)
{
	const rte_thread_t id = { .opaque_id = thread->id };

	(void)rte_thread_join(id, NULL);
}

void *
ctr_alloc(size_t size, unsigned int lcore)
{
	int socket = lcore < RTE_MAX_LCORE ? (int)rte_lcore_to_socket_id(lcore) : SOCKET_ID_ANY;
	void *memory = NULL;
	int rc;

	if (forked) { /* Of the C library. */
		size = RTE_CACHE_LINE_ROUNDUP(size);
		rc = posix_memalign(&memory, RTE_CACHE_LINE_SIZE, size);
		return rc == 0 ? memset(memory, 0, size) : NULL;
	}
	memory = rte_malloc_socket("ctr", size, RTE_CACHE_LINE_SIZE, socket);
	if (memory == NULL && socket != SOCKET_ID_ANY)
		memory = rte_malloc_socket("ctr", size, RTE_CACHE_LINE_SIZE, SOCKET_ID_ANY);
	/* Not rte_zmalloc(), which leaves pages untouched that are zero. */
	return memory != NULL ? memset(memory, 0, size) : NULL;
}

void
ctr_free(void *memory)
{
	if (forked)
		free(memory);
	else
		rte_free(memory);
}
