/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instances exist. */
#include "core.h"
#include "ctr_debug.h"
#include "ctr_quiescent.h"

bool
ctr_life_exists(const struct ctr_table *table, uint32_t at)
{
	uint32_t phase;
	bool lives;

	if (at >= table->max || !ctr_bit(table->live, at))
		return false;
	phase = ctr_readers_enter(&table->state->readers);
	lives = ctr_core_lives(ctr_core_record(table, at));
	ctr_readers_leave(&table->state->readers, phase);
	return lives;
}

uint32_t
ctr_life_instances(const struct ctr_table *table)
{
	return ctr_load32(&table->state->occupancy.instances);
}

uint64_t
ctr_life_refused(const struct ctr_table *table)
{
	return ctr_load64(&table->state->occupancy.refused);
}

uint32_t
ctr_life_next(const struct ctr_table *table, uint32_t at)
{
	const uint32_t phase = ctr_readers_enter(&table->state->readers);

	at = ctr_core_next(table, at);
	ctr_readers_leave(&table->state->readers, phase);
	return at;
}

void
ctr_life_check(const struct ctr_table *table, uint32_t at, const char *file, int line,
	       const char *function)
{
	const uint32_t phase = ctr_readers_enter(&table->state->readers);
	const struct ctr_record *record = ctr_core_record(table, at);
	const uint32_t life = record != NULL ? ctr_load_acquire(&record->life) :
					       (uint32_t)CTR_LIVES;
	const uint64_t moment = record != NULL ? ctr_load64(&record->moment) : 0;

	ctr_readers_leave(&table->state->readers, phase);
	if (table->holder != NULL)
		ctr_life_check(table->holder, at / table->stride, file, line, function);
	/* One that is settled had waited for every lcore that reports. */
	if (life != CTR_LIVES && moment != 0 && ctr_quiescent_since(life == CTR_GONE ? 1 : moment))
		ctr_debug_stop(file, line, function, "this lcore has reported since it was destroyed");
}
