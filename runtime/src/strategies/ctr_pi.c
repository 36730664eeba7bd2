/* SPDX-License-Identifier: BSD-3-Clause */
/* syscall() */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ctr_pi.h"
#include "ctr_port.h"

/* Tries of a waiter between two yields, and yields before it sleeps. To an ordinary thread a yield
 * gives the lock back sooner than to be woken; a real-time thread loses some microseconds. */
#define PI_TRIES 16u
#define YIELDS 8u
/* Nanoseconds between two tries of a waiter that the kernel does not wake. */
#define NAP 50000

CTR_THREAD_LOCAL uint32_t ctr_pi_thread;

static pthread_once_t pi_once = PTHREAD_ONCE_INIT;

#define WAITERS ((uint32_t)FUTEX_WAITERS)

/* 0 or what errno says. Not FUTEX_PRIVATE_FLAG: processes may share the lock. */
static int
futex(struct ctr_pi *lock, int operation)
{
	int before = errno, rc;

	rc = syscall(SYS_futex, &lock->owner, operation, 0, NULL, NULL, 0) == 0 ? 0 : errno;
	errno = before;
	return rc;
}

/* Whether the first thread has called pthread_exit(): its id stays while there are others. */
static bool
is_zombie(void)
{
	const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	const char *name_end;
	char text[64];
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	name_end = strrchr(text, ')'); /* A name has at most 15 bytes. */
	return name_end != NULL && strncmp(name_end, ") Z", 3) == 0;
}

bool
ctr_pi_ended(uint32_t thread)
{
	const int before = errno;
	const pid_t process = getpid();
	bool gone = syscall(SYS_tgkill, process, (pid_t)thread, 0) != 0 && errno == ESRCH;

	if (!gone && thread == (uint32_t)process)
		gone = is_zombie();
	errno = before;
	return gone;
}

/* In the child of fork() the thread has another id. */
static void
pi_forget(void)
{
	ctr_pi_thread = 0;
}

static void
watch_forks(void)
{
	(void)pthread_atfork(NULL, NULL, pi_forget);
}

CTR_COLD uint32_t
ctr_pi_look_up(void)
{
	(void)pthread_once(&pi_once, watch_forks);
	ctr_pi_thread = (uint32_t)syscall(SYS_gettid);
	return ctr_pi_thread;
}

/* Take the lock if it is `from`, with its bit for waiters. */
static bool
pi_take(struct ctr_pi *lock, uint32_t from)
{
	uint32_t mine = ctr_pi_thread | (from & WAITERS);

	return __atomic_compare_exchange_n(&lock->owner, &from, mine, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* Take the lock if it becomes free soon, also while others sleep: each more that sleeps is one more
 * that the kernel has to wake for a release. */
static bool
spin(struct ctr_pi *lock)
{
	for (unsigned int tries = 1; tries <= PI_TRIES * YIELDS; tries++) {
		if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == 0 && pi_take(lock, 0))
			return true;
		if (tries % PI_TRIES == 0)
			ctr_yield();
		else
			ctr_pause();
	}
	return false;
}

CTR_COLD void
ctr_pi_wait(struct ctr_pi *lock)
{
	static const struct timespec nap = { .tv_sec = 0, .tv_nsec = NAP };

	(void)ctr_pi_me();
	if (spin(lock))
		return;
	for (;;) {
		uint32_t owner = __atomic_load_n(&lock->owner, __ATOMIC_RELAXED);

		switch (futex(lock, FUTEX_LOCK_PI)) {
		case 0:
			/* The owner released it in ctr_pi_wake(), or by ctr_pi_unlock(). */
			(void)__atomic_load_n(&lock->owner, __ATOMIC_ACQUIRE);
			return;
		case ESRCH: /* The owner has ended without a release. */
			if (pi_take(lock, owner))
				return;
			break;
		case EINTR:
			break;
		default:
			/* EAGAIN: the owner is about to end; soon it has. EDEADLK: this thread has
			 * the lock. ENOSYS, ENOMEM: the kernel cannot help. The sleep allows the
			 * owner to run, whatever the policy of this thread. */
			(void)nanosleep(&nap, NULL);
			if (pi_take(lock, 0))
				return;
		}
	}
}

CTR_COLD void
ctr_pi_wake(struct ctr_pi *lock)
{
	int rc;

	/* The kernel's release is none to the memory model, nor to ThreadSanitizer. */
	(void)__atomic_fetch_or(&lock->owner, 0, __ATOMIC_RELEASE);
	do
		rc = futex(lock, FUTEX_UNLOCK_PI);
	while (rc == EAGAIN || rc == EINTR);
	/* EPERM: the owner is the thread that forked this process, so no thread waits here. */
	if (rc != 0)
		__atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}
