/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The life of a module with each allocation failing in turn: -ENOMEM, and nothing
 * is left behind. The same for every schema: the compiler is told MODULE, HEADER
 * and, where there is a dynamic scope, CREATE.
 */
#include HEADER
#include "harness.h"
#include "heap.h"

#define PASTE(a, b) a##_##b
#define NAME(module, name) PASTE(module, name)
#define CALL(name) NAME(MODULE, name)

#define SOME 3

/* All that allocates, once. */
static int
live(void)
{
	struct CALL(snapshot) *snap = NULL;
	const uint64_t late = CALL(late)();
	int rc;

	CALL(note_late)(1); /* An update before it is counted, also if it fails. */
	rc = CALL(init)();
	EQUAL(CALL(late)(), late + 1);
	if (rc != 0)
		return rc;
#ifdef CREATE
	for (uint32_t i = 0; i < SOME && rc == 0; i++)
		rc = CALL(CREATE)(i * 1025); /* of one chunk each */
#endif
	if (rc == 0)
		rc = CALL(snapshot_create)(&snap);
	if (rc == 0) {
		rc = CALL(snapshot_read)(snap);
		EQUAL(CALL(reset)(), 0);
		CALL(snapshot_free)(snap);
	}
	CALL(fini)();
	return rc;
}

TEST(failures)
{
	unsigned int nth;

	EQUAL(ctr_thread_register(), 0);
	for (nth = 1;; nth++) {
		int rc;

		heap_fail(nth);
		rc = live();
		EQUAL(heap_blocks(), 0);
		if (!heap_failed()) {
			EQUAL(rc, 0);
			break;
		}
		EQUAL(rc, -ENOMEM);
	}
	printf("failures=%u\n", nth - 1);
	ctr_thread_unregister();
}
