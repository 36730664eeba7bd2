/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Publishes modules in shared memory, for readers in other processes (ctr_segment_reader.h, and
 * `ctrgen.live.segment` in Python).
 *
 * A segment has copies of the values, which ctr_segment_publish() makes with the read functions of
 * the modules; updates know nothing of it. Readers map it read-only, and neither block nor harm the
 * application. The file is as large as all possible instances, and has memory, in whole pages, for
 * those that exist: 24 bytes, the value struct, with `views` one more for each view, the key and
 * its text. A publication takes memory of new instances, which stays taken when they end. */
#ifndef CTR_SEGMENT_H
#define CTR_SEGMENT_H

#include "ctr_module.h"

CTR_C_BEGIN

/** What became of something when a process took over from another (docs/segment.md). */
enum ctr_segment_fate {
	CTR_SEGMENT_NEW,     /**< The former process did not have it: it begins at 0. */
	CTR_SEGMENT_REMOVED, /**< This process does not have it any more. */
	CTR_SEGMENT_CHANGED, /**< Another kind, type, width, unit, bounds, label or key. */
	CTR_SEGMENT_LOST     /**< The instance `at` could not be taken over. */
};

/** Something that does not go on as it was; valid during the call. */
struct ctr_segment_change {
	enum ctr_segment_fate fate; /**< What became of it. */
	const char *module;         /**< Name of the module. */
	const char *scope;          /**< Name of the scope. */
	/** Name of the item, key part or index; NULL: the scope, or an instance. */
	const char *item;
	uint32_t at;                /**< Position that a lost instance had. */
};

/** What to take over from a former process. Zero-initialise, and set what differs. */
struct ctr_segment_former {
	const char *path; /**< File of its segment; may be the one that is made. NULL: `fd`. */
	int fd;           /**< Descriptor of its segment. */
	uint32_t wait_ms; /**< How long to wait for its ctr_segment_final(). */
	/** Told of all that does not go on; may be NULL. */
	void (*report)(const struct ctr_segment_change *change, void *context);
	void *context; /**< For @ref report. */

	/** Filled in: why there was nothing to take over (-EALREADY: a process has), or 0. */
	int error;
	bool final;         /**< Filled in: it had said what it counted. */
	uint64_t instances; /**< Filled in: how many were taken over. */
	uint64_t took_ns;   /**< Filled in: how long that took, after it had said so. */
};

/** How a segment is made. Zero-initialise, and set what differs. */
struct ctr_segment_options {
	/** Name of a file on tmpfs or hugetlbfs, which is replaced. NULL: memory without a name,
	 * for those who get its descriptor (ctr_segment_fd()). */
	const char *path;
	uint32_t mode;  /**< Permissions of the file; 0: 0640. */
	bool has_group; /**< Whether @ref group is set. */
	uint32_t group; /**< Group of the file. */
	bool views;     /**< Publish what each view of the modules reads, too. */
	/** Begin with what a former process counted; NULL: begin at 0. */
	struct ctr_segment_former *former;
};

/** A segment and its publisher. In a child of fork() publishing is -EPERM; close frees it. */
struct ctr_segment;

/** Make a segment, and publish for the first time; then the file gets its name. Call it after the
 * `_init()` of the modules, which last until ctr_segment_close(). With `former`, waits until that
 * process has published its final counts or exited, and adds these; meanwhile no thread updates
 * modules that have views, gauges or states. Without a former segment, or with a corrupt one, it
 * begins at 0: `error` says why.
 * @param segment where to put the result
 * @param modules the modules
 * @param count number of modules
 * @param options NULL for none
 * @return 0; -EINVAL: no module, or one with more than 128 levels of indexes; -EFBIG: more than
 *   2^32 instances in a scope, or texts of more than 64 MiB; -ENOMEM; -ENOSPC: the file system is
 *   full; -ETIMEDOUT: the former process still counts; -EBUSY: another process is taking over; an
 *   error of open(), mmap() or rename(). After an error nothing was taken over, or the next call
 *   with the same former segment goes on and adds nothing twice */
int ctr_segment_create(struct ctr_segment **segment, const struct ctr_module *const *modules,
		       unsigned int count, const struct ctr_segment_options *options);

/** The descriptor of the memory, closed by ctr_segment_close(). With `path` NULL its size is
 * sealed. Give others one that was opened for reading: open("/proc/self/fd/N", O_RDONLY). */
int ctr_segment_fd(const struct ctr_segment *segment);

/** Publish: read all instances, up to 256 in a read section, and write each into its record. Any
 * thread that may read the modules.
 * @return 0; -ENOSPC, -ENOMEM: there is no memory for new instances, which readers see after a
 *   later publication; -EALREADY after ctr_segment_final(); -EPERM in a child of fork() */
int ctr_segment_publish(struct ctr_segment *segment);

/** Result of the last publication of any thread. 0; -ENOSPC, -ENOMEM: instances are missing; -EPERM
 * in a child of fork(). Any thread; does not block. */
int ctr_segment_last(const struct ctr_segment *segment);

/** Start a thread that publishes each @p period_ms milliseconds, with all signals blocked, and goes
 * on after errors. 0; -EINVAL: a period of 0; -EBUSY: there is one; -EPERM in a child of fork();
 * or an error of pthread_create(). */
int ctr_segment_start(struct ctr_segment *segment, uint32_t period_ms);

/** End that thread; nothing without one. What it is publishing is published. */
void ctr_segment_stop(struct ctr_segment *segment);

/** End the thread, flush the modules, publish a last time and mark that as final. No thread updates
 * any more; buffers of other lcores are flushed by them. The file stays for the next process
 * (docs/segment.md). As ctr_segment_publish(); after -ENOSPC it can be called again. */
int ctr_segment_final(struct ctr_segment *segment);

/** End it all and free it; nothing for NULL. Removes the file, unless it is another one by now or
 * ctr_segment_final() was called. Before the `_fini()` of the modules. */
void ctr_segment_close(struct ctr_segment *segment);

CTR_C_END

#endif /* CTR_SEGMENT_H */
