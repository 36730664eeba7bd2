/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Serves a module that was imported: `imported_main SOCKET [SCOPE=MAP]...`. What it
 * counts is in a file that the test writes. For every line on standard input it
 * prints what its read functions give: scope, position, item, value; then `end`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "imported.h"

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

static void
show(const struct ctr_item *item, const uint8_t *at)
{
	uint64_t wide = 0;
	int32_t number;
	size_t i;

	switch (item->type) {
	case CTR_STRING:
	case CTR_MAC:
	case CTR_IPV6:
	case CTR_IPV4:
		for (i = 0; i < (item->type == CTR_STRING ? strlen((const char *)at) : item->size); i++)
			printf("%02x", at[i]);
		printf(".\n");
		break;
	case CTR_I32:
	case CTR_ENUM:
		memcpy(&number, at, sizeof(number));
		printf("%" PRId32 "\n", number);
		break;
	default: /* the machine is little-endian, as all that DPDK's packages are for */
		memcpy(&wide, at, item->size);
		printf("%" PRIu64 "\n", wide);
		break;
	}
}

static void
dump(void)
{
	static uint8_t value[65536];
	unsigned int scope, item;

	for (scope = 0; scope < IMPORTED_MODULE.num_scopes; scope++) {
		const struct ctr_scope *one = &IMPORTED_MODULE.scopes[scope];
		uint32_t count = one->num_indexes == 0 ? 1 : one->index_maxima[0], at;

		for (at = 0; at < count; at++) {
			if (one->value_size > sizeof(value) || one->read(&at, value) != 0)
				continue;
			for (item = 0; item < one->num_items; item++) {
				printf("%s %" PRIu32 " %s ", one->name, at, one->items[item].name);
				show(&one->items[item], value + one->items[item].offset);
			}
		}
	}
}

int
main(int argc, char **argv)
{
	char line[32];
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
	if (IMPORTED_START(argv[1]) != 0)
		return 4;
	printf("0\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL && line[0] != 'q') {
		dump();
		printf("end\n");
		fflush(stdout);
	}
	ctr_agentx_stop();
	IMPORTED_MODULE.fini();
	printf("end\n");
	return 0;
}
