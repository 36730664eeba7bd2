/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_ethdev.h>

#include "ctr_control.h"
#include "ctr_device.h"
#include "ctr_peak.h"

/* Extended statistics in a call of DPDK. */
#define BATCH 64u

/* The name of an extended statistic, and its number. */
struct name {
	char text[RTE_ETH_XSTATS_NAME_SIZE];
	uint64_t id;
};

/* The names of a port, sorted, and by what one sees that they may be others now. */
struct names {
	struct name *name;
	unsigned int count;
	char device[RTE_ETH_NAME_MAX_LEN];
	uint16_t rx_queues;
	uint16_t tx_queues;
	bool current;
	uint32_t number; /* Of the device; 0: there was none when it was last looked at. */
};

/* Items of an instance that are extended statistics. */
struct batch {
	const struct ctr_item *item[BATCH];
	uint64_t id[BATCH];
	unsigned int count;
};

static struct ctr_control names_lock = CTR_CONTROL_INITIALIZER;
static struct names ports[RTE_MAX_ETHPORTS];
/* The last number that was given to a device. */
static uint32_t devices;

static const struct {
	const char *name;
	size_t offset;
} basic[] = {
	{ "ipackets", offsetof(struct rte_eth_stats, ipackets) },
	{ "opackets", offsetof(struct rte_eth_stats, opackets) },
	{ "ibytes", offsetof(struct rte_eth_stats, ibytes) },
	{ "obytes", offsetof(struct rte_eth_stats, obytes) },
	{ "imissed", offsetof(struct rte_eth_stats, imissed) },
	{ "ierrors", offsetof(struct rte_eth_stats, ierrors) },
	{ "oerrors", offsetof(struct rte_eth_stats, oerrors) },
	{ "rx_nombuf", offsetof(struct rte_eth_stats, rx_nombuf) },
};

/* Fields by queue, as DPDK calls the extended statistics with the same values: the fields have few
 * queues, hold 0 where a driver lacks them, and leave DPDK. */
static const struct {
	const char *name;
	const char *begin;
	const char *end;
} queues[] = {
	{ "q_ipackets[", "rx_q", "_packets" },
	{ "q_opackets[", "tx_q", "_packets" },
	{ "q_ibytes[", "rx_q", "_bytes" },
	{ "q_obytes[", "tx_q", "_bytes" },
	{ "q_errors[", "rx_q", "_errors" },
};

static int
compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* The names of a port, looked up again if it is another device or has other statistics now; without
 * memory, or if it changes during the call, there are none. */
static const struct names *
names_of(uint16_t port)
{
	struct names *names = &ports[port];
	struct rte_eth_xstat_name *found;
	struct rte_eth_dev_info info;
	int count;

	if (rte_eth_dev_info_get(port, &info) != 0)
		return NULL;
	count = rte_eth_xstats_get_names(port, NULL, 0);
	if (names->current && names->rx_queues == info.nb_rx_queues &&
	    names->tx_queues == info.nb_tx_queues && (int)names->count == count)
		return names;
	names->rx_queues = info.nb_rx_queues;
	names->tx_queues = info.nb_tx_queues;
	names->current = true;
	names->count = 0;
	free(names->name);
	names->name = count > 0 ? calloc((size_t)count, sizeof(*names->name)) : NULL;
	found = count > 0 ? calloc((size_t)count, sizeof(*found)) : NULL;
	if (found != NULL && names->name != NULL &&
	    rte_eth_xstats_get_names(port, found, (unsigned int)count) == count) {
		for (int i = 0; i < count; i++) {
			memcpy(names->name[i].text, found[i].name, sizeof(found[i].name) - 1);
			names->name[i].id = (uint64_t)i;
		}
		names->count = (unsigned int)count;
		qsort(names->name, names->count, sizeof(*names->name), compare_names);
	}
	free(found);
	return names;
}

static void
store(const struct ctr_item *item, uint64_t value, void *values)
{
	uint8_t *to = (uint8_t *)values;
	uint32_t narrow;

	if (item->kind == CTR_GAUGE)
		value = ctr_bound(value, item->minimum, item->maximum);
	narrow = (uint32_t)value;
	memcpy(to + item->offset, item->type == CTR_U32 ? (const void *)&narrow : &value,
	       item->size);
	*(bool *)(to + item->available) = true;
}

static void
read_batch(uint16_t port, struct batch *batch, void *values)
{
	uint64_t value[BATCH];

	if (batch->count > 0 &&
	    rte_eth_xstats_get_by_id(port, batch->id, value, batch->count) == (int)batch->count)
		for (unsigned int i = 0; i < batch->count; i++)
			store(batch->item[i], value[i], values);
	batch->count = 0;
}

/* Write out what a statistic is called, with "{0}" for the first index; false if it is too long. */
static bool
expand(const char *statistic, const char *const *const *labels, const uint32_t *index,
       char name[RTE_ETH_XSTATS_NAME_SIZE])
{
	size_t used = 0;
	int wide;

	for (; *statistic != '\0' && used < RTE_ETH_XSTATS_NAME_SIZE - 1; statistic++) {
		unsigned long level;
		char *end;

		if (*statistic != '{') {
			name[used++] = *statistic;
			continue;
		}
		level = strtoul(statistic + 1, &end, 10);
		if (labels != NULL && labels[level] != NULL)
			wide = snprintf(name + used, RTE_ETH_XSTATS_NAME_SIZE - used, "%s",
					labels[level][index[level]]);
		else
			wide = snprintf(name + used, RTE_ETH_XSTATS_NAME_SIZE - used, "%" PRIu32,
					index[level]);
		used += (size_t)wide;
		statistic = end;
	}
	name[used < RTE_ETH_XSTATS_NAME_SIZE ? used : RTE_ETH_XSTATS_NAME_SIZE - 1] = '\0';
	return *statistic == '\0' && used < RTE_ETH_XSTATS_NAME_SIZE;
}

/* Where the basic statistic of that name is; NULL if it is an extended one. */
static const uint64_t *
basic_of(const struct rte_eth_stats *stats, const char *name)
{
	for (unsigned int i = 0; i < sizeof(basic) / sizeof(basic[0]); i++)
		if (strcmp(basic[i].name, name) == 0)
			return (const uint64_t *)(const void *)((const char *)stats +
								basic[i].offset);
	return NULL;
}

/* Call a field by queue what the extended statistic is called. */
static void
extend(char name[RTE_ETH_XSTATS_NAME_SIZE])
{
	unsigned long queue;
	char *end;

	for (unsigned int i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		const size_t length = strlen(queues[i].name);

		if (strncmp(name, queues[i].name, length) != 0)
			continue;
		queue = strtoul(name + length, &end, 10);
		if (end != name + length && strcmp(end, "]") == 0) {
			snprintf(name, RTE_ETH_XSTATS_NAME_SIZE, "%s%lu%s", queues[i].begin,
				 queue, queues[i].end);
			return;
		}
	}
}

/* Put an extended statistic into the batch, if the port has it. */
static void
add_name(const struct names *names, const struct ctr_item *item, const char *text,
	 struct batch *batch)
{
	const struct name *found;
	struct name wanted;

	if (names == NULL || names->count == 0)
		return;
	memset(&wanted, 0, sizeof(wanted));
	memcpy(wanted.text, text, strlen(text));
	extend(wanted.text);
	found = bsearch(&wanted, names->name, names->count, sizeof(wanted), compare_names);
	if (found == NULL)
		return;
	batch->item[batch->count] = item;
	batch->id[batch->count++] = found->id;
}

/* Which device is at a port: its number, or 0 for none. */
static uint32_t
device_at(uint32_t port)
{
	char device[RTE_ETH_NAME_MAX_LEN] = "";
	struct names *names;

	if (port >= RTE_MAX_ETHPORTS)
		return 0;
	names = &ports[port];
	if (!rte_eth_dev_is_valid_port((uint16_t)port) ||
	    rte_eth_dev_get_name_by_port((uint16_t)port, device) != 0) {
		names->number = 0;
		return 0;
	}
	if (names->number == 0 || strcmp(names->device, device) != 0) {
		memcpy(names->device, device, sizeof(device));
		names->number = ++devices;
		names->current = false;
	}
	return names->number;
}

uint32_t
ctr_device_read(const struct ctr_item *items, unsigned int count, const char *const *const *labels,
		uint32_t port, const uint32_t *index, void *values)
{
	const struct names *names = NULL;
	struct rte_eth_stats stats;
	struct batch batch;
	bool asked = false, has_basic;
	uint32_t device;

	ctr_control_hold(&names_lock);
	device = device_at(port);
	if (device == 0) {
		ctr_control_release(&names_lock);
		return 0;
	}
	memset(&stats, 0, sizeof(stats));
	has_basic = rte_eth_stats_get((uint16_t)port, &stats) == 0;
	batch.count = 0;
	for (unsigned int i = 0; i < count; i++) {
		char name[RTE_ETH_XSTATS_NAME_SIZE];
		const uint64_t *field;

		if (items[i].source != CTR_DEVICE ||
		    !expand(items[i].statistic, labels, index, name))
			continue;
		field = basic_of(&stats, name);
		if (field != NULL) {
			if (has_basic)
				store(&items[i], *field, values);
			continue;
		}
		if (!asked)
			names = names_of((uint16_t)port);
		asked = true;
		add_name(names, &items[i], name, &batch);
		if (batch.count == BATCH)
			read_batch((uint16_t)port, &batch, values);
	}
	read_batch((uint16_t)port, &batch, values);
	ctr_control_release(&names_lock);
	return device;
}

void
ctr_device_lock(void)
{
	ctr_control_hold(&names_lock);
}

void
ctr_device_unlock(void)
{
	for (unsigned int i = 0; i < RTE_MAX_ETHPORTS; i++)
		ports[i].current = false;
	ctr_control_release(&names_lock);
}
