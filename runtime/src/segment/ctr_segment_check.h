/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of what a segment says of itself, before anything relies on it. */
#ifndef CTR_SEGMENT_CHECK_H
#define CTR_SEGMENT_CHECK_H

#include <stddef.h>

#include "ctr_module.h"
#include "ctr_segment_format.h"

/* Whether a segment of `size` bytes can have this header: 0; -EBADMSG; -EPROTONOSUPPORT. */
int ctr_segment_check_header(const struct ctr_segment_header *header, uint64_t size);

/* Whether a directory, a copy of header->directory_size bytes, is sound: everything that it refers
 * to is in it, and in the segment. 0 or -EBADMSG. */
int ctr_segment_check(const struct ctr_segment_header *header, const uint8_t *directory);

#endif /* CTR_SEGMENT_CHECK_H */
