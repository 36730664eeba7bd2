/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ctr.h"
#include "ctr_agentx_index.h"

void
ctr_agentx_unflat(const struct ctr_scope *scope, uint32_t at, uint32_t *index)
{
	unsigned int i;

	for (i = scope->num_indexes; i-- > 0; at /= scope->index_maxima[i])
		index[i] = at % scope->index_maxima[i];
}

static bool
has_keys(const struct ctr_scope *scope)
{
	return scope->keys != NULL;
}

int
ctr_agentx_index_init(struct ctr_agentx_index *made, const struct ctr_module *module,
		uint32_t scope, uint32_t base, uint32_t own)
{
	uint32_t before, i;
	uint64_t total = 1;

	memset(made, 0, sizeof(*made));
	made->scope = &module->scopes[scope];
	made->base = &module->scopes[base];
	made->own = own;
	made->each = 1;
	made->levels = made->base->num_indexes + own;
	made->keyed = has_keys(made->scope) || has_keys(made->base);
	if (made->scope->num_indexes > CTR_AGENTX_LEVELS || own > made->scope->num_indexes ||
	    made->levels > CTR_AGENTX_LEVELS)
		return -EINVAL;
	made->total = 1;
	for (i = 0; i < made->base->num_indexes; i++) {
		made->maxima[i] = made->base->index_maxima[i];
		made->total *= made->maxima[i];
	}
	before = made->scope->num_indexes - own; /* levels in place of those of the base */
	for (i = 0; i < made->scope->num_indexes; i++) {
		const uint32_t maximum = made->scope->index_maxima[i];

		total *= maximum;
		if (i < before)
			continue;
		made->maxima[made->base->num_indexes + i - before] = maximum;
		made->each *= maximum;
	}
	made->total *= made->each;
	if (made->total > total)
		made->total = total;
	return 0;
}

int
ctr_agentx_index_suffix(const struct ctr_agentx_index *of, uint32_t at, uint32_t *suffix,
		uint64_t *life)
{
	uint32_t index[CTR_AGENTX_LEVELS], whole[CTR_KEY_SUFFIX_MAX];
	uint64_t own_life = 0;
	int length, more;
	uint32_t before;

	if (!ctr_agentx_index_exists(of, at))
		return -ENOENT;
	ctr_agentx_unflat(of->base, at / of->each, index);
	length = ctr_scope_suffix(of->base, index, suffix, life);
	if (length < 0 || of->own == 0)
		return length;
	/* Of the scope itself, without the levels of what augments: they have no key. */
	before = of->scope->num_indexes - of->own;
	ctr_agentx_unflat(of->scope, at, index);
	more = ctr_scope_suffix(of->scope, index, whole, &own_life) - (int)before;
	if (more < 0 || length + more > CTR_AGENTX_INDEX_MAX)
		return -ENOENT;
	memcpy(suffix + length, whole + before, (size_t)more * sizeof(*whole));
	if (life != NULL)
		*life += own_life;
	return length + more;
}

uint64_t
ctr_agentx_index_life(const struct ctr_agentx_index *of, uint32_t at)
{
	uint32_t index[CTR_AGENTX_LEVELS];
	uint64_t life = 0;

	if (!of->keyed || at >= of->total)
		return 0;
	ctr_agentx_unflat(of->base, at / of->each, index);
	life = ctr_scope_life(of->base, index);
	if (of->base == of->scope)
		return life;
	ctr_agentx_unflat(of->scope, at, index);
	return life + ctr_scope_life(of->scope, index);
}

uint64_t
ctr_agentx_index_next(const struct ctr_agentx_index *of, uint64_t at)
{
	uint64_t row, found;

	if (of->base == of->scope || of->base->next == NULL || at >= of->total)
		return at;
	row = at / of->each;
	found = of->base->next((uint32_t)row);
	return found == row ? at : found * of->each;
}

bool
ctr_agentx_index_exists(const struct ctr_agentx_index *of, uint64_t at)
{
	return at < of->total && ctr_agentx_index_next(of, at) == at;
}

static uint64_t
changes_of(const struct ctr_scope *scope)
{
	uint64_t changes = 0;
	unsigned int i;

	for (i = 0; scope->keys != NULL && i < scope->num_indexes; i++)
		changes += scope->keys[i] != NULL ? ctr_keys_changes(scope->keys[i]) : 0;
	return changes;
}

uint64_t
ctr_agentx_index_changes(const struct ctr_agentx_index *of)
{
	return changes_of(of->base) + (of->base != of->scope ? changes_of(of->scope) : 0);
}

/* Whether an instance that ends has a key of its own that goes with it, or none ends. */
static bool
ends_with_key(const struct ctr_scope *scope)
{
	return scope->next == NULL ||
	       (scope->keys != NULL && scope->keys[scope->num_indexes - 1] != NULL);
}

bool
ctr_agentx_index_by_keys(const struct ctr_agentx_index *of)
{
	return of->keyed && ends_with_key(of->base) && ends_with_key(of->scope);
}
