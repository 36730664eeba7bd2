/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Includes the whole ctrgen runtime. Generated headers include only what they need. */
#ifndef CTR_H
#define CTR_H

#ifdef __cplusplus
/* The casts of C, in headers that are for both languages. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#include "ctr_abi.h"
#include "ctr_common.h"
#include "ctr_port.h"
#include "ctr_debug.h"
#include "ctr_word.h"
#include "ctr_narrow.h"
#include "ctr_lock.h"
#include "ctr_pi.h"
#include "ctr_seqcount.h"
#include "ctr_slots.h"
#include "ctr_cpu.h"
#include "ctr_quiescent.h"
#include "ctr_wb.h"
#include "ctr_delta_cache.h"
#include "ctr_ring.h"
#include "ctr_control.h"
#include "ctr_fork.h"
#include "ctr_bits.h"
#include "ctr_list.h"
#include "ctr_read_ctx.h"
#include "ctr_histogram.h"
#include "ctr_limit.h"
#include "ctr_peak.h"
#include "ctr_module.h"
#include "ctr_item.h"
#include "ctr_source.h"
#include "ctr_device.h"
#include "ctr_key.h"
#include "ctr_values.h"
#include "ctr_table.h"
#include "ctr_access.h"

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif /* CTR_H */
