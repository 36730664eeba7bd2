/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr.h"

void probe_report(void);

void
probe_report(void)
{
	ctr_quiescent();
}
