/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_strategy.h"

const struct ctr_strategy ctr_strategy_plain;
