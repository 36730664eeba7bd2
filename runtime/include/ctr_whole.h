/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A module as a whole, from its tables (ctr_table.h): what `_init()`, `_fini()`, `_flush()` and
 * the like of generated headers do.
 */
#ifndef CTR_WHOLE_H
#define CTR_WHOLE_H

#include "ctr_word.h"

struct ctr_module_state;

/** What a flush is for. */
enum ctr_flush {
	CTR_FLUSH,     /**< `_flush()`: all, waiting for locks. */
	CTR_TRY_FLUSH, /**< `_try_flush()`: unless a lock is taken. */
	CTR_BURST_END  /**< `_burst_end()`: what is due. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Initialise a module. Not thread-safe; before all else. 0; -ENOMEM; -EALREADY; -EPROTO: another
 * number of lcores, or as of ctr_port_check(); -EAGAIN or as of pthread_create(): no control
 * thread. */
int ctr_module_init(const struct ctr_module_state *module);

/** As `_fini()`: free everything. No thread may use the module. Idempotent. */
void ctr_module_fini(const struct ctr_module_state *module);

/** As `_flush()` and `_try_flush()`: apply what the calling lcore buffers. */
void ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how);

/**
 * End a burst: call it after each burst, even if empty, and before the first one. Readers see what
 * the lcore counted after a bounded number of calls (docs/strategies.md). Reports a quiescent
 * state: the lcore keeps no index of an instance from before. An lcore that is going to sleep calls
 * `_flush()` and then ctr_quiescent_offline().
 */
void ctr_module_burst_end(const struct ctr_module_state *module);

/** As `_poll()`: apply what lcores have sent. Blocks for the control lock. */
void ctr_module_poll(const struct ctr_module_state *module);

/** Reset all counters of all scopes that can be reset, except in the application's own objects. 0;
 * -EAGAIN if some counters could not be read together; each was reset exactly. */
int ctr_module_reset(const struct ctr_module_state *module);

/** Begin a read section, until ctr_module_read_unlock(): no reset happens, nor an update under one
 * lock for the module. The calling thread must not update in it. May be nested. */
void ctr_module_read_lock(const struct ctr_module_state *module);

/** As `_read_unlock()`: end a read section. */
void ctr_module_read_unlock(const struct ctr_module_state *module);

/** Count updates that were dropped for an index out of range, or that came late: before `_init()`
 * or after `_fini()`, or for an instance that does not exist. `_fini()` sets the number to 0. */
void ctr_module_note(struct ctr_line64 *count, uint64_t n) CTR_COLD;

#ifdef __cplusplus
}
#endif

#endif /* CTR_WHOLE_H */
