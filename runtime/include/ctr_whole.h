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

/** As the module's `_init()`: 0, -EALREADY, -ENOMEM, -EPROTO, or as of ctr_port_check(). */
int ctr_module_init(const struct ctr_module_state *module);

/** As `_fini()`: free everything. No thread may use the module. Idempotent. */
void ctr_module_fini(const struct ctr_module_state *module);

/** As `_flush()` and `_try_flush()`: apply what the calling lcore holds back. */
void ctr_module_flush(const struct ctr_module_state *module, enum ctr_flush how);

/** As `_burst_end()`: flush what is due, and report a quiescent state. */
void ctr_module_burst_end(const struct ctr_module_state *module);

/** As `_poll()`: apply what lcores have sent. Blocks for the control lock. */
void ctr_module_poll(const struct ctr_module_state *module);

/** As `_reset()`: reset all scopes that can be reset. 0; -EAGAIN. */
int ctr_module_reset(const struct ctr_module_state *module);

/** As `_read_lock()`: begin a read section. May be nested. */
void ctr_module_read_lock(const struct ctr_module_state *module);

/** As `_read_unlock()`: end a read section. */
void ctr_module_read_unlock(const struct ctr_module_state *module);

/** Count updates that were dropped, or that came late. For the fast path. */
void ctr_module_note(struct ctr_line64 *count, uint64_t n) CTR_COLD;

#ifdef __cplusplus
}
#endif

#endif /* CTR_WHOLE_H */
