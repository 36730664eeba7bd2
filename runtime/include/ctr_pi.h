/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A lock whose owner inherits the priority of the threads that wait for it (FUTEX_LOCK_PI).
 *
 * Waiters try and yield for some microseconds, then sleep in the kernel. Without waiters no call is
 * made. A zeroed lock is free; it takes eight bytes, and may be shared by processes of one PID
 * namespace. Not recursive. The lock of an owner that has ended goes to the next waiter. In a child
 * of fork() a lock of another thread stays taken until it is zeroed. Where the kernel has no such
 * lock, waiters sleep for 50 microseconds between two tries, without inheritance. */
#ifndef CTR_PI_H
#define CTR_PI_H

#include "ctr_common.h"

/** Lock with priority inheritance, unfair among equals that have not begun to sleep. */
struct ctr_pi {
	uint32_t owner;    /**< Thread id of the owner or 0, and the kernel's bits for waiters. */
	uint32_t reserved; /**< Keeps the size of all locks the same. */
};

CTR_C_BEGIN

/** The kernel's id of the calling thread, 0 until it first takes such a lock. */
extern CTR_THREAD_LOCAL uint32_t ctr_pi_thread;

/** Look up ctr_pi_thread and return it. Any thread. */
uint32_t ctr_pi_look_up(void);

/** Whether the thread of this process whose ctr_pi_me() is @p thread has ended; false while another
 * thread has its id. Any thread; a system call. */
bool ctr_pi_ended(uint32_t thread);

/** The rest of ctr_pi_lock(): the first lock of a thread, or one that is taken. */
void ctr_pi_wait(struct ctr_pi *lock);

/** The rest of ctr_pi_unlock(): a lock that others wait for. */
void ctr_pi_wake(struct ctr_pi *lock);

CTR_C_END

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
