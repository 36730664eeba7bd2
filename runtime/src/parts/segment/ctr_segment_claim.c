/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims: at most one successor restores from a segment, also after failures and with concurrent
 * successors.
 *
 * A claim locks a byte of the predecessor's file until this process exits, and becomes durable when
 * the new segment is complete. If a process dies before that, its restored values are
 * lost with its memory, and the next successor restores from the same segment. If a creation fails
 * after values were restored, the process retains the claim, and its next attempt resumes there. */
#include "ctr_segment_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(__USE_GNU)
#include "_GNU_SOURCE comes too late: compile with -D_GNU_SOURCE"
#endif

/* The byte of the file that is locked; the former process has the lock of the first one. */
#define CLAIM_BYTE 1

/* How often to look whether another process has released its claim, in nanoseconds. */
#define POLL_NS 200000

/* Permissions to write, which memory loses that was taken over. */
#define WRITERS 0222u

/* Protects the list; taken within a change, so that no thread has it when a child is forked. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Those that are kept. */
static struct ctr_segment_claim *kept_claim;

static void
disown(struct ctr_fork *self)
{
	struct ctr_segment_claim *claim =
		(void *)((char *)self - offsetof(struct ctr_segment_claim, fork));

	if (claim->fd >= 0)
		close(claim->fd);
	claim->fd = -1;
}

/* Whether another process has taken over already: 0; -EALREADY; -errno. */
static int
is_free(const struct ctr_segment_reader *reader)
{
	struct stat status;
	uint32_t successor;
	int rc = ctr_segment_copy_file(reader, offsetof(struct ctr_segment_header, successor),
				       sizeof(successor), &successor);

	if (rc == 0 && fstat(reader->fd, &status) != 0)
		rc = -errno;
	if (rc == 0 && (successor != 0 ||
			(ctr_segment_is_sealed(reader->fd) && (status.st_mode & WRITERS) == 0)))
		rc = -EALREADY;
	return rc;
}

static int
lock_claim(const struct ctr_segment_claim *claim, uint64_t until_ns)
{
	const struct timespec pause = { 0, POLL_NS };
	struct flock lock = { .l_type = F_WRLCK, .l_start = CLAIM_BYTE, .l_len = 1 };

	while (fcntl(claim->fd, F_OFD_SETLK, &lock) != 0) {
		if (errno != EAGAIN && errno != EACCES)
			return -errno;
		if (ctr_time_ns() >= until_ns)
			return -EBUSY;
		(void)nanosleep(&pause, NULL);
	}
	return 0;
}

/* Take the retained claim of a predecessor's segment; NULL: none. */
static struct ctr_segment_claim *
find_stored(uint64_t generation)
{
	struct ctr_segment_claim **at, *found;

	ctr_change_begin();
	pthread_mutex_lock(&mutex);
	at = &kept_claim;
	while (*at != NULL && ((*at)->generation != generation || (*at)->pid != getpid()))
		at = &(*at)->next;
	found = *at;
	if (found != NULL)
		*at = found->next;
	pthread_mutex_unlock(&mutex);
	ctr_change_end();
	return found;
}

int
ctr_segment_claim(struct ctr_segment_claim **claim, const struct ctr_segment_reader *reader,
		  uint64_t until_ns)
{
	const uint64_t generation = reader->header.generation;
	struct ctr_segment_claim *made;
	int rc;

	*claim = find_stored(generation);
	if (*claim != NULL)
		return 0;
	rc = is_free(reader);
	if (rc != 0)
		return rc;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	made->generation = generation;
	made->pid = getpid();
	made->fd = -1;
	made->fork.fork_child = disown;
	ctr_fork_watch(&made->fork);
	ctr_change_begin(); /* no child has a descriptor that disown() does not close */
	made->fd = ctr_segment_reopen(reader->fd, O_RDWR);
	ctr_change_end();
	rc = made->fd >= 0 ? lock_claim(made, until_ns) : -errno;
	if (rc == 0)
		rc = is_free(reader);
	if (rc == 0)
		*claim = made;
	else
		ctr_segment_release(made);
	return rc;
}

int
ctr_segment_claim_room(struct ctr_segment_claim *claim, uint32_t num)
{
	const struct ctr_module **taken = realloc(
		claim->taken, (claim->num_taken + num) * sizeof(*claim->taken));

	if (taken == NULL)
		return -ENOMEM;
	claim->taken = taken;
	return 0;
}

bool
ctr_segment_has_taken(const struct ctr_segment_claim *claim, const struct ctr_module *module)
{
	for (uint32_t i = 0; i < claim->num_taken; i++)
		if (claim->taken[i] == module)
			return true;
	return false;
}

void
ctr_segment_release(struct ctr_segment_claim *claim)
{
	if (claim == NULL)
		return;
	if (claim->num_taken != 0) {
		ctr_change_begin();
		pthread_mutex_lock(&mutex);
		claim->next = kept_claim;
		kept_claim = claim;
		pthread_mutex_unlock(&mutex);
		ctr_change_end();
		return;
	}
	ctr_change_begin(); /* until it is closed, a child has to close it, too */
	if (claim->fd >= 0)
		close(claim->fd);
	claim->fd = -1;
	ctr_change_end();
	ctr_fork_unwatch(&claim->fork);
	free(claim->taken);
	free(claim);
}

/* Name the successor in the former segment; false if nothing can be written there. */
static bool
store_successor(int fd, uint32_t successor)
{
	const off_t at = offsetof(struct ctr_segment_header, successor);
	struct stat status;
	void *map;

	if (pwrite(fd, &successor, sizeof(successor), at) == (ssize_t)sizeof(successor))
		return true;
	if (ctr_segment_is_sealed(fd) || fstat(fd, &status) != 0)
		return false;
	/* hugetlbfs has no write(). */
	map = ctr_segment_map((size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	if (map == NULL)
		return false;
	__atomic_store_n(&((struct ctr_segment_header *)map)->successor, successor,
			 __ATOMIC_RELEASE);
	munmap(map, (size_t)status.st_size);
	return true;
}

void
ctr_segment_commit(struct ctr_segment_claim *claim, const struct ctr_segment *segment)
{
	const uint32_t successor = (uint32_t)segment->pid;
	struct stat status;

	if (claim == NULL)
		return;
	/* Of sealed memory, the mode is what can be changed. Without either, the lock stays. */
	if (store_successor(claim->fd, successor))
		claim->num_taken = 0;
	else if (ctr_segment_is_sealed(claim->fd) && fstat(claim->fd, &status) == 0 &&
		 fchmod(claim->fd, status.st_mode & ~(mode_t)WRITERS) == 0)
		claim->num_taken = 0;
	ctr_segment_release(claim);
}
