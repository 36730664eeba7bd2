/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program of a test cannot go on without. */
#ifndef NEED_H
#define NEED_H

#include <stdio.h>
#include <stdlib.h>

/** End the program with 1 and say where, unless a condition holds. */
#define NEED(condition)                                                                 \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                        \
		}                                                                       \
	} while (0)

#endif /* NEED_H */
