/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What the programs of these tests do while a thread of the agent serves.
 */
#ifndef OBEY_H
#define OBEY_H

#include <stdio.h>

/* Says that it serves, and answers each line on standard input with a number, up to `quit`; a program
 * that obeys nothing else has no `obey`. `then` is called before each answer is sent.
 */
static inline void
obey_lines(int (*obey)(const char *line), void (*then)(void))
{
	char line[64];

	printf("0\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL && line[0] != 'q') {
		printf("%d\n", obey != NULL ? obey(line) : 0);
		if (then != NULL)
			then();
		fflush(stdout);
	}
}

#endif
