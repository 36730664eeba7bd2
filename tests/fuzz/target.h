/* SPDX-License-Identifier: BSD-3-Clause */
/* What targets in C share: what libFuzzer calls, checks, and numbers from the input. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/** What is left of an input. */
struct input {
	const uint8_t *data;
	size_t size;
};

static inline void
expect(bool holds)
{
	if (!holds)
		abort();
}

/** A number of so many octets, or of those that are left. */
static inline uint32_t
take(struct input *in, size_t octets)
{
	uint32_t value = 0;

	for (; octets != 0 && in->size != 0; octets--, in->data++, in->size--)
		value = value << 8 | *in->data;
	return value;
}

#endif /* TARGET_H */
