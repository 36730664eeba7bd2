/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Three spinning locks: spin, ticket and mcs.
 *
 * Waiters spin, as DPDK workers do not sleep. From time to time they yield the
 * core, as on an overcommitted core the owner may be preempted. No lock is
 * recursive. A zeroed lock is free; each takes eight bytes.
 *
 * In a child of fork() there is only the thread that forked. Before it goes on, ctr_spin_mend()
 * and its like make a lock that one: @p mine says whether it has the lock.
 */
#ifndef CTR_LOCK_H
#define CTR_LOCK_H

#include "ctr_port.h"

/** Test-and-test-and-set lock: the fastest without contention, unfair. */
struct ctr_spin {
	uint32_t held;     /**< Not 0 while taken. */
	uint32_t reserved; /**< Keeps the size of all locks the same. */
};

/** Try once to take the lock; whether it was taken. */
static inline bool
ctr_spin_trylock(struct ctr_spin *lock)
{
	return __atomic_load_n(&lock->held, __ATOMIC_RELAXED) == 0 &&
		__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) == 0;
}

/** Take the lock. */
static inline void
ctr_spin_lock(struct ctr_spin *lock)
{
	unsigned int spins = 0;

	while (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))
		while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0)
			ctr_spin_wait(&spins);
}

/** Release the lock; only the owner may. */
static inline void
ctr_spin_unlock(struct ctr_spin *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

/** Only the caller is left of all threads; it may have the lock. */
static inline void
ctr_spin_mend(struct ctr_spin *lock, bool mine)
{
	if (!mine && lock->held != 0)
		ctr_spin_unlock(lock);
}

/** Ticket lock: fair, first come, first served. */
struct ctr_ticket {
	uint32_t next;    /**< Ticket of the next waiter. */
	uint32_t serving; /**< Ticket of the owner. */
};

/** Take the lock. */
static inline void
ctr_ticket_lock(struct ctr_ticket *lock)
{
	uint32_t mine = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);
	unsigned int spins = 0;

	while (__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE) != mine)
		ctr_spin_wait(&spins);
}

/** Release the lock; only the owner may. */
static inline void
ctr_ticket_unlock(struct ctr_ticket *lock)
{
	uint32_t serving = __atomic_load_n(&lock->serving, __ATOMIC_RELAXED);

	__atomic_store_n(&lock->serving, serving + 1, __ATOMIC_RELEASE);
}

/** Only the caller is left of all threads; it may have the lock. */
static inline void
ctr_ticket_mend(struct ctr_ticket *lock, bool mine)
{
	uint32_t next = lock->serving + (mine ? 1 : 0);

	if (lock->next != next)
		__atomic_store_n(&lock->next, next, __ATOMIC_RELAXED);
}

/** Queue node of a struct ctr_mcs, on the stack of a waiter or of the owner. */
struct ctr_mcs_node {
	struct ctr_mcs_node *next; /**< The next waiter. */
	uint32_t waiting;          /**< 1 until the previous owner passes the lock on. */
};

/** Queue lock of Mellor-Crummey and Scott (1991): fair, each waiter spins on its own line. */
struct ctr_mcs {
	struct ctr_mcs_node *tail; /**< Last in the queue, NULL when free. */
};

/** Take the lock; the node @p me is in use until ctr_mcs_unlock() with the same node. */
static inline void
ctr_mcs_lock(struct ctr_mcs *lock, struct ctr_mcs_node *me)
{
	struct ctr_mcs_node *before;
	unsigned int spins = 0;

	__atomic_store_n(&me->next, (struct ctr_mcs_node *)NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&me->waiting, 1, __ATOMIC_RELAXED);
	before = __atomic_exchange_n(&lock->tail, me, __ATOMIC_ACQ_REL);
	if (ctr_likely(before == NULL))
		return;
	__atomic_store_n(&before->next, me, __ATOMIC_RELEASE);
	while (__atomic_load_n(&me->waiting, __ATOMIC_ACQUIRE) != 0)
		ctr_spin_wait(&spins);
}

/** Release the lock; only the owner may. */
static inline void
ctr_mcs_unlock(struct ctr_mcs *lock, struct ctr_mcs_node *me)
{
	struct ctr_mcs_node *behind = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE);
	unsigned int spins = 0;

	if (ctr_likely(behind == NULL)) {
		struct ctr_mcs_node *last = me;

		if (__atomic_compare_exchange_n(&lock->tail, &last, (struct ctr_mcs_node *)NULL,
						false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
		while ((behind = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE)) == NULL)
			ctr_spin_wait(&spins);
	}
	__atomic_store_n(&behind->waiting, 0, __ATOMIC_RELEASE);
}

/** Only the caller is left of all threads; it has the lock with @p me, or @p me is NULL. */
static inline void
ctr_mcs_mend(struct ctr_mcs *lock, struct ctr_mcs_node *me)
{
	if (me != NULL)
		__atomic_store_n(&me->next, (struct ctr_mcs_node *)NULL, __ATOMIC_RELAXED);
	if (lock->tail != me)
		__atomic_store_n(&lock->tail, me, __ATOMIC_RELAXED);
}

/* ---- words behind a lock ---- */

/**
 * Add to a word that a lock protects, which the calling thread has.
 *
 * In three instructions: behind the locked one that takes a lock, an add in memory, of one
 * instruction, takes longer (docs/decisions.md, 30).
 */
static inline void
ctr_locked_add64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

/** Subtract from a word that a lock protects, which the calling thread has. */
static inline void
ctr_locked_sub64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word - n, __ATOMIC_RELAXED);
}

/** Add to a word that a lock protects, which the calling thread has. */
static inline void
ctr_locked_add32(uint32_t *word, uint32_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

#endif /* CTR_LOCK_H */
