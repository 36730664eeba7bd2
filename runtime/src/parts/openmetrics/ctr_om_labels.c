/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels that tell instances apart, as labels() of generator/model/naming/prometheus.py. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ctr_om.h"

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

/* Texts of the values of an index with names, or of a part of a key with labels. */
static int
make_texts(struct ctr_om_model *model, const struct ctr_scope *scope, unsigned int level,
	   const struct ctr_key_part *part, const char *const **texts)
{
	const char *const *names = scope->index_labels != NULL ? scope->index_labels[level] : NULL;
	const char *index = scope->index_names[level], **made;
	unsigned int num = part != NULL ? part->num_labels : scope->index_maxima[level], i;

	*texts = NULL;
	if (part == NULL ? names == NULL : num == 0)
		return 0;
	made = ctr_om_alloc(model, num, sizeof(*made));
	for (i = 0; i < num && made != NULL; i++) {
		const char *name = part != NULL ? part->labels[i].name : names[i];

		made[i] = part != NULL ?
				  ctr_om_display(scope, "part %s %s %s", index, part->name, name) :
				  ctr_om_display(scope, "value %s %s", index, name);
		if (made[i] == NULL)
			made[i] = name;
	}
	*texts = made;
	return made != NULL ? 0 : -ENOMEM;
}

int
ctr_om_labels_make(struct ctr_om_model *model, struct ctr_om_scope *place)
{
	const struct ctr_scope *scope = place->scope;
	unsigned int level, part, num = 0;
	size_t keys = 0;
	int rc = 0;

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
	if (place->labels == NULL || place->texts == NULL)
		return -ENOMEM;
	for (level = 0, num = 0; level < scope->num_indexes && rc == 0; level++) {
		const struct ctr_keys *key = keys_of(scope, level);

		for (part = 0; part < om_parts_of(scope, level) && rc == 0; part++, num++) {
			place->labels[num] = label_name(model, scope, level, part);
			rc = make_texts(model, scope, level, key != NULL ? &key->parts[part] : NULL,
					&place->texts[num]);
			if (place->labels[num] == NULL)
				rc = -ENOMEM;
		}
	}
	place->num_labels = num;
	return rc;
}
