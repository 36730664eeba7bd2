/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Internals of the library and the port: fork(), slots, and the control thread that drains.
 * docs/guide.md describes what a child of fork() may do. */
#ifndef CTR_FORK_H
#define CTR_FORK_H

#include "ctr_slots.h"

struct ctr_domain;

/** Callbacks of a module for a child of fork(). Zero-initialise, and fill in. */
struct ctr_fork {
	/** Release locks of other threads, or what is the parent's. Runs in the forking thread. */
	void (*fork_child)(struct ctr_fork *self);
	/** Reinitialise without memory of ctr_alloc(), which the parent may use; may be NULL. */
	void (*reinit)(struct ctr_fork *self);
	struct ctr_fork *next; /**< Next module. */
};

/** Entry of a module in the list of callbacks for fork(). */
struct ctr_module_fork {
	struct ctr_fork fork;                 /**< In the list of all. */
	const struct ctr_module_state *module; /**< The module. */
};

/** The steps of a fork(). */
enum ctr_fork_step {
	CTR_FORK_PREPARE, /**< It begins: take all locks. */
	CTR_FORK_PARENT,  /**< It is done, in the parent: release them. */
	CTR_FORK_CHILD    /**< Likewise in the child: reinitialise them. */
};

/** A module that the control thread drains. */
struct ctr_module_poller {
	const struct ctr_module_state *module; /**< The module. */
	struct ctr_module_poller *next;        /**< Next module. */
};

CTR_C_BEGIN

/** Number of forks from the first process to this one. */
extern uint32_t ctr_forks;

/** Install the handlers of fork(). Idempotent, any thread. */
void ctr_fork_start(void) CTR_HIDDEN;
/** Call back @p module in children until ctr_fork_unwatch(). */
void ctr_fork_watch(struct ctr_fork *module);
/** Undo ctr_fork_watch(); idempotent. */
void ctr_fork_unwatch(struct ctr_fork *module);

/** Begin a change: fork() waits until it ends. Must not contain a fork(). May be nested. */
void ctr_change_begin(void);
/** End it. */
void ctr_change_end(void);
/** A step of ctr_change.c, which counts forks in children. */
void ctr_change_step(enum ctr_fork_step step);

/** A step of ctr_control.c. */
void ctr_control_fork(void);
/** A step of ctr_poller.c: the child has no control thread. */
void ctr_poller_fork(void) CTR_HIDDEN;
/** A step of ctr_slots.c, which includes that of the port. */
void ctr_slots_fork(enum ctr_fork_step step);
/** Reinitialise the slots in a child that shares memory with its parent. */
void ctr_slots_reinit(void);
/** Do a step of the port. */
void ctr_port_fork(enum ctr_fork_step step);
/** Release the lcore ids of threads that are not in the child. */
void ctr_port_release_ids(void);

/* ---- sets of slots (ctr_slots.h) ---- */

/** Allocate the slots of the lcores in use and the shared one, for a domain or NULL. 0; -ENOMEM; an
 * error of the strategy. Frees all memory after an error. */
int ctr_slots_open(struct ctr_slots *slots, const struct ctr_domain *domain);

/** Free the chunks of dynamic scopes in a copy of a domain. */
void ctr_slots_shrink(const struct ctr_domain *domain, void *copy);

/** Prevent slots from being added to any open set until ctr_slots_unlock(), to change all existing
 * slots. In between, open or close no set, and register or unregister no thread. */
void ctr_slots_lock(void);

/** Permit again that slots are added. */
void ctr_slots_unlock(void);

/** Whether an open set by lcore id has a slot of an lcore id, or of CTR_NON_LCORE. Any thread. */
bool ctr_slots_exists(unsigned int lcore);

/** Free all slots; no thread may use them any more. Idempotent. */
void ctr_slots_close(struct ctr_slots *slots);

/* ---- the port ---- */

/** A control thread, off the processors of lcores. Fill in `run`; must live until the join. */
struct ctr_port_control {
	void *(*run)(void *); /**< Its function. */
	void *argument;       /**< For `run`. */
	uintptr_t id;         /**< Set by ctr_port_control_start(). */
};

/** Start a control thread, to which no signal is delivered, with a name of at most 15 characters.
 * 0 or -errno. */
int ctr_port_control_start(struct ctr_port_control *thread, const char *name);

/** Wait until it has returned. */
void ctr_port_control_join(const struct ctr_port_control *thread);

/** Called by the port, under its lock (DPDK: the lcore lock), when @p lcore is registered. */
typedef int (*ctr_lcore_up_t)(unsigned int lcore);
/** Likewise, in the thread that unregisters @p lcore. */
typedef void (*ctr_lcore_down_t)(unsigned int lcore);

/** Call @p up for every lcore in use or registered later, @p down when an lcore unregisters. For
 * ctr_slots.c; MT-safe. 0, or the first error of @p up. */
int ctr_port_watch(ctr_lcore_up_t up, ctr_lcore_down_t down);

/** Unregister the callbacks of ctr_port_watch(). */
void ctr_port_unwatch(void);

/** Have the control thread drain a module; starts it if needed. Any thread. 0 or -errno. */
int ctr_poller_start(const struct ctr_module_state *module);

/** Undo that; the thread ends with the last one. Waits for a drain. Idempotent; any thread. */
void ctr_poller_stop(const struct ctr_module_state *module);

CTR_C_END

#endif /* CTR_FORK_H */
