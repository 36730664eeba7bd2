/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the values of all instances, within a limit that scopes share. */
#include "ctr_om.h"

/* Instances that are read in a read section. */
#define BLOCK 64u

/* ---- the instances of this process ---- */

/* Copy the keys of all levels; returns a bit for each that there is. */
static uint32_t
read_keys(const struct ctr_scope *scope, const uint32_t *index, uint8_t *keys)
{
	uint32_t level, at = 0, keyed = 0;

	for (level = 0; level < scope->num_indexes; level++) {
		at = at * scope->index_maxima[level] + index[level];
		if (scope->keys[level] == NULL)
			continue;
		if (ctr_keys_get(scope->keys[level], at, keys, NULL) == 0)
			keyed |= UINT32_C(1) << level;
		keys += (scope->keys[level]->size + 7u) & ~7u;
	}
	return keyed;
}

/* A walk of this process. */
struct om_walk {
	const struct ctr_om_scope *place;
	uint8_t *values; /* Room for BLOCK of them. */
	uint64_t keys[CTR_INDEXES_MAX * CTR_KEY_ROOM / 8]; /* Those of an instance. */
	struct ctr_om_instance instance[BLOCK];
	int rc[BLOCK];
};

/* Read up to BLOCK instances from position *at on in a read section; returns how many, and where to
 * go on in *at. */
static uint32_t
read_block(struct om_walk *walk, uint64_t *at, uint64_t total)
{
	const struct ctr_module *module = walk->place->module;
	const struct ctr_scope *scope = walk->place->scope;
	const uint32_t most = scope->keys != NULL ? 1 : BLOCK;
	uint32_t index[CTR_INDEXES_MAX], num = 0, i;

	module->read_lock();
	if (scope->storage == CTR_STATIC && scope->rows != NULL && scope->keys == NULL) {
		num = total - *at < BLOCK ? (uint32_t)(total - *at) : BLOCK;
		scope->rows((uint32_t)*at, num, walk->values, walk->rc);
		for (i = 0; i < num; i++)
			walk->instance[i].at = (uint32_t)(*at)++;
	}
	for (; num < most && *at < total; (*at)++) {
		*at = ctr_scope_next(scope, *at);
		if (*at < total) {
			walk->rc[num] = -EAGAIN;
			walk->instance[num++].at = (uint32_t)*at;
		}
	}
	for (i = 0; i < num; i++) {
		struct ctr_om_instance *one = &walk->instance[i];

		ctr_scope_indexes(scope, one->at, index);
		if (walk->rc[i] == -EAGAIN)
			walk->rc[i] = ctr_scope_read(scope, index,
						     walk->values + i * scope->value_size);
		one->since_ns = ctr_scope_since(scope, one->at);
		if (one->since_ns == 0)
			one->since_ns = *module->began_ns;
		one->since_ns += walk->place->app->began_ns;
		one->keyed = scope->keys != NULL ?
				     read_keys(scope, index, (uint8_t *)walk->keys) :
				     0;
	}
	module->read_unlock();
	return num;
}

int
ctr_om_walk_here(const struct ctr_om_scope *place, ctr_om_visit *visit, void *context)
{
	const struct ctr_scope *scope = place->scope;
	struct om_walk walk = { .place = place };
	const uint64_t total = ctr_scope_total(scope);
	uint64_t at = 0;
	uint32_t num;
	int rc;

	if (!__atomic_load_n(place->module->ready, __ATOMIC_ACQUIRE))
		return 0;
	walk.values = calloc(BLOCK, scope->value_size);
	for (rc = walk.values != NULL ? 0 : -ENOMEM; rc == 0 && at < total;) {
		num = read_block(&walk, &at, total);
		for (uint32_t i = 0; i < num && rc == 0; i++)
			if (walk.rc[i] == 0 || walk.rc[i] == -EAGAIN)
				rc = visit(&walk.instance[i], walk.values + i * scope->value_size,
					   (const uint8_t *)walk.keys, context);
	}
	free(walk.values);
	return rc;
}

/* ---- copies ---- */

/* A scope while its instances are copied. */
struct copying {
	struct ctr_om_scope *place;
	struct ctr_om_rows *rows;
	uint32_t group;         /* Number of the group at hand, and its beginning: */
	uint32_t num;
	uint64_t found;
	bool touched;           /* Whether one of its instances has counted. */
	bool begun;
};

static bool
is_blank(const struct ctr_scope *scope, const void *values)
{
	static const uint8_t zero[CTR_ITEM_TEXT];

	for (unsigned int i = 0; i < scope->num_items; i++) {
		const struct ctr_item *item = &scope->items[i];
		const uint8_t *value = (const uint8_t *)values + item->offset;

		if (!ctr_item_available(item, values))
			continue;
		if (item->type == CTR_STRING ? *value != 0 : memcmp(value, zero, item->size) != 0)
			return false;
	}
	return true;
}

/* Whether each level that may have a key has one; without, labels would be those of others, too. */
static bool
has_keys(const struct ctr_scope *scope, uint32_t keyed)
{
	for (unsigned int i = 0; scope->keys != NULL && i < scope->num_indexes; i++)
		if (scope->keys[i] != NULL && (keyed >> i & 1) == 0)
			return false;
	return true;
}

/* Leave a group out if it has counted nothing and was never shown. */
static void
end_group(struct copying *copying)
{
	struct ctr_om_rows *rows = copying->rows;
	uint64_t *shown = &copying->place->shown[copying->group / 64];
	const uint64_t bit = UINT64_C(1) << copying->group % 64;

	if (!copying->begun)
		return;
	if (copying->touched) {
		*shown |= bit;
	} else if ((*shown & bit) == 0) {
		rows->left_out += rows->found - copying->found;
		rows->found = copying->found;
		rows->num = copying->num;
	}
}

static int
add_row(struct ctr_om_scope *place, struct ctr_om_rows *rows,
	const struct ctr_om_instance *instance, const void *values, const uint8_t *keys)
{
	uint8_t *row;

	if (rows->num == rows->room) {
		const uint32_t room = rows->room < 64 ? 64 : rows->room + rows->room / 2;
		uint8_t *data = realloc(rows->data, (size_t)room * place->stride);

		if (data == NULL)
			return -ENOMEM;
		rows->data = data;
		rows->room = room;
	}
	row = rows->data + (size_t)rows->num++ * place->stride;
	memcpy(row, instance, sizeof(*instance));
	memcpy(row + sizeof(*instance), values, place->scope->value_size);
	memcpy(row + place->keys, keys, place->stride - place->keys);
	return 0;
}

static int
copy_instance(const struct ctr_om_instance *instance, const void *values, const uint8_t *keys,
	      void *context)
{
	struct copying *copying = context;
	struct ctr_om_scope *place = copying->place;
	struct ctr_om_rows *rows = copying->rows;

	if (!has_keys(place->scope, instance->keyed)) {
		rows->left_out++;
		return 0;
	}
	if (place->group != 0) {
		const uint32_t group = instance->at / place->group;

		if (!copying->begun || group != copying->group) {
			end_group(copying);
			copying->begun = true;
			copying->group = group;
			copying->num = rows->num;
			copying->found = rows->found;
			copying->touched = false;
		}
		copying->touched = copying->touched || !is_blank(place->scope, values);
	}
	rows->found++;
	return rows->num < rows->most ? add_row(place, rows, instance, values, keys) : 0;
}

/* Copy the instances of a scope, at most `most`. */
static int
copy_scope(struct ctr_om_scope *place, unsigned int copy, uint64_t most)
{
	struct copying copying = { .place = place, .rows = &place->rows[copy] };
	struct ctr_om_rows *rows = copying.rows;
	int rc;

	if (rows->room > 64 && rows->num < rows->room / 4) {
		free(rows->data);
		rows->data = NULL;
		rows->room = 0;
	}
	rows->num = 0;
	rows->most = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
	rows->found = rows->left_out = 0;
	if (!place->app->up)
		return 0;
	rc = place->app->walk(place, copy_instance, &copying);
	end_group(&copying);
	return rc;
}

/* Share `most` samples among scopes: a first instance each, the rest in proportion. */
static void
share(struct ctr_om_scope *first, unsigned int num, unsigned int copy, uint64_t most)
{
	uint64_t lacking = 0;

	for (unsigned int i = 0; i < num; i++) {
		const uint64_t size = first[i].rows[copy].found * first[i].lines;

		first[i].share = size != 0 && first[i].lines <= most ? first[i].lines : 0;
		most -= first[i].share;
		lacking += first[i].share != 0 ? size - first[i].share : 0;
	}
	for (unsigned int i = 0; i < num; i++) {
		const uint64_t size = first[i].rows[copy].found * first[i].lines;

		if (first[i].share != 0 && lacking != 0)
			first[i].share += (uint64_t)((double)(size - first[i].share) *
						     (double)most / (double)lacking);
	}
}

/* Copy the scopes of an application: all, or each as many instances as it may have. */
static int
copy_app(struct ctr_om_scope *first, unsigned int num, unsigned int copy, uint64_t most)
{
	uint64_t total = 0, room;
	int rc = 0;

	for (unsigned int i = 0; i < num && rc == 0; i++) {
		room = total < most ? most - total : 0;
		rc = copy_scope(&first[i], copy, room / first[i].lines);
		total += first[i].rows[copy].found * first[i].lines;
	}
	if (rc != 0 || total <= most)
		return rc;
	share(first, num, copy, most);
	for (unsigned int i = 0; i < num && rc == 0; i++)
		rc = copy_scope(&first[i], copy, first[i].share / first[i].lines);
	return rc;
}

int
ctr_om_copy(struct ctr_om_model *model, struct ctr_om_feed *feed, unsigned int copy, uint32_t most)
{
	unsigned int num;
	int rc = 0;

	for (unsigned int i = 0; i < model->num_scopes && rc != -ENOMEM; i += num) {
		const struct ctr_om_scope *first = &model->scopes[i];
		uint32_t own;

		for (num = 1; i + num < model->num_scopes && first[num].app == first->app; num++)
			;
		own = 5 + first->app->num_modules + 2 * num; /* samples about itself */
		own = own < most ? own : most;
		rc = copy_app(&model->scopes[i], num, copy, most - own);
		if (rc == 0 || rc == -ENOMEM)
			continue;
		feed->apps[first->app - feed->apps].up = false;
		(void)copy_app(&model->scopes[i], num, copy, 0); /* no part of it */
	}
	return rc == -ENOMEM ? rc : 0;
}
