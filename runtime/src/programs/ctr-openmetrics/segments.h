/* SPDX-License-Identifier: BSD-3-Clause */
/* Applications that publish in segments, as the server reads them. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "../../parts/openmetrics/ctr_om.h"
#include "ctr_segment_reader.h"

/* Segments at some paths: files, and all segments in folders. */
struct segments {
	struct ctr_om_feed feed; /* First. */
	char *const *paths;
	int num_paths;
	struct segment *open;    /* One for each application of the feed. */
};

/* Look for segments from now on. */
void segments_init(struct segments *segments, char *const *paths, int num_paths);

/* Close all; the server has ended. */
void segments_free(struct segments *segments);

/* Make descriptors of all modules of a segment, in memory of `model`: 0; -ENOMEM; -EBADMSG: the
 * segment has something that no application publishes. Keys are their texts. */
int describe(struct ctr_om_model *model, const struct ctr_segment_reader *reader,
	     const struct ctr_module *const **modules, unsigned int *num_modules);

#endif /* SEGMENTS_H */
