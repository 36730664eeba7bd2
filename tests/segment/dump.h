/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints values. */
#ifndef DUMP_H
#define DUMP_H

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>

#include "ctr_module.h"

static inline void
dump_octets(const uint8_t *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		printf("%s%02x", i == 0 ? "" : ":", from[i]);
}

/* A value; `label` is that of an enum, or NULL. */
static inline void
dump_value(uint32_t type, const uint8_t *from, size_t size, const char *label)
{
	char text[INET6_ADDRSTRLEN];
	uint32_t narrow = 0;
	uint64_t wide = 0;

	memcpy(size == 8 ? (void *)&wide : (void *)&narrow, from, size < 4 ? 0 : size == 8 ? 8 : 4);
	if (type == CTR_STRING)
		printf("%s", (const char *)from);
	else if (type == CTR_MAC)
		dump_octets(from, size);
	else if (type == CTR_IPV4 || type == CTR_IPV6)
		printf("%s", inet_ntop(type == CTR_IPV4 ? AF_INET : AF_INET6, from, text,
				       sizeof(text)));
	else if (type == CTR_BOOL)
		printf("%s", *from != 0 ? "True" : "False");
	else if (label != NULL)
		printf("%s", label);
	else if (type == CTR_TIMESTAMP && wide == 0)
		printf("None");
	else if (size == 8)
		printf("%" PRIu64, wide);
	else if (type == CTR_I32)
		printf("%" PRId32, (int32_t)narrow);
	else
		printf("%" PRIu32, narrow);
}

/* Row-major indexes of a position. */
static inline void
dump_unflat(uint32_t at, const uint32_t *maxima, uint32_t count, uint32_t *index)
{
	while (count-- > 0) {
		index[count] = at % maxima[count];
		at /= maxima[count];
	}
}

#endif /* DUMP_H */
