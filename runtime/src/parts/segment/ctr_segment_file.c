/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_segment_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define HUGETLBFS_MAGIC 0x958458f6u

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

#define MODE 0640u

/* Create an empty file with a temporary name next to the final one; its descriptor. */
static int
make_named(struct ctr_segment *segment)
{
	char *made;
	int fd, rc;

	if (asprintf(&made, "%s.XXXXXX", segment->path) < 0)
		return -ENOMEM;
	fd = mkostemp(made, O_CLOEXEC);
	rc = fd >= 0 ? fd : -errno;
	if (fd >= 0)
		segment->temporary = made;
	else
		free(made);
	return rc;
}

/* Create a file in the directory of the final one: without a name, which a process that is killed
 * would leave behind, or with a temporary one if the file system has none without. */
static int
make_file(struct ctr_segment *segment, const struct ctr_segment_options *options)
{
	const mode_t mode = options->mode != 0 ? options->mode : MODE;
	const char *folder = ".";
	char *end;
	int rc;

	segment->path = strdup(options->path);
	if (segment->path == NULL)
		return -ENOMEM;
	end = strrchr(segment->path, '/');
	if (end != NULL) {
		*end = '\0';
		folder = end == segment->path ? "/" : segment->path;
	}
	segment->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (end != NULL)
		*end = '/';
	rc = segment->fd >= 0 ? segment->fd : make_named(segment);
	if (rc < 0)
		return rc;
	segment->fd = rc;
	rc = options->has_group ? fchown(segment->fd, (uid_t)-1, (gid_t)options->group) : 0;
	return rc == 0 && fchmod(segment->fd, mode) == 0 ? 0 : -errno;
}

/* Map a file of holes. Nothing may touch a page of it before ctr_segment_back(). */
static int
map_holes(struct ctr_segment *segment)
{
	struct statfs system;
	struct rlimit most;

	if (fstatfs(segment->fd, &system) != 0 || getrlimit(RLIMIT_FSIZE, &most) != 0)
		return -errno;
	segment->page = (size_t)sysconf(_SC_PAGESIZE);
	if ((uint32_t)system.f_type == HUGETLBFS_MAGIC) {
		segment->page = (size_t)system.f_bsize;
		segment->size = (segment->size + segment->page - 1) / segment->page * segment->page;
	}
	if (segment->size > most.rlim_cur)
		return -EFBIG; /* instead of SIGXFSZ */
	segment->backed = calloc(segment->size / segment->page / 64 + 1, sizeof(*segment->backed));
	if (segment->backed == NULL)
		return -ENOMEM;
	if (ftruncate(segment->fd, (off_t)segment->size) != 0)
		return -errno;
	segment->map = (uint8_t *)ctr_segment_map(segment->size, PROT_READ | PROT_WRITE,
						  MAP_SHARED | MAP_NORESERVE, segment->fd);
	return segment->map != NULL ? 0 : -errno;
}

int
ctr_segment_back(struct ctr_segment *segment, uint64_t at, uint64_t size)
{
	uint64_t page = at / segment->page;
	const uint64_t from = page * segment->page;
	uint64_t end = at + size + segment->page - 1;
	int rc;

	end -= end % segment->page;
	if (end > segment->size)
		end = segment->size;
	do
		rc = fallocate(segment->fd, 0, (off_t)from, (off_t)(end - from));
	while (rc != 0 && errno == EINTR);
	if (rc != 0)
		return -errno;
	for (; page * segment->page < end; page++)
		segment->backed[page / 64] |= UINT64_C(1) << (page % 64);
	return 0;
}

/* Seal the size and, if the kernel supports it, against writes by other mappings. */
static int
seal(int fd)
{
	const int size = F_SEAL_SHRINK | F_SEAL_GROW;

	if (fcntl(fd, F_ADD_SEALS, size | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0)
		return 0;
	return fcntl(fd, F_ADD_SEALS, size | F_SEAL_SEAL) == 0 ? 0 : -errno;
}

/* Take a lock that lasts as long as this process, on a separate open file description. */
static int
lock_file(struct ctr_segment *segment)
{
	/* Another byte is for a claim (ctr_segment_claim.c). */
	struct flock lock = { .l_type = F_WRLCK, .l_len = 1 };

	ctr_change_begin(); /* no child has a descriptor that ctr_segment_disown() does not close */
	segment->lock = ctr_segment_reopen(segment->fd, O_RDWR);
	ctr_change_end();
	return segment->lock >= 0 && fcntl(segment->lock, F_OFD_SETLK, &lock) == 0 ? 0 : -errno;
}

/* Unmap the file, and close the descriptor with the lock. */
static void
let_go(struct ctr_segment *segment)
{
	if (segment->lock >= 0)
		close(segment->lock);
	segment->lock = -1;
	if (segment->map != NULL)
		munmap(segment->map, segment->size);
	segment->map = NULL;
}

void
ctr_segment_disown(struct ctr_fork *self)
{
	struct ctr_segment *segment = (void *)((char *)self - offsetof(struct ctr_segment, fork));

	let_go(segment);
	segment->header = NULL;
	segment->runs = false;
	segment->pid = 0;
}

int
ctr_segment_make(struct ctr_segment *segment, const struct ctr_segment_options *options)
{
	int rc = 0;

	if (options->path != NULL)
		rc = make_file(segment, options);
	else
		segment->fd = memfd_create("ctr_segment", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (segment->fd < 0 && rc == 0)
		rc = -errno;
	rc = rc == 0 ? map_holes(segment) : rc;
	rc = rc == 0 ? lock_file(segment) : rc;
	return rc == 0 && options->path == NULL ? seal(segment->fd) : rc;
}

/* Give a file without a name a temporary one: only rename() replaces that of another process. */
static int
name_file(struct ctr_segment *segment)
{
	char path[64];
	int fd = make_named(segment);

	if (fd < 0)
		return fd;
	close(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", segment->fd);
	return unlink(segment->temporary) == 0 &&
			       linkat(AT_FDCWD, path, AT_FDCWD, segment->temporary,
				      AT_SYMLINK_FOLLOW) == 0 ?
		       0 :
		       -errno;
}

int
ctr_segment_show(struct ctr_segment *segment)
{
	int rc = 0;

	if (segment->path == NULL)
		return 0;
	if (segment->temporary == NULL)
		rc = name_file(segment);
	if (rc != 0)
		return rc;
	if (rename(segment->temporary, segment->path) != 0)
		return -errno;
	free(segment->temporary);
	segment->temporary = NULL;
	return 0;
}

/* Whether the name is that of this file. */
static bool
is_own(const struct ctr_segment *segment)
{
	struct stat own, named;

	return fstat(segment->fd, &own) == 0 && stat(segment->path, &named) == 0 &&
	       own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

void
ctr_segment_unmake(struct ctr_segment *segment, bool gone)
{
	if (segment->temporary != NULL && segment->pid == getpid())
		(void)unlink(segment->temporary);
	else if (gone && segment->path != NULL && segment->fd >= 0 && is_own(segment))
		(void)unlink(segment->path);
	let_go(segment);
	if (segment->fd >= 0)
		close(segment->fd);
	free(segment->backed);
	free(segment->temporary);
	free(segment->path);
}
