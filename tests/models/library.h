/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The library for a model with a generated module: all of its core, and the strategy's operations
 * (library.py), or with MODEL_CORE or MODEL_OPERATIONS one of them. No model has keys, sources, or a strategy that is polled.
 */
#ifndef MODEL_LIBRARY_H
#define MODEL_LIBRARY_H

#include "model.h"

#if !defined(MODEL_LINKED) || defined(MODEL_OPERATIONS)

#include "ctr_delta_cache.h"
#include "ctr_key.h"
#include "ctr_pi.h"
#include "ctr_fork.h"
#include "ctr_access.h"
#include "ctr_values.h"

#define ctr_keys_clear(keys, at) ((void)(keys), (void)(at), abort())
#define ctr_keys_forget(keys) ((void)(keys), abort())
#define ctr_keys_free(keys) ((void)(keys), abort())
#define ctr_debug_stop(...) abort()

/* The kernel is a part of this lock, so no model has it. */
#ifndef MODEL_OPERATIONS
CTR_THREAD_LOCAL uint32_t ctr_pi_thread;
#endif
#define ctr_pi_lock(lock) ((void)(lock), abort())
#define ctr_pi_unlock(lock) ((void)(lock), abort())

/* GenMC's unistd.h has macros of names that are members of structs here. */
#undef open
#undef read
#undef close

#ifndef MODEL_OPERATIONS
#include "ctr_cell.c"
#include "ctr_values.c"
#endif
#include "library.c"

#endif

#endif /* MODEL_LIBRARY_H */
