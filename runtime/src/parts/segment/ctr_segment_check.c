/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_segment_check.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ctr_type.h"

/* A format that is read, too, and the parts of keys in it. */
#define FORMER_VERSION 2u
#define FORMER_PART (sizeof(struct ctr_segment_part) - 8)

/* A directory that is being checked. */
struct check {
	const struct ctr_segment_header *header;
	const uint8_t *directory;
	uint64_t next[CTR_SEGMENT_TABLES]; /* Entries that rows had so far. */
};

const uint32_t ctr_segment_entry[CTR_SEGMENT_TABLES] = {
	sizeof(struct ctr_segment_module),
	sizeof(struct ctr_segment_scope),
	sizeof(struct ctr_segment_index),
	sizeof(struct ctr_segment_part),
	sizeof(struct ctr_segment_item),
	sizeof(struct ctr_segment_label),
	sizeof(struct ctr_segment_histogram),
	sizeof(uint64_t),
	sizeof(uint32_t),
	1,
};

static const void *
table(const struct check *check, enum ctr_segment_tables which)
{
	return check->directory + check->header->table[which].offset;
}

/* Whether a row of entries is in a table, behind the one before it: no entry is in two rows, so
 * that what a directory says is no longer than it. */
static bool
has(struct check *check, enum ctr_segment_tables which, uint32_t first, uint32_t count)
{
	if (count == 0)
		return true;
	if (first != check->next[which])
		return false;
	check->next[which] += count;
	return check->next[which] <= check->header->table[which].count;
}

static bool
is_text(const struct check *check, uint32_t text)
{
	return text < check->header->table[CTR_SEGMENT_TEXT].count;
}

/* Whether bytes from `offset` on are in something of `size` bytes. */
static bool
fits(uint64_t offset, uint64_t bytes, uint64_t size)
{
	return offset <= size && bytes <= size - offset;
}

/* ---- entries ---- */

static bool
index_ok(struct check *check, const struct ctr_segment_index *index)
{
	return is_text(check, index->name) && index->maximum != 0 &&
	       has(check, CTR_SEGMENT_LABELS, index->first_label, index->num_labels) &&
	       (index->num_labels == 0 || index->num_labels == index->maximum) &&
	       has(check, CTR_SEGMENT_PARTS, index->first_part, index->num_parts);
}

static bool
item_ok(struct check *check, const struct ctr_segment_scope *scope,
	const struct ctr_segment_item *item)
{
	const struct ctr_type_info *type = ctr_type_info(item->type);

	return type->name != NULL && is_text(check, item->name) && is_text(check, item->unit) &&
	       is_text(check, item->description) && item->kind <= CTR_STATE &&
	       item->size != 0 && (type->size == 0 || item->size == type->size) &&
	       (type->text != 0 || item->offset % (type->size < 4 ? 1 : 4) == 0) &&
	       fits(item->offset, item->size, scope->value_size) &&
	       fits(item->available, 1, scope->value_size) && item->source <= CTR_DERIVED &&
	       has(check, CTR_SEGMENT_LABELS, item->first_label, item->num_labels);
}

static bool
histogram_ok(struct check *check, const struct ctr_segment_scope *scope,
	     const struct ctr_segment_histogram *histogram)
{
	return is_text(check, histogram->name) && is_text(check, histogram->unit) &&
	       is_text(check, histogram->description) &&
	       has(check, CTR_SEGMENT_BOUNDS, histogram->first_bound, histogram->num_bounds) &&
	       fits(histogram->item, (uint64_t)histogram->num_bounds + 2, scope->num_items);
}

/* ---- scopes ---- */

static bool
parts_ok(struct check *check, const struct ctr_segment_scope *scope,
	 const struct ctr_segment_index *index, bool own)
{
	const struct ctr_segment_part *part = table(check, CTR_SEGMENT_PARTS);

	part += index->first_part;
	for (uint32_t i = 0; i < index->num_parts; i++, part++)
		if (!is_text(check, part->name) || part->type > CTR_KEY_OCTETS ||
		    part->room == 0 || part->text % 8 != 0 ||
		    !has(check, CTR_SEGMENT_LABELS, part->first_label, part->num_labels) ||
		    !fits(part->text, part->room, scope->text_size) ||
		    (own && !fits(part->offset, part->size, scope->key_size)))
			return false;
	return true;
}

static bool
indexes_ok(struct check *check, const struct ctr_segment_scope *scope)
{
	const struct ctr_segment_index *index = table(check, CTR_SEGMENT_INDEXES);
	uint64_t total = 1;

	if (scope->num_indexes > CTR_SEGMENT_LEVELS ||
	    !has(check, CTR_SEGMENT_INDEXES, scope->first_index, scope->num_indexes))
		return false;
	index += scope->first_index;
	for (uint32_t i = 0; i < scope->num_indexes; i++, index++) {
		const bool own = i == scope->num_indexes - 1;

		if (!index_ok(check, index) || !parts_ok(check, scope, index, own))
			return false;
		total *= index->maximum;
		if (total > scope->total)
			return false;
	}
	return total == scope->total;
}

/* Whether the parts of a record are within it, and all records within the segment. */
static bool
records_ok(const struct check *check, const struct ctr_segment_scope *scope)
{
	const uint64_t size = check->header->size, each = CTR_SEGMENT_WORDS(scope->value_size);
	const uint64_t bits = ((uint64_t)scope->total + 63) / 64 * 8;

	return scope->records % 8 == 0 && scope->exists % 8 == 0 && scope->stride % 8 == 0 &&
	       scope->values % 8 == 0 && scope->views % 8 == 0 && scope->key % 8 == 0 &&
	       scope->text % 8 == 0 && scope->total != 0 &&
	       scope->values >= sizeof(struct ctr_segment_record) &&
	       fits(scope->values, each, scope->stride) &&
	       fits(scope->views, each * scope->num_views, scope->stride) &&
	       fits(scope->key, CTR_SEGMENT_WORDS(scope->key_size), scope->stride) &&
	       fits(scope->text, CTR_SEGMENT_WORDS(scope->text_size), scope->stride) &&
	       fits(scope->records, (uint64_t)scope->stride * scope->total, size) &&
	       fits(scope->exists, bits, size);
}

/* Whether there is what people see instead of names: the labels that come next, with texts. */
static bool
displays_ok(struct check *check, const struct ctr_segment_scope *scope)
{
	const struct ctr_segment_label *label = table(check, CTR_SEGMENT_LABELS);
	const uint64_t first = check->next[CTR_SEGMENT_LABELS];

	if (!has(check, CTR_SEGMENT_LABELS, (uint32_t)first, scope->num_displays))
		return false;
	for (uint32_t i = 0; i < scope->num_displays; i++)
		if (!is_text(check, (uint32_t)label[first + i].value))
			return false;
	return true;
}

static bool
scope_ok(struct check *check, const struct ctr_segment_scope *scope)
{
	const struct ctr_segment_item *item = table(check, CTR_SEGMENT_ITEMS);
	const struct ctr_segment_histogram *histogram = table(check, CTR_SEGMENT_HISTOGRAMS);

	if (!is_text(check, scope->name) || !is_text(check, scope->description) ||
	    !is_text(check, scope->strategy) || scope->storage > CTR_DYNAMIC ||
	    !records_ok(check, scope) || !indexes_ok(check, scope) ||
	    !has(check, CTR_SEGMENT_ITEMS, scope->first_item, scope->num_items) ||
	    !has(check, CTR_SEGMENT_HISTOGRAMS, scope->first_histogram, scope->num_histograms))
		return false;
	for (uint32_t i = 0; i < scope->num_items; i++)
		if (!item_ok(check, scope, &item[scope->first_item + i]))
			return false;
	for (uint32_t i = 0; i < scope->num_histograms; i++)
		if (!histogram_ok(check, scope, &histogram[scope->first_histogram + i]))
			return false;
	return displays_ok(check, scope);
}

/* ---- tables ---- */

static bool
modules_ok(struct check *check)
{
	const struct ctr_segment_module *module = table(check, CTR_SEGMENT_MODULES);
	const uint32_t *view = table(check, CTR_SEGMENT_VIEWS);

	for (uint32_t i = 0; i < check->header->table[CTR_SEGMENT_MODULES].count; i++, module++)
		if (!is_text(check, module->name) || !is_text(check, module->description) ||
		    !has(check, CTR_SEGMENT_SCOPES, module->first_scope, module->num_scopes) ||
		    !has(check, CTR_SEGMENT_VIEWS, module->first_view, module->num_views))
			return false;
	for (uint32_t i = 0; i < check->header->table[CTR_SEGMENT_VIEWS].count; i++)
		if (!is_text(check, view[i]))
			return false;
	return true;
}

int
ctr_segment_check_header(const struct ctr_segment_header *header, uint64_t size)
{
	if (memcmp(header->magic, CTR_SEGMENT_MAGIC, sizeof(header->magic)) != 0)
		return -EBADMSG;
	if (header->byte_order != CTR_SEGMENT_BYTE_ORDER ||
	    (header->version != CTR_SEGMENT_VERSION && header->version != FORMER_VERSION))
		return -EPROTONOSUPPORT;
	if (header->size != size || header->directory % 8 != 0 || header->directory_size % 8 != 0 ||
	    header->directory < sizeof(*header) ||
	    header->directory_size > CTR_SEGMENT_DIRECTORY_MAX ||
	    !fits(header->directory, header->directory_size, size))
		return -EBADMSG;
	for (uint32_t i = 0; i < CTR_SEGMENT_TABLES; i++) {
		uint64_t each = ctr_segment_entry[i];

		if (i == CTR_SEGMENT_PARTS && header->version == FORMER_VERSION)
			each = FORMER_PART;
		if (header->table[i].offset % 8 != 0 ||
		    !fits(header->table[i].offset, header->table[i].count * each,
			  header->directory_size))
			return -EBADMSG;
	}
	return 0;
}

uint32_t
ctr_segment_directory_room(const struct ctr_segment_header *header)
{
	return header->directory_size +
	       header->table[CTR_SEGMENT_PARTS].count * ctr_segment_entry[CTR_SEGMENT_PARTS];
}

void
ctr_segment_update(struct ctr_segment_header *header, uint8_t *directory)
{
	struct ctr_segment_table *table = &header->table[CTR_SEGMENT_PARTS];
	const uint8_t *from = directory + table->offset;
	uint8_t *to = directory + header->directory_size;

	if (header->version != FORMER_VERSION ||
	    ctr_segment_hash(directory, header->directory_size) != header->layout)
		return;
	table->offset = header->directory_size;
	header->directory_size = ctr_segment_directory_room(header);
	memset(to, 0, header->directory_size - table->offset);
	for (uint32_t i = 0; i < table->count; i++)
		memcpy(to + i * ctr_segment_entry[CTR_SEGMENT_PARTS], from + i * FORMER_PART,
		       FORMER_PART);
	header->layout = ctr_segment_hash(directory, header->directory_size);
	header->version = CTR_SEGMENT_VERSION;
}

int
ctr_segment_check(const struct ctr_segment_header *header, const uint8_t *directory)
{
	struct check check = { header, directory, { 0 } };
	const struct ctr_segment_table *text = &header->table[CTR_SEGMENT_TEXT];
	const struct ctr_segment_scope *scope = table(&check, CTR_SEGMENT_SCOPES);
	const struct ctr_segment_label *label = table(&check, CTR_SEGMENT_LABELS);

	if (ctr_segment_hash(directory, header->directory_size) != header->layout ||
	    text->count == 0 || directory[text->offset + text->count - 1] != '\0' ||
	    !modules_ok(&check))
		return -EBADMSG;
	for (uint32_t i = 0; i < header->table[CTR_SEGMENT_LABELS].count; i++)
		if (!is_text(&check, label[i].name))
			return -EBADMSG;
	for (uint32_t i = 0; i < header->table[CTR_SEGMENT_SCOPES].count; i++)
		if (!scope_ok(&check, &scope[i]))
			return -EBADMSG;
	return 0;
}

/* ---- loading ---- */

/* Copy bytes, from a multiple of 8 on, in words as their writer writes them. */
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

int
ctr_segment_copy_file(const struct ctr_segment_reader *reader, uint64_t at, size_t size, void *to)
{
	uint8_t *out = (uint8_t *)to;
	ssize_t got;

	for (; size > 0; size -= (size_t)got, at += (uint64_t)got, out += got) {
		got = pread(reader->fd, out, size, (off_t)at);
		if (got <= 0)
			return got == 0 ? -EBADMSG : -errno;
	}
	return 0;
}

int
ctr_segment_load(const struct ctr_segment_reader *reader, uint64_t at, size_t size, void *to)
{
	int rc = 0;

	if (reader->map != NULL)
		copy_words(to, reader->map + at, size);
	else
		rc = ctr_segment_copy_file(reader, at, size, to);
	ctr_fence(__ATOMIC_ACQUIRE);
	return rc;
}

bool
ctr_segment_is_sealed(int fd)
{
	const int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

int
ctr_segment_reopen(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_CLOEXEC);
}

bool
ctr_segment_is_memory(int fd)
{
	static const char memory[] = "/memfd:";
	char path[64], target[sizeof(memory)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, target, sizeof(target)) == (ssize_t)sizeof(target) &&
	       memcmp(target, memory, sizeof(memory) - 1) == 0;
}

/* Copy what has been written of the file, not its holes, where these are known. 0 or -errno. */
static int
copy_data(const struct ctr_segment_reader *reader, uint8_t *to)
{
	const off_t size = (off_t)reader->size;
	off_t from = 0, end;
	int rc = 0;

	if (lseek(reader->fd, 0, SEEK_END) < size)
		return -EBADMSG;
	while (rc == 0 && from < size) {
		end = lseek(reader->fd, from, SEEK_DATA);
		if (end < 0 && errno == ENXIO)
			break;
		from = end > from ? end : from;
		end = lseek(reader->fd, from, SEEK_HOLE);
		if (end <= from || end > size)
			end = size;
		if (from < size)
			rc = ctr_segment_copy_file(reader, (uint64_t)from, (size_t)(end - from),
						   to + from);
		from = end;
	}
	return rc;
}

void *
ctr_segment_map(size_t size, int protection, int flags, int fd)
{
	void *map = mmap(NULL, size, PROT_NONE, flags, fd, 0);
	int error;

	if (map == MAP_FAILED)
		return NULL;
	(void)munlock(map, size); /* fails only where nothing is locked */
	if (mprotect(map, size, protection) == 0)
		return map;
	error = errno;
	munmap(map, size);
	errno = error;
	return NULL;
}

int
ctr_segment_reserve(struct ctr_segment_reader *reader)
{
	if (reader->map != NULL)
		return 0;
	reader->room = (uint8_t *)ctr_segment_map(reader->size, PROT_READ | PROT_WRITE,
						  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	if (reader->room == NULL)
		return -errno;
	(void)copy_data(reader, reader->room); /* so that it has memory */
	return 0;
}

int
ctr_segment_snapshot(struct ctr_segment_reader *reader)
{
	int rc;

	if (reader->map != NULL)
		return 0;
	rc = copy_data(reader, reader->room);
	if (rc != 0)
		return rc;
	reader->map = reader->room;
	reader->room = NULL;
	return 0;
}
