/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>

#include "ctr_debug.h"
#include "ctr_fork.h"
#include "ctr_quiescent.h"
#include "ctr_table.h"

/* Opening and closing exclude each other, the watch of the port included. */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
/* Protects the list of open sets, their slots and in_use. The port has a lock of its own. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
/* Also taken when a slot of an open set is added, so that ctr_slots_lock() needs only this lock,
 * and threads leave while memory is allocated. The order of locks is open_lock, that of the port,
 * list_lock, those of `leave` and `takeover` of strategies, memory_lock. */
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ctr_slots *opened;
static unsigned int watching;
static bool in_use[CTR_MAX_LCORE];
/* Keys of pthread_setspecific() below allocate no memory: PTHREAD_KEY_2NDLEVEL_SIZE of glibc. */
#define PLAIN_KEYS 32u
/* Clears the pointers of a thread that exits with its lcore id; PLAIN_KEYS: threads set none. */
static pthread_key_t mine_key = PLAIN_KEYS;
/* From then on a thread sets none. */
static CTR_THREAD_LOCAL bool ended;

/* ---- slots as the copies of a domain, or as pending updates of its only copy ---- */

/* Initialise a zeroed slot before it is published: 0 or -errno. */
static int
slot_up(const struct ctr_slots *slots, void *slot, unsigned int lcore)
{
	const struct ctr_domain *domain = slots->domain;
	const struct ctr_table *table;
	int rc = 0;

	if (domain == NULL)
		return 0;
	for (uint32_t i = 0; slots != domain->held && i < domain->num_tables && rc == 0; i++) {
		table = domain->tables[i];
		if (table->chunk_ops != NULL && table->data.size != 0)
			rc = table->chunk_ops->grow(table, slot, lcore);
	}
	if (rc == 0 && domain->strategy->prepare != NULL)
		rc = domain->strategy->prepare(domain, slot);
	return rc;
}

/* A thread takes over the slot of a former one with its id; runs in the new owner. */
static void
slot_takeover(const struct ctr_slots *slots, unsigned int lcore)
{
	const struct ctr_domain *domain;

	for (domain = slots->domain; domain != NULL; domain = domain->shares)
		if (domain->strategy->takeover != NULL)
			domain->strategy->takeover(domain, slots->slot[lcore]);
}

/* The owner of a slot unregisters; runs in its thread, or in the child of a fork() in which that
 * thread is not. */
static void
slot_down(const struct ctr_slots *slots, unsigned int lcore)
{
	const struct ctr_domain *domain;

	for (domain = slots->domain; domain != NULL; domain = domain->shares)
		if (domain->strategy->leave != NULL)
			domain->strategy->leave(domain, slots->slot[lcore]);
	if (slots->domain != NULL && slots->domain->drain_tokens != NULL)
		ctr_drain_leave(slots->domain->drain_tokens, lcore);
}

void
ctr_slots_shrink(const struct ctr_domain *domain, void *copy)
{
	const struct ctr_table *table;

	for (uint32_t i = 0; i < domain->num_tables; i++) {
		table = domain->tables[i];
		if (table->chunk_ops != NULL && table->data.size != 0)
			table->chunk_ops->shrink(table, copy);
	}
}

/* Undo slot_up(). */
static void
slot_drop(const struct ctr_slots *slots, void *slot)
{
	const struct ctr_domain *domain = slots->domain;

	if (domain != NULL && domain->strategy->drop != NULL)
		domain->strategy->drop(domain, slot);
	if (domain != NULL && slots != domain->held) /* These are copies. */
		ctr_slots_shrink(domain, slot);
}

/* ---- memory ---- */

/* Whether the memory of a slot is that of the set. */
static bool
is_allocated(const struct ctr_slots *slots, unsigned int lcore)
{
	return slots->memory == NULL || lcore == CTR_NON_LCORE;
}

static int
allocate(struct ctr_slots *slots, unsigned int lcore)
{
	void *slot = is_allocated(slots, lcore) ? ctr_alloc(slots->size, lcore) :
					    slots->memory + lcore * slots->size;
	int rc;

	if (slot == NULL)
		return -ENOMEM;
	rc = slot_up(slots, slot, lcore);
	if (rc != 0) {
		slot_drop(slots, slot);
		if (is_allocated(slots, lcore))
			ctr_free(slot);
	} else {
		ctr_store_release(&slots->slot[lcore], slot);
		slots->copy[slots->num] = slots->slot[lcore];
		ctr_store_release(&slots->num, slots->num + 1);
	}
	return rc;
}

/* Not between ctr_slots_lock() and ctr_slots_unlock(): a slot that was added before is visible
 * there, and slot_up() of a slot that is added after sees the changes made there. */
static int
provide(struct ctr_slots *slots, unsigned int lcore)
{
	int rc = 0;

	(void)pthread_mutex_lock(&memory_lock);
	if (slots->slot[lcore] == NULL)
		rc = allocate(slots, lcore);
	(void)pthread_mutex_unlock(&memory_lock);
	return rc;
}

void *
ctr_slots_claim(struct ctr_slots *slots, void **mine)
{
	const pthread_key_t key = __atomic_load_n(&mine_key, __ATOMIC_RELAXED);
	const unsigned int lcore = ctr_lcore_id();
	void *const slot = ctr_slots_own(slots);
	void *const *before;

	/* A thread that has left, but still has its id, must not set a pointer again. */
	if (slot == NULL || lcore >= CTR_MAX_LCORE || ended || key >= PLAIN_KEYS ||
	    !__atomic_load_n(&in_use[lcore], __ATOMIC_RELAXED))
		return slot;
	before = ctr_load_acquire(&slots->mine[lcore]);
	if ((before == NULL || before == mine) && pthread_setspecific(key, &ended) == 0) {
		ctr_store_release(&slots->mine[lcore], mine);
		__atomic_store_n(mine, slot, __ATOMIC_RELAXED);
	}
	return slot;
}

/* Under list_lock, by the thread with that id or when the set is closed. */
static void
forget(struct ctr_slots *slots, unsigned int lcore)
{
	void **mine = ctr_load_acquire(&slots->mine[lcore]);

	ctr_store_release(&slots->mine[lcore], (void **)NULL);
	if (mine != NULL)
		__atomic_store_n(mine, NULL, __ATOMIC_RELAXED);
}

/* Clear the pointers of the calling thread. */
static void
forget_own(void)
{
	const unsigned int lcore = ctr_lcore_id();
	struct ctr_slots *slots;

	for (slots = opened; slots != NULL && lcore < CTR_MAX_LCORE; slots = slots->next)
		forget(slots, lcore);
}

static void
mine_end(CTR_UNUSED void *unused)
{
	ended = true;
	(void)pthread_mutex_lock(&list_lock);
	forget_own();
	(void)pthread_mutex_unlock(&list_lock);
}

static void
create_mine_key(void)
{
	pthread_key_t key;

	if (pthread_key_create(&key, mine_end) != 0)
		return;
	if (key < PLAIN_KEYS)
		__atomic_store_n(&mine_key, key, __ATOMIC_RELAXED);
	else
		(void)pthread_key_delete(key);
}

/* The code is unloaded with its shared object: threads that end must not call it. See
 * delete_at_exit() for the priority. */
static __attribute__((destructor(101))) void
delete_mine_key(void)
{
	const pthread_key_t key = mine_key;

	if (key >= PLAIN_KEYS)
		return;
	__atomic_store_n(&mine_key, PLAIN_KEYS, __ATOMIC_RELAXED);
	(void)pthread_key_delete(key);
}

static void
release(struct ctr_slots *slots)
{
	for (unsigned int lcore = 0; lcore < CTR_MAX_LCORE; lcore++)
		forget(slots, lcore);
	slots->cpus = 0;
	ctr_store_release(&slots->num, 0u);
	for (unsigned int lcore = 0; lcore < CTR_SLOTS; lcore++) {
		void *slot = slots->slot[lcore];

		ctr_store_release(&slots->slot[lcore], (void *)NULL);
		if (slot != NULL)
			slot_drop(slots, slot);
		if (is_allocated(slots, lcore))
			ctr_free(slot);
	}
}

/* Programs with debug builds of modules have these. Called by a variable: in a unity build
 * compilers see that they are there, and warn of the question. */
#pragma weak ctr_debug_lcore_up
#pragma weak ctr_debug_watch

static void
watch_debugging(bool on)
{
	void (*const watch)(bool) = ctr_debug_watch;

	if (watch != NULL)
		watch(on);
}

static int
lcore_up(unsigned int lcore)
{
	void (*const notify)(unsigned int) = ctr_debug_lcore_up;
	struct ctr_slots *slots;
	int rc = 0;

	if (notify != NULL)
		notify(lcore);
	(void)pthread_mutex_lock(&list_lock);
	/* The lcore has a slot before its new owner uses it: made for it, or taken over. */
	for (slots = opened; slots != NULL && rc == 0; slots = slots->next)
		if (slots->cpus == 0 && slots->slot[lcore] == NULL)
			rc = provide(slots, lcore);
		else if (slots->cpus == 0)
			slot_takeover(slots, lcore);
	if (rc == 0)
		__atomic_store_n(&in_use[lcore], true, __ATOMIC_RELAXED);
	(void)pthread_mutex_unlock(&list_lock);
	return rc;
}

static void
lcore_down(unsigned int lcore)
{
	struct ctr_slots *slots;

	(void)pthread_mutex_lock(&list_lock);
	for (slots = opened; slots != NULL; slots = slots->next)
		if (slots->cpus == 0 && slots->slot[lcore] != NULL)
			slot_down(slots, lcore);
	__atomic_store_n(&in_use[lcore], false, __ATOMIC_RELAXED);
	if (lcore == ctr_lcore_id())
		forget_own();
	(void)pthread_mutex_unlock(&list_lock);
}

static int
watch_port(void)
{
	int rc;

	if (watching == 0) {
		memset(in_use, 0, sizeof(in_use));
		rc = ctr_port_watch(lcore_up, lcore_down);
		if (rc != 0)
			return rc;
		watch_debugging(true);
	}
	watching++;
	return 0;
}

static void
unwatch(void)
{
	if (--watching == 0) {
		watch_debugging(false);
		ctr_port_unwatch();
	}
}

/* Whether the slot of a number exists from the beginning. */
static bool
needed(const struct ctr_slots *slots, unsigned int number)
{
	if (number == CTR_NON_LCORE)
		return slots->non_lcore;
	return slots->cpus != 0 ? number < slots->cpus : in_use[number];
}

static int
fill(struct ctr_slots *slots)
{
	int rc = 0;

	(void)pthread_mutex_lock(&list_lock);
	for (unsigned int lcore = 0; lcore < CTR_SLOTS && rc == 0; lcore++)
		if (needed(slots, lcore))
			rc = provide(slots, lcore);
	if (rc == 0) {
		slots->next = opened;
		opened = slots;
	} else {
		release(slots);
	}
	(void)pthread_mutex_unlock(&list_lock);
	return rc;
}

int
ctr_slots_open(struct ctr_slots *slots, const struct ctr_domain *domain)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int rc;

	slots->domain = domain;
	(void)pthread_once(&once, create_mine_key);
	(void)pthread_mutex_lock(&open_lock);
	rc = watch_port();
	if (rc == 0) {
		rc = fill(slots);
		if (rc != 0)
			unwatch();
	}
	(void)pthread_mutex_unlock(&open_lock);
	if (rc != 0)
		slots->cpus = 0;
	return rc;
}

bool
ctr_slots_exists(unsigned int lcore)
{
	const struct ctr_slots *slots;
	bool known = false;

	(void)pthread_mutex_lock(&list_lock);
	for (slots = opened; slots != NULL && !known; slots = slots->next)
		known = slots->cpus == 0 ? ctr_slots_get(slots, lcore) != NULL :
					   lcore == CTR_NON_LCORE && !slots->non_lcore;
	(void)pthread_mutex_unlock(&list_lock);
	return known;
}

void
ctr_slots_lock(void)
{
	(void)pthread_mutex_lock(&memory_lock);
}

void
ctr_slots_unlock(void)
{
	(void)pthread_mutex_unlock(&memory_lock);
}

void
ctr_slots_close(struct ctr_slots *slots)
{
	struct ctr_slots **at;
	bool found;

	(void)pthread_mutex_lock(&open_lock);
	(void)pthread_mutex_lock(&list_lock);
	for (at = &opened; *at != NULL && *at != slots; at = &(*at)->next)
		;
	found = *at != NULL;
	if (found) {
		*at = slots->next;
		release(slots);
	}
	(void)pthread_mutex_unlock(&list_lock);
	if (found)
		unwatch();
	(void)pthread_mutex_unlock(&open_lock);
}

void
ctr_slots_fork(enum ctr_fork_step step)
{
	struct ctr_slots *slots;

	if (step == CTR_FORK_PREPARE) {
		(void)pthread_mutex_lock(&open_lock);
		ctr_port_fork(step);
		(void)pthread_mutex_lock(&list_lock);
		(void)pthread_mutex_lock(&memory_lock);
	} else if (step == CTR_FORK_PARENT) {
		(void)pthread_mutex_unlock(&memory_lock);
		(void)pthread_mutex_unlock(&list_lock);
		ctr_port_fork(step);
		(void)pthread_mutex_unlock(&open_lock);
	} else {
		open_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
		list_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
		memory_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
		forget_own();
		/* The C library gives the thread-local variables of threads that are not in this
		 * process to new ones. */
		for (slots = opened; slots != NULL; slots = slots->next)
			memset(slots->mine, 0, sizeof(slots->mine));
		ctr_port_fork(step);
	}
}

void
ctr_slots_reinit(void)
{
	unsigned int me = ctr_lcore_id();
	struct ctr_slots *slots;

	memset(in_use, 0, sizeof(in_use));
	if (me < CTR_MAX_LCORE)
		in_use[me] = true;
	for (slots = opened; slots != NULL; slots = slots->next) {
		memset(slots->slot, 0, sizeof(slots->slot));
		slots->num = 0;
		/* Without memory, updates find no slot: from that CPU on, the shared one. */
		for (unsigned int lcore = 0; lcore < CTR_SLOTS; lcore++)
			if (needed(slots, lcore) && provide(slots, lcore) != 0 &&
			    lcore < slots->cpus)
				slots->cpus = lcore;
	}
}
