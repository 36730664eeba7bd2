/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys that programs find instances with, and that programs begin and end. Maps by key are
 * changed by user space under the control lock, and by programs, which only add: so a key that maps
 * to an index does until user space removes it. An index is with programs (`spare`) from its
 * reservation until the event about it is taken, and is not reserved again before programs that
 * may know it have ended: no two instances share it, and an event is of the generation that
 * the index has when it is taken, or of a former one, without that key. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ctr_key.h"
#include "ctr_xdp_private.h"

/* An event that was taken from the ring. The key follows. */
struct event {
	uint32_t index;
	uint32_t kind;
	uint64_t token; /* Of an end: tells this life from later ones with the index. */
	uint32_t life;   /* Likewise: tells whether it has had a further key since. */
	uint64_t key[];
};

/* Words of a key in a map: those behind the position of what it is inside of. */
#define WORDS (1 + CTR_KEY_WORDS(CTR_KEY_ROOM))

/* Whether the thread ends instances that no program knows any more. */
static CTR_THREAD_LOCAL bool settled;

bool
ctr_xdp_can_settle(void)
{
	return (syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) & MEMBARRIER_CMD_GLOBAL) != 0;
}

void
ctr_xdp_settle(CTR_UNUSED const struct ctr_domain *domain)
{
	if (!settled)
		(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

/* ---- keys ---- */

/* The key of a map: the position of the instance that it is inside of, then the key's words. */
static const void *
key_of(const struct ctr_keys *keys, uint32_t at, const uint64_t *key, uint64_t *words)
{
	words[0] = at / keys->each;
	memcpy(&words[1], key, CTR_KEY_WORDS(keys->size) * sizeof(*key));
	return words;
}

/* Whether a map has an index at a key. */
static bool
has_index(int fd, const void *words, uint32_t index)
{
	uint32_t found;

	return bpf_map_lookup_elem(fd, words, &found) == 0 && found == index;
}

static int
mirror_key(const struct ctr_keys *keys, uint32_t at, const uint64_t *former, const uint64_t *key)
{
	uint64_t words[WORDS];
	const uint32_t index = at % keys->each;

	/* A program may have entered the key, of this instance or of another one. */
	if (key != NULL && bpf_map_update_elem(keys->mirror_fd, key_of(keys, at, key, words),
					       &index, BPF_NOEXIST) != 0) {
		if (errno != EEXIST)
			return -errno;
		if (!has_index(keys->mirror_fd, words, index))
			return -EEXIST;
	}
	if (former != NULL && has_index(keys->mirror_fd, key_of(keys, at, former, words), index))
		(void)bpf_map_delete_elem(keys->mirror_fd, words);
	return 0;
}

/* Open a map if it has the form that is expected. */
static int
open_one(const struct ctr_xdp_source *from, const char *name, uint32_t type, uint32_t key_size,
	 uint32_t value_size, uint32_t least)
{
	struct bpf_map_info info = { 0 };
	uint32_t length = sizeof(info);
	const int fd = ctr_xdp_open(from, name);
	int rc = 0;

	if (fd < 0)
		return fd;
	if (bpf_obj_get_info_by_fd(fd, &info, &length) != 0)
		rc = ctr_xdp_refuse(-errno, "cannot query the map '%s': %s", name, strerror(errno));
	else if (info.type != type || info.key_size != key_size || info.value_size != value_size ||
		 info.max_entries < least)
		rc = ctr_xdp_refuse(-EPROTO, "the map '%s' is none of this schema's", name);
	if (rc == 0)
		return fd;
	(void)close(fd);
	return rc;
}

/* Take all indexes from programs, and remove all keys. */
static int
drop_key(const struct ctr_xdp_keys *of)
{
	const struct ctr_keys *keys = of->table->keys;
	uint64_t words[WORDS];
	uint32_t i, index;

	for (i = 0; of->lives != NULL && i < keys->max &&
		    bpf_map_lookup_and_delete_elem(of->lives->free_fd, NULL, &index) == 0;
	     i++)
		;
	for (i = 0; i < keys->max && bpf_map_get_next_key(keys->mirror_fd, NULL, words) == 0; i++)
		if (bpf_map_delete_elem(keys->mirror_fd, words) != 0)
			return ctr_xdp_refuse(-errno, "cannot remove keys from '%s': %s", of->map,
					      strerror(errno));
	return 0;
}

static int take_event(void *context, void *data, size_t size);

static int
open_lives(const struct ctr_xdp_keys *of, const struct ctr_xdp_source *from)
{
	struct ctr_xdp_lives *lives = of->lives;
	int events;

	lives->free_fd = open_one(from, of->free, BPF_MAP_TYPE_STACK, 0, 4, of->table->max);
	if (lives->free_fd < 0)
		return lives->free_fd;
	events = open_one(from, of->events, BPF_MAP_TYPE_RINGBUF, 0, 0, 0);
	if (events < 0)
		return events;
	lives->ring = ring_buffer__new(events, take_event, (void *)(uintptr_t)of, NULL);
	(void)close(events);
	if (lives->ring == NULL)
		return ctr_xdp_refuse(-errno, "cannot map '%s': %s", of->events, strerror(errno));
	return 0;
}

static int
open_keys(const struct ctr_xdp_keys *of, const struct ctr_xdp_source *from)
{
	struct ctr_keys *keys = of->table->keys;
	const uint32_t size = (1 + CTR_KEY_WORDS(keys->size)) * (uint32_t)sizeof(uint64_t);
	const int fd = open_one(from, of->map, BPF_MAP_TYPE_HASH, size, 4, keys->max);

	if (fd < 0)
		return fd;
	keys->mirror_fd = fd;
	keys->mirror = mirror_key;
	if (of->lives == NULL)
		return 0;
	*of->lives = (struct ctr_xdp_lives){ .free_fd = -1 };
	return open_lives(of, from);
}

int
ctr_xdp_open_keys(const struct ctr_xdp *xdp, const struct ctr_xdp_source *from, bool again)
{
	int rc = 0, pass;

	for (uint32_t i = 0; i < xdp->num_keys && rc == 0; i++)
		rc = open_keys(&xdp->keys[i], from);
	/* What a former process has left. A program that has taken an index before the first pass
	 * may enter its key until it ends; then it may know the index until the next one ends. */
	for (pass = 0; pass < 2 && rc == 0; pass++) {
		for (uint32_t i = 0; i < xdp->num_keys && rc == 0; i++)
			rc = drop_key(&xdp->keys[i]);
		if (xdp->num_keys != 0 && again)
			ctr_xdp_settle(NULL);
	}
	for (uint32_t i = 0; i < xdp->num_keys && rc == 0; i++)
		if (xdp->keys[i].lives != NULL) /* Without `taken`, events are dropped. */
			rc = ring_buffer__consume(xdp->keys[i].lives->ring) < 0 ? -EIO : 0;
	return rc;
}

void
ctr_xdp_close_keys(const struct ctr_xdp *xdp)
{
	for (uint32_t i = 0; i < xdp->num_keys; i++) {
		struct ctr_keys *keys = xdp->keys[i].table->keys;
		struct ctr_xdp_lives *lives = xdp->keys[i].lives;

		if (keys->mirror == NULL)
			continue;
		(void)close(keys->mirror_fd);
		keys->mirror = NULL;
		if (lives == NULL)
			continue;
		if (lives->free_fd >= 0)
			(void)close(lives->free_fd);
		ring_buffer__free(lives->ring);
		free(lives->taken);
		*lives = (struct ctr_xdp_lives){ .free_fd = -1 };
	}
}

/* ---- instances that programs begin and end ---- */

static size_t
taken_size(const struct ctr_xdp_keys *of)
{
	return sizeof(struct event) + CTR_KEY_WORDS(of->table->keys->size) * sizeof(uint64_t);
}

static struct event *
taken_at(const struct ctr_xdp_keys *of, uint32_t at)
{
	return (struct event *)(void *)((char *)of->lives->taken + at * taken_size(of));
}

/* An index is for programs to take. */
static int
put_index(const struct ctr_xdp_lives *lives, uint32_t index)
{
	return bpf_map_update_elem(lives->free_fd, NULL, &index, BPF_ANY) == 0 ? 0 : -errno;
}

static int
stock_indexes(const struct ctr_xdp_keys *of)
{
	struct ctr_xdp_lives *lives = of->lives;
	uint32_t index;
	int rc = 0;

	while (rc == 0 && lives->spare < lives->most) {
		rc = ctr_life_reserve(of->table, &index);
		if (rc == 0)
			rc = put_index(lives, index);
		lives->spare += rc == 0;
	}
	return rc == -ENOSPC ? 0 : rc;
}

/* An instance begins, with its key, before other threads can end it. One that is no key of user
 * space's would find nothing there. */
static void
begin_key(const struct ctr_xdp_keys *of, const struct ctr_xdp_event *event)
{
	const struct ctr_table *table = of->table;
	uint64_t key[CTR_KEY_WORDS(CTR_KEY_ROOM)];

	ctr_control_lock(table->domain->module->control);
	of->lives->spare--;
	(void)ctr_life_open(table, event->index);
	if (ctr_table_key_set(table, event->index, &event->words[1]) != 0 ||
	    ctr_table_key_get(table, event->index, key) != 0 ||
	    memcmp(key, &event->words[1], table->keys->size) != 0)
		(void)bpf_map_delete_elem(table->keys->mirror_fd, event->words);
	ctr_control_unlock(table->domain->module->control);
}

/* The key of an instance is removed, which is to end; whether there is such an instance. */
static bool
unkey(const struct ctr_xdp_keys *of, const struct ctr_xdp_event *event, struct event *to)
{
	const struct ctr_table *table = of->table;
	uint32_t found;
	bool has;

	ctr_control_lock(table->domain->module->control);
	has = ctr_table_key_find(table, 0, &event->words[1], &found) == 0 &&
	      found == event->index;
	if (has) {
		(void)ctr_table_key_set(table, found, NULL);
		to->token = ctr_life_token(table, found);
		to->life = ctr_keys_life(table->keys, found);
	}
	ctr_control_unlock(table->domain->module->control);
	return has;
}

/* Take an event from the ring; one without effect is dropped. */
static int
take_event(void *context, void *data, size_t size)
{
	const struct ctr_xdp_keys *of = (const struct ctr_xdp_keys *)context;
	const struct ctr_xdp_event *event = (const struct ctr_xdp_event *)data;
	struct ctr_xdp_lives *lives = of->lives;
	struct event *to;

	if (lives->taken == NULL || size < sizeof(*event))
		return 0;
	if (event->kind == CTR_XDP_LOST)
		return put_index(lives, event->index);
	to = taken_at(of, lives->num);
	if (event->kind == CTR_XDP_BEGUN)
		begin_key(of, event);
	else if (unkey(of, event, to))
		lives->ends = true;
	else
		return 0;
	lives->num++;
	to->index = event->index;
	to->kind = event->kind;
	memcpy(to->key, &event->words[1], of->table->keys->size);
	return lives->num < CTR_XDP_BATCH ? 0 : -ENOBUFS;
}

/* Take events from the ring; wait for programs that may still count in what ends, once for all. */
static int
take_events(const struct ctr_xdp_keys *of, int timeout_ms)
{
	struct ctr_xdp_lives *lives = of->lives;
	int rc = stock_indexes(of);

	if (rc != 0)
		return rc;
	lives->num = lives->next = 0;
	lives->ends = false;
	rc = ring_buffer__poll(lives->ring, timeout_ms);
	if (lives->ends)
		ctr_xdp_settle(NULL);
	if (rc >= 0 || rc == -ENOBUFS || rc == -EINTR) /* A full batch; a signal. */
		rc = stock_indexes(of);
	return rc;
}

int
ctr_xdp_stock(const struct ctr_xdp_keys *of, uint32_t n)
{
	struct ctr_xdp_lives *lives = of->lives;

	if (lives->ring == NULL)
		return -ENODEV;
	if (lives->taken == NULL)
		lives->taken = calloc(CTR_XDP_BATCH, taken_size(of));
	if (lives->taken == NULL)
		return -ENOMEM;
	lives->most = n;
	return stock_indexes(of);
}

/* Destroy an instance whose end was taken, unless user space has. */
static int
end_taken(const struct ctr_xdp_keys *of, struct event *event, void *last)
{
	const struct ctr_life_ops all = { NULL, NULL };
	const struct ctr_table *table = of->table;
	int rc = -ENOENT;

	ctr_control_lock(table->domain->module->control);
	if (ctr_life_token(table, event->index) == event->token) {
		settled = ctr_keys_life(table->keys, event->index) == event->life;
		rc = ctr_life_destroy(table, event->index, last, &all);
		settled = false;
		event->token = ctr_life_token(table, event->index);
	}
	ctr_control_unlock(table->domain->module->control);
	return rc;
}

int
ctr_xdp_next(const struct ctr_xdp_keys *of, int timeout_ms, void *key, uint32_t *index, void *last)
{
	struct ctr_xdp_lives *lives = of->lives;
	int rc = 0;

	if (lives->taken == NULL)
		return -ENODEV;
	if (lives->next == lives->num)
		rc = take_events(of, timeout_ms);
	while (rc == 0 && lives->next < lives->num) {
		struct event *event = taken_at(of, lives->next);

		memcpy(key, event->key, of->table->keys->size);
		*index = event->index;
		if (event->kind == CTR_XDP_ENDED) {
			rc = end_taken(of, event, last);
			if (rc == -EINPROGRESS)
				return rc;
		}
		lives->next++;
		if (rc == 0)
			return (int)event->kind;
		rc = rc == -ENOENT ? 0 : rc; /* User space has ended it in the meantime. */
	}
	return rc;
}
