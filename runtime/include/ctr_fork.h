/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What a child of fork() may do.
 *
 * Under the POSIX port the child has a copy of all statistics, and may call everything that its
 * parent may. The thread that forked is the only one in there. It keeps its lcore id and a read
 * section that it was in; the ids of all others are free again, and what their write buffers
 * held is applied. fork() waits for resets, creations, ends and registrations in other
 * threads, and for no read section; no lock stays taken for a thread that is not there. What such a
 * thread was in the middle of may be counted in part: at most one update or setter for each
 * thread, or what it was applying of its write buffer, which may count twice.
 *
 * Under the DPDK port the memory of counts may be shared with the parent (huge pages), so the
 * child must not use it. It has modules of its own that begin anew: every count is 0, no instance
 * exists, memory comes from the C library. The parent's counts do not change. The child
 * gets no further lcore ids: ctr_thread_register() is -ENOTSUP in a thread without one.
 *
 * Under both, a child has no agent (ctr_agentx.h) and no control thread that drains (ctr_poller.h),
 * whose work the ends of bursts do, and locks of embedded scopes stay as they
 * were. Do not fork while another thread is in P_init() or P_fini(), or in the middle of an
 * update, as a signal handler could. vfork() and posix_spawn() do none of this.
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
