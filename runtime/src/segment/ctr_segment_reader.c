/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctr_segment_check.h"
#include "ctr_segment_reader.h"

/* How often a record is read that its writer is writing. */
#define TRIES 1000u

struct ctr_segment_reader {
	const uint8_t *map;               /* The segment. */
	size_t size;                      /* Its bytes. */
	int fd;                           /* For ctr_segment_alive(). */
	struct ctr_segment_header header; /* As it was checked. */
	uint8_t *directory;               /* Likewise; a copy, so that nobody changes it. */
};

/* ---- opening ---- */

/* Nobody shrinks it; files are their owner's. */
static bool
keeps_size(int fd)
{
	const int seals = fcntl(fd, F_GET_SEALS);

	/* Files have no seals, or, on tmpfs, the one that there will be none. */
	return seals < 0 || seals == F_SEAL_SEAL || (seals & F_SEAL_SHRINK) != 0;
}

static int
map_segment(struct ctr_segment_reader *reader, int fd)
{
	struct stat status;
	void *map;

	if (fstat(fd, &status) != 0)
		return -errno;
	if (!S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(reader->header))
		return -EBADMSG;
	if (!keeps_size(fd))
		return -EPERM;
	map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	reader->map = (const uint8_t *)map;
	reader->size = (size_t)status.st_size;
	memcpy(&reader->header, map, sizeof(reader->header));
	return 0;
}

static int
copy_directory(struct ctr_segment_reader *reader)
{
	const struct ctr_segment_header *header = &reader->header;
	int rc = ctr_segment_check_header(header, reader->size);

	if (rc != 0)
		return rc;
	reader->directory = (uint8_t *)malloc(header->directory_size);
	if (reader->directory == NULL)
		return -ENOMEM;
	memcpy(reader->directory, reader->map + header->directory, header->directory_size);
	return ctr_segment_check(header, reader->directory);
}

int
ctr_segment_open_fd(struct ctr_segment_reader **reader, int fd)
{
	struct ctr_segment_reader *made;
	int rc;

	made = (struct ctr_segment_reader *)calloc(1, sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	made->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	rc = made->fd < 0 ? -errno : map_segment(made, made->fd);
	if (rc == 0)
		rc = copy_directory(made);
	if (rc == 0)
		*reader = made;
	else
		ctr_segment_leave(made);
	return rc;
}

int
ctr_segment_open(struct ctr_segment_reader **reader, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), rc;

	if (fd < 0)
		return -errno;
	rc = ctr_segment_open_fd(reader, fd);
	close(fd);
	return rc;
}

void
ctr_segment_leave(struct ctr_segment_reader *reader)
{
	if (reader == NULL)
		return;
	if (reader->map != NULL)
		munmap((void *)(uintptr_t)reader->map, reader->size);
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader->directory);
	free(reader);
}

/* ---- the directory ---- */

static const struct ctr_segment_header *
shared(const struct ctr_segment_reader *reader)
{
	return (const struct ctr_segment_header *)(const void *)reader->map;
}

const struct ctr_segment_header *
ctr_segment_header(const struct ctr_segment_reader *reader)
{
	return &reader->header;
}

uint32_t
ctr_segment_state(const struct ctr_segment_reader *reader)
{
	return __atomic_load_n(&shared(reader)->state, __ATOMIC_ACQUIRE);
}

uint64_t
ctr_segment_published_ns(const struct ctr_segment_reader *reader)
{
	return __atomic_load_n(&shared(reader)->published_ns, __ATOMIC_ACQUIRE);
}

bool
ctr_segment_alive(const struct ctr_segment_reader *reader)
{
	struct flock lock;
	char path[64];
	bool alive;
	int fd;

	/* Of another opening of the file, as the one at hand may be the writer's own. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", reader->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	memset(&lock, 0, sizeof(lock));
	lock.l_type = F_RDLCK;
	lock.l_whence = SEEK_SET;
	alive = fcntl(fd >= 0 ? fd : reader->fd, F_OFD_GETLK, &lock) == 0 &&
		lock.l_type != F_UNLCK;
	if (fd >= 0)
		close(fd);
	return alive;
}

const void *
ctr_segment_table(const struct ctr_segment_reader *reader, enum ctr_segment_tables table,
		  uint32_t *count)
{
	const struct ctr_segment_table *found = &reader->header.table[table];

	if (count != NULL)
		*count = found->count;
	return reader->directory + found->offset;
}

const char *
ctr_segment_text(const struct ctr_segment_reader *reader, uint32_t text)
{
	uint32_t count;
	const char *texts = (const char *)ctr_segment_table(reader, CTR_SEGMENT_TEXT, &count);

	return text < count ? texts + text : "";
}

const struct ctr_segment_scope *
ctr_segment_find_scope(const struct ctr_segment_reader *reader, const char *module,
		       const char *scope)
{
	uint32_t count, i, j;
	const struct ctr_segment_module *in = (const struct ctr_segment_module *)
		ctr_segment_table(reader, CTR_SEGMENT_MODULES, &count);
	const struct ctr_segment_scope *scopes = (const struct ctr_segment_scope *)
		ctr_segment_table(reader, CTR_SEGMENT_SCOPES, NULL);

	for (i = 0; i < count; i++, in++) {
		if (strcmp(ctr_segment_text(reader, in->name), module) != 0)
			continue;
		for (j = in->first_scope; j < in->first_scope + in->num_scopes; j++)
			if (strcmp(ctr_segment_text(reader, scopes[j].name), scope) == 0)
				return &scopes[j];
	}
	return NULL;
}

const struct ctr_segment_item *
ctr_segment_find_item(const struct ctr_segment_reader *reader,
		      const struct ctr_segment_scope *scope, const char *item)
{
	const struct ctr_segment_item *at = (const struct ctr_segment_item *)
		ctr_segment_table(reader, CTR_SEGMENT_ITEMS, NULL);
	uint32_t i;

	for (i = 0, at += scope->first_item; i < scope->num_items; i++, at++)
		if (strcmp(ctr_segment_text(reader, at->name), item) == 0)
			return at;
	return NULL;
}

/* ---- reading ---- */

static void
pause_a_moment(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

/* Copy bytes of a record, from a multiple of 8 on, in words as its writer writes them. */
static void
copy_words(void *to, const uint8_t *from, size_t size)
{
	const uint64_t *word = (const uint64_t *)(const void *)from;
	uint8_t *out = (uint8_t *)to;
	uint64_t value;

	for (; size >= sizeof(value); size -= sizeof(value), out += sizeof(value)) {
		value = __atomic_load_n(word++, __ATOMIC_RELAXED);
		memcpy(out, &value, sizeof(value));
	}
	if (size != 0) {
		value = __atomic_load_n(word, __ATOMIC_RELAXED);
		memcpy(out, &value, size);
	}
}

/* Bytes of a record that are wanted. */
struct piece {
	uint32_t from; /* A multiple of 8. */
	uint32_t size;
	void *to;
};

/* Read pieces of a record of one moment, and what else is known of the instance. */
static int
read_pieces(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	    uint32_t at, const struct piece *piece, uint32_t count, struct ctr_segment_info *info)
{
	const struct ctr_segment_record *record;
	const uint8_t *bytes;
	uint32_t tries, seq, i;

	if (at >= scope->total)
		return -ERANGE;
	bytes = reader->map + scope->records + (size_t)at * scope->stride;
	record = (const struct ctr_segment_record *)(const void *)bytes;
	for (tries = 0; tries < TRIES; tries++) {
		seq = __atomic_load_n(&record->seq, __ATOMIC_ACQUIRE);
		if ((seq & 1) != 0) {
			pause_a_moment();
			continue;
		}
		info->flags = __atomic_load_n(&record->flags, __ATOMIC_RELAXED);
		info->since_ns = __atomic_load_n(&record->since_ns, __ATOMIC_RELAXED);
		for (i = 0; i < count; i++)
			copy_words(piece[i].to, bytes + piece[i].from, piece[i].size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&record->seq, __ATOMIC_RELAXED) != seq)
			continue;
		if (info->since_ns == 0)
			info->since_ns = reader->header.start_ns;
		return (info->flags & CTR_SEGMENT_EXISTS) != 0 ? 0 : -ENOENT;
	}
	return -EAGAIN;
}

static int
read_record(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	    uint32_t at, uint32_t from, uint32_t size, void *to, struct ctr_segment_info *info)
{
	const struct piece piece = { from, size, to };

	return read_pieces(reader, scope, at, &piece, 1, info);
}

uint32_t
ctr_segment_next(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		 uint32_t at)
{
	const uint64_t *words = (const uint64_t *)(const void *)(reader->map + scope->exists);
	uint64_t word;

	while (at < scope->total) {
		word = __atomic_load_n(&words[at / 64], __ATOMIC_ACQUIRE) >> (at % 64);
		if (word != 0) {
			at += (uint32_t)__builtin_ctzll(word);
			return at < scope->total ? at : scope->total;
		}
		if (scope->total - at <= 64 - at % 64)
			break;
		at += 64 - at % 64;
	}
	return scope->total;
}

int
ctr_segment_read(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		 uint32_t at, void *values, struct ctr_segment_info *info)
{
	struct ctr_segment_info unused;

	return read_record(reader, scope, at, scope->values, scope->value_size, values,
			   info != NULL ? info : &unused);
}

int
ctr_segment_read_view(const struct ctr_segment_reader *reader,
		      const struct ctr_segment_scope *scope, uint32_t view, uint32_t at,
		      void *values, struct ctr_segment_info *info)
{
	struct ctr_segment_info unused;

	if (view >= scope->num_views)
		return -ENODATA;
	return read_record(reader, scope, at, scope->views + view * ((scope->value_size + 7) & ~7u),
			   scope->value_size, values, info != NULL ? info : &unused);
}

int
ctr_segment_read_key(const struct ctr_segment_reader *reader,
		     const struct ctr_segment_scope *scope, uint32_t at, void *key)
{
	struct ctr_segment_info info;
	int rc;

	if (scope->key == 0)
		return -ENODATA;
	rc = read_record(reader, scope, at, scope->key, scope->key_size, key, &info);
	return rc == 0 && (info.flags & CTR_SEGMENT_KEYED) == 0 ? -ENODATA : rc;
}

int
ctr_segment_read_text(const struct ctr_segment_reader *reader,
		      const struct ctr_segment_scope *scope, const struct ctr_segment_part *part,
		      uint32_t at, char *text)
{
	struct ctr_segment_info info;
	int rc;

	if (scope->text == 0)
		return -ENODATA;
	rc = read_record(reader, scope, at, scope->text + part->text, part->room, text, &info);
	text[part->room - 1] = '\0';
	return rc == 0 && (info.flags & CTR_SEGMENT_KEYED) == 0 ? -ENODATA : rc;
}

int
ctr_segment_get(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		const struct ctr_segment_item *item, uint32_t at, uint64_t *value)
{
	const uint32_t word = item->offset & ~7u, flag = item->available & ~7u;
	uint8_t bytes[16], flags[8];
	const struct piece piece[] = {
		{ scope->values + word, item->offset - word + item->size, bytes },
		{ scope->values + flag, item->available - flag + 1, flags },
	};
	struct ctr_segment_info info;
	uint32_t narrow;
	int32_t number;
	int rc;

	if (item->size > 8 || item->type == CTR_STRING || item->type == CTR_MAC)
		return -EINVAL;
	rc = read_pieces(reader, scope, at, piece, item->available != 0 ? 2 : 1, &info);
	if (rc != 0)
		return rc;
	if (item->available != 0 && flags[item->available - flag] == 0)
		return -ENODATA;
	if (item->size == sizeof(*value)) {
		memcpy(value, bytes + item->offset - word, sizeof(*value));
	} else if (item->size == sizeof(narrow)) {
		memcpy(&narrow, bytes + item->offset - word, sizeof(narrow));
		memcpy(&number, &narrow, sizeof(number));
		*value = narrow;
		if (item->type == CTR_I32 || item->type == CTR_ENUM)
			*value = (uint64_t)(int64_t)number;
	} else {
		*value = bytes[item->offset - word];
	}
	return 0;
}
