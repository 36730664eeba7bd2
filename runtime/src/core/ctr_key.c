/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* strnlen() */
#include "core.h"
#include "ctr_key.h"

/* Number of keys for which memory is allocated at a time. */
#define CHUNK 1024u

/* The key of an instance; its words follow. */
struct record {
	uint32_t life; /* Odd while there is a key; another number after each change. */
	uint32_t next; /* Position + 1 of the next one with the same hash; 0: none. */
};

struct ctr_key_table {
	uint32_t seq;      /* Odd while a key is being set or removed. */
	uint32_t *bucket;  /* By hash: position + 1 of the first one; `max` of them. */
	uint8_t *chunk[];  /* Records. */
};

static size_t
record_size(const struct ctr_keys *keys)
{
	return sizeof(struct record) + CTR_KEY_WORDS(keys->size) * sizeof(uint64_t);
}

static uint32_t
num_chunks(const struct ctr_keys *keys)
{
	return keys->max / CHUNK + (keys->max % CHUNK != 0);
}

/* The record at a position; NULL if no key near it was ever set. */
static struct record *
record_at(const struct ctr_keys *keys, const struct ctr_key_table *table, uint32_t at)
{
	uint8_t *chunk = at < keys->max ? ctr_load_acquire(&table->chunk[at / CHUNK]) : NULL;

	if (chunk == NULL)
		return NULL;
	return (struct record *)(void *)(chunk + at % CHUNK * record_size(keys));
}

static uint64_t *
words_of(struct record *record)
{
	return (uint64_t *)(void *)(record + 1);
}

/* ---- parts ---- */

/* The members of a struct may be anywhere, so they are copied. */
static uint32_t
integer_of(const void *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static const char *
label_of(const struct ctr_key_part *part, int32_t value)
{
	for (unsigned int i = 0; i < part->num_labels; i++)
		if (part->labels[i].value == value)
			return part->labels[i].name;
	return NULL;
}

/* Number of octets of a part that belong to its value; 0 if it is invalid. */
static size_t
significant(const struct ctr_key_part *part, const void *from)
{
	struct ctr_ip_address address;
	size_t length;

	if (part->type == CTR_KEY_INT32)
		return integer_of(from) <= INT32_MAX ? part->size : 0;
	if (part->type == CTR_KEY_ENUM)
		return label_of(part, (int32_t)integer_of(from)) != NULL ? part->size : 0;
	if (part->type == CTR_KEY_IP) {
		memcpy(&address, from, sizeof(address));
		if (address.type != CTR_IP_V4 && address.type != CTR_IP_V6)
			return 0;
		length = address.type == CTR_IP_V4 ? 4 : 16;
		return offsetof(struct ctr_ip_address, octets) + length;
	}
	if (part->type != CTR_KEY_STRING)
		return part->size;
	length = strnlen((const char *)from, part->size);
	if (length == part->size || (part->whole && length != part->size - 1))
		return 0;
	return length;
}

/* The words of a key, the same for equal keys: padding is 0. */
static int
to_words(const struct ctr_keys *keys, const void *key, uint64_t *words)
{
	memset(words, 0, CTR_KEY_WORDS(keys->size) * sizeof(*words));
	for (unsigned int i = 0; i < keys->num_parts; i++) {
		const struct ctr_key_part *part = &keys->parts[i];
		const uint8_t *from = (const uint8_t *)key + part->offset;
		const size_t size = significant(part, from);

		if (size == 0)
			return -EINVAL;
		memcpy((uint8_t *)words + part->offset, from, size);
	}
	return 0;
}

/* ---- look-up ---- */

static uint32_t *
bucket_of(const struct ctr_keys *keys, const struct ctr_key_table *table, uint32_t outer,
	  const uint64_t *words)
{
	uint64_t hash = outer;

	for (uint32_t i = 0; i < CTR_KEY_WORDS(keys->size); i++) {
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return &table->bucket[(hash & UINT32_MAX) * keys->max >> 32];
}

static bool
same(const struct ctr_keys *keys, struct record *record, const uint64_t *words)
{
	for (uint32_t i = 0; i < CTR_KEY_WORDS(keys->size); i++)
		if (ctr_load64(&words_of(record)[i]) != words[i])
			return false;
	return true;
}

/* Position + 1 of the instance with a key; 0: none. Valid only if no write section was in
 * progress. A reader that a setter leads into another list stops after the most steps possible. */
static uint32_t
look_up(const struct ctr_keys *keys, const struct ctr_key_table *table, uint32_t outer,
	const uint64_t *words)
{
	uint32_t found = ctr_load32(bucket_of(keys, table, outer, words));

	for (uint32_t steps = 0; found != 0 && steps < keys->max; steps++) {
		struct record *record = record_at(keys, table, found - 1);

		if (record == NULL)
			return 0;
		if ((found - 1) / keys->each == outer && same(keys, record, words))
			return found;
		found = ctr_load32(&record->next);
	}
	return 0;
}

/* ---- setters ---- */

static struct ctr_key_table *
make_key_table(struct ctr_keys *keys)
{
	const size_t chunks = num_chunks(keys) * sizeof(uint8_t *);
	struct ctr_key_table *table = keys->table;

	if (table != NULL)
		return table;
	table = (struct ctr_key_table *)ctr_alloc(
			sizeof(*table) + chunks + (size_t)keys->max * sizeof(*table->bucket),
			CTR_NON_LCORE);
	if (table == NULL)
		return NULL;
	table->bucket = (uint32_t *)(void *)&table->chunk[num_chunks(keys)];
	ctr_store_release(&keys->table, table);
	return table;
}

/* Unlink a record from its list; in a write section. */
static void
unlink_record(struct ctr_keys *keys, struct ctr_key_table *table, uint32_t at,
	      struct record *record)
{
	uint32_t *link = bucket_of(keys, table, at / keys->each, words_of(record));

	while (*link != at + 1)
		link = &record_at(keys, table, *link - 1)->next;
	ctr_store32(link, record->next);
	ctr_store32(&record->next, 0);
}

/* Also change a key in the mirror. */
static int
mirror(const struct ctr_keys *keys, uint32_t at, struct record *record, const uint64_t *key)
{
	const uint64_t *former = (record->life & 1) != 0 ? words_of(record) : NULL;

	return keys->mirror != NULL ? keys->mirror(keys, at, former, key) : 0;
}

int
ctr_keys_reserve(struct ctr_keys *keys, uint32_t at)
{
	struct ctr_key_table *table = make_key_table(keys);
	uint8_t *chunk;

	if (table == NULL)
		return -ENOMEM;
	if (table->chunk[at / CHUNK] == NULL) {
		chunk = (uint8_t *)ctr_alloc(CHUNK * record_size(keys), CTR_NON_LCORE);
		if (chunk == NULL)
			return -ENOMEM;
		ctr_store_release(&table->chunk[at / CHUNK], chunk);
	}
	return 0;
}

int
ctr_keys_set(struct ctr_keys *keys, uint32_t at, const void *key)
{
	const uint32_t outer = at / keys->each;
	uint64_t words[CTR_KEY_WORDS(CTR_KEY_ROOM)];
	struct ctr_key_table *table;
	struct record *record;
	uint32_t found, *bucket;
	int rc;

	if (to_words(keys, key, words) != 0)
		return -EINVAL;
	rc = ctr_keys_reserve(keys, at);
	if (rc != 0)
		return rc;
	table = keys->table;
	found = look_up(keys, table, outer, words);
	if (found != 0)
		return found == at + 1 ? 0 : -EEXIST;
	record = record_at(keys, table, at);
	rc = mirror(keys, at, record, words);
	if (rc != 0)
		return rc;
	ctr_epoch_write_begin(&table->seq);
	if ((record->life & 1) != 0)
		unlink_record(keys, table, at, record);
	for (uint32_t i = 0; i < CTR_KEY_WORDS(keys->size); i++)
		ctr_store64(&words_of(record)[i], words[i]);
	ctr_store32(&record->life, (record->life | 1) + (record->life & 1) * 2);
	bucket = bucket_of(keys, table, outer, words);
	ctr_store32(&record->next, *bucket);
	ctr_store32(bucket, at + 1);
	ctr_epoch_write_end(&table->seq);
	return 0;
}

void
ctr_keys_clear(struct ctr_keys *keys, uint32_t at)
{
	struct ctr_key_table *table = keys->table;
	struct record *record = table != NULL ? record_at(keys, table, at) : NULL;

	if (record == NULL || (record->life & 1) == 0)
		return;
	(void)mirror(keys, at, record, NULL);
	ctr_epoch_write_begin(&table->seq);
	unlink_record(keys, table, at, record);
	ctr_store32(&record->life, record->life + 1);
	ctr_epoch_write_end(&table->seq);
}

void
ctr_keys_forget(struct ctr_keys *keys)
{
	keys->table = NULL;
}

void
ctr_keys_free(struct ctr_keys *keys)
{
	if (keys->table == NULL)
		return;
	for (uint32_t i = 0; i < num_chunks(keys); i++)
		ctr_free(keys->table->chunk[i]);
	ctr_free(keys->table);
	ctr_keys_forget(keys);
}

/* ---- readers ---- */

uint32_t
ctr_keys_life(const struct ctr_keys *keys, uint32_t at)
{
	const struct ctr_key_table *table = ctr_load_acquire(&keys->table);
	struct record *record = table != NULL ? record_at(keys, table, at) : NULL;

	return record != NULL ? ctr_load_acquire(&record->life) : 0;
}

int
ctr_keys_get(const struct ctr_keys *keys, uint32_t at, void *key, uint32_t *life)
{
	const struct ctr_key_table *table = ctr_load_acquire(&keys->table);
	struct record *record = table != NULL ? record_at(keys, table, at) : NULL;
	uint64_t words[CTR_KEY_WORDS(CTR_KEY_ROOM)];
	struct ctr_read_ctx reading;
	uint32_t found;

	if (record == NULL)
		return -ENOENT;
	ctr_read_ctx_init(&reading, keys->control);
	ctr_read_begin(&reading, &table->seq);
	do {
		found = ctr_load32(&record->life);
		for (uint32_t i = 0; i < CTR_KEY_WORDS(keys->size); i++)
			words[i] = ctr_load64(&words_of(record)[i]);
	} while (ctr_read_retry(&reading));
	if ((found & 1) == 0)
		return -ENOENT;
	memcpy(key, words, keys->size);
	if (life != NULL)
		*life = found;
	return 0;
}

int
ctr_keys_find(const struct ctr_keys *keys, uint32_t outer, const void *key, uint32_t *at)
{
	const struct ctr_key_table *table = ctr_load_acquire(&keys->table);
	uint64_t words[CTR_KEY_WORDS(CTR_KEY_ROOM)];
	struct ctr_read_ctx reading;
	uint32_t found;

	if (to_words(keys, key, words) != 0)
		return -EINVAL;
	if (table == NULL)
		return -ENOENT;
	ctr_read_ctx_init(&reading, keys->control);
	ctr_read_begin(&reading, &table->seq);
	do
		found = look_up(keys, table, outer, words);
	while (ctr_read_retry(&reading));
	if (found == 0)
		return -ENOENT;
	*at = (found - 1) % keys->each;
	return 0;
}

uint32_t
ctr_keys_changes(const struct ctr_keys *keys)
{
	const struct ctr_key_table *table = ctr_load_acquire(&keys->table);

	return table != NULL ? ctr_load32(&table->seq) : 0;
}

/* ---- of a table ---- */

const struct ctr_key_ops ctr_key_ops = { ctr_keys_clear, ctr_keys_free, ctr_keys_forget };

int
ctr_table_key_set(const struct ctr_table *table, uint32_t at, const void *key)
{
	const struct ctr_module_state *module = table->domain->module;
	int rc = 0;

	if (at >= table->max)
		return -ERANGE;
	ctr_control_lock(module->control);
	if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at)))
		rc = -ENOENT;
	else if (!table->dynamic && !module->ready->set)
		rc = -ENODEV;
	else if (key != NULL)
		rc = ctr_keys_set(table->keys, at, key);
	else
		ctr_keys_clear(table->keys, at);
	ctr_control_unlock(module->control);
	return rc;
}

int
ctr_table_key_get(const struct ctr_table *table, uint32_t at, void *key)
{
	if (key == NULL)
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	return ctr_keys_get(table->keys, at, key, NULL);
}

int
ctr_table_key_find(const struct ctr_table *table, uint32_t first, const void *key, uint32_t *index)
{
	if (key == NULL || index == NULL)
		return -EINVAL;
	if (first >= table->max)
		return -ERANGE;
	return ctr_keys_find(table->keys, first / table->index_maxima[table->num_indexes - 1], key,
			     index);
}
