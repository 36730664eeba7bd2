/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A lock whose owner inherits the priority of those that wait for it.
 *
 * Waiters try, and yield, a bounded number of times: some microseconds. Then they sleep in the
 * kernel, which runs the owner at the priority of the highest of them, and gives that one the lock
 * next (futex(2), FUTEX_LOCK_PI). Without waiters no call is made. A zeroed lock is free; it takes
 * eight bytes, and may lie in memory that processes of one PID namespace share. It is not recursive.
 *
 * A lock whose owner has ended goes to the next that wants it; what the owner had begun stays half
 * done. In a child of fork(), one that another thread has stays taken until that thread ends, in the
 * parent, or until it is zeroed.
 *
 * Where the kernel cannot do this, waiters sleep for 50 microseconds between two tries: the owner
 * runs, but at its own priority.
 */
#ifndef CTR_PI_H
#define CTR_PI_H

#include "ctr_common.h"

/** Lock with priority inheritance, unfair among equals that have not begun to sleep. */
struct ctr_pi {
	uint32_t owner;    /**< Thread id of the owner or 0, and the kernel's bits for waiters. */
	uint32_t reserved; /**< Keeps the size of all locks the same. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel's id of the calling thread, 0 until it first takes such a lock. */
extern CTR_THREAD_LOCAL uint32_t ctr_pi_thread;

/** Look up ctr_pi_thread and return it. Any thread. */
uint32_t ctr_pi_look_up(void);

/**
 * Whether a thread of this process has ended. Any thread; a system call, or four for the first
 * thread of the process, which needs /proc. False for a thread that is preempted or blocked, and
 * for one whose id a later thread has. Where the kernel is not Linux it is true only for threads of
 * the process that forked this one: what any other thread has when it ends stays with it.
 *
 * @param thread its ctr_pi_me()
 */
bool ctr_pi_ended(uint32_t thread);

/** The rest of ctr_pi_lock(): the first lock of a thread, or one that is taken. */
void ctr_pi_wait(struct ctr_pi *lock);

/** The rest of ctr_pi_unlock(): a lock that others wait for. */
void ctr_pi_wake(struct ctr_pi *lock);

#ifdef __cplusplus
}
#endif

/** The kernel's id of the calling thread, never 0; in a child of fork() it is another one. */
static inline uint32_t
ctr_pi_me(void)
{
	const uint32_t me = ctr_pi_thread;

	return ctr_likely(me != 0) ? me : ctr_pi_look_up();
}

/** Take the lock. Never fails; not for signal handlers, unless no code they interrupt takes it. */
static inline void
ctr_pi_lock(struct ctr_pi *lock)
{
	uint32_t me = ctr_pi_thread, nobody = 0;

	if (ctr_unlikely(me == 0 ||
			 !__atomic_compare_exchange_n(&lock->owner, &nobody, me, false,
						      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
		ctr_pi_wait(lock);
}

/** Release the lock; only the owner may. */
static inline void
ctr_pi_unlock(struct ctr_pi *lock)
{
	uint32_t me = ctr_pi_thread;

	if (ctr_unlikely(!__atomic_compare_exchange_n(&lock->owner, &me, 0, false,
						      __ATOMIC_RELEASE, __ATOMIC_RELAXED)))
		ctr_pi_wake(lock);
}

#endif /* CTR_PI_H */
