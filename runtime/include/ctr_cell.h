/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * States wider than a word (strings, addresses), set and read without tearing.
 *
 * A cell is a sequence count and words. Setters exclude each other by making
 * the count odd; readers retry. If a setter is preempted, other setters and readers
 * wait and yield their core, so set such states from control threads.
 */
#ifndef CTR_CELL_H
#define CTR_CELL_H

#include "ctr_port.h"

/** Number of 64-bit words of a cell that holds @p octets octets. */
#define CTR_CELL_WORDS(octets) (((octets) + 7u) / 8u)

#ifdef __cplusplus
extern "C" {
#endif

/** Set a cell of @p room octets to the @p size octets at @p value; the rest becomes 0. Any thread. */
void ctr_cell_set(uint32_t *seq, uint64_t *words, const void *value, size_t size, size_t room);

/** Set a cell to a string, cut to @p room - 1 octets and terminated; any thread. */
void ctr_cell_set_text(uint32_t *seq, uint64_t *words, const char *text, size_t room);

/** Read a cell; any thread. @p room octets are written to @p out. */
void ctr_cell_get(const uint32_t *seq, const uint64_t *words, void *out, size_t room);

#ifdef __cplusplus
}
#endif

#endif /* CTR_CELL_H */
