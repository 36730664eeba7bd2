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

const struct ctr_module *const fuzz_module = &MODULE;

