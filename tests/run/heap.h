/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the program holds of ctr_alloc() and calloc(), and allocations that fail
 * on demand. Link with HEAP_WRAP of tests/support/cbuild.py, which diverts the calls here.
 */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stdint.h>

/** Blocks now allocated. */
unsigned int heap_blocks(void);
/** Bytes now allocated. */
uint64_t heap_bytes(void);
/** Have the @p nth allocation from now on fail, once; 0 for none. */
void heap_fail(unsigned int nth);
/** Have the @p nth allocation from now on fail, and all behind it until heap_fail(). */
void heap_end(unsigned int nth);
/** Whether an allocation has failed since heap_fail() or heap_end(). */
bool heap_failed(void);

#endif /* HEAP_H */
