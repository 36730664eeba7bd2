/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "ctr_agentx.h"

/* The interval at which the thread checks whether it must stop. */
#define WAIT_MS 200

static struct {
	pthread_t id;
	bool runs; /* between _start() and _stop() */
	bool stop; /* atomic: it is to end */
} agent_thread;

/* The arguments of the thread, and its result. */
struct start {
	const struct ctr_agentx_module *const *modules;
	unsigned int count;
	const char *socket;
	pthread_mutex_t mutex;
	pthread_cond_t done;
	bool known;
	int rc;
};

static void *
run_agent(void *argument)
{
	struct start *start = (struct start *)argument;
	int rc = ctr_agentx_open(start->modules, start->count, start->socket);

	pthread_mutex_lock(&start->mutex);
	start->rc = rc;
	start->known = true;
	pthread_cond_signal(&start->done);
	pthread_mutex_unlock(&start->mutex);
	if (rc != 0)
		return NULL;
	while (!__atomic_load_n(&agent_thread.stop, __ATOMIC_RELAXED))
		(void)ctr_agentx_poll(WAIT_MS);
	ctr_agentx_close();
	return NULL;
}

int
ctr_agentx_start(const struct ctr_agentx_module *const *modules, unsigned int count,
		const char *socket)
{
	struct start start = { modules, count, socket, PTHREAD_MUTEX_INITIALIZER,
			PTHREAD_COND_INITIALIZER, false, 0 };
	sigset_t all, former;
	int rc;

	if (agent_thread.runs)
		return -EBUSY;
	(void)setenv("MIBS", "", 0); /* the environment is not to change in another thread */
	__atomic_store_n(&agent_thread.stop, false, __ATOMIC_RELAXED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	rc = pthread_create(&agent_thread.id, NULL, run_agent, &start);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (rc != 0)
		return -rc;
	pthread_mutex_lock(&start.mutex);
	while (!start.known)
		pthread_cond_wait(&start.done, &start.mutex);
	pthread_mutex_unlock(&start.mutex);
	if (start.rc != 0)
		pthread_join(agent_thread.id, NULL);
	else
		agent_thread.runs = true;
	return start.rc;
}

void
ctr_agentx_stop(void)
{
	if (!agent_thread.runs)
		return;
	__atomic_store_n(&agent_thread.stop, true, __ATOMIC_RELAXED);
	pthread_join(agent_thread.id, NULL);
	agent_thread.runs = false;
}
