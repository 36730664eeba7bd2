/* SPDX-License-Identifier: BSD-3-Clause */
/** @file Start and end of an example on the posix port: nothing to do. */
#include <stddef.h>

#include "app.h"

void
app_start(int argc, char **argv)
{
	(void)argc;
	(void)argv;
}

void
app_stop(void)
{
}
