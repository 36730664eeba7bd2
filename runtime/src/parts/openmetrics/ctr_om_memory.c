/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a model, which is freed at once. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctr_om.h"

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
	if (block == NULL)
		return NULL;
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
	if (size < 0 || (size_t)size >= sizeof(text))
		return NULL;
	copy = ctr_om_alloc(model, 1, (size_t)size + 1);
	if (copy != NULL)
		memcpy(copy, text, (size_t)size + 1);
	return copy;
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
