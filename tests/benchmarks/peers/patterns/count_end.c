/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread-local words; a list of where they are, and a lock, for whoever sums up at the end. */
#include <pthread.h>

#include "peers.h"

static _Thread_local struct pair *counter;
static struct pair *memory[THREADS], *of_thread[THREADS];
static pthread_spinlock_t final_mutex;

static int
init(uint32_t instances)
{
	for (unsigned int t = 0; t < THREADS; t++) {
		memory[t] = PEER_ARRAY(struct pair, instances);
		if (memory[t] == NULL)
			return -ENOMEM;
	}
	return -pthread_spin_init(&final_mutex, PTHREAD_PROCESS_PRIVATE);
}

static void
begin(unsigned int thread)
{
	counter = memory[thread];
	(void)pthread_spin_lock(&final_mutex);
	of_thread[thread] = counter;
	(void)pthread_spin_unlock(&final_mutex);
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct pair *mine = &counter[instance];

	(void)thread;
	__atomic_store_n(&mine->packets, mine->packets + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&mine->bytes, mine->bytes + bytes, __ATOMIC_RELAXED);
}

PEER_BURST(update, (void)0)

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	(void)pthread_spin_lock(&final_mutex);
	for (unsigned int t = 0; t < THREADS; t++)
		if (of_thread[t] != NULL)
			peer_sum(now, &of_thread[t][instance]);
	(void)pthread_spin_unlock(&final_mutex);
}

PEER(count_end, .name = "count_end", .init = init, .begin = begin, .burst = burst, .read = read_sum,
     .more = sizeof(struct pair));
