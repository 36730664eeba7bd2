/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Publishes modules in shared memory, for readers in other processes (ctr_segment_reader.h, and
 * `ctrgen.tools.live.segment` in Python).
 *
 * A segment has copies of the values, which ctr_segment_publish() makes with the read functions of
 * the modules; the update path is unchanged. Readers map it read-only, and can neither block nor
 * corrupt the application. The file size covers all possible instances. Memory, in whole pages, is
 * allocated for existing ones: 24 bytes, the value struct, with `views` one more for each view, the
 * key and its text. A publication allocates before it writes; destroyed instances keep memory. */
#ifndef CTR_SEGMENT_H
#define CTR_SEGMENT_H

#include "ctr_module.h"

CTR_C_BEGIN

/** Why an element does not continue after a takeover from another process (docs/segment.md). */
enum ctr_segment_fate {
	CTR_SEGMENT_NEW,     /**< Not in the former process: it starts at 0. */
	CTR_SEGMENT_REMOVED, /**< Not in this process any more. */
	CTR_SEGMENT_CHANGED, /**< Another kind, type, width, unit, bounds, label or key. */
	CTR_SEGMENT_LOST     /**< The instance `at` could not be taken over. */
};

/** An element that does not continue; valid during the callback. */
struct ctr_segment_change {
	enum ctr_segment_fate fate; /**< The reason. */
	const char *module;         /**< Name of the module. */
	const char *scope;          /**< Name of the scope. */
	/** Name of the item, key part or index; NULL: the scope, or an instance. */
	const char *item;
	uint32_t at;                /**< Position that a lost instance had. */
};

/** A former process to take over from. Zero-initialise, and set what differs. */
struct ctr_segment_former {
	const char *path; /**< File of its segment; may equal the new file. NULL: `fd`. */
	int fd;           /**< Descriptor of its segment. */
	uint32_t wait_ms; /**< How long to wait for its ctr_segment_final(). */
	/** Called for each element that does not continue; may be NULL. */
	void (*report)(const struct ctr_segment_change *change, void *context);
	void *context; /**< For @ref report. */

	/** Output: why nothing was taken over (-EALREADY: another process did), or 0. */
	int error;
	bool final;         /**< Output: whether it had published its final counts. */
	uint64_t instances; /**< Output: number of instances taken over. */
	uint64_t took_ns;   /**< Output: duration of the take-over, without the wait. */
};

/** Options of a segment. Zero-initialise, and set what differs. */
struct ctr_segment_options {
	/** Name of a file on tmpfs or hugetlbfs, which is replaced. NULL: memory without a name,
	 * for processes that receive its descriptor (ctr_segment_fd()). */
	const char *path;
	uint32_t mode;  /**< Permissions of the file; 0: 0640. */
	bool has_group; /**< Whether @ref group is set. */
	uint32_t group; /**< Group of the file. */
	bool views;     /**< Also publish the values of each view. */
	/** Add the counts of a former process; NULL: start at 0. */
	struct ctr_segment_former *former;
};

/** A segment and its publisher. In a child of fork() publishing is -EPERM;
 * ctr_segment_close() frees the child's part of it. */
struct ctr_segment;

/** Create a segment, and publish for the first time; then the file gets its name. Call it after the
 * `_init()` of the modules; they must stay initialised until ctr_segment_close(). With `former`,
 * waits until that process has published its final counts or exited, and adds these; during the
 * call no thread may update modules that have views, gauges or states. If the former segment is
 * missing or corrupt, it begins at 0 and sets `error`.
 * @param segment receives the segment
 * @param modules the modules
 * @param count number of modules
 * @param options NULL for none
 * @return 0; -EINVAL: no module, or NULL; -EEXIST: two modules of one name; -EFBIG: more than 2^32
 *   instances in a scope, texts of more than 64 MiB, or a size beyond RLIMIT_FSIZE; -ENOMEM;
 *   -ENOSPC: the file system is full;
 *   -ETIMEDOUT: the former process still runs; -EBUSY: another process is taking over; an error of
 *   open(), mmap() or rename(). After an error nothing was taken over, or the next call with the
 *   same former segment continues and adds nothing twice */
int ctr_segment_create(struct ctr_segment **segment, const struct ctr_module *const *modules,
		       unsigned int count, const struct ctr_segment_options *options);

/** The descriptor of the memory, closed by ctr_segment_close(). With `path` NULL its size is
 * sealed. Pass a read-only descriptor to readers: open("/proc/self/fd/N", O_RDONLY). */
int ctr_segment_fd(const struct ctr_segment *segment);

/** Publish: read all instances, up to 256 in a read section, and write each into its record. In any
 * thread that may read the modules.
 * @return 0; -ENOSPC, -ENOMEM: no memory for new instances, which readers see after a later
 *   publication; -EALREADY after ctr_segment_final(); -EPERM in a child of fork() */
int ctr_segment_publish(struct ctr_segment *segment);

/** Result of the last publication of any thread. 0; -ENOSPC, -ENOMEM: instances are missing; -EPERM
 * in a child of fork(). Any thread; does not block. */
int ctr_segment_last(const struct ctr_segment *segment);

/** Start a thread that publishes each @p period_ms milliseconds, with all signals blocked, and
 * continues after errors. 0; -EINVAL: a period of 0; -EBUSY: one is running; -EPERM in a child of
 * fork(); or an error of eventfd() or of a new thread. */
int ctr_segment_start(struct ctr_segment *segment, uint32_t period_ms);

/** Stop that thread, after a publication in progress. No effect without one. */
void ctr_segment_stop(struct ctr_segment *segment);

/** Stop the thread, flush the modules, publish the final values. Before the call, all threads must
 * stop updating, and other lcores flush their buffers. The file remains for the next process
 * (docs/segment.md), also after an error. Returns as ctr_segment_publish(); after -ENOSPC it can be
 * called again. */
int ctr_segment_final(struct ctr_segment *segment);

/** Stop the thread and free the segment; no effect on NULL. Removes the file, unless it has been
 * replaced or ctr_segment_final() was called. Call it before the `_fini()` of the modules. */
void ctr_segment_close(struct ctr_segment *segment);

CTR_C_END

#endif /* CTR_SEGMENT_H */
