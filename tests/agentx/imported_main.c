/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Serves a module that was imported: `imported_main SOCKET [SCOPE=MAP]...`. What it
 * counts is in a file that the test writes. Ends with its standard input.
 */
#include <string.h>

#include "imported.h"
#include "serve.h"

/* Two numbers, neither of them in order. */
static int
map_pair(const uint32_t *index, uint32_t *suffix)
{
	suffix[0] = 40 - index[0] / 2;
	suffix[1] = 1000 + index[0];
	return 2;
}

/* Numbers of interfaces. */
static int
map_interface(const uint32_t *index, uint32_t *suffix)
{
	suffix[0] = UINT32_C(2147483647) - 7 * index[0];
	return 1;
}

/* A number, and octets with their length. */
static int
map_octets(const uint32_t *index, uint32_t *suffix)
{
	const uint32_t octets[] = { 1 + index[0] % 3, 6, 2, 0, 0, 0, 255, index[0] };

	memcpy(suffix, octets, sizeof(octets));
	return 8;
}

/* A number, and text of one to four characters, IMPLIED. */
static int
map_implied(const uint32_t *index, uint32_t *suffix)
{
	uint32_t i;

	suffix[0] = 1 + index[0] % 8;
	for (i = 0; i <= index[0] % 4; i++)
		suffix[1 + i] = 'z' - index[0];
	return (int)(2 + index[0] % 4);
}

/* The old table of TCP: address, port, address, port. */
static int
map_addresses(const uint32_t *index, uint32_t *suffix)
{
	const uint32_t parts[] = { 192, 0, 2, 200 - index[0], 22, 198, 51, 100, 1, 65535 - index[0] };

	memcpy(suffix, parts, sizeof(parts));
	return 10;
}

/* Addresses with type and length, and ports: local and remote. */
static int
map_connection(const uint32_t *index, uint32_t *suffix)
{
	const uint32_t parts[] = { 1, 4, 192, 0, 2, 200 - index[0], 22,
			1, 4, 198, 51, 100, 1, 65535 - index[0] };

	memcpy(suffix, parts, sizeof(parts));
	return 14;
}

/* Half of that. */
static int
map_listener(const uint32_t *index, uint32_t *suffix)
{
	(void)map_connection(index, suffix);
	return 7;
}

static const struct {
	const char *name;
	ctr_agentx_map_fn map;
} maps[] = {
	{ "pair", map_pair }, { "interface", map_interface }, { "octets", map_octets },
	{ "implied", map_implied }, { "addresses", map_addresses },
	{ "connection", map_connection }, { "listener", map_listener },
};

static int
map_scope(const char *scope, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		if (strcmp(maps[i].name, name) == 0)
			return ctr_agentx_map(&IMPORTED_MODULE, scope, maps[i].map);
	}
	return -EINVAL;
}

int
main(int argc, char **argv)
{
	int i;

	if (argc < 2 || IMPORTED_MODULE.init() != 0)
		return 2;
	fill();
	for (i = 2; i < argc; i++) {
		char *equals = strchr(argv[i], '=');

		if (equals == NULL)
			return 2;
		*equals = '\0';
		if (map_scope(argv[i], equals + 1) != 0)
			return 3;
	}
	return serve(&IMPORTED_AGENT, argv[1], NULL, NULL);
}
