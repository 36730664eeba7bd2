/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a model, which is freed at once, and labels that tell instances apart, as labels() of
 * generator/model/naming/prometheus.py. */
#include "ctr_om.h"

#include <stdarg.h>

/* Most characters of a text. */
#define TEXT_ROOM 2048u

/* Allocated memory of a model. */
struct block {
	struct block *next;
	max_align_t data[];
};

void *
ctr_om_alloc(struct ctr_om_model *model, size_t count, size_t size)
{
	struct block *block = NULL;

	if (size == 0 || count <= (SIZE_MAX - sizeof(*block)) / size)
		block = calloc(1, sizeof(*block) + count * size);
	if (block == NULL) {
		model->failed = true;
		return NULL;
	}
	block->next = model->memory;
	model->memory = block;
	return block->data;
}

char *
ctr_om_text(struct ctr_om_model *model, const char *format, ...)
{
	char text[TEXT_ROOM], *copy;
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	model->failed |= size < 0 || (size_t)size >= sizeof(text);
	copy = model->failed ? NULL : ctr_om_alloc(model, 1, (size_t)size + 1);
	return copy != NULL ? memcpy(copy, text, (size_t)size + 1) : NULL;
}

const char *
ctr_om_display(const struct ctr_scope *scope, const char *format, ...)
{
	char of[TEXT_ROOM];
	va_list arguments;
	unsigned int i;

	va_start(arguments, format);
	(void)vsnprintf(of, sizeof(of), format, arguments);
	va_end(arguments);
	for (i = 0; i < scope->num_displays; i++)
		if (strcmp(scope->displays[i].of, of) == 0)
			return scope->displays[i].text;
	return NULL;
}

void
ctr_om_model_free(struct ctr_om_model *model)
{
	struct block *block = model->memory, *next;
	unsigned int i, copy;

	for (i = 0; i < model->num_scopes; i++)
		for (copy = 0; copy < CTR_OM_COPIES; copy++)
			free(model->scopes[i].rows[copy].data);
	for (; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	memset(model, 0, sizeof(*model));
}

/* ---- labels ---- */

static const struct ctr_keys *
keys_of(const struct ctr_scope *scope, unsigned int level)
{
	return scope->keys != NULL ? scope->keys[level] : NULL;
}

static unsigned int
om_parts_of(const struct ctr_scope *scope, unsigned int level)
{
	const struct ctr_keys *keys = keys_of(scope, level);

	return keys != NULL ? keys->num_parts : 1;
}

/* Name of a part of a key, or of the index. */
static const char *
part_name(const struct ctr_scope *scope, unsigned int level, unsigned int part)
{
	const struct ctr_keys *keys = keys_of(scope, level);

	return keys != NULL ? keys->parts[part].name : scope->index_names[level];
}

/* Number of parts of a name. */
static unsigned int
count_named(const struct ctr_scope *scope, const char *name)
{
	unsigned int level, part, count = 0;

	for (level = 0; level < scope->num_indexes; level++)
		for (part = 0; part < om_parts_of(scope, level); part++)
			count += strcmp(part_name(scope, level, part), name) == 0;
	return count;
}

static char *
label_name(struct ctr_om_model *model, const struct ctr_scope *scope, unsigned int level,
	   unsigned int part)
{
	static const char *const used[] = { "application", "instance", "job", "le" };
	const char *index = scope->index_names[level], *name = part_name(scope, level, part);
	char *label;
	unsigned int i;

	if (count_named(scope, name) == 1 || strcmp(name, index) == 0)
		label = ctr_om_text(model, "%s", name);
	else
		label = ctr_om_text(model, "%s_%s", index, name);
	for (i = 0; i < sizeof(used) / sizeof(used[0]) && label != NULL; i++)
		if (strcmp(label, used[i]) == 0)
			return ctr_om_text(model, "exported_%s", used[i]);
	return label;
}

/* Texts of the values of an index with names, or of a part of a key with labels; or NULL. */
static const char *const *
make_texts(struct ctr_om_model *model, const struct ctr_scope *scope, unsigned int level,
	   const struct ctr_key_part *part)
{
	const char *const *names = scope->index_labels != NULL ? scope->index_labels[level] : NULL;
	const char *index = scope->index_names[level], **made;
	unsigned int num = part != NULL ? part->num_labels : scope->index_maxima[level], i;

	if (part == NULL ? names == NULL : num == 0)
		return NULL;
	made = ctr_om_alloc(model, num, sizeof(*made));
	for (i = 0; i < num && made != NULL; i++) {
		const char *name = part != NULL ? part->labels[i].name : names[i];

		made[i] = part != NULL ?
				  ctr_om_display(scope, "part %s %s %s", index, part->name, name) :
				  ctr_om_display(scope, "value %s %s", index, name);
		if (made[i] == NULL)
			made[i] = name;
	}
	return made;
}

void
ctr_om_labels_make(struct ctr_om_model *model, struct ctr_om_scope *place)
{
	const struct ctr_scope *scope = place->scope;
	unsigned int level, part, num = 0;
	size_t keys = 0;

	for (level = 0; level < scope->num_indexes; level++) {
		num += om_parts_of(scope, level);
		place->key_at[level] = (uint32_t)keys;
		if (keys_of(scope, level) != NULL)
			keys += (scope->keys[level]->size + 7u) & ~7u;
	}
	place->keys = (uint32_t)(sizeof(struct ctr_om_instance) + ((scope->value_size + 7) & ~7ul));
	place->stride = (uint32_t)(place->keys + keys);
	place->labels = ctr_om_alloc(model, num + 1, sizeof(*place->labels));
	place->texts = ctr_om_alloc(model, num + 1, sizeof(*place->texts));
	for (level = 0, num = 0; level < scope->num_indexes; level++) {
		const struct ctr_keys *key = keys_of(scope, level);

		for (part = 0; part < om_parts_of(scope, level) && !model->failed; part++, num++) {
			place->labels[num] = label_name(model, scope, level, part);
			place->texts[num] = make_texts(model, scope, level,
						       key != NULL ? &key->parts[part] : NULL);
		}
	}
	place->num_labels = num;
}
