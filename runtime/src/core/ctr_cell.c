/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* strnlen() */
#include "ctr_seqcount.h"

void
ctr_cell_set(uint32_t *seq, uint64_t *words, const void *value, size_t size, size_t room)
{
	const char *from = (const char *)value;
	unsigned int spins = 0;
	uint32_t even;

	for (;;) {
		even = __atomic_load_n(seq, __ATOMIC_RELAXED);
		if ((even & 1) == 0 &&
		    __atomic_compare_exchange_n(seq, &even, even + 1, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			break;
		ctr_spin_wait(&spins);
	}
	ctr_fence(__ATOMIC_RELEASE);
	for (size_t at = 0; at < room; at += sizeof(uint64_t)) {
		uint64_t word = 0;

		if (at < size)
			memcpy(&word, from + at,
			       size - at < sizeof(word) ? size - at : sizeof(word));
		ctr_store64(&words[at / sizeof(word)], word);
	}
	__atomic_store_n(seq, even + 2, __ATOMIC_RELEASE);
}

void
ctr_cell_set_text(uint32_t *seq, uint64_t *words, const char *text, size_t room)
{
	size_t size = strnlen(text, room);

	/* In UTF-8 up to 3 octets 10xxxxxx follow the first of a character, which is cut whole. */
	if (size == room)
		for (size--; size + 4 > room && size > 0 && (text[size] & 0xc0) == 0x80; size--)
			;
	ctr_cell_set(seq, words, text, size, room);
}

void
ctr_cell_get(const uint32_t *seq, const uint64_t *words, void *out, size_t room)
{
	char *to = (char *)out;
	unsigned int spins = 0;
	uint32_t begin;

	for (;;) {
		begin = ctr_seq_read_begin(seq);
		for (size_t at = 0; at < room; at += sizeof(uint64_t)) {
			uint64_t word = ctr_load64(&words[at / sizeof(word)]);

			memcpy(to + at, &word, room - at < sizeof(word) ? room - at : sizeof(word));
		}
		if (!ctr_seq_read_retry(seq, begin))
			return;
		ctr_spin_wait(&spins);
	}
}
