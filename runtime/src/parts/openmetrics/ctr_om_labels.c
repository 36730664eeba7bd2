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
	uint64_t data[];
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
ctr_om_display(const struct ctr_scope *scope, const char *kind, const char *name)
{
	const size_t length = strlen(kind);

	for (unsigned int i = 0; i < scope->num_displays; i++) {
		const char *of = scope->displays[i].of;

		if (strncmp(of, kind, length) == 0 && of[length] == ' ' &&
		    strcmp(of + length + 1, name) == 0)
			return scope->displays[i].text;
	}
	return NULL;
}

void
ctr_om_model_free(struct ctr_om_model *model)
{
	struct block *block = model->memory, *next;

	for (unsigned int i = 0; i < model->num_scopes; i++) {
		struct ctr_om_scope *place = &model->scopes[i];

		for (unsigned int copy = 0; copy < CTR_OM_COPIES; copy++)
			free(place->rows[copy].data);
		ctr_discontinuity_close(place->module, place->scope, &place->discontinuity_ns);
	}
	for (; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	memset(model, 0, sizeof(*model));
}

/* ---- labels ---- */

/* Name of a part of a key, or of the index. */
static const char *
part_name(const struct ctr_scope *scope, const struct ctr_om_label *label)
{
	return label->part != NULL ? label->part->name : scope->index_names[label->level];
}

static const char *
label_name(struct ctr_om_model *model, const struct ctr_om_scope *place,
	   const struct ctr_om_label *label)
{
	static const char *const used[] = { "application", "instance", "job", "le" };
	const char *index = place->scope->index_names[label->level];
	const char *name = part_name(place->scope, label);
	unsigned int i, count = 0;

	for (i = 0; i < place->num_labels; i++)
		count += strcmp(part_name(place->scope, &place->labels[i]), name) == 0;
	if (count != 1 && strcmp(name, index) != 0)
		name = ctr_om_text(model, "%s_%s", index, name);
	for (i = 0; i < sizeof(used) / sizeof(used[0]) && name != NULL; i++)
		if (strcmp(name, used[i]) == 0)
			return ctr_om_text(model, "exported_%s", used[i]);
	return name;
}

const char *const *
ctr_om_texts(struct ctr_om_model *model, const struct ctr_scope *scope, const char *kind,
	     const struct ctr_label *labels, const char *const *names, unsigned int num)
{
	const char **texts = ctr_om_alloc(model, num, sizeof(*texts));

	for (unsigned int i = 0; i < num && (labels != NULL || names != NULL) && !model->failed;
	     i++) {
		const char *name = labels != NULL ? labels[i].name : names[i];

		texts[i] = ctr_om_display(scope, kind, name);
		if (texts[i] == NULL)
			texts[i] = name;
	}
	return texts;
}

/* Texts of the values of an index with names, or of a part of a key with labels; or NULL. */
static const char *const *
make_texts(struct ctr_om_model *model, const struct ctr_scope *scope,
	   const struct ctr_om_label *label)
{
	const char *const *names =
		scope->index_labels != NULL ? scope->index_labels[label->level] : NULL;
	const char *index = scope->index_names[label->level];
	const struct ctr_key_part *part = label->part;

	if (part == NULL && names != NULL)
		return ctr_om_texts(model, scope, ctr_om_text(model, "value %s", index), NULL, names,
				    scope->index_maxima[label->level]);
	if (part != NULL && part->num_labels != 0)
		return ctr_om_texts(model, scope, ctr_om_text(model, "part %s %s", index, part->name),
				    part->labels, NULL, part->num_labels);
	return NULL;
}

void
ctr_om_labels_make(struct ctr_om_model *model, struct ctr_om_scope *place)
{
	const struct ctr_scope *scope = place->scope;
	const struct ctr_keys *none[CTR_INDEXES_MAX] = { NULL };
	const struct ctr_keys *const *keys = scope->keys != NULL ? scope->keys : none;
	unsigned int level, part, num = 0;
	size_t size = 0;

	for (level = 0; level < scope->num_indexes; level++) {
		num += keys[level] != NULL ? keys[level]->num_parts : 1;
		place->key_at[level] = (uint32_t)size;
		size += keys[level] != NULL ? (keys[level]->size + 7u) & ~7u : 0;
	}
	place->keys = (uint32_t)(sizeof(struct ctr_om_instance) + ((scope->value_size + 7) & ~7ul));
	place->stride = (uint32_t)(place->keys + size);
	place->labels = ctr_om_alloc(model, num + 1, sizeof(*place->labels));
	for (level = 0; level < scope->num_indexes && !model->failed; level++)
		for (part = 0; part < (keys[level] != NULL ? keys[level]->num_parts : 1); part++)
			place->labels[place->num_labels++] = (struct ctr_om_label){
				.level = level,
				.part = keys[level] != NULL ? &keys[level]->parts[part] : NULL,
			};
	for (num = 0; num < place->num_labels && !model->failed; num++) {
		place->labels[num].name = label_name(model, place, &place->labels[num]);
		place->labels[num].texts = make_texts(model, scope, &place->labels[num]);
	}
}
