/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"

#include <stdlib.h>

/* Functions of the application for the indexes of scopes. */
static struct mapping {
	struct mapping *next;
	const struct ctr_scope *scope;
	ctr_agentx_map_fn map;
} *mappings;

int
ctr_agentx_index_map(const struct ctr_scope *scope, ctr_agentx_map_fn map)
{
	struct mapping *made = (struct mapping *)malloc(sizeof(*made));

	if (made == NULL)
		return -ENOMEM;
	*made = (struct mapping){ mappings, scope, map };
	mappings = made;
	return 0;
}

static ctr_agentx_map_fn
find_map(const struct ctr_scope *scope)
{
	const struct mapping *mapping = mappings;

	while (mapping != NULL && mapping->scope != scope)
		mapping = mapping->next;
	return mapping != NULL ? mapping->map : NULL;
}

/* Whether an instance that ends has a key of its own that goes with it, or none ends. */
static bool
ends_with_key(const struct ctr_scope *scope)
{
	return scope->next == NULL ||
	       (scope->keys != NULL && scope->keys[scope->num_indexes - 1] != NULL);
}

int
ctr_agentx_index_init(struct ctr_agentx_index *made, ctr_agentx_map_fn *map,
		const struct ctr_module *module, uint32_t scope, uint32_t base, uint32_t own,
		bool mapped)
{
	const struct ctr_scope *from = &module->scopes[scope], *first = &module->scopes[base];

	memset(made, 0, sizeof(*made));
	made->scope = from;
	made->base = first;
	made->own = own;
	made->each = 1;
	made->keyed = from->keys != NULL || first->keys != NULL;
	made->by_keys = made->keyed && ends_with_key(from) && ends_with_key(first);
	for (uint32_t i = 0; i < first->num_indexes; i++)
		made->maxima[made->levels++] = first->index_maxima[i];
	for (uint32_t i = from->num_indexes - own; i < from->num_indexes; i++) {
		made->maxima[made->levels++] = from->index_maxima[i];
		made->each *= from->index_maxima[i];
	}
	made->total = ctr_scope_total(first) * made->each;
	if (made->total > ctr_scope_total(from))
		made->total = ctr_scope_total(from);
	*map = find_map(from);
	if (*map == NULL && own == 0)
		*map = find_map(first);
	return mapped && *map == NULL ? -ENOENT : 0;
}

int
ctr_agentx_index_suffix(const struct ctr_agentx_index *of, uint32_t at, uint32_t *suffix)
{
	uint32_t index[CTR_INDEXES_MAX], whole[CTR_KEY_SUFFIX_MAX];
	uint32_t before;
	int length, more;

	if (at >= of->total || ctr_agentx_index_next(of, at) != at)
		return -ENOENT;
	ctr_scope_indexes(of->base, at / of->each, index);
	length = ctr_scope_suffix(of->base, index, suffix, NULL);
	if (length < 0 || of->own == 0)
		return length;
	/* Of the scope itself, without the levels of what augments: they have no key. */
	before = of->scope->num_indexes - of->own;
	ctr_scope_indexes(of->scope, at, index);
	more = ctr_scope_suffix(of->scope, index, whole, NULL) - (int)before;
	if (more < 0 || length + more > CTR_AGENTX_INDEX_MAX)
		return -ENOENT;
	memcpy(suffix + length, whole + before, (size_t)more * sizeof(*whole));
	return length + more;
}

uint64_t
ctr_agentx_index_life(const struct ctr_agentx_index *of, uint32_t at)
{
	uint32_t index[CTR_INDEXES_MAX];
	uint64_t life = 0;

	if (!of->keyed || at >= of->total)
		return 0;
	ctr_scope_indexes(of->base, at / of->each, index);
	life = ctr_scope_life(of->base, index);
	if (of->base == of->scope)
		return life;
	ctr_scope_indexes(of->scope, at, index);
	return life + ctr_scope_life(of->scope, index);
}

uint64_t
ctr_agentx_index_next(const struct ctr_agentx_index *of, uint64_t at)
{
	uint64_t row, found;

	if (of->base == of->scope || of->base->next == NULL || at >= of->total)
		return at;
	row = at / of->each;
	found = ctr_scope_next(of->base, row);
	return found == row ? at : found * of->each;
}

static uint64_t
changes_of(const struct ctr_scope *scope)
{
	uint64_t changes = 0;

	for (unsigned int i = 0; scope->keys != NULL && i < scope->num_indexes; i++)
		changes += scope->keys[i] != NULL ? ctr_keys_changes(scope->keys[i]) : 0;
	return changes;
}

uint64_t
ctr_agentx_index_changes(const struct ctr_agentx_index *of)
{
	return changes_of(of->base) + (of->base != of->scope ? changes_of(of->scope) : 0);
}
