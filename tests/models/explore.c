/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explores executions of a model (explore.h). Threads are coroutines, and each execution begins with
 * the same memory.
 *
 * By default the running thread goes on, and a load returns the last store. An execution has a
 * bounded number of exceptions: a thread is preempted in front of an access to a word that several
 * threads access, or a load returns an older store. All executions without an exception are run, then
 * all with up to one, two, and so on. The remaining executions take exceptions at random, from a
 * fixed sequence of numbers, so each run is the same. Which words threads share is known from the
 * executions before.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>

#include "explore_state.h"

struct explore *x;

/* So that there is such a section. */
static EXPLORE_THREAD_LOCAL char none __attribute__((used));

static size_t
thread_size(void)
{
	return (size_t)(__stop_explore_thread - __start_explore_thread);
}

void
fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; execution %lu, thread %u\n", (unsigned long)x->execution, x->current);
	exit(1);
}

void
explore_fail(const char *what, const char *file, int line)
{
	fail("wrong: %s:%d: %s", file, line, what);
}

/* ---- choices ---- */

unsigned int
next_random(unsigned int n)
{
	x->random = x->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(x->random >> 33) % n;
}

unsigned int
pick(unsigned int n, bool exception)
{
	unsigned int chosen;

	if (n == 1 || (exception && x->exceptions == x->allowed))
		return 0;
	if (x->at_random)
		return exception && next_random(2u << x->execution % 5) != 0 ? 0 : next_random(n);
	if (x->depth == x->length) {
		if (x->length == CHOICES)
			fail("more than %u choices", CHOICES);
		x->choice[x->length] = 0;
		x->of[x->length++] = n;
	}
	chosen = x->choice[x->depth++];
	x->exceptions += exception && chosen != 0;
	return chosen;
}

static bool
can_run(const struct thread *thread)
{
	switch (thread->state) {
	case READY:
		return true;
	case LOCKING:
		return ((const struct mutex *)thread->on)->owner == 0;
	case JOINING:
		return ((const struct thread *)thread->on)->state == DONE;
	case WAITING:
		return thread->idle < NESTED || thread->changes != x->changes;
	default:
		return false;
	}
}

static void
switch_to(unsigned int number)
{
	struct thread *from = me();

	if (number == x->current)
		return;
	memcpy(from->local, __start_explore_thread, thread_size());
	memcpy(__start_explore_thread, x->thread[number].local, thread_size());
	x->current = number;
	(void)swapcontext(&from->context, &x->thread[number].context);
}

void
give_way(bool exception)
{
	unsigned int ready[THREADS], n = 0, i;

	if (exception)
		ready[n++] = x->current;
	for (i = 0; i < x->num_threads; i++)
		if (i != x->current && can_run(&x->thread[i]))
			ready[n++] = i;
	if (n == 0 && can_run(me()))
		ready[n++] = x->current;
	if (n == 0)
		fail("deadlock: no thread can go on");
	switch_to(ready[pick(n, exception)]);
	me()->state = READY;
}

void
step(void)
{
	if (++x->steps > MOST)
		fail("livelock: no end after %u accesses", MOST);
}

void
explore_wait(void)
{
	step();
	me()->state = WAITING;
	give_way(false);
	me()->idle = me()->changes == x->changes ? me()->idle + 1 : 0;
	me()->changes = x->changes;
}

static void
block(enum state state, const void *on)
{
	me()->state = state;
	me()->on = on;
	if (!can_run(me()))
		give_way(false);
	me()->state = READY;
}

/* ---- what a model calls of the C library ---- */

static void
finish(void)
{
	for (unsigned int i = 0; i < x->num_keys; i++)
		if (me()->value[i] != NULL && x->leave[i] != NULL)
			x->leave[i]((void *)(uintptr_t)me()->value[i]);
	me()->state = DONE;
	x->changes++;
	if (x->current == 0)
		(void)setcontext(&x->scheduler);
	give_way(false);
}

static void
entry(void)
{
	(void)me()->run(me()->arg);
	finish();
}

static void *
run_main(void *arg)
{
	if (model_main() != 0)
		fail("wrong: main() returns an error");
	return arg;
}

int
explore_start(pthread_t *number, const void *attr, void *(*run)(void *), void *arg)
{
	struct thread *thread = &x->thread[x->num_threads];

	(void)attr;
	if (x->num_threads == THREADS)
		fail("more than %u threads", THREADS);
	memset(thread, 0, offsetof(struct thread, context));
	memcpy(thread->local, x->local, sizeof(x->local));
	if (x->num_threads != 0) {
		thread->now = me()->now;
		tick();
	}
	thread->now.at[x->num_threads] = 1;
	thread->run = run;
	thread->arg = arg;
	(void)getcontext(&thread->context);
	thread->context.uc_stack.ss_sp = thread->stack;
	thread->context.uc_stack.ss_size = STACK;
	makecontext(&thread->context, entry, 0);
	*number = x->num_threads++;
	return 0;
}

int
explore_join(pthread_t number, void **result)
{
	(void)result;
	block(JOINING, &x->thread[number]);
	join(&me()->now, &x->thread[number].now);
	return 0;
}

pthread_t
explore_self(void)
{
	return x->current;
}

static struct mutex *
mutex_of(const void *at)
{
	unsigned int i;

	for (i = 0; i < x->num_mutexes; i++)
		if (x->mutex[i].at == at)
			return &x->mutex[i];
	if (i == MUTEXES)
		fail("more than %u mutexes", MUTEXES);
	x->mutex[x->num_mutexes++].at = at;
	return &x->mutex[i];
}

/* What the thread has done happens before what the next one does that joins the view. */
static void
pass_on(struct mutex *mutex)
{
	mutex->seen = me()->now;
	tick();
}

int
explore_lock(pthread_mutex_t *at)
{
	struct mutex *mutex = mutex_of(at);

	step();
	give_way(true);
	while (mutex->owner != 0)
		block(LOCKING, mutex);
	mutex->owner = x->current + 1;
	join(&me()->now, &mutex->seen);
	return 0;
}

int
explore_trylock(pthread_mutex_t *at)
{
	struct mutex *mutex = mutex_of(at);

	step();
	give_way(true);
	if (mutex->owner != 0)
		return EBUSY;
	mutex->owner = x->current + 1;
	join(&me()->now, &mutex->seen);
	return 0;
}

int
explore_unlock(pthread_mutex_t *at)
{
	struct mutex *mutex = mutex_of(at);

	if (mutex->owner != x->current + 1)
		fail("wrong: unlocks a mutex that it has not locked");
	mutex->owner = 0;
	pass_on(mutex);
	return 0;
}

int
explore_once(pthread_once_t *once, void (*run)(void))
{
	struct mutex *mutex = mutex_of(once);

	if (*once == PTHREAD_ONCE_INIT) {
		run();
		*once = !PTHREAD_ONCE_INIT;
		pass_on(mutex);
	}
	join(&me()->now, &mutex->seen);
	return 0;
}

int
explore_key(pthread_key_t *key, void (*leave)(void *))
{
	if (x->num_keys == KEYS)
		fail("more than %u keys", KEYS);
	x->leave[x->num_keys] = leave;
	*key = x->num_keys++;
	return 0;
}

int
explore_set(pthread_key_t key, const void *value)
{
	me()->value[key] = value;
	return 0;
}

int
explore_allocate(void **memory, size_t align, size_t size)
{
	const uint64_t at = (x->used + align - 1) / align * align;

	if (at + size > HEAP)
		fail("more than %u bytes", HEAP);
	*memory = x->heap + at;
	x->used = at + size;
	return 0;
}

/* Never given out again, and written to, so an access that is not ordered is a race. */
void
explore_free(void *memory)
{
	if (memory != NULL)
		plain(memory, 8, PLAIN_STORE);
}

void *
explore_copy(void *to, const void *from, size_t size)
{
	plain(from, size, PLAIN_LOAD);
	plain(to, size, PLAIN_STORE);
	return memcpy(to, from, size);
}

void *
explore_fill(void *memory, int byte, size_t size)
{
	plain(memory, size, PLAIN_STORE);
	return memset(memory, byte, size);
}

int
explore_clock(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now->tv_sec = 0;
	now->tv_nsec = (long)(x->time_ns += 1000);
	return 0;
}

/* ---- executions ---- */

static void
run_once(void)
{
	pthread_t number;

	memcpy(__data_start, x->image, (size_t)(_end - __data_start));
	memcpy(__start_explore_thread, x->local, thread_size());
	memset(x->heap, 0, x->used);
	memset(&x->constant, 0, sizeof(x->constant));
	for (unsigned int i = 0; i < x->num_mutexes; i++) {
		x->mutex[i].owner = 0;
		memset(&x->mutex[i].seen, 0, sizeof(x->mutex[i].seen));
	}
	x->changes = x->steps = x->used = x->time_ns = 0;
	x->num_threads = x->current = x->num_keys = x->depth = x->exceptions = 0;
	x->execution++;
	x->late = next_random(THREADS);
	(void)explore_start(&number, NULL, run_main, NULL);
	(void)swapcontext(&x->scheduler, &x->thread[0].context);
	x->num_threads = 0;
}

/* Whether there is another execution with as many exceptions. */
static bool
next(void)
{
	while (x->length > 0 && ++x->choice[x->length - 1] == x->of[x->length - 1])
		x->length--;
	return x->length > 0;
}

/* What threads share by now. */
static void
learn(void)
{
	for (struct location *at = x->location; at < x->location + x->num_locations; at++)
		at->shared = at->changers != 0 && (at->users & (at->users - 1)) != 0;
}

/* The argument is how many executions to run: with no exception, with up to one, two ..., a quarter
 * of them all, then at random.
 */
int
main(int argc, char **argv)
{
	const uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	const size_t size = (size_t)(_end - __data_start);

	x = mmap(NULL, sizeof(*x), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (x == MAP_FAILED || size > STATIC || thread_size() > sizeof(x->local))
		return 2;
	x->image = malloc(size);
	memcpy(x->image, __data_start, size);
	memcpy(x->local, __start_explore_thread, thread_size());
	for (x->allowed = 0; !x->at_random; x->allowed++) {
		x->length = 0;
		do
			run_once();
		while (next() && x->execution < most / 4);
		x->at_random = x->execution >= most / 4;
		learn();
	}
	for (x->allowed = UINT_MAX; x->execution < most;)
		run_once();
	return 0;
}
