/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A spinning lock with an owner, which takes it with one exchange, and visitors, which pay more:
 * one at a time announces what it does. So the successor of an owner that has ended can release a
 * lock that the owner took with it (ctr_owned_repair()). Not recursive; a zeroed lock is free. If
 * several threads act as the owner, no thread repairs.
 */
#ifndef CTR_OWNED_H
#define CTR_OWNED_H

#include "ctr_port.h"

/** What a visitor does: takes the lock or gives it back, and waits for nothing meanwhile. */
#define CTR_OWNED_MOVING 1u
/** What a visitor does: it has the lock. */
#define CTR_OWNED_INSIDE 2u

/** A lock of eight bytes. */
struct ctr_owned {
	uint32_t held;    /**< Not 0 while taken. */
	uint32_t visitor; /**< What the one visitor does; 0 without one. */
};

/** The rest of ctr_owned_lock(): a call, so that without contention no register is saved. */
static CTR_COLD __attribute__((unused)) void
ctr_owned_wait(struct ctr_owned *lock)
{
	unsigned int spins = 0;

	do {
		while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0)
			ctr_spin_wait(&spins);
	} while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0);
}

/** Take the lock as its owner. */
static inline void
ctr_owned_lock(struct ctr_owned *lock)
{
	if (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))
		ctr_owned_wait(lock);
}

/** Release the lock as its owner. */
static inline void
ctr_owned_unlock(struct ctr_owned *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

/** Whether the caller is the one visitor now, CTR_OWNED_MOVING. */
static inline bool
ctr_owned_come(struct ctr_owned *lock)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&lock->visitor, &nobody, CTR_OWNED_MOVING, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/** The one visitor, CTR_OWNED_MOVING, goes: the next one sees what became of the lock. */
static inline void
ctr_owned_go(struct ctr_owned *lock)
{
	__atomic_store_n(&lock->visitor, 0, __ATOMIC_RELEASE);
}

/** Take the lock as a visitor. */
static CTR_COLD __attribute__((unused)) void
ctr_owned_visit(struct ctr_owned *lock)
{
	unsigned int spins = 0;

	for (;;) {
		if (ctr_owned_come(lock)) {
			if (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) == 0)
				break;
			ctr_owned_go(lock);
		}
		do {
			ctr_spin_wait(&spins);
		} while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0 ||
			 __atomic_load_n(&lock->visitor, __ATOMIC_RELAXED) != 0);
	}
	__atomic_store_n(&lock->visitor, CTR_OWNED_INSIDE, __ATOMIC_RELAXED);
}

/** Release the lock as a visitor. */
static inline void
ctr_owned_leave(struct ctr_owned *lock)
{
	/* Before the lock is free: an owner that takes it and ends is not taken for a visitor. */
	__atomic_store_n(&lock->visitor, CTR_OWNED_MOVING, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
	ctr_owned_go(lock);
}

/** Release the lock if its former owner has ended with it. By its successor; waits for a visitor
 * that is moving, not for one that has the lock. */
static inline void
ctr_owned_repair(struct ctr_owned *lock)
{
	unsigned int spins = 0;

	while (!ctr_owned_come(lock)) {
		if (__atomic_load_n(&lock->visitor, __ATOMIC_RELAXED) == CTR_OWNED_INSIDE)
			return;
		ctr_spin_wait(&spins);
	}
	if (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0)
		ctr_owned_unlock(lock);
	ctr_owned_go(lock);
}

/** In a child of fork(), whose only thread has not the lock. */
static inline void
ctr_owned_mend(struct ctr_owned *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->visitor, 0, __ATOMIC_RELAXED);
}

#endif /* CTR_OWNED_H */
