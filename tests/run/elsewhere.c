/* SPDX-License-Identifier: BSD-3-Clause */
/* ctr_pi.c as where there is no Linux: which threads have ended in a child of fork(). */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ctr_port.h"
#undef __linux__
#include "ctr_pi.c"

#define NEED(condition)                                               \
	do {                                                          \
		if (!(condition)) {                                   \
			fprintf(stderr, "%d: %s\n", __LINE__, #condition); \
			exit(1);                                      \
		}                                                     \
	} while (0)

static uint32_t other;

static void *
run(void *unused)
{
	other = ctr_pi_me();
	return unused;
}

int
main(void)
{
	const uint32_t parent = ctr_pi_me();
	pthread_t thread;
	int status;
	pid_t child;

	NEED(pthread_create(&thread, NULL, run, NULL) == 0 && pthread_join(thread, NULL) == 0);
	NEED(other != parent && !ctr_pi_ended(other) && !ctr_pi_ended(parent));
	child = fork();
	NEED(child >= 0);
	if (child == 0) {
		NEED(ctr_pi_ended(other) && ctr_pi_ended(parent));
		NEED(!ctr_pi_ended(ctr_pi_me()));
		NEED(pthread_create(&thread, NULL, run, NULL) == 0);
		NEED(pthread_join(thread, NULL) == 0 && !ctr_pi_ended(other));
		exit(0);
	}
	NEED(waitpid(child, &status, 0) == child && status == 0);
	NEED(!ctr_pi_ended(other));
	return 0;
}
