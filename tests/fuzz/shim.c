/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Makes a library of a generated module: the address of everything that its header
 * declares, inline or not, and where the members of its snapshot are. CALLS is a file
 * of lines CALL(name) and FIELD(name), HEADER the header.
 */
#include HEADER

struct entry {
	const char *name;
	void (*call)(void);
};

#define CALL(name) { #name, (void (*)(void))name },
#define FIELD(name)
const struct entry fuzz_calls[] = {
#include CALLS
	{ NULL, NULL },
};
#undef CALL
#undef FIELD

struct field {
	const char *name;
	size_t offset;
};

#define CALL(name)
#define FIELD(name) { #name, offsetof(struct SNAPSHOT, name) },
const struct field fuzz_fields[] = {
#include CALLS
	{ NULL, 0 },
};

/* What the descriptor has of a scope, or of an item. */
struct row {
	const char *name, *description;
	size_t offset, size;
};

/* Describe one of them; false behind the last one. */
bool fuzz_scope(unsigned int s, struct row *row);
bool fuzz_item(unsigned int s, unsigned int i, struct row *row);

bool
fuzz_scope(unsigned int s, struct row *row)
{
	const struct ctr_scope *scope = &MODULE.scopes[s];

	if (s >= MODULE.num_scopes)
		return false;
	*row = (struct row){ scope->name, scope->description, 0, scope->value_size };
	return true;
}

bool
fuzz_item(unsigned int s, unsigned int i, struct row *row)
{
	const struct ctr_scope *scope = &MODULE.scopes[s];
	const struct ctr_item *item = &scope->items[i];

	if (i >= scope->num_items)
		return false;
	*row = (struct row){ item->name, item->description, item->offset, item->size };
	return true;
}

