/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations shared by the files of the segment writer. */
#ifndef CTR_SEGMENT_PRIVATE_H
#define CTR_SEGMENT_PRIVATE_H

#include "ctr_segment_check.h"

#include <pthread.h>

#include "ctr.h"
#include "ctr_fork.h"
#include "ctr_segment.h"
#include "ctr_segment_reader.h"

/* Most instances in a read section. */
#define CTR_SEGMENT_ROWS 256u

/* Bytes of values that are read together; exceeded only by a single instance. */
#define CTR_SEGMENT_ROOM 65536u

/* A published scope. */
struct ctr_segment_source {
	const struct ctr_module *module;
	const struct ctr_scope *scope;
	const struct ctr_segment_scope *place; /* In the directory of the segment. */
	uint64_t *discontinuity_ns;            /* Times of discontinuities, or NULL. */
};

struct ctr_segment {
	pthread_mutex_t mutex; /* Serialises publications. */
	struct ctr_port_control thread;
	int wake;   /* Readable: the thread is to end. A fork child keeps it open. */
	bool runs;  /* The thread exists. */
	bool final; /* The final publication is done. */
	uint64_t began_ns; /* Unix time when ctr_time_ns() was 0, at first. */
	bool stays; /* The file is for a successor: the final publication was begun. */
	uint32_t period_ms;
	struct ctr_fork fork; /* Detaches a child of fork(). */
	pid_t pid;            /* Of its owner; 0 in a fork child. */
	int fd;
	int lock; /* The file again, locked. */
	char *path;
	char *temporary; /* Its name before the final one, or NULL. */
	uint8_t *map;
	size_t size;
	size_t page;      /* Bytes of memory that the file system takes at a time. */
	uint64_t *backed; /* A bit for each page: it has memory. */
	int shortage;     /* 0, or why an instance is missing in a publication. */
	int last;         /* Result of the last complete publication. */
	struct ctr_segment_header *header; /* In the map. */
	struct ctr_segment_source *source; /* In the order of the directory. */
	uint32_t num_sources;
	uint64_t *row; /* Room for a record. */
	uint8_t *rows; /* Room for values of some instances, CTR_SEGMENT_ROOM. */
	uint64_t key[CTR_KEY_ROOM / sizeof(uint64_t)]; /* Room for a key. */
};

/* Describe modules in a directory, which is to be freed; place it and records, as the header says
 * then. 0 or -errno. */
int ctr_segment_describe(const struct ctr_module *const *modules, unsigned int count, bool views,
			 struct ctr_segment_header *header, uint8_t **directory);

/* Make a file of segment->size bytes without memory, and map it. */
int ctr_segment_make(struct ctr_segment *segment, const struct ctr_segment_options *options);
/* Take memory for bytes of the segment, so that no store there fails: 0 or -errno. */
int ctr_segment_back(struct ctr_segment *segment, uint64_t at, uint64_t size);
/* In a child of fork(): drop its lock and its memory. */
void ctr_segment_disown(struct ctr_fork *self);
/* Give the file its name. */
int ctr_segment_show(struct ctr_segment *segment);
/* Unmap and close; remove the file if `gone` and the name is still its own. */
void ctr_segment_unmake(struct ctr_segment *segment, bool gone);

/* The exclusive right of one process to restore from a predecessor's segment. */
struct ctr_segment_claim {
	struct ctr_segment_claim *next;
	struct ctr_fork fork;
	uint64_t generation; /* Of the former segment. */
	pid_t pid;
	int fd; /* With the lock. */
	const struct ctr_module **taken; /* Modules that have its values. */
	uint32_t num_taken;
};

/* Claim a predecessor's segment, or resume a retained claim: 0; -EALREADY: another process has
 * taken over; -EBUSY: another claim was held until `until_ns`; -ENOMEM; -errno. */
int ctr_segment_claim(struct ctr_segment_claim **claim, const struct ctr_segment_reader *reader,
		      uint64_t until_ns);
/* Ensure room for `num` more modules: 0 or -ENOMEM. */
int ctr_segment_claim_room(struct ctr_segment_claim *claim, uint32_t num);
/* Whether a module has its values already. */
bool ctr_segment_has_taken(const struct ctr_segment_claim *claim, const struct ctr_module *module);
/* End a claim, or retain it if a module has restored values; NULL: no effect. */
void ctr_segment_release(struct ctr_segment_claim *claim);
/* Record the successor in the predecessor's segment and end the claim; NULL: no effect. */
void ctr_segment_commit(struct ctr_segment_claim *claim, const struct ctr_segment *segment);

/* A restored item, now and then. */
struct ctr_segment_copied {
	const struct ctr_item *item;
	const struct ctr_segment_item *old;
};

/* A restored scope. */
struct ctr_segment_match {
	struct ctr_segment_handover *handover;
	const struct ctr_segment_reader *reader; /* Of the former segment. */
	const struct ctr_segment_scope *old;
	const struct ctr_segment_index *indexes; /* Its own. */
	const struct ctr_segment_item *items;    /* Likewise. */
	const struct ctr_segment_label *labels;  /* Of all. */
	struct ctr_segment_source *source;
	struct ctr_segment_copied *copy;
	uint32_t num_copies;
	bool jumps;      /* An item begins at 0 that was not 0. */
	uint32_t **index; /* Of each index, its values now, or NULL where they are the same. */
	uint32_t *moved;  /* By position: where an instance is now; UINT32_MAX: nowhere. */
	uint32_t *view;   /* Of each view of the module, its number there; UINT32_MAX: none. */
	bool stays;       /* Every instance is at the position that it had, and exists. */
};

/* The index, or part of a key, that differs in the identity of instances; NULL: nothing. */
const char *ctr_segment_difference(const struct ctr_segment_match *match);
/* Match the items of a scope, and report those that are not restored. 0 or -ENOMEM. */
int ctr_segment_match(struct ctr_segment_match *match);
/* The previous name of an item, or with `item` NULL of the scope. */
const char *ctr_segment_former_name(const struct ctr_module *module, const char *scope,
				    const char *item);
void ctr_segment_match_free(struct ctr_segment_match *match);
/* Report the restore status of a scope, item or instance. */
void ctr_segment_report(const struct ctr_segment_former *former, enum ctr_segment_fate fate,
			const char *module, const char *scope, const char *item, uint32_t at);
/* The same of a matched scope. */
void ctr_segment_report_change(const struct ctr_segment_match *match, enum ctr_segment_fate fate,
		      const char *item, uint32_t at);
/* Restore from the predecessor: 0 or -errno. The claim is NULL if there is none. */
int ctr_segment_restore_scopes(struct ctr_segment *segment, struct ctr_segment_former *former,
		      struct ctr_segment_claim **claim);

/* State of a restore in progress. */
struct ctr_segment_handover {
	struct ctr_segment *segment;
	struct ctr_segment_former *former;
	struct ctr_segment_reader *reader;
	struct ctr_segment_claim *claim;
	struct ctr_segment_match *match; /* Of restored scopes, parents first. */
	uint32_t num_scopes;
	uint8_t *old;   /* A value struct as it was, in the memory of all three. */
	uint8_t *part;  /* The value struct to add. */
	uint8_t *views; /* Value structs of views; the first is never reset. */
	uint64_t key[CTR_KEY_ROOM / sizeof(uint64_t)];
};

/* Place all instances of a scope: what can fail, before anything is taken over. Another try finds
 * the instances that this one has made. 0 or -ENOMEM. */
int ctr_segment_place_all(struct ctr_segment_match *match);
/* Whether there was a parent there, and its own, of the instance at `at`: a static scope has
 * records of instances inside of all that could exist. */
bool ctr_segment_was_inside(const struct ctr_segment_match *match, uint32_t at);
/* Translate handover->old to a value struct here; returns whether anything in it is not 0. */
bool ctr_segment_translate(const struct ctr_segment_match *match, uint8_t *to);
/* Have the instance with this index count what the one at `at` did, there, and each view read what
 * it read; the first value struct of handover->views is what it reads at all. 0 or what `adopt`
 * gave. */
int ctr_segment_restore_views(const struct ctr_segment_match *match, uint32_t at,
			      const uint32_t *index);

/* Publish all; segment->mutex is taken. 0, or why instances are missing: -ENOSPC and the like. */
int ctr_segment_write(struct ctr_segment *segment);

#endif /* CTR_SEGMENT_PRIVATE_H */
