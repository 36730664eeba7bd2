/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * A module through its descriptor, as generic readers call it: any scope, any
 * indexes, in range or not, into memory of the very size. HEADER and MODULE are
 * those of the schema.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include HEADER
#include "target.h"

#define LEVELS 16u

/* Indexes near the ends of what there is, or any. Whether all are in range. */
static bool
take_index(struct input *in, const struct ctr_scope *scope, uint32_t *index)
{
	bool inside = true;
	unsigned int i;

	for (i = 0; i < scope->num_indexes; i++) {
		const uint32_t how = take(in, 1);

		index[i] = how < 64 ? how : how < 128 ? scope->index_maxima[i] - (how - 64) : take(in, 4);
		inside = inside && index[i] < scope->index_maxima[i];
	}
	return inside;
}

static void
call(const struct ctr_scope *scope, struct input *in)
{
	uint32_t *index = (uint32_t *)malloc(scope->num_indexes * sizeof(*index) + 1);
	uint8_t *out = (uint8_t *)malloc(scope->value_size);
	const uint32_t what = take(in, 1);
	bool inside;
	int rc = 0;

	expect(index != NULL && out != NULL && scope->num_indexes <= LEVELS);
	inside = take_index(in, scope, index);
	if (what % 4 == 0 && scope->read != NULL)
		rc = scope->read(index, out);
	else if (what % 4 == 1 && scope->reset != NULL)
		rc = scope->reset(index, what & 4 ? out : NULL);
	else if (what % 4 == 2 && scope->next != NULL)
		inside = scope->next(index[0]) >= index[0] || index[0] >= scope->index_maxima[0];
	else
		inside = true;
	expect(rc == 0 || rc == -ENOENT || rc == -ERANGE || rc == -EAGAIN);
	expect(inside || rc == -ERANGE);
	free(index);
	free(out);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return MODULE.init();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ctr_module *module = &MODULE;
	struct input in = { data, size };

	while (in.size != 0) {
		const uint32_t which = take(&in, 1);

		if (which == 255 && take(&in, 1) == 0) /* takes long */
			expect(module->reset() == 0);
		else if (which == 254)
			module->flush();
		else
			call(&module->scopes[which % module->num_scopes], &in);
	}
	return 0;
}
