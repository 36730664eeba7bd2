/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads take no lock, and memory is given back beside them: no read is in it then. One thread
 * reads twice, another once. With MODEL_AGAIN the memory is taken into use again before all have
 * moved on, and taken out of sight once more.
 */
#include "model.h"

static struct ctr_srcu readers;
static struct ctr_grace grace;
static uint64_t piece = 1; /* Plain: who gives it back writes to it. */
static uint64_t *found = &piece;

static void
look(void)
{
	uint32_t phase = ctr_srcu_read_lock(&readers);
	const uint64_t *at = ctr_srcu_dereference(&found);

	if (at != NULL)
		CHECK(*at == 1);
	ctr_srcu_read_unlock(&readers, phase);
}

static void *
reader(void *times)
{
	look();
	if ((uintptr_t)times == 2)
		look();
	return NULL;
}

static void
hide(void)
{
	ctr_store_release(&found, (uint64_t *)NULL);
	ctr_grace_start(&grace);
}

int
main(void)
{
	pthread_t twice = model_start(reader, 2);
	pthread_t once = model_start(reader, 1);
	bool passed;

	hide();
	passed = ctr_grace_elapsed(&grace, &readers);
#ifdef MODEL_AGAIN
	if (!passed) {
		ctr_store_release(&found, &piece);
		hide();
		passed = ctr_grace_elapsed(&grace, &readers);
	}
#endif
	if (passed || ctr_grace_elapsed(&grace, &readers))
		piece = 0;
	model_join(twice);
	model_join(once);
	CHECK(ctr_grace_elapsed(&grace, &readers));
	return 0;
}
