/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "ctr_control.h"
#include "ctr_fork.h"

/* Message of GNU ld for objects that need the lock under its name up to ABI 4. */
__asm__(".pushsection .gnu.warning.ctr_control_lock, \"\", %progbits\n"
	".asciz \"objects of ctrgen 0.1 with a later runtime: generate them again with the "
	"installed ctrgen, and compile all that includes their headers\"\n"
	".popsection\n");

/* Identifies the thread in this process and its children, unlike an address of its own, which a
 * later thread may have; 0 before it takes a lock. */
static CTR_THREAD_LOCAL uintptr_t this_thread;
static uintptr_t last_thread;
/* The locks that the thread holds, and whether it could be cancelled before it took the first. */
static CTR_THREAD_LOCAL struct ctr_control *own_locks;
static CTR_THREAD_LOCAL int cancel_state;

/* For locks that were last taken in the process that forked this one. */
static pthread_mutex_t renewal = PTHREAD_MUTEX_INITIALIZER;

void
ctr_control_fork(void)
{
	struct ctr_control *control;

	renewal = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	/* The calling thread is the only one in the child; it still holds its locks. */
	for (control = own_locks; control != NULL; control = control->next)
		control->forks = ctr_forks;
}

/* A lock of a thread that does not exist in the child is free. */
static CTR_COLD void
renew(struct ctr_control *control)
{
	(void)pthread_mutex_lock(&renewal);
	if (control->forks != ctr_forks) {
		*control = (struct ctr_control)CTR_CONTROL_INITIALIZER;
		__atomic_store_n(&control->forks, ctr_forks, __ATOMIC_RELEASE);
	}
	(void)pthread_mutex_unlock(&renewal);
}

/* Take the lock, which the calling thread does not have; without `wait`, only if it is free. The
 * thread cannot be cancelled while it has the lock. */
static bool
take_mutex(struct ctr_control *control, bool wait)
{
	int state;

	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	if ((wait ? pthread_mutex_lock(&control->mutex) :
		    pthread_mutex_trylock(&control->mutex)) != 0) {
		(void)pthread_setcancelstate(state, NULL);
		return false;
	}
	if (own_locks == NULL)
		cancel_state = state;
	control->next = own_locks;
	own_locks = control;
	__atomic_store_n(&control->owner, this_thread, __ATOMIC_RELAXED);
	return true;
}

/* Whether the caller has the lock; if not, it may take it. */
static bool
is_mine(struct ctr_control *control)
{
	if (this_thread == 0)
		this_thread = __atomic_add_fetch(&last_thread, 1, __ATOMIC_RELAXED);
	if (ctr_unlikely(__atomic_load_n(&control->forks, __ATOMIC_ACQUIRE) != ctr_forks))
		renew(control);
	return __atomic_load_n(&control->owner, __ATOMIC_RELAXED) == this_thread;
}

void
ctr_control_hold(struct ctr_control *control)
{
	if (!is_mine(control))
		(void)take_mutex(control, true);
	control->depth++;
}

void
ctr_control_release(struct ctr_control *control)
{
	struct ctr_control **at;

	if (--control->depth != 0)
		return;
	for (at = &own_locks; *at != control; at = &(*at)->next)
		;
	*at = control->next;
	__atomic_store_n(&control->owner, 0, __ATOMIC_RELAXED);
	(void)pthread_mutex_unlock(&control->mutex);
	if (own_locks == NULL)
		(void)pthread_setcancelstate(cancel_state, NULL);
}

/* Other threads look whether there are any: ctr_control_reads(). */
static void
count_sections(struct ctr_control *control, uint32_t by)
{
	__atomic_store_n(&control->sections, control->sections + by, __ATOMIC_RELAXED);
}

bool
ctr_control_mine(const struct ctr_control *control)
{
	return this_thread != 0 &&
	       __atomic_load_n(&control->owner, __ATOMIC_RELAXED) == this_thread;
}

bool
ctr_control_section_begin(struct ctr_control *control, void (*end)(void))
{
	ctr_control_hold(control);
	control->end = end;
	count_sections(control, 1);
	return control->sections == 1;
}

void
ctr_control_section_end(struct ctr_control *control)
{
	count_sections(control, UINT32_MAX);
	ctr_control_release(control);
}

bool
ctr_control_in_section(void (*end)(void))
{
	const struct ctr_control *control;

	for (control = own_locks; control != NULL; control = control->next)
		if (control->sections != 0 && control->end == end)
			return true;
	return false;
}

void
ctr_control_lock(struct ctr_control *control)
{
	ctr_control_hold(control);
	if (control->changes++ == 0)
		ctr_change_begin();
}

bool
ctr_control_try_lock(struct ctr_control *control)
{
	if (!is_mine(control) && !take_mutex(control, false))
		return false;
	ctr_control_lock(control);
	return true;
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
		__atomic_store_n(&table[at], ctr_time_ns() | CTR_OWN_TIME, __ATOMIC_RELAXED);
}
