/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The control lock: resets, creation and removal of instances, and read sections exclude each
 * other. Recursive; no update takes it.
 *
 * fork() waits for sections from ctr_control_lock() to ctr_control_unlock(), but not from
 * ctr_control_hold() to ctr_control_release(). In the child, a lock of another thread is free. A
 * thread that has the lock cannot be cancelled, and must not call pthread_exit(). */
#ifndef CTR_CONTROL_H
#define CTR_CONTROL_H

#include <pthread.h>

#include "ctr_abi.h"
#include "ctr_common.h"

struct ctr_module;
struct ctr_scope;

/** For CTR_CONTROL_NAME(). */
#define CTR_CONTROL_NAMED(abi) ctr_control_lock_of_abi_##abi
/** A name with the number that a macro stands for. */
#define CTR_CONTROL_NAME(abi) CTR_CONTROL_NAMED(abi)
/** The name has the ABI: objects of ABI 4 and before, which do not check it, do not link. */
#define ctr_control_lock CTR_CONTROL_NAME(CTR_ABI)

/** A recursive lock whose waiters sleep. Zero-initialise. */
struct ctr_control {
	pthread_mutex_t mutex; /**< Protects everything else. */
	uintptr_t owner;       /**< Id of the owning thread, never used again; 0 while free. */
	uint32_t depth;        /**< How often the owner took it. */
	uint32_t changes;      /**< How often of these to change something. */
	uint32_t sections;     /**< Read sections of the owner. */
	uint32_t forks;        /**< `ctr_forks` when it was last taken. */
	void (*end)(void);     /**< Ends a read section of the owner: identifies the module. */
	struct ctr_control *next; /**< Next lock of the owner. */
} CTR_CACHE_ALIGNED;

/** A free lock. */
#define CTR_CONTROL_INITIALIZER { PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, 0, 0, NULL, NULL }

CTR_C_BEGIN

/** Take the lock to read, for any time. */
void ctr_control_hold(struct ctr_control *control);
/** Release once what ctr_control_hold() took. */
void ctr_control_release(struct ctr_control *control);
/** Begin a read section, which @p end would end; may be nested. Whether it is the outermost. */
bool ctr_control_section_begin(struct ctr_control *control, void (*end)(void));
/** End one. */
void ctr_control_section_end(struct ctr_control *control);
/** Whether the calling thread is in a read section that @p end would end. Async-signal-safe. */
bool ctr_control_in_section(void (*end)(void));
/** Whether the calling thread has the lock. Async-signal-safe; takes no lock. */
bool ctr_control_mine(const struct ctr_control *control);
/** Take the lock for a change, briefly. */
void ctr_control_lock(struct ctr_control *control);
/** The same, unless another thread has it. Whether the caller has it now. */
bool ctr_control_try_lock(struct ctr_control *control);
/** Release once what either took. */
void ctr_control_unlock(struct ctr_control *control);
/** In the times of ctr_discontinuity_open(): of this process, not of one whose counts continue. */
#define CTR_OWN_TIME UINT64_C(1)
/** Store the time at a position of a table of ctr_discontinuity_open(), if any; under the lock. */
void ctr_control_mark(uint64_t *const *discontinuity_ns, uint32_t at);

/** Store the times of discontinuities of a scope, until each caller has called
 * ctr_discontinuity_close(): all share one table. Any thread that may call read_lock() of the
 * module, which is initialised; blocks for that lock.
 * @return 0, with NULL in @p table for a scope without one; -ENOMEM */
int ctr_discontinuity_open(const struct ctr_module *module, const struct ctr_scope *scope,
			   uint64_t **table);

/** End one use of the table, and set @p table to NULL; nothing if it is NULL. As above. */
void ctr_discontinuity_close(const struct ctr_module *module, const struct ctr_scope *scope,
			     uint64_t **table);

CTR_C_END

/** Whether the calling thread is in a read section. Any thread; takes no lock. */
static inline bool
ctr_control_reads(const struct ctr_control *control)
{
	/* The owner alone changes the number, so that its own sections are seen. */
	return ctr_unlikely(__atomic_load_n(&control->sections, __ATOMIC_RELAXED) != 0) &&
	       ctr_control_mine(control);
}

#endif /* CTR_CONTROL_H */
