/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Texts of states: any octets into a cell of any size and out again. The first octet
 * is the length of the schema, the rest the text.
 */
#include <stdlib.h>
#include <string.h>

#include "ctr_seqcount.h"
#include "target.h"

#define LONGEST 64u

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t words[CTR_CELL_WORDS(LONGEST + 1)];
	const size_t room = 1 + (size == 0 ? 0 : data[0] % LONGEST) + 1;
	const size_t length = size == 0 ? 0 : size - 1;
	uint64_t *exact = (uint64_t *)malloc(CTR_CELL_WORDS(room) * sizeof(*words));
	char *text = (char *)malloc(length + 1), *out = (char *)malloc(room);
	uint32_t seq = 0;
	size_t kept;

	expect(exact != NULL && text != NULL && out != NULL);
	memset(exact, 0xa5, CTR_CELL_WORDS(room) * sizeof(*words));
	memcpy(text, data + (size != 0), length);
	text[length] = '\0';
	kept = strlen(text) < room - 1 ? strlen(text) : room - 1;
	for (unsigned int i = 0; i < 3 && kept > 0 && strlen(text) >= room; i++)
		kept -= (text[kept] & 0xc0) == 0x80;

	ctr_cell_set_text(&seq, exact, text, room);
	ctr_cell_get(&seq, exact, out, room);
	expect(seq == 2);
	expect(memcmp(out, text, kept) == 0);
	expect(strnlen(out, room) == kept);

	/* Octets, as of addresses: what is given, then zeros. */
	kept = length < room ? length : room;
	memset(words, 0xa5, sizeof(words));
	ctr_cell_set(&seq, words, text, kept, room);
	ctr_cell_get(&seq, words, out, room);
	expect(seq == 4 && memcmp(out, text, kept) == 0);
	for (; kept < room; kept++)
		expect(out[kept] == 0);
	free(exact);
	free(text);
	free(out);
	return 0;
}
