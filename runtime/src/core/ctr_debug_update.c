/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_control.h"
#include "ctr_debug.h"
#include "ctr_port.h"

/* The latest update of the thread that has not ended. */
static CTR_THREAD_LOCAL struct ctr_debug_update *current;
/* Identifies the thread; 0 before its first update. */
static CTR_THREAD_LOCAL uint64_t this_writer;
static uint64_t last_writer;
/* By lcore id: the thread that updates with it; 0 for none so far. */
static uint64_t writers[CTR_MAX_LCORE];
static bool writers_watched;

/* Whether another thread has updated with the calling thread's lcore id. */
static bool
has_other_writer(void)
{
	const unsigned int lcore = ctr_lcore_id();
	uint64_t other = 0;

	if (lcore >= CTR_MAX_LCORE || !__atomic_load_n(&writers_watched, __ATOMIC_RELAXED))
		return false;
	if (this_writer == 0)
		this_writer = __atomic_add_fetch(&last_writer, 1, __ATOMIC_RELAXED);
	return !__atomic_compare_exchange_n(&writers[lcore], &other, this_writer, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	       other != this_writer;
}

static bool
is_inside(const struct ctr_debug_update *update)
{
	const struct ctr_debug_update *outer;

	for (outer = update->outer; outer != NULL; outer = outer->outer)
		if (outer->read_unlock == update->read_unlock &&
		    strcmp(outer->strategy, update->strategy) == 0)
			return true;
	return false;
}

void
ctr_debug_begin(struct ctr_debug_update *update, const char *file, int line, const char *function,
		void (*read_unlock)(void), const char *strategy, unsigned int flags)
{
	update->read_unlock = read_unlock;
	update->strategy = strategy;
	update->outer = current;
	if ((flags & CTR_DEBUG_NESTS) == 0 && is_inside(update))
		ctr_debug_stop(file, line, function, "an update in an update of the same thread");
	if (ctr_control_in_section(read_unlock))
		ctr_debug_stop(file, line, function, "an update in a read section of the same thread");
	if ((flags & CTR_DEBUG_OWN) != 0 && has_other_writer())
		ctr_debug_stop(file, line, function, "another thread has updated with this lcore id");
	current = update;
}

void
ctr_debug_end(const struct ctr_debug_update *update)
{
	current = update->outer;
}

void
ctr_debug_lcore_up(unsigned int lcore)
{
	__atomic_store_n(&writers[lcore], 0, __ATOMIC_RELAXED);
}

void
ctr_debug_watch(bool watching)
{
	__atomic_store_n(&writers_watched, watching, __ATOMIC_RELAXED);
}
