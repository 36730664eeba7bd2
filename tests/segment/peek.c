/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a segment without the runtime: peek dump|torn|alive|fuzz PATH [NUMBER], or, in a secondary
 * process of DPDK, peek dump|alive PATH [ARGUMENTS OF THE EAL]...
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <fcntl.h>

#include "ctr_segment_reader.h"
#include "dump.h"

#ifdef SECONDARY
#include <rte_eal.h>
#endif

static const struct ctr_segment_reader *in;

static const void *
table(enum ctr_segment_tables which, uint32_t first, size_t size)
{
	return (const uint8_t *)ctr_segment_table(in, which, NULL) + first * size;
}

static const char *
label_of(const struct ctr_segment_item *item, const uint8_t *from)
{
	const struct ctr_segment_label *label = (const struct ctr_segment_label *)
		table(CTR_SEGMENT_LABELS, item->first_label, sizeof(*label));
	int32_t number;
	uint32_t i;

	memcpy(&number, from, item->type == CTR_ENUM ? sizeof(number) : 0);
	for (i = 0; i < item->num_labels; i++)
		if (label[i].value == number)
			return ctr_segment_text(in, label[i].name);
	return NULL;
}

static void
dump_names(const struct ctr_segment_scope *scope, uint32_t at)
{
	const struct ctr_segment_index *index = (const struct ctr_segment_index *)
		table(CTR_SEGMENT_INDEXES, scope->first_index, sizeof(*index));
	const struct ctr_segment_label *labels = (const struct ctr_segment_label *)
		ctr_segment_table(in, CTR_SEGMENT_LABELS, NULL);
	uint32_t number[CTR_SEGMENT_LEVELS], maxima[CTR_SEGMENT_LEVELS], i, j;

	for (i = 0; i < scope->num_indexes; i++)
		maxima[i] = index[i].maximum;
	dump_unflat(at, maxima, scope->num_indexes, number);
	for (i = 0; i < scope->num_indexes; i++, index++) {
		const struct ctr_segment_part *part = (const struct ctr_segment_part *)
			table(CTR_SEGMENT_PARTS, index->first_part, sizeof(*part));

		if (index->num_labels != 0)
			printf("|%s", ctr_segment_text(in,
				labels[index->first_label + number[i]].name));
		else if (index->num_parts == 0)
			printf("|%u", number[i]);
		for (j = 0; j < index->num_parts; j++) {
			char *text = (char *)malloc(part[j].room);

			if (ctr_segment_read_text(in, scope, &part[j], at, text) != 0)
				text[0] = '\0';
			printf("|%s", text);
			free(text);
		}
	}
}

/* Whether to read again what was being written; so many times in all, after a pause for the
 * publisher.
 */
static bool
again(void)
{
	static int left = 200;

	if (left == 0)
		return false;
	left--;
	usleep(1000);
	return true;
}

/* Read an instance, again while it is being written. */
static int
read_whole(const struct ctr_segment_scope *scope, uint32_t at, void *values,
	   struct ctr_segment_info *info)
{
	int rc;

	do
		rc = ctr_segment_read(in, scope, at, values, info);
	while (rc == -EAGAIN && again());
	return rc;
}

struct compared {
	const struct ctr_segment_scope *scope;
	uint8_t *values;
	uint32_t at; /* Behind the last one. */
	int others;
};

/* Compare an instance of a walk with reads of single ones. */
static int
compare(uint32_t at, const void *values, const struct ctr_segment_info *info, void *context)
{
	struct compared *to = (struct compared *)context;
	struct ctr_segment_info other = { 0 };
	int rc = -ENOENT;

	for (; rc != 0 && to->at < to->scope->total; to->at++) {
		to->at = ctr_segment_next(in, to->scope, to->at);
		rc = read_whole(to->scope, to->at, to->values, &other);
	}
	to->others += rc != 0 || to->at != at + 1 || other.flags != info->flags ||
		      other.since_ns != info->since_ns ||
		      memcmp(values, to->values, to->scope->value_size) != 0;
	return 0;
}

/* Print a scope; counts how often an item read by itself, or an instance in a walk, is another
 * one. */
static int
dump_scope(const struct ctr_segment_scope *scope)
{
	uint8_t *values = (uint8_t *)malloc(scope->value_size);
	struct compared walk = { scope, values, 0, 0 };
	uint32_t at, i;
	uint64_t value;
	int others;

	do { /* again: a walk leaves out what is being written */
		walk.at = 0;
		walk.others = 0;
		others = ctr_segment_walk(in, scope, compare, &walk) != 0 ? 1 : walk.others;
		for (; walk.at < scope->total; walk.at++)
			others += read_whole(scope, walk.at, values, NULL) == 0;
	} while (others != 0 && again());
	for (at = 0; (at = ctr_segment_next(in, scope, at)) < scope->total; at++) {
		const struct ctr_segment_item *item = (const struct ctr_segment_item *)
			table(CTR_SEGMENT_ITEMS, scope->first_item, sizeof(*item));

		if (read_whole(scope, at, values, NULL) != 0)
			continue;
		printf("%s", ctr_segment_text(in, scope->name));
		dump_names(scope, at);
		for (i = 0; i < scope->num_items; i++, item++) {
			const uint8_t *from = values + item->offset;

			printf(" %s=", ctr_segment_text(in, item->name));
			if (item->type == CTR_STRING)
				values[item->offset + item->size - 1] = '\0';
			if (item->available == 0 || values[item->available] != 0)
				dump_value(item->type, from, item->size, label_of(item, from));
			else
				printf("None");
			if (ctr_segment_get(in, scope, item, at, &value) == 0 &&
			    item->size <= sizeof(value) && memcmp(&value, from, item->size) != 0)
				others++;
		}
		printf("\n");
	}
	free(values);
	return others;
}

static int
dump(void)
{
	uint32_t count, i;
	const struct ctr_segment_scope *scope = (const struct ctr_segment_scope *)
		ctr_segment_table(in, CTR_SEGMENT_SCOPES, &count);
	int others = 0;

	for (i = 0; i < count; i++)
		others += dump_scope(&scope[i]);
	return others != 0;
}

/* Whether counters of a walk that belong together do. */
static int
together(uint32_t at, const void *values, const struct ctr_segment_info *info, void *unused)
{
	const uint64_t *value = (const uint64_t *)values;

	(void)at;
	(void)unused;
	return (info->flags & CTR_SEGMENT_TORN) == 0 && value[1] != value[0] * 100;
}

/* Read two counters that belong together, while they are written; says what was seen. */
static int
torn(unsigned long rounds)
{
	const struct ctr_segment_scope *scope = ctr_segment_find_scope(in, "all", "pair");
	const struct ctr_segment_item *bytes = ctr_segment_find_item(in, scope, "bytes");
	unsigned long i, read = 0, busy = 0, apart = 0, wrong = 0, changes = 0;
	uint64_t values[2], last[4] = { 0 }, one;

	for (i = 0; i < rounds; i++) {
		struct ctr_segment_info info;
		const uint32_t at = (uint32_t)(i % 4);
		const int rc = ctr_segment_read(in, scope, at, values, &info);

		if (i % 4096 == 0 && ctr_segment_walk(in, scope, together, NULL) != 0)
			return 4;
		if (rc == -EAGAIN) {
			busy++;
			continue;
		}
		read++;
		if (rc != 0 || values[0] < last[at])
			return 2;
		changes += values[0] != last[at];
		last[at] = values[0];
		if (values[1] != values[0] * 100 && (info.flags & CTR_SEGMENT_TORN) != 0)
			apart++;
		else if (values[1] != values[0] * 100)
			wrong++;
		if (ctr_segment_get(in, scope, bytes, at, &one) == 0 && one < values[1])
			return 3;
	}
	printf("read=%lu busy=%lu apart=%lu wrong=%lu changes=%lu\n", read, busy, apart, wrong,
	       changes);
	return 0;
}

/* Open changed copies of a segment and read all of them. */
static int
fuzz(int fd, unsigned long rounds)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	uint8_t *whole = (uint8_t *)malloc((size_t)size);
	unsigned long i, opened = 0, random = 88172645463325252ul;

	if (freopen("/dev/null", "w", stdout) == NULL || pread(fd, whole, (size_t)size, 0) != size)
		return 2;
	for (i = 0; i < rounds; i++) {
		struct ctr_segment_reader *reader = NULL;
		struct ctr_segment_header header;
		int copy = memfd_create("copy", MFD_ALLOW_SEALING), changes, rc;
		const size_t used = sizeof(header) +
			((const struct ctr_segment_header *)(const void *)whole)->directory_size;
		off_t length = i % 8 == 0 ? (off_t)(random % (unsigned long)size) : size;
		uint8_t *bytes = (uint8_t *)malloc((size_t)size);

		memcpy(bytes, whole, (size_t)size);
		for (changes = 0; changes < 3; changes++) {
			random ^= random << 13, random ^= random >> 7, random ^= random << 17;
			const size_t at = 8 + random % (used - 8);

			bytes[at] = random >> 60 < 4 ? 0xff : (uint8_t)(random >> 32);
			if (random >> 60 > 12)
				memset(bytes + (at & ~3ul), (int)(random >> 40), 4);
		}
		memcpy(&header, bytes, sizeof(header));
		header.version = CTR_SEGMENT_VERSION;
		header.byte_order = CTR_SEGMENT_BYTE_ORDER;
		if (i % 4 != 0)
			header.size = (uint64_t)length;
		if ((uint64_t)header.directory + header.directory_size <= (uint64_t)size &&
		    header.directory % 8 == 0) /* who writes a segment makes a sum that fits */
			header.layout = ctr_segment_hash(
				(const uint64_t *)(const void *)(bytes + header.directory),
				header.directory_size);
		memcpy(bytes, &header, sizeof(header));
		if (write(copy, bytes, (size_t)length) != length ||
		    fcntl(copy, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
			return 3;
		rc = ctr_segment_open_fd(&reader, copy);
		if (rc == 0) {
			opened++;
			in = reader;
			(void)dump();
			ctr_segment_leave(reader);
		}
		free(bytes);
		close(copy);
	}
	fprintf(stderr, "opened=%lu\n", opened);
	free(whole);
	return 0;
}

int
main(int argc, char **argv)
{
	struct ctr_segment_reader *reader = NULL;
	const unsigned long number = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	int rc;

	if (argc < 3)
		return 9;
	if (strcmp(argv[1], "fuzz") == 0)
		return fuzz(open(argv[2], O_RDONLY), number);
#ifdef SECONDARY
	if (rte_eal_init(argc - 2, argv + 2) < 0 || rte_eal_process_type() != RTE_PROC_SECONDARY)
		return 8;
#endif
	rc = ctr_segment_open(&reader, argv[2]);
	if (rc != 0) {
		printf("%d\n", rc);
		return 0;
	}
	in = reader;
	if (strcmp(argv[1], "dump") == 0)
		rc = dump();
	else if (strcmp(argv[1], "alive") == 0)
		printf("%d %u\n", ctr_segment_alive(in), ctr_segment_state(in));
	else if (strcmp(argv[1], "torn") == 0)
		rc = torn(number);
	ctr_segment_leave(reader);
	return rc;
}
