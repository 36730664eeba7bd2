/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "ctr_common.h"

void
ctr_debug_stop(const char *file, int line, const char *function, const char *text)
{
	(void)fprintf(stderr, "%s:%d: %s(): %s\n", file, line, function, text);
	abort();
}
