/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Each primitive of the runtime whose order matters, as a function to look at in
 * the disassembly; tests/machine/orders.py says what has to be there.
 */
#include "ctr.h"
#include "ctr_lock.h"
#include "ctr_pi.h"
#include "ctr_read_ctx.h"
#include "ctr_seqcount.h"
#include "ctr_word.h"

#define PROBE(type, name, ...)                                                 \
	type name(__VA_ARGS__);                                                \
	type name(__VA_ARGS__)

PROBE(uint64_t, probe_rebase, uint64_t *base, uint64_t now)
{
	return ctr_rebase64(base, now);
}

PROBE(void, probe_seq_write, uint32_t *seq, uint64_t *word)
{
	ctr_seq_write_begin(seq);
	ctr_store64(word, 1);
	ctr_seq_write_end(seq);
}

struct probe {
	struct ctr_spin lock;
	uint32_t seq;
	uint64_t first;
	uint64_t second;
	uint32_t narrow;
};

/* An update as an owner makes it. */
PROBE(void, probe_seq_update, struct probe *at, uint64_t n)
{
	ctr_seq_update_begin(&at->seq);
	ctr_add64(&at->first, n);
	ctr_sub64(&at->second, 1);
	ctr_add32(&at->narrow, 7);
	ctr_seq_update_end(&at->seq);
}

/* The same by a thread without an lcore id, and by one that clears what there was. */
PROBE(void, probe_seq_adds, struct probe *at, uint64_t n)
{
	ctr_seq_write_begin(&at->seq);
	ctr_add64(&at->first, n);
	ctr_sub64(&at->second, 1);
	ctr_add32(&at->narrow, 7);
	ctr_seq_write_end(&at->seq);
}

/* Adds under a lock. */
PROBE(void, probe_lock_adds, struct probe *at, uint64_t n)
{
	if (!ctr_spin_trylock(&at->lock))
		return;
	ctr_add64(&at->first, n);
	ctr_sub64(&at->second, 1);
	ctr_add32(&at->narrow, 7);
	ctr_spin_unlock(&at->lock);
}

/* A pointer on the way of an update, and what it points to. */
PROBE(uint64_t, probe_pointer, uint64_t *const *at)
{
	uint64_t *word = ctr_load_pointer(at);

	return word != NULL ? *word : 0;
}

/* Whether an instance exists, on the way of an update. */
PROBE(uint64_t, probe_bit, const uint64_t *bits, uint32_t at, const uint64_t *word)
{
	return ctr_bit(bits, at) ? ctr_load64(word) : 0;
}

PROBE(void, probe_bit_set, uint64_t *bits, uint32_t at)
{
	ctr_bit_set(bits, at);
}

PROBE(bool, probe_seq_read, const uint32_t *seq, const uint64_t *word, uint64_t *out)
{
	uint32_t begin = ctr_seq_read_begin(seq);

	*out = ctr_load64(word);
	return ctr_seq_read_retry(seq, begin);
}

PROBE(void, probe_epoch_write, uint32_t *epoch, const uint64_t *word, uint64_t *base)
{
	ctr_epoch_write_begin(epoch);
	ctr_store64(base, ctr_load64(word));
	ctr_epoch_write_end(epoch);
}

/* A read, and whether it must be repeated. */
PROBE(bool, probe_epoch_read, struct ctr_read_ctx *reading, const uint64_t *word, uint64_t *out)
{
	ctr_read_begin(reading, reading->epoch);
	*out = ctr_load64(word);
	return ctr_read_retry(reading);
}

PROBE(bool, probe_trylock, struct ctr_spin *lock)
{
	return ctr_spin_trylock(lock);
}

PROBE(void, probe_spin_lock, struct ctr_spin *lock)
{
	ctr_spin_lock(lock);
}

PROBE(void, probe_spin_unlock, struct ctr_spin *lock)
{
	ctr_spin_unlock(lock);
}

PROBE(void, probe_ticket_lock, struct ctr_ticket *lock)
{
	ctr_ticket_lock(lock);
}

PROBE(void, probe_ticket_unlock, struct ctr_ticket *lock)
{
	ctr_ticket_unlock(lock);
}

PROBE(void, probe_mcs_lock, struct ctr_mcs *lock, struct ctr_mcs_node *me)
{
	ctr_mcs_lock(lock, me);
}

PROBE(void, probe_mcs_unlock, struct ctr_mcs *lock, struct ctr_mcs_node *me)
{
	ctr_mcs_unlock(lock, me);
}

PROBE(void, probe_pi_lock, struct ctr_pi *lock)
{
	ctr_pi_lock(lock);
}

PROBE(void, probe_pi_unlock, struct ctr_pi *lock)
{
	ctr_pi_unlock(lock);
}

PROBE(void *, probe_acquire, void *const *at)
{
	return ctr_load_acquire(at);
}

PROBE(void, probe_release, void **at, void *what)
{
	ctr_store_release(at, what);
}

PROBE(void, probe_atomic_add, uint64_t *word, uint64_t n)
{
	ctr_atomic_add64(word, n);
}

PROBE(uint64_t, probe_exchange, uint64_t *word)
{
	return ctr_exchange64(word);
}

PROBE(void, probe_atomic_sub, uint64_t *word, uint64_t n)
{
	ctr_atomic_sub64(word, n);
}

PROBE(void, probe_atomic_add32, uint32_t *word)
{
	ctr_atomic_add32(word, 0x80000000u);
}

/* A report of quiescence, with the lookup of the lcore id. */
PROBE(void, probe_report, void)
{
	ctr_quiescent();
}

/* Adjacent counters of one owner: a compiler would like to make one vector of them. */
PROBE(void, probe_own_adds, uint64_t *word, uint64_t n)
{
	ctr_add64(&word[0], n);
	ctr_add64(&word[1], n);
	ctr_add64(&word[2], n);
	ctr_add64(&word[3], n);
}
