/* SPDX-License-Identifier: BSD-3-Clause */
/* Applications that publish in segments, as the server reads them. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "../../parts/openmetrics/ctr_om.h"

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

#endif /* SEGMENTS_H */
