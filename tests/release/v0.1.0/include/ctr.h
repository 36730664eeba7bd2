/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The ctrgen runtime: everything generated code uses.
 */
#ifndef CTR_H
#define CTR_H

#include "ctr_abi.h"
#include "ctr_common.h"
#include "ctr_port.h"
#include "ctr_word.h"
#include "ctr_lock.h"
#include "ctr_seqcount.h"
#include "ctr_slots.h"
#include "ctr_wb.h"
#include "ctr_cell.h"
#include "ctr_control.h"
#include "ctr_module.h"

#endif /* CTR_H */
