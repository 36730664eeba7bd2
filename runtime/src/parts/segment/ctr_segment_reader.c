/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_segment_check.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctr_bits.h"
#include "ctr_segment_reader.h"
#include "ctr_type.h"

/* How often a record is read that its writer is writing. */
#define RECORD_TRIES 1000u

/* Bytes of a record that are read by one system call, whatever is between its pieces. */
#define RECORD_ROOM 4096u

/* Words of bits that are loaded at a time from a file. */
#define BIT_WORDS 64u

/* Bytes of records that a walk reads at a time. */
#define BLOCK_BYTES 65536u

/* ---- opening ---- */

/* Check the header and the directory; map the segment if no process can shrink it. */
static int
load_segment(struct ctr_segment_reader *reader)
{
	const bool sealed = ctr_segment_is_sealed(reader->fd);
	struct ctr_segment_header *header = &reader->header;
	struct stat status;
	int rc;

	if (fstat(reader->fd, &status) != 0)
		return -errno;
	if (!S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(*header))
		return -EBADMSG;
	if (!sealed && ctr_segment_is_memory(reader->fd))
		return -EPERM;
	reader->size = (size_t)status.st_size;
	rc = ctr_segment_copy_file(reader, 0, sizeof(*header), header);
	if (rc == 0)
		rc = ctr_segment_check_header(header, reader->size);
	if (rc != 0)
		return rc;
	reader->directory = malloc(ctr_segment_directory_room(header));
	if (reader->directory == NULL)
		return -ENOMEM;
	rc = ctr_segment_copy_file(reader, header->directory, header->directory_size,
				   reader->directory);
	if (rc != 0)
		return rc;
	ctr_segment_update(header, reader->directory);
	rc = ctr_segment_check(header, reader->directory);
	if (rc != 0 || !sealed)
		return rc;
	reader->map = (uint8_t *)ctr_segment_map(reader->size, PROT_READ, MAP_SHARED, reader->fd);
	return reader->map != NULL ? 0 : -errno;
}

int
ctr_segment_open_fd(struct ctr_segment_reader **reader, int fd)
{
	struct ctr_segment_reader *made = calloc(1, sizeof(*made));
	int rc;

	if (made == NULL)
		return -ENOMEM;
	made->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	rc = made->fd < 0 ? -errno : load_segment(made);
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
		munmap(reader->map, reader->size);
	if (reader->room != NULL)
		munmap(reader->room, reader->size);
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader->directory);
	free(reader);
}

/* ---- the directory ---- */

const struct ctr_segment_header *
ctr_segment_header(const struct ctr_segment_reader *reader)
{
	return &reader->header;
}

uint32_t
ctr_segment_state(const struct ctr_segment_reader *reader)
{
	const size_t at = offsetof(struct ctr_segment_header, state);
	uint32_t state;
	const int rc = ctr_segment_load(reader, at, sizeof(state), &state);

	return rc == 0 ? state : CTR_SEGMENT_CLOSED;
}

/* A time in the header; 0 if the file was truncated. */
static uint64_t
load_time(const struct ctr_segment_reader *reader, size_t at)
{
	uint64_t ns;

	return ctr_segment_load(reader, at, sizeof(ns), &ns) == 0 ? ns : 0;
}

uint64_t
ctr_segment_published_ns(const struct ctr_segment_reader *reader)
{
	return load_time(reader, offsetof(struct ctr_segment_header, published_ns));
}

uint64_t
ctr_segment_clock_ns(const struct ctr_segment_reader *reader)
{
	return load_time(reader, offsetof(struct ctr_segment_header, clock_ns));
}

bool
ctr_segment_alive(const struct ctr_segment_reader *reader)
{
	struct flock lock = { .l_type = F_RDLCK, .l_len = 1 };
	/* Of another opening of the file, as the one at hand may be the writer's own. */
	const int fd = ctr_segment_reopen(reader->fd, O_RDONLY);
	bool alive;

	alive = fcntl(fd >= 0 ? fd : reader->fd, F_OFD_GETLK, &lock) != 0 ||
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
	const char *texts = ctr_segment_table(reader, CTR_SEGMENT_TEXT, &count);

	return text < count ? texts + text : "";
}

const struct ctr_segment_scope *
ctr_segment_find_scope(const struct ctr_segment_reader *reader, const char *module,
		       const char *scope)
{
	uint32_t count;
	const struct ctr_segment_module *in =
		ctr_segment_table(reader, CTR_SEGMENT_MODULES, &count);
	const struct ctr_segment_scope *scopes =
		ctr_segment_table(reader, CTR_SEGMENT_SCOPES, NULL);

	for (uint32_t i = 0; i < count; i++, in++) {
		if (strcmp(ctr_segment_text(reader, in->name), module) != 0)
			continue;
		for (uint32_t j = in->first_scope; j < in->first_scope + in->num_scopes; j++)
			if (strcmp(ctr_segment_text(reader, scopes[j].name), scope) == 0)
				return &scopes[j];
	}
	return NULL;
}

const struct ctr_segment_item *
ctr_segment_find_item(const struct ctr_segment_reader *reader,
		      const struct ctr_segment_scope *scope, const char *item)
{
	const struct ctr_segment_item *at = ctr_segment_table(reader, CTR_SEGMENT_ITEMS, NULL);
	uint32_t i;

	for (i = 0, at += scope->first_item; i < scope->num_items; i++, at++)
		if (strcmp(ctr_segment_text(reader, at->name), item) == 0)
			return at;
	return NULL;
}

/* ---- reading ---- */

/* Bytes of a record that are wanted. */
struct piece {
	uint32_t from; /* A multiple of 8. */
	uint32_t size;
	void *to;
};

/* Copy the head of a record and then pieces of it: of a file, by one system call if they are near.
 * The kernel copies the bytes in any order, so the sequence count that says whether they are
 * mutually consistent is none of them. */
static int
copy_pieces(const struct ctr_segment_reader *reader, uint64_t where,
	    struct ctr_segment_record *head, const struct piece *piece, uint32_t count)
{
	const uint32_t head_size = offsetof(struct ctr_segment_record, life);
	uint8_t bytes[RECORD_ROOM];
	uint32_t end = head_size, i;
	int rc;

	for (i = 0; i < count; i++)
		if (piece[i].from + piece[i].size > end)
			end = piece[i].from + piece[i].size;
	if (reader->map == NULL && end <= sizeof(bytes)) {
		rc = ctr_segment_load(reader, where, end, bytes);
		if (rc != 0)
			return rc;
		memcpy(head, bytes, head_size);
		for (i = 0; i < count; i++)
			memcpy(piece[i].to, bytes + piece[i].from, piece[i].size);
		return 0;
	}
	rc = ctr_segment_load(reader, where, head_size, head);
	for (i = 0; i < count && rc == 0; i++)
		rc = ctr_segment_load(reader, where + piece[i].from, piece[i].size, piece[i].to);
	return rc;
}

/* The state of an instance, to *info unless NULL: 0; -ENOENT. */
static int
inform(const struct ctr_segment_reader *reader, const struct ctr_segment_record *head,
       struct ctr_segment_info *info)
{
	if (info != NULL) {
		info->text = NULL;
		info->flags = head->flags;
		info->since_ns = head->since_ns != 0 ? head->since_ns : reader->header.start_ns;
	}
	return (head->flags & CTR_SEGMENT_EXISTS) != 0 ? 0 : -ENOENT;
}

/* Read mutually consistent pieces of a record, and the state of the instance. */
static int
read_pieces(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	    uint32_t at, const struct piece *piece, uint32_t count, struct ctr_segment_info *info)
{
	const uint64_t where = scope->records + (uint64_t)at * scope->stride;
	struct ctr_segment_record head;
	uint32_t tries, before, after = 0;
	uint64_t word = 0;
	int rc;

	if (at >= scope->total)
		return -ERANGE;
	if (reader->map != NULL)
		(void)ctr_segment_load(reader, scope->exists + at / 64 * 8, sizeof(word), &word);
	if (reader->map != NULL && (word >> (at % 64) & 1) == 0)
		return -ENOENT; /* a load from its record would take memory for that */
	for (tries = 0; tries < RECORD_TRIES; tries++) {
		rc = ctr_segment_load(reader, where, sizeof(before), &before);
		if (rc != 0)
			return rc;
		if ((before & 1) != 0) {
			(void)sched_yield();
			continue;
		}
		rc = copy_pieces(reader, where, &head, piece, count);
		if (rc == 0)
			rc = ctr_segment_load(reader, where, sizeof(after), &after);
		if (rc != 0 || after == before)
			return rc != 0 ? rc : inform(reader, &head, info);
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

/* Find the first instance from *position on that exists; scope->total: none. 0 or -errno. */
static int
find_next(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	  uint32_t *position)
{
	const uint32_t end = (uint32_t)(((uint64_t)scope->total + 63) / 64);
	const uint32_t most = reader->map != NULL ? 1 : BIT_WORDS;
	uint32_t at = *position % 64, first = *position / 64, num, found;
	uint64_t words[BIT_WORDS];
	int rc;

	*position = scope->total;
	for (; first < end; first += num, at = 0) {
		num = end - first < most ? end - first : most;
		rc = ctr_segment_load(reader, scope->exists + (uint64_t)first * 8, num * 8, words);
		if (rc != 0)
			return rc;
		found = ctr_bit_next(words, at, num * 64);
		if (found < num * 64 && found < scope->total - first * 64) {
			*position = first * 64 + found;
			break;
		}
	}
	return 0;
}

uint32_t
ctr_segment_next(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		 uint32_t at)
{
	(void)find_next(reader, scope, &at);
	return at;
}

int
ctr_segment_read(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		 uint32_t at, void *values, struct ctr_segment_info *info)
{
	return read_record(reader, scope, at, scope->values, scope->value_size, values, info);
}

int
ctr_segment_read_view(const struct ctr_segment_reader *reader,
		      const struct ctr_segment_scope *scope, uint32_t view, uint32_t at,
		      void *values, struct ctr_segment_info *info)
{
	const uint32_t each = (uint32_t)CTR_SEGMENT_WORDS(scope->value_size);

	if (view >= scope->num_views)
		return -ENODATA;
	return read_record(reader, scope, at, scope->views + view * each, scope->value_size, values,
			   info);
}

/* Read of the keys of an instance. */
static int
read_keyed(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	   uint32_t at, uint32_t from, uint32_t size, void *to)
{
	struct ctr_segment_info info;
	const int rc = read_record(reader, scope, at, from, size, to, &info);

	return rc == 0 && (info.flags & CTR_SEGMENT_KEYED) == 0 ? -ENODATA : rc;
}

int
ctr_segment_read_key(const struct ctr_segment_reader *reader,
		     const struct ctr_segment_scope *scope, uint32_t at, void *key)
{
	if (scope->key == 0)
		return -ENODATA;
	return read_keyed(reader, scope, at, scope->key, scope->key_size, key);
}

int
ctr_segment_read_text(const struct ctr_segment_reader *reader,
		      const struct ctr_segment_scope *scope, const struct ctr_segment_part *part,
		      uint32_t at, char *text)
{
	int rc;

	if (scope->text == 0)
		return -ENODATA;
	rc = read_keyed(reader, scope, at, scope->text + part->text, part->room, text);
	text[part->room - 1] = '\0';
	return rc;
}

int
ctr_segment_get(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		const struct ctr_segment_item *item, uint32_t at, uint64_t *value)
{
	const uint32_t word = item->offset & ~7u, flag = item->available & ~7u;
	uint8_t bytes[16], flags[8];
	const struct piece piece[2] = {
		{ scope->values + word, item->offset - word + item->size, bytes },
		{ scope->values + flag, item->available - flag + 1, flags },
	};
	int32_t number;
	int rc;

	if (ctr_type_info(item->type)->text != 0)
		return -EINVAL;
	rc = read_pieces(reader, scope, at, piece, item->available != 0 ? 2 : 1, NULL);
	if (rc != 0)
		return rc;
	if (item->available != 0 && flags[item->available - flag] == 0)
		return -ENODATA;
	if (item->size == sizeof(*value)) {
		memcpy(value, bytes + item->offset - word, sizeof(*value));
	} else if (item->size == sizeof(number)) {
		memcpy(&number, bytes + item->offset - word, sizeof(number));
		*value = ctr_type_info(item->type)->is_signed ? (uint64_t)(int64_t)number :
								(uint32_t)number;
	} else {
		*value = bytes[item->offset - word];
	}
	return 0;
}

/* ---- walking ---- */

/* Records of a file, read three times: their sequence counts before the values and after them. */
struct walk_block {
	uint32_t first;
	uint32_t count;
	uint8_t *before;
	uint8_t *values;
	uint8_t *after;
};

/* The last instance before `end` that exists; `at`, which does, if there is no other. */
static uint32_t
last_before(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	    uint32_t at, uint32_t end)
{
	const uint32_t first = at / 64, num = (end - 1) / 64 - first + 1;
	uint64_t words[BIT_WORDS];

	if (num > BIT_WORDS || ctr_segment_load(reader, scope->exists + (uint64_t)first * 8,
					    num * sizeof(words[0]), words) != 0)
		return at;
	for (end--; end > at && (words[end / 64 - first] >> (end % 64) & 1) == 0; end--)
		;
	return end;
}

/* Load the records from `at` on up to the last one in reach that exists. */
static int
load_block(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	   uint32_t at, struct walk_block *block)
{
	const uint64_t where = scope->records + (uint64_t)at * scope->stride;
	const uint32_t most = BLOCK_BYTES / scope->stride + 1, left = scope->total - at;
	size_t size;
	int rc;

	block->first = at;
	block->count = last_before(reader, scope, at, at + (most < left ? most : left)) - at + 1;
	size = (size_t)block->count * scope->stride;
	rc = ctr_segment_load(reader, where, size, block->before);
	if (rc == 0)
		rc = ctr_segment_load(reader, where, size, block->values);
	return rc == 0 ? ctr_segment_load(reader, where, size, block->after) : rc;
}

/* An instance of a block: 0; -ENOENT; -EAGAIN: it was being written. */
static int
in_block(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	 const struct walk_block *block, uint32_t at, struct ctr_segment_info *info)
{
	const size_t offset = (size_t)(at - block->first) * scope->stride;
	struct ctr_segment_record before, head, after;

	memcpy(&before, block->before + offset, sizeof(before));
	memcpy(&head, block->values + offset, sizeof(head));
	memcpy(&after, block->after + offset, sizeof(after));
	if ((before.seq & 1) != 0 || before.seq != after.seq)
		return -EAGAIN;
	return inform(reader, &head, info);
}

/* Walk with room for three blocks, and for a record. */
static int
walk_blocks(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
	    ctr_segment_visit *visit, void *context, struct walk_block *block, uint8_t *own)
{
	struct ctr_segment_info info;
	uint32_t at = 0;
	int rc = 0;

	block->first = block->count = 0;
	while (rc == 0) {
		const uint8_t *record = own;

		if (at >= block->first + block->count) {
			rc = find_next(reader, scope, &at);
			if (rc == 0 && at >= scope->total)
				break;
			if (rc == 0 && reader->map == NULL)
				rc = load_block(reader, scope, at, block);
			if (rc != 0)
				break;
		}
		rc = -EAGAIN;
		if (reader->map == NULL) {
			rc = in_block(reader, scope, block, at, &info);
			record = block->values + (size_t)(at - block->first) * scope->stride;
		}
		if (rc == -EAGAIN) {
			rc = read_record(reader, scope, at, 0, scope->stride, own, &info);
			record = own;
		}
		if (scope->text != 0)
			info.text = (const char *)record + scope->text;
		if (rc == 0)
			rc = visit(at, record + scope->values, &info, context);
		else if (rc == -ENOENT || rc == -EAGAIN)
			rc = 0;
		at++;
	}
	return rc;
}

int
ctr_segment_walk(const struct ctr_segment_reader *reader, const struct ctr_segment_scope *scope,
		 ctr_segment_visit *visit, void *context)
{
	const size_t size = (size_t)BLOCK_BYTES + scope->stride;
	uint8_t *room = malloc(4 * size);
	struct walk_block block = { 0 };
	int rc = -ENOMEM;

	if (room != NULL) {
		block.before = room + size;
		block.values = room + 2 * size;
		block.after = room + 3 * size;
		rc = walk_blocks(reader, scope, visit, context, &block, room);
	}
	free(room);
	return rc;
}
