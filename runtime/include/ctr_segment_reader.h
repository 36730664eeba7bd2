/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Reads shared segments (ctr_segment.h) in any process. Of the runtime it needs only headers,
 * ctr_segment_reader.c and ctr_segment_check.c of src/parts/segment.
 *
 * Opening copies and checks the directory; a corrupt one is -EBADMSG. Reads are retried up to a
 * limit, so they end even if the writer was killed. Memory without a name is mapped; it must be
 * sealed against shrinking. A file may be truncated, so reads use pread(), and return -EBADMSG past
 * its end. */
#ifndef CTR_SEGMENT_READER_H
#define CTR_SEGMENT_READER_H

#include <stddef.h>

#include "ctr_module.h"
#include "ctr_segment_format.h"

CTR_C_BEGIN

/** An open segment. Any number of threads may read it. */
struct ctr_segment_reader;

/** Flags and times of an instance. */
struct ctr_segment_info {
	uint32_t flags;    /**< CTR_SEGMENT_EXISTS and the others. */
	uint64_t since_ns; /**< Unix time of its last discontinuity. */
	/** In a walk, the texts of its keys: scope->text_size bytes, consistent with the values,
	 * valid during the call if CTR_SEGMENT_KEYED is set. Else NULL. */
	const char *text;
};

/** Open a segment by file name. 0; -EBADMSG: not a segment, or a corrupt one;
 * -EPROTONOSUPPORT: another version of the format or byte order; -ENOMEM; an error of open() or
 * mmap(). */
int ctr_segment_open(struct ctr_segment_reader **reader, const char *path);

/** Open a segment by a descriptor, which may be closed afterwards. -EPERM: memory that a process
 * could shrink; else as ctr_segment_open(). */
int ctr_segment_open_fd(struct ctr_segment_reader **reader, int fd);

/** Close it; no effect on NULL. */
void ctr_segment_leave(struct ctr_segment_reader *reader);

/** Its header. Some members change: use ctr_segment_state() for the last one. */
const struct ctr_segment_header *ctr_segment_header(const struct ctr_segment_reader *reader);

/** An enum ctr_segment_state; CTR_SEGMENT_CLOSED if the file was truncated. */
uint32_t ctr_segment_state(const struct ctr_segment_reader *reader);

/** Unix time of the last publication in nanoseconds. */
uint64_t ctr_segment_published_ns(const struct ctr_segment_reader *reader);

/** Unix time in nanoseconds when ctr_time_ns() of the application was 0. The application follows
 * steps of the wall clock, from its next publication on. 0 if the file was truncated. */
uint64_t ctr_segment_clock_ns(const struct ctr_segment_reader *reader);

/** Whether its application still runs, that is, holds the lock of the file. A system call. */
bool ctr_segment_alive(const struct ctr_segment_reader *reader);

/** A table of the directory, as it was checked; `count` may be NULL. */
const void *ctr_segment_table(const struct ctr_segment_reader *reader,
			      enum ctr_segment_tables table, uint32_t *count);

/** A text of the directory. */
const char *ctr_segment_text(const struct ctr_segment_reader *reader, uint32_t text);

/** A scope by its names; NULL if there is none. */
const struct ctr_segment_scope *ctr_segment_find_scope(const struct ctr_segment_reader *reader,
						       const char *module, const char *scope);

/** An item of a scope by its name; NULL if there is none. */
const struct ctr_segment_item *ctr_segment_find_item(const struct ctr_segment_reader *reader,
						     const struct ctr_segment_scope *scope,
						     const char *item);

/** Position of the first existing instance from @p at on, or scope->total. */
uint32_t ctr_segment_next(const struct ctr_segment_reader *reader,
			  const struct ctr_segment_scope *scope, uint32_t at);

/** Read an instance: one state of all its values, scope->value_size bytes. Timestamps are
 * ctr_time_ns() of the application; plus ctr_segment_clock_ns() they are Unix time. @p info may be
 * NULL.
 * @return 0; -ERANGE: no such position; -ENOENT: it does not exist; -EAGAIN: it was being written
 *   in all tries, as after a kill of the writer; -EBADMSG: the file was truncated; an error of
 *   pread() */
int ctr_segment_read(const struct ctr_segment_reader *reader,
		     const struct ctr_segment_scope *scope, uint32_t at, void *values,
		     struct ctr_segment_info *info);

/** Receives an instance of a walk: position, value struct (valid during the call), flags and times,
 * and the context. A result other than 0 ends the walk. */
typedef int ctr_segment_visit(uint32_t at, const void *values, const struct ctr_segment_info *info,
			      void *context);

/** Read all existing instances of a scope, by ascending position, as ctr_segment_read() does;
 * instances that were being written in all tries are omitted. For a file this takes five system
 * calls per 64 KiB of records. 0; a result of @p visit; -ENOMEM; -EBADMSG: the file was truncated;
 * an error of pread(). */
int ctr_segment_walk(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		     ctr_segment_visit *visit, void *context);

/** ctr_segment_read() in a view; -ENODATA: the segment lacks that view. */
int ctr_segment_read_view(const struct ctr_segment_reader *reader,
			  const struct ctr_segment_scope *scope, uint32_t view, uint32_t at,
			  void *values, struct ctr_segment_info *info);

/** The key of an instance, as the struct of the generated code: scope->key_size bytes. -ENODATA: no
 * key; else as ctr_segment_read(). */
int ctr_segment_read_key(const struct ctr_segment_reader *reader,
			 const struct ctr_segment_scope *scope, uint32_t at, void *key);

/** The text of a part of a key, of part->room bytes. -ENODATA: no key; or as ctr_segment_read(). */
int ctr_segment_read_text(const struct ctr_segment_reader *reader,
			  const struct ctr_segment_scope *scope,
			  const struct ctr_segment_part *part, uint32_t at, char *text);

/** Read one counter, gauge or other number of an instance. -EINVAL: it is an address or text;
 * -ENODATA: the item, external or derived, is not available; else as ctr_segment_read(). */
int ctr_segment_get(const struct ctr_segment_reader *reader,
		    const struct ctr_segment_scope *scope, const struct ctr_segment_item *item,
		    uint32_t at, uint64_t *value);

CTR_C_END

#endif /* CTR_SEGMENT_READER_H */
