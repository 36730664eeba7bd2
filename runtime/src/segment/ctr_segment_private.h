/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the writer of segments share. */
#ifndef CTR_SEGMENT_PRIVATE_H
#define CTR_SEGMENT_PRIVATE_H

#include <pthread.h>

#include "ctr.h"
#include "ctr_segment.h"
#include "ctr_segment_format.h"

/* Round up to whole words. */
#define CTR_SEGMENT_WORDS(bytes) (((bytes) + 7u) & ~(uint64_t)7)

/* What is done for a scope. */
struct ctr_segment_source {
	const struct ctr_module *module;
	const struct ctr_scope *scope;
	const struct ctr_segment_scope *place; /* In the directory of the segment. */
	uint64_t *discontinuity_ns;            /* Times of discontinuities, or NULL. */
	bool owns;                             /* That table. */
};

struct ctr_segment {
	pthread_mutex_t mutex; /* Who publishes. */
	pthread_cond_t wake;   /* To end the thread. */
	pthread_t thread;
	bool runs;  /* There is a thread; for those who start and stop it. */
	bool stop;  /* It is to end. */
	bool final; /* Nothing is published any more. */
	uint32_t period_ms;
	pid_t pid;
	int fd;
	int lock; /* The file again, locked. */
	char *path;
	char *temporary; /* Its name until it is complete. */
	uint8_t *map;
	size_t size;
	struct ctr_segment_header *header; /* In the map. */
	struct ctr_segment_source *source; /* In the order of the directory. */
	uint32_t num_sources;
	uint64_t *row; /* Room for a record. */
	void *key;     /* Room for a key. */
};

/* A directory in the making. */
struct ctr_segment_build {
	struct {
		uint8_t *data;
		uint32_t count;
		uint32_t room;
	} table[CTR_SEGMENT_TABLES];
	bool views; /* Publish views. */
	int rc;     /* 0, or the first error. */
};

/* Describe modules; returns build->rc. */
int ctr_segment_describe(struct ctr_segment_build *build, const struct ctr_module *const *modules,
			 unsigned int count);
/* Place the directory and the records; fills in what the header says of them. 0 or -EFBIG. */
int ctr_segment_place(struct ctr_segment_build *build, struct ctr_segment_header *header);
/* Copy the directory to its place. */
void ctr_segment_copy(const struct ctr_segment_build *build,
		      const struct ctr_segment_header *header, uint8_t *map);
void ctr_segment_build_free(struct ctr_segment_build *build);

/* Make memory of segment->size bytes and map it: segment->fd, lock, map, path, temporary. */
int ctr_segment_make(struct ctr_segment *segment, const struct ctr_segment_options *options);
/* Give the file its name. */
int ctr_segment_show(struct ctr_segment *segment);
/* Unmap and close; remove the file if `gone` and the name is still its own. */
void ctr_segment_unmake(struct ctr_segment *segment, bool gone);

/* Publish all; segment->mutex is taken. */
void ctr_segment_write(struct ctr_segment *segment);

/* Unix time in nanoseconds. */
uint64_t ctr_segment_unix_ns(void);

#endif /* CTR_SEGMENT_PRIVATE_H */
