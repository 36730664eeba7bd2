/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Three spinning locks: spin, ticket and mcs; and the lock of `shared_lock`.
 *
 * Waiters yield the core from time to time. No lock is recursive. A zeroed lock is free; each takes
 * eight bytes. In a child of fork() locks of other threads are to be zeroed. */
#ifndef CTR_LOCK_H
#define CTR_LOCK_H

#include "ctr_port.h"

/** Test-and-test-and-set lock: the fastest without contention, unfair. */
struct ctr_spin {
	uint32_t held;     /**< Not 0 while taken. */
	uint32_t reserved; /**< Keeps the size of all locks the same. */
};

/** A lock on a cache line of its own; zeroed, it is free. */
struct ctr_other_lock {
	struct ctr_spin lock; /**< Held by a thread without an lcore id while it writes. */
} CTR_CACHE_ALIGNED;

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

/** In a child of fork() only the caller is left; the lock is free unless it is @p mine. */
static inline void
ctr_spin_reinit(struct ctr_spin *lock, bool mine)
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

/* ---- a biased lock: one owner, and other threads ---- */

/** State of a nonowner: it takes or releases the lock, and does not wait in between. */
#define CTR_BIASED_TRANSIT 1u
/** State of a nonowner: it has the lock. */
#define CTR_BIASED_HELD 2u

/** The owner takes it with one exchange. Nonowners pay more: one at a time announces what it does,
 * so that the successor of an owner that has ended can release a lock which the owner took with it
 * (ctr_biased_recover()). If several threads act as the owner, no thread recovers it. */
struct ctr_biased {
	uint32_t held;     /**< Not 0 while taken. */
	uint32_t nonowner; /**< State of the one nonowner; 0 without one. */
};

/** The rest of ctr_biased_lock(): a call, so that without contention no register is saved. */
static CTR_COLD __attribute__((unused)) void
ctr_biased_wait(struct ctr_biased *lock)
{
	unsigned int spins = 0;

	do {
		while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0)
			ctr_spin_wait(&spins);
	} while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0);
}

/** Take the lock as its owner. */
static inline void
ctr_biased_lock(struct ctr_biased *lock)
{
	if (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))
		ctr_biased_wait(lock);
}

/** Release the lock as its owner. */
static inline void
ctr_biased_unlock(struct ctr_biased *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

/** Whether the caller is the one nonowner now, CTR_BIASED_TRANSIT. */
static inline bool
ctr_biased_claim(struct ctr_biased *lock)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&lock->nonowner, &none, CTR_BIASED_TRANSIT, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/** The one nonowner, CTR_BIASED_TRANSIT, goes: the next one sees the state of the lock. */
static inline void
ctr_biased_unclaim(struct ctr_biased *lock)
{
	__atomic_store_n(&lock->nonowner, 0, __ATOMIC_RELEASE);
}

/** Take the lock as a nonowner. */
static CTR_COLD __attribute__((unused)) void
ctr_biased_lock_nonowner(struct ctr_biased *lock)
{
	unsigned int spins = 0;

	for (;;) {
		if (ctr_biased_claim(lock)) {
			if (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) == 0)
				break;
			ctr_biased_unclaim(lock);
		}
		do {
			ctr_spin_wait(&spins);
		} while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0 ||
			 __atomic_load_n(&lock->nonowner, __ATOMIC_RELAXED) != 0);
	}
	__atomic_store_n(&lock->nonowner, CTR_BIASED_HELD, __ATOMIC_RELAXED);
}

/** Release the lock as a nonowner. */
static inline void
ctr_biased_unlock_nonowner(struct ctr_biased *lock)
{
	/* Before the lock is free: an owner that takes it and ends is not taken for a nonowner. */
	__atomic_store_n(&lock->nonowner, CTR_BIASED_TRANSIT, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
	ctr_biased_unclaim(lock);
}

/** Release the lock if its former owner has ended with it. By its successor; waits for a nonowner
 * that is moving, not for one that has the lock. */
static inline void
ctr_biased_recover(struct ctr_biased *lock)
{
	unsigned int spins = 0;

	while (!ctr_biased_claim(lock)) {
		if (__atomic_load_n(&lock->nonowner, __ATOMIC_RELAXED) == CTR_BIASED_HELD)
			return;
		ctr_spin_wait(&spins);
	}
	if (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) != 0)
		ctr_biased_unlock(lock);
	ctr_biased_unclaim(lock);
}

/** Reinitialise in a child of fork() whose only thread does not have the lock. */
static inline void
ctr_biased_reinit(struct ctr_biased *lock)
{
	__atomic_store_n(&lock->held, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->nonowner, 0, __ATOMIC_RELAXED);
}

/* ---- words behind a lock ---- */

/** Add to a word that a lock of the calling thread protects (docs/decisions.md, 30). */
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

/* ---- the strategy `shared_lock` ---- */

/** Kinds of locks. */
enum ctr_lock_kind {
	CTR_LOCK_SPIN,   /**< struct ctr_spin. */
	CTR_LOCK_TICKET, /**< struct ctr_ticket. */
	CTR_LOCK_MCS,    /**< struct ctr_mcs. */
	CTR_LOCK_PI      /**< struct ctr_pi. */
};

/** `own` of such a domain. */
struct ctr_lock_own {
	void *lock; /**< The lock of the domain; NULL: each element begins with a lock. */
	/** With CTR_LOCK_MCS and a lock of the domain: the node of a read section. */
	struct ctr_mcs_node *reader;
	enum ctr_lock_kind kind; /**< The kind of either. */
};

#endif /* CTR_LOCK_H */
