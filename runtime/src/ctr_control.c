/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr_control.h"
#include "ctr_fork.h"
#include "ctr_module.h"
#include "ctr_port.h"

/* What GNU ld says of objects that need the lock by the name that it had up to ABI 4. */
__asm__(".pushsection .gnu.warning.ctr_control_lock, \"\", %progbits\n"
	".asciz \"objects of ctrgen 0.1 with a later runtime: generate them again with the "
	"installed ctrgen, and compile all that includes their headers\"\n"
	".popsection\n");

/* Its address identifies the thread. */
static CTR_THREAD_LOCAL char self;

/* For locks that were last taken in the process that forked this one. */
static pthread_mutex_t renewal = PTHREAD_MUTEX_INITIALIZER;
/* The thread that forked: of that process's threads only it is here. */
static uintptr_t survivor;

void
ctr_control_fork(void)
{
	static const pthread_mutex_t free_mutex = PTHREAD_MUTEX_INITIALIZER;

	renewal = free_mutex;
	survivor = (uintptr_t)&self;
}

/* A lock of a thread that is not there is free. */
static CTR_COLD void
renew(struct ctr_control *control)
{
	static const struct ctr_control free_control = CTR_CONTROL_INITIALIZER;

	(void)pthread_mutex_lock(&renewal);
	if (control->forks != ctr_forks) {
		if (control->owner != survivor)
			*control = free_control;
		__atomic_store_n(&control->forks, ctr_forks, __ATOMIC_RELEASE);
	}
	(void)pthread_mutex_unlock(&renewal);
}

void
ctr_control_hold(struct ctr_control *control)
{
	uintptr_t me = (uintptr_t)&self;

	if (ctr_unlikely(__atomic_load_n(&control->forks, __ATOMIC_ACQUIRE) != ctr_forks))
		renew(control);
	if (__atomic_load_n(&control->owner, __ATOMIC_RELAXED) != me) {
		(void)pthread_mutex_lock(&control->mutex);
		__atomic_store_n(&control->owner, me, __ATOMIC_RELAXED);
	}
	control->depth++;
}

void
ctr_control_release(struct ctr_control *control)
{
	if (--control->depth == 0) {
		__atomic_store_n(&control->owner, 0, __ATOMIC_RELAXED);
		(void)pthread_mutex_unlock(&control->mutex);
	}
}

void
ctr_control_lock(struct ctr_control *control)
{
	ctr_control_hold(control);
	if (control->changes++ == 0)
		ctr_change_begin();
}

void
ctr_control_unlock(struct ctr_control *control)
{
	if (--control->changes == 0)
		ctr_change_end();
	ctr_control_release(control);
}

void
ctr_control_mark(uint64_t *const *discontinuity_ns, uint32_t at)
{
	uint64_t *table = __atomic_load_n(discontinuity_ns, __ATOMIC_ACQUIRE);

	if (table != NULL)
		__atomic_store_n(&table[at], ctr_time_ns(), __ATOMIC_RELAXED);
}

/* ---- tables of discontinuities: the word in front of a table counts its users ---- */

static uint64_t *
make_table(const struct ctr_scope *scope)
{
	uint64_t total = 1, *words;
	unsigned int level;

	for (level = 0; level < scope->num_indexes; level++)
		total *= scope->index_maxima[level];
	if (total >= SIZE_MAX / sizeof(*words))
		return NULL;
	words = (uint64_t *)malloc((size_t)(total + 1) * sizeof(*words));
	if (words == NULL)
		return NULL;
	memset(words, 0, (size_t)(total + 1) * sizeof(*words));
	return words + 1;
}

int
ctr_discontinuity_open(const struct ctr_module *module, const struct ctr_scope *scope,
		       uint64_t **table)
{
	*table = NULL;
	if (scope->discontinuity_ns == NULL)
		return 0;
	module->read_lock();
	*table = *scope->discontinuity_ns;
	if (*table == NULL) {
		*table = make_table(scope);
		__atomic_store_n(scope->discontinuity_ns, *table, __ATOMIC_RELEASE);
	}
	if (*table != NULL)
		(*table)[-1]++;
	module->read_unlock();
	return *table != NULL ? 0 : -ENOMEM;
}

void
ctr_discontinuity_close(const struct ctr_module *module, const struct ctr_scope *scope,
			uint64_t **table)
{
	if (*table == NULL)
		return;
	module->read_lock();
	if (--(*table)[-1] == 0) {
		__atomic_store_n(scope->discontinuity_ns, NULL, __ATOMIC_RELEASE);
		free(*table - 1);
	}
	module->read_unlock();
	*table = NULL;
}
