/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "ctr_fork.h"

/* Processors fetch cache lines in pairs, so no two allocations share a pair. */
#define ISOLATED ((size_t)2 * CTR_CACHE_LINE)
/* From this size on, ask the kernel for transparent huge pages. */
#define HUGE_PAGE (2u << 20)

/* Programs with modules have it, whose children are to find the ids of other threads free. */
#pragma weak ctr_fork_start

static pthread_mutex_t ids_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t at_exit;
static bool has_at_exit;
/* The code is being unloaded. */
static bool unloading;
static bool id_taken[CTR_POSIX_MAX_LCORE];
static ctr_lcore_up_t watcher_up;
static ctr_lcore_down_t watcher_down;
/* Calls of ctr_thread_register() that ctr_thread_unregister() has not undone. */
static CTR_THREAD_LOCAL unsigned int registrations;

static void
leave(void)
{
	(void)pthread_mutex_lock(&ids_lock);
	if (watcher_down != NULL)
		watcher_down(ctr_posix_lcore);
	ctr_quiescent_leave(ctr_posix_lcore);
	id_taken[ctr_posix_lcore] = false;
	ctr_posix_lcore = CTR_LCORE_ANY;
	if (has_at_exit)
		(void)pthread_setspecific(at_exit, NULL);
	(void)pthread_mutex_unlock(&ids_lock);
}

/* The thread ends, however often it registered. */
static void
end(CTR_UNUSED void *unused)
{
	registrations = 0;
	if (ctr_posix_lcore != CTR_LCORE_ANY)
		leave();
}

/* Have a key: tried again if there was none left. The caller has the lock. */
static int
create_key(void)
{
	int rc = unloading ? -EAGAIN : 0;

	if (rc == 0 && !has_at_exit) {
		rc = -pthread_key_create(&at_exit, end);
		has_at_exit = rc == 0;
	}
	return rc;
}

/* The code is unloaded with its shared object: threads that end must not call it. After destructors
 * of the application, which may join threads: priorities up to 100 are those of the compiler. */
static __attribute__((destructor(101))) void
delete_at_exit(void)
{
	(void)pthread_mutex_lock(&ids_lock);
	if (has_at_exit)
		(void)pthread_key_delete(at_exit);
	has_at_exit = false;
	unloading = true;
	(void)pthread_mutex_unlock(&ids_lock);
}

int
ctr_thread_register(void)
{
	void (*const watch_forks)(void) = ctr_fork_start; /* as in ctr_slots.c */
	unsigned int lcore;
	int rc;

	if (registrations != 0) {
		registrations++;
		return 0;
	}
	if (watch_forks != NULL)
		watch_forks();
	(void)pthread_mutex_lock(&ids_lock);
	rc = create_key();
	for (lcore = 0; lcore < CTR_MAX_LCORE && id_taken[lcore]; lcore++)
		;
	if (rc == 0 && lcore == CTR_MAX_LCORE)
		rc = -ENOSPC;
	/* Any value but NULL has end() called when the thread ends. */
	if (rc == 0)
		rc = -pthread_setspecific(at_exit, &id_taken[lcore]);
	if (rc == 0 && watcher_up != NULL)
		rc = watcher_up(lcore);
	if (rc == 0) {
		id_taken[lcore] = true;
		ctr_posix_lcore = lcore;
		registrations = 1;
	}
	(void)pthread_mutex_unlock(&ids_lock);
	return rc;
}

void
ctr_thread_unregister(void)
{
	if (registrations != 0 && --registrations == 0)
		leave();
}

int
ctr_port_watch(ctr_lcore_up_t up, ctr_lcore_down_t down)
{
	int rc = 0;

	(void)pthread_mutex_lock(&ids_lock);
	for (unsigned int lcore = 0; lcore < CTR_MAX_LCORE && rc == 0; lcore++)
		if (id_taken[lcore])
			rc = up(lcore);
	if (rc == 0) {
		watcher_up = up;
		watcher_down = down;
	}
	(void)pthread_mutex_unlock(&ids_lock);
	return rc;
}

void
ctr_port_unwatch(void)
{
	(void)pthread_mutex_lock(&ids_lock);
	watcher_up = NULL;
	watcher_down = NULL;
	(void)pthread_mutex_unlock(&ids_lock);
}

void
ctr_port_fork(enum ctr_fork_step step)
{
	if (step == CTR_FORK_PREPARE)
		(void)pthread_mutex_lock(&ids_lock);
	else if (step == CTR_FORK_PARENT)
		(void)pthread_mutex_unlock(&ids_lock);
	else
		ids_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void
ctr_port_release_ids(void)
{
	for (unsigned int lcore = 0; lcore < CTR_MAX_LCORE; lcore++) {
		if (!id_taken[lcore] || lcore == ctr_posix_lcore)
			continue;
		if (watcher_down != NULL)
			watcher_down(lcore);
		ctr_quiescent_leave(lcore);
		id_taken[lcore] = false;
	}
}

int
ctr_port_control_start(struct ctr_port_control *thread, const char *name)
{
	sigset_t all, former;
	pthread_t id;
	int rc;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &former);
	rc = pthread_create(&id, NULL, thread->run, thread->argument);
	(void)pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (rc == 0) {
		(void)pthread_setname_np(id, name);
		thread->id = (uintptr_t)id;
	}
	return -rc;
}

void
ctr_port_control_join(const struct ctr_port_control *thread)
{
	(void)pthread_join((pthread_t)thread->id, NULL);
}

void *
ctr_alloc(size_t size, CTR_UNUSED unsigned int lcore)
{
	size_t align = size >= HUGE_PAGE ? HUGE_PAGE : ISOLATED;
	void *memory = NULL;

	size = (size + ISOLATED - 1) / ISOLATED * ISOLATED;
	if (posix_memalign(&memory, align, size) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (size >= HUGE_PAGE)
		(void)madvise(memory, size, MADV_HUGEPAGE);
#endif
	memset(memory, 0, size);
	return memory;
}

void
ctr_free(void *memory)
{
	free(memory);
}
