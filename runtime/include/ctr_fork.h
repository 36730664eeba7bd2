/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What a child of fork() may do, and what the library needs of its port.
 *
 * POSIX port: the child has a copy of all statistics, and may call everything. Its thread keeps its
 * lcore id and its read section; the ids of others are free, what their write buffers held is
 * applied, and their locks are free. fork() waits for resets, creations, ends and registrations in
 * other threads, not for read sections. An update or setter in progress in another thread may be
 * counted in part, or a flush twice.
 *
 * DPDK port: memory may be shared with the parent, so the child has modules that begin anew: every
 * count is 0, no instance exists, memory comes from the C library. ctr_thread_register() is
 * -ENOTSUP in a thread without an lcore id.
 *
 * Under both, a child has no agent (ctr_agentx.h) and no control thread that drains; ends of bursts
 * do its work. Locks of embedded scopes stay as they were. Do not fork during P_init() or P_fini(),
 * or in a signal handler that interrupts an update. vfork() and posix_spawn() do none of this.
 */
#ifndef CTR_FORK_H
#define CTR_FORK_H

#include "ctr_common.h"

struct ctr_module_state;

/** What a module does in a child of fork(). Zero-initialise, and fill in the callbacks. */
struct ctr_fork {
	/** Release what threads held that are not there any more; may be NULL. Runs in the thread
	 * that forked, the only one. */
	void (*mend)(struct ctr_fork *self);
	/** Begin anew, without memory of ctr_alloc(): the parent may use that. */
	void (*anew)(struct ctr_fork *self);
	/** Instead of both, for an object that a child must leave alone; may be NULL. Runs in the
	 * thread that forked. */
	void (*disown)(struct ctr_fork *self);
	struct ctr_fork *next; /**< Next module. */
};

/** What a child of fork() is to do for a module. */
struct ctr_module_fork {
	struct ctr_fork fork;                 /**< In the list of all. */
	const struct ctr_module_state *module; /**< The module. */
};

/** What of fork() is going on. */
enum ctr_fork_step {
	CTR_FORK_PREPARE, /**< It begins: take all locks. */
	CTR_FORK_PARENT,  /**< It is done, in the parent: release them. */
	CTR_FORK_CHILD    /**< Likewise in the child, where the locks are made anew. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Number of forks from the first process to this one. */
extern uint32_t ctr_forks;

/** From now on forks are prepared for. Idempotent, any thread. */
void ctr_fork_start(void);
/** Call back @p module in children until ctr_fork_unwatch(). */
void ctr_fork_watch(struct ctr_fork *module);
/** Undo ctr_fork_watch(); idempotent. */
void ctr_fork_unwatch(struct ctr_fork *module);

/** Begin a change that fork() waits for: no fork() in it. May be nested. */
void ctr_change_begin(void);
/** End it. */
void ctr_change_end(void);
/** A step of ctr_change.c, which counts forks in children. */
void ctr_change_step(enum ctr_fork_step step);

/** A step of ctr_control.c. */
void ctr_control_fork(void);
/** A step of ctr_poller.c: the child has no control thread. */
void ctr_poller_fork(void);
/** A step of ctr_slots.c, which has the port do its own. */
void ctr_slots_fork(enum ctr_fork_step step);
/** The slots of a child whose memory is not its own. */
void ctr_slots_anew(void);
/** A step of the port. */
void ctr_port_fork(enum ctr_fork_step step);
/** Give back the lcore ids of threads that are not in the child. */
void ctr_port_alone(void);

#ifdef __cplusplus
}
#endif

#endif /* CTR_FORK_H */
