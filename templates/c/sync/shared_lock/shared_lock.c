/* SPDX-License-Identifier: BSD-3-Clause */
/* Writers and readers take a lock: one of the domain, or that at the head of an element. */
#include <errno.h>

#include "ctr_control.h"
#include "ctr_lock.h"
#include "ctr_pi.h"
#include "ctr_strategy.h"

static const struct ctr_lock_own *
locked_own_of(const struct ctr_domain *domain)
{
	return (const struct ctr_lock_own *)domain->own;
}

static CTR_UNROLLED void
acquire(enum ctr_lock_kind kind, void *lock, struct ctr_mcs_node *node)
{
	switch (kind) {
	case CTR_LOCK_TICKET:
		ctr_ticket_lock((struct ctr_ticket *)lock);
		break;
	case CTR_LOCK_MCS:
		ctr_mcs_lock((struct ctr_mcs *)lock, node);
		break;
	case CTR_LOCK_PI:
		ctr_pi_lock((struct ctr_pi *)lock);
		break;
	case CTR_LOCK_SPIN:
	default:
		ctr_spin_lock((struct ctr_spin *)lock);
		break;
	}
}

static CTR_UNROLLED void
locked_release(enum ctr_lock_kind kind, void *lock, struct ctr_mcs_node *node)
{
	switch (kind) {
	case CTR_LOCK_TICKET:
		ctr_ticket_unlock((struct ctr_ticket *)lock);
		break;
	case CTR_LOCK_MCS:
		ctr_mcs_unlock((struct ctr_mcs *)lock, node);
		break;
	case CTR_LOCK_PI:
		ctr_pi_unlock((struct ctr_pi *)lock);
		break;
	case CTR_LOCK_SPIN:
	default:
		ctr_spin_unlock((struct ctr_spin *)lock);
		break;
	}
}

/* The lock of an element; NULL in a read section of the calling thread, which has it. */
static inline void *
lock_of(const struct ctr_domain *domain, void *element)
{
	const struct ctr_lock_own *own = locked_own_of(domain);

	if (own->lock == NULL)
		return element;
	return ctr_control_reads(domain->module->control) ? NULL : own->lock;
}

/* Each element has a lock. */
static void
load_each(const struct ctr_table *table, char *element, uint32_t n, char *values)
{
	const enum ctr_lock_kind kind = locked_own_of(table->domain)->kind;
	struct ctr_mcs_node node;

	for (; n != 0; n--, element += table->data.size, values += table->value_size) {
		acquire(kind, element, &node);
		ctr_load_element(table, element, 1, values);
		locked_release(kind, element, &node);
	}
}

static void
locked_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
     struct ctr_reading *reading)
{
	const struct ctr_lock_own *own = locked_own_of(table->domain);
	char *element = (char *)ctr_element(table, &table->data, copy, at);
	struct ctr_mcs_node node;
	void *lock;

	(void)rc;
	(void)reading;
	if (element == NULL)
		return;
	if (own->lock == NULL) {
		load_each(table, element, n, (char *)values);
		return;
	}
	lock = lock_of(table->domain, element);
	if (lock != NULL)
		acquire(own->kind, lock, &node);
	ctr_load_only(table, element, n, values);
	if (lock != NULL)
		locked_release(own->kind, lock, &node);
}

/* The words of an instance under a lock, of a kind that is a constant. */
static CTR_UNROLLED int
words_under(enum ctr_lock_kind kind, void *lock, const uint64_t *words, unsigned int num,
	    const uint64_t *base, uint64_t *values)
{
	uint64_t sums[CTR_GATHER] = { 0 };
	struct ctr_mcs_node node;

	acquire(kind, lock, &node);
	ctr_gather_words(words, num, sums);
	locked_release(kind, lock, &node);
	ctr_gather_values(sums, num, base, values);
	return 0;
}

#define WORDS_UNDER(name, kind)                                                           \
	static __attribute__((noinline)) int name(void *lock, const uint64_t *words,      \
						  unsigned int num, const uint64_t *base, \
						  uint64_t *values)                       \
	{                                                                                 \
		return words_under(kind, lock, words, num, base, values);                 \
	}

WORDS_UNDER(words_after_wait, CTR_LOCK_SPIN)
WORDS_UNDER(words_under_ticket, CTR_LOCK_TICKET)
WORDS_UNDER(words_under_mcs, CTR_LOCK_MCS)
WORDS_UNDER(words_under_pi, CTR_LOCK_PI)

/* Mostly the lock is free: then no register is saved for a call. */
static __attribute__((noinline)) int
words_under_spin(struct ctr_spin *lock, const uint64_t *words, unsigned int num,
		 const uint64_t *base, uint64_t *values)
{
	uint64_t sums[CTR_GATHER] = { 0 };

	if (ctr_unlikely(!ctr_spin_trylock(lock)))
		return words_after_wait(lock, words, num, base, values);
	ctr_gather_words(words, num, sums);
	ctr_spin_unlock(lock);
	ctr_gather_values(sums, num, base, values);
	return 0;
}

static int
locked_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	const struct ctr_lock_own *own = locked_own_of(table->domain);
	char *first = (char *)table->domain->shared + ctr_gather_offset(table, at);
	const uint64_t *words = (const uint64_t *)(void *)first;
	const unsigned int num = table->runs->num;
	uint64_t sums[CTR_GATHER] = { 0 };
	void *lock = lock_of(table->domain, first - table->runs->data);

	if (ctr_unlikely(lock == NULL)) {
		ctr_gather_words(words, num, sums);
		ctr_gather_values(sums, num, base, values);
		return 0;
	}
	switch (own->kind) {
	case CTR_LOCK_TICKET:
		return words_under_ticket(lock, words, num, base, values);
	case CTR_LOCK_MCS:
		return words_under_mcs(lock, words, num, base, values);
	case CTR_LOCK_PI:
		return words_under_pi(lock, words, num, base, values);
	case CTR_LOCK_SPIN:
	default:
		return words_under_spin(lock, words, num, base, values);
	}
}

static int
locked_words(const struct ctr_table *table, uint32_t at, void *values)
{
	const enum ctr_lock_kind kind = locked_own_of(table->domain)->kind;
	void *element = ctr_element(table, &table->data, table->domain->shared, at);
	struct ctr_mcs_node node;
	void *lock;

	if (element == NULL)
		return -EAGAIN;
	lock = lock_of(table->domain, element);
	if (ctr_likely(kind == CTR_LOCK_SPIN && lock != NULL &&
		       ctr_spin_trylock((struct ctr_spin *)lock))) {
		ctr_words_set(table, element, values);
		ctr_spin_unlock((struct ctr_spin *)lock);
		return 0;
	}
	if (ctr_likely(lock != NULL))
		acquire(kind, lock, &node);
	ctr_words_set(table, element, values);
	if (ctr_likely(lock != NULL))
		locked_release(kind, lock, &node);
	return 0;
}

static void
locked_take(const struct ctr_table *table, void *element, void *values)
{
	const enum ctr_lock_kind kind = locked_own_of(table->domain)->kind;
	void *lock = lock_of(table->domain, element);
	struct ctr_mcs_node node;

	if (lock != NULL)
		acquire(kind, lock, &node);
	ctr_take_plain(table, element, values);
	if (lock != NULL)
		locked_release(kind, lock, &node);
}

static void
locked_clear(const struct ctr_table *table, void *element)
{
	const enum ctr_lock_kind kind = locked_own_of(table->domain)->kind;
	void *lock = lock_of(table->domain, element);
	struct ctr_mcs_node node;

	if (lock != NULL)
		acquire(kind, lock, &node);
	ctr_clear_plain(table, element);
	if (lock != NULL)
		locked_release(kind, lock, &node);
}

static void
locked_section(const struct ctr_domain *domain, bool begin)
{
	const struct ctr_lock_own *own = locked_own_of(domain);

	if (own->lock != NULL && begin)
		acquire(own->kind, own->lock, own->reader);
	else if (own->lock != NULL)
		locked_release(own->kind, own->lock, own->reader);
}

/* Release a lock of a thread that is not there; that of a read section stays `mine`. */
static void
free_lock(const struct ctr_lock_own *own, void *lock, bool mine)
{
	switch ((enum ctr_lock_kind)own->kind) {
	case CTR_LOCK_TICKET:
		ctr_ticket_mend((struct ctr_ticket *)lock, mine);
		break;
	case CTR_LOCK_MCS:
		ctr_mcs_mend((struct ctr_mcs *)lock, mine ? own->reader : NULL);
		break;
	case CTR_LOCK_PI:
		ctr_pi_mend((struct ctr_pi *)lock, mine);
		break;
	case CTR_LOCK_SPIN:
	default:
		ctr_spin_mend((struct ctr_spin *)lock, mine);
		break;
	}
}

static void
locked_mend(const struct ctr_domain *domain)
{
	const struct ctr_lock_own *own = locked_own_of(domain);
	uint32_t i, at;

	if (own->lock != NULL) {
		free_lock(own, own->lock, ctr_control_reads(domain->module->control));
		return;
	}
	for (i = 0; i < domain->num_tables; i++) {
		const struct ctr_table *table = domain->tables[i];

		for (at = 0; table->data.size != 0 && at < table->max; at++) {
			void *element = ctr_element(table, &table->data, domain->shared, at);

			if (element != NULL)
				free_lock(own, element, false);
		}
	}
}

static void
locked_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	const enum ctr_lock_kind kind = locked_own_of(domain)->kind;
	void *lock = lock_of(domain, target->element);
	struct ctr_mcs_node node;

	if (lock != NULL)
		acquire(kind, lock, &node);
	ctr_add_plain(target, n);
	if (lock != NULL)
		locked_release(kind, lock, &node);
}

const struct ctr_strategy ctr_strategy_shared_lock = {
	.load = locked_load,
	.gather = locked_gather,
	.words = locked_words,
	.take = locked_take,
	.clear = locked_clear,
	.section = locked_section,
	.add = locked_add,
	.mend = locked_mend,
};
