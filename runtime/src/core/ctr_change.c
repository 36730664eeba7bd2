/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes that fork() waits for. */
#define _GNU_SOURCE 1
#include <pthread.h>

#include "ctr_fork.h"

#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
/* Prefer forks, so that many resets do not starve them. */
#define RWLOCK PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define RWLOCK PTHREAD_RWLOCK_INITIALIZER
#endif

/* Shared by changes, exclusive for a fork. Taken before all other locks except those of modules. */
static pthread_rwlock_t fork_changes = RWLOCK;

uint32_t ctr_forks;
/* Changes of the calling thread that have not ended. */
static CTR_THREAD_LOCAL unsigned int change_depth;

void
ctr_change_begin(void)
{
	if (change_depth++ == 0)
		(void)pthread_rwlock_rdlock(&fork_changes);
}

void
ctr_change_end(void)
{
	if (--change_depth == 0)
		(void)pthread_rwlock_unlock(&fork_changes);
}

void
ctr_change_step(enum ctr_fork_step step)
{
	if (step == CTR_FORK_PREPARE) {
		(void)pthread_rwlock_wrlock(&fork_changes);
	} else if (step == CTR_FORK_PARENT) {
		(void)pthread_rwlock_unlock(&fork_changes);
	} else {
		fork_changes = (pthread_rwlock_t)RWLOCK;
		ctr_forks++;
	}
}
