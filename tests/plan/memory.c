/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a module allocates with so many lcores in use: prints bytes=N. Compiled
 * with the name of its header, its functions' prefix, and how instances are made.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#endif

#include HEADER

void *__real_ctr_alloc(size_t size, unsigned int lcore);
void *__wrap_ctr_alloc(size_t size, unsigned int lcore);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_there, all_done;
static unsigned long long bytes;
static int failed;

void *
__wrap_ctr_alloc(size_t size, unsigned int lcore)
{
	(void)pthread_mutex_lock(&lock);
	bytes += size;
	(void)pthread_mutex_unlock(&lock);
	return __real_ctr_alloc(size, lcore);
}

static void *
worker(void *unused)
{
	if (ctr_thread_register() != 0)
		failed = 1;
	(void)pthread_barrier_wait(&all_there);
	(void)pthread_barrier_wait(&all_done);
	ctr_thread_unregister();
	return unused;
}

int
main(int argc, char **argv)
{
	const unsigned int lcores = (unsigned int)atoi(argv[1]);
	pthread_t threads[256];
	unsigned int i, others = lcores;

	(void)argc;
#ifdef CTR_PORT_DPDK
	{
		char *args[] = { argv[0], "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry",
				 "-m", "256", "--lcores", "0@0", "--log-level", "1" };

		if (rte_eal_init(11, args) < 0)
			return 1;
		others--; /* the main lcore is one of them */
	}
#endif
	(void)pthread_barrier_init(&all_there, NULL, others + 1);
	(void)pthread_barrier_init(&all_done, NULL, others + 1);
	for (i = 0; i < others; i++)
		if (pthread_create(&threads[i], NULL, worker, NULL) != 0)
			return 1;
	(void)pthread_barrier_wait(&all_there);
	if (INIT() != 0)
		failed = 1;
#ifdef CREATE
	for (i = 0; i < INSTANCES; i++)
		if (CREATE(i) != 0)
			failed = 1;
#endif
	printf("bytes=%llu\n", bytes);
	(void)pthread_barrier_wait(&all_done);
	for (i = 0; i < others; i++)
		(void)pthread_join(threads[i], NULL);
	FINI();
	return failed;
}
