/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints all that a module has, as peek.c does of a segment. */
#ifndef DUMP_MODULE_H
#define DUMP_MODULE_H

#include <string.h>

#include "ctr_key.h"
#include "dump.h"

/* An instance, if it exists: scope, names and values in a line. */
static inline void
dump_instance(const struct ctr_scope *scope, uint32_t at)
{
	uint32_t index[8], each, level, i;
	_Alignas(uint64_t) uint8_t values[1 << 14];
	uint8_t key[CTR_KEY_ROOM];
	char text[256];

	dump_unflat(at, scope->index_maxima, scope->num_indexes, index);
	if (scope->value_size > sizeof(values) || scope->read(index, values) != 0)
		return;
	printf("%s", scope->name);
	for (level = 0, each = 1; level < scope->num_indexes; level++) {
		const struct ctr_keys *keys = scope->keys != NULL ? scope->keys[level] : NULL;

		for (i = level + 1, each = 1; i < scope->num_indexes; i++)
			each *= scope->index_maxima[i];
		if (keys == NULL && scope->index_labels != NULL && scope->index_labels[level] != NULL)
			printf("|%s", scope->index_labels[level][index[level]]);
		else if (keys == NULL)
			printf("|%u", index[level]);
		for (i = 0; keys != NULL && i < keys->num_parts; i++) {
			text[0] = '\0';
			if (ctr_keys_get(keys, at / each, key, NULL) == 0)
				ctr_key_text(&keys->parts[i], key, text, sizeof(text));
			printf("|%s", text);
		}
	}
	for (i = 0; i < scope->num_items; i++) {
		const struct ctr_item *item = &scope->items[i];
		const char *label = NULL;
		int32_t number;
		uint32_t j;

		memcpy(&number, values + item->offset, item->type == CTR_ENUM ? 4 : 0);
		for (j = 0; j < item->num_labels; j++)
			if (item->labels[j].value == number)
				label = item->labels[j].name;
		printf(" %s=", item->name);
		if (ctr_item_available(item, values))
			dump_value(item->type, values + item->offset, item->size, label);
		else
			printf("None");
	}
	printf("\n");
}

/* All that a module has, by its descriptor. */
static inline void
dump_module(const struct ctr_module *module)
{
	unsigned int i, j;

	for (i = 0; i < ctr_scopes_shown(module); i++) {
		const struct ctr_scope *scope = &module->scopes[i];
		uint32_t total = 1, at;

		for (j = 0; j < scope->num_indexes; j++)
			total *= scope->index_maxima[j];
		for (at = 0; at < total && scope->read != NULL; at++)
			dump_instance(scope, at);
	}
}

#endif /* DUMP_MODULE_H */
