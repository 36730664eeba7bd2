/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors of the modules of a segment. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "../../parts/openmetrics/ctr_om.h"
#include "ctr_segment_reader.h"

/* Make descriptors of all modules of a segment, in memory of `model`: 0; -ENOMEM; -EBADMSG: the
 * segment has something that no application publishes. Keys are their texts. */
int describe(struct ctr_om_model *model, const struct ctr_segment_reader *reader,
	     const struct ctr_module *const **modules, unsigned int *num_modules);

#endif /* DESCRIBE_H */
