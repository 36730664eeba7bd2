/* SPDX-License-Identifier: BSD-3-Clause */
/* Validation of a segment's header and directory, and loads from it. */
#ifndef CTR_SEGMENT_CHECK_H
#define CTR_SEGMENT_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ctr_module.h"
#include "ctr_segment_format.h"

/* Round up to whole words. */
#define CTR_SEGMENT_WORDS(bytes) (((uint64_t)(bytes) + 7) & ~(uint64_t)7)

/* Bytes of an entry of each table. */
extern const uint32_t ctr_segment_entry[CTR_SEGMENT_TABLES];

/* Whether a segment of `size` bytes can have this header: 0; -EBADMSG; -EPROTONOSUPPORT. */
int ctr_segment_check_header(const struct ctr_segment_header *header, uint64_t size);

/* Bytes for a directory, of a former format too. */
uint32_t ctr_segment_directory_room(const struct ctr_segment_header *header);
/* Make a directory, a copy with that room, and its header those of this format. One that is not
 * what was written stays as it is. */
void ctr_segment_update(struct ctr_segment_header *header, uint8_t *directory);

/* Whether a directory, a copy of header->directory_size bytes, is sound: everything that it refers
 * to is in it, and in the segment. 0 or -EBADMSG. */
int ctr_segment_check(const struct ctr_segment_header *header, const uint8_t *directory);

struct ctr_segment_reader {
	uint8_t *map; /* The segment, if no process can shrink it, or a copy; NULL: use pread(). */
	size_t size;  /* Its bytes. */
	uint8_t *room; /* For a copy, until it is made. */
	int fd;
	struct ctr_segment_header header; /* As it was checked. */
	uint8_t *directory;               /* Likewise; private, so no process can change it. */
};

/* Map a file, or anonymous memory, with holes: after mlockall() they would otherwise take memory.
 * NULL: errno is set. */
void *ctr_segment_map(size_t size, int protection, int flags, int fd);

/* Copy from the file. 0; -EBADMSG: it was cut short; what pread() gave. */
int ctr_segment_copy_file(const struct ctr_segment_reader *reader, uint64_t at, size_t size,
			  void *to);
/* Copy from the segment, of mapped memory from a multiple of 8 on and in words, and order that
 * before later copies. As above. */
int ctr_segment_load(const struct ctr_segment_reader *reader, uint64_t at, size_t size, void *to);
/* Whether no process can shrink it. */
bool ctr_segment_is_sealed(int fd);
/* Open the file of a descriptor again; -1: as open(). */
int ctr_segment_reopen(int fd, int flags);
/* Whether it is memory without a name, as of memfd_create(). */
bool ctr_segment_is_memory(int fd);
/* Allocate memory for a copy of the segment: 0 or -errno. */
int ctr_segment_reserve(struct ctr_segment_reader *reader);
/* Read from a copy from now on, made now: 0; -EBADMSG: the file was cut short; -errno. */
int ctr_segment_snapshot(struct ctr_segment_reader *reader);

#endif /* CTR_SEGMENT_CHECK_H */
