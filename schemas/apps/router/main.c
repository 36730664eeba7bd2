/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * A router that forwards made-up IPv4 packets in a few threads and counts with
 * the statistics of router.yaml. The main thread is the control plane: it reads
 * statistics and changes the state of interfaces.
 *
 * In the end every value is compared with what the packet generator knows it
 * made. The traffic is random but the same each time, so the table printed is,
 * too.
 *
 * The same source runs on the posix and the dpdk port, see meson.build.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "router_stats.h"

#define WORKERS 4u
#define POLLS 15000u
#define BURST_SIZE 32u
#define INTERFACES 8u
#define NEXT_HOPS 64u
#define NO_ROUTE UINT16_MAX
#define IP_HEADER 20u

/** What the generator made a packet for. */
enum intent { FORWARD, BAD_HEADER, NO_SUCH_ROUTE, TTL_EXPIRED, MISROUTED, INTENTS };

/** A received packet. */
struct packet {
	uint8_t ip[IP_HEADER];	/**< IPv4 header, network byte order */
	uint16_t size;		/**< octets on the wire */
};

/** A route: 10.N.0.0/16 leads to a next hop through an interface. */
struct route {
	uint16_t next_hop;
	uint16_t interface;
};

/** Packets and octets. */
struct tally {
	uint64_t pkts;
	uint64_t bytes;
};

/** What one worker was given, counted without the statistics. */
struct worker {
	uint32_t queue;
	uint64_t random;
	uint64_t polls[INTERFACES];
	uint64_t empty_polls[INTERFACES];
	struct tally in[INTERFACES];
	struct tally out[INTERFACES];
	struct tally next_hop[NEXT_HOPS];
	uint64_t intent[INTERFACES][INTENTS];
};

static struct worker workers[WORKERS];
static struct route routes[256];	/* by second octet of the destination */
static uint32_t status_changes;

/* Packet generator. */

static uint16_t
ip_checksum(const uint8_t *ip)
{
	uint32_t sum = 0;
	unsigned int i;

	for (i = 0; i < IP_HEADER; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/** Make a packet of a kind, to a random destination. */
static void
generate(struct worker *w, struct packet *packet, enum intent intent)
{
	const uint32_t network = intent == NO_SUCH_ROUTE ? 128 + app_random(&w->random, 128) :
			intent == MISROUTED ? NEXT_HOPS : app_random(&w->random, NEXT_HOPS);
	uint16_t checksum;

	packet->size = (uint16_t)(64 + app_random(&w->random, 1437));
	memset(packet->ip, 0, sizeof(packet->ip));
	packet->ip[0] = 0x45;
	packet->ip[2] = (uint8_t)(packet->size >> 8);
	packet->ip[3] = (uint8_t)packet->size;
	packet->ip[8] = (uint8_t)(intent == TTL_EXPIRED ? 1 : 64);
	packet->ip[16] = 10;
	packet->ip[17] = (uint8_t)network;
	packet->ip[19] = (uint8_t)app_random(&w->random, 256);
	checksum = ip_checksum(packet->ip);
	if (intent == BAD_HEADER)
		checksum ^= 0x5555;
	packet->ip[10] = (uint8_t)(checksum >> 8);
	packet->ip[11] = (uint8_t)checksum;
}

/** Fill a burst, note what was made. Returns the octets in it. */
static uint32_t
receive(struct worker *w, uint32_t interface, struct packet *burst, uint32_t n)
{
	uint32_t bytes = 0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t chance = app_random(&w->random, 100);
		enum intent intent = chance < 95 ? FORWARD : (enum intent)(chance - 95);

		generate(w, &burst[i], intent);
		bytes += burst[i].size;
		w->intent[interface][intent]++;
		if (intent == FORWARD) {
			const struct route *route = &routes[burst[i].ip[17]];

			w->out[route->interface].pkts++;
			w->out[route->interface].bytes += burst[i].size;
			w->next_hop[route->next_hop].pkts++;
			w->next_hop[route->next_hop].bytes += burst[i].size;
		}
	}
	w->in[interface].pkts += n;
	w->in[interface].bytes += bytes;
	return bytes;
}

/* Forwarding: runs in the workers. */

static void
forward(struct router_stats_batch *batch, uint32_t interface, struct packet *packet)
{
	const struct route *route = &routes[packet->ip[17]];

	if (packet->ip[0] != 0x45 || ip_checksum(packet->ip) != 0) {
		router_stats_update_drop_bad_header(interface);
		return;
	}
	if (packet->ip[16] != 10 || route->next_hop == NO_ROUTE) {
		router_stats_update_drop_no_route(interface);
		return;
	}
	if (packet->ip[8] <= 1) {
		router_stats_update_drop_ttl(interface);
		return;
	}
	packet->ip[8]--;
	router_stats_batch_forward(batch, route->interface, route->next_hop, packet->size);
}

static void
poll_queue(struct worker *w, uint32_t interface)
{
	struct packet burst[BURST_SIZE];
	struct router_stats_batch batch;
	uint32_t n = app_random(&w->random, 4) == 0 ? 0 : 1 + app_random(&w->random, BURST_SIZE);
	uint32_t bytes;
	uint32_t i;

	w->polls[interface]++;
	if (n == 0) {
		w->empty_polls[interface]++;
		router_stats_update_idle(interface, w->queue);
		router_stats_burst_end();
		return;
	}

	bytes = receive(w, interface, burst, n);
	router_stats_update_receive(interface, w->queue, (uint16_t)n, bytes, (uint16_t)(n - 1));
	router_stats_batch_begin(&batch);
	for (i = 0; i < n; i++)
		forward(&batch, interface, &burst[i]);
	router_stats_batch_end(&batch);
	router_stats_burst_end();
}

static void
worker_main(void *arg)
{
	struct worker *w = arg;
	unsigned int i;

	for (i = 0; i < POLLS; i++)
		poll_queue(w, i % INTERFACES);
	/* The last poll of every queue is of an empty one. */
	for (i = 0; i < INTERFACES; i++) {
		w->polls[i]++;
		w->empty_polls[i]++;
		router_stats_update_idle(i, w->queue);
	}
	router_stats_flush();
}

/* Control plane: runs in the main thread, which has no lcore id. */

/** A packet that is sent to a neighbour has 64 to 1500 octets: so has any consistent pair. */
static void
check_pair(uint32_t next_hop, const struct router_stats_next_hop *now)
{
	app_check("plausible next hop", next_hop,
			now->bytes >= now->pkts * 64 && now->bytes <= now->pkts * 1500, 1);
}

static void
control(void)
{
	const uint32_t port = INTERFACES - 1;
	struct router_stats_interface interface;
	struct router_stats_next_hop next_hop;
	enum router_stats_interface_oper_status status;
	uint32_t i;

	for (i = 0; i < NEXT_HOPS; i++)
		if (app_read(router_stats_next_hop_read(i, &next_hop), "next_hop read"))
			check_pair(i, &next_hop);

	status_changes++;
	if (status_changes % 2 == 0) {
		status = ROUTER_STATS_INTERFACE_OPER_STATUS_UP;
		router_stats_update_link_up(port, status_changes);
	} else {
		status = ROUTER_STATS_INTERFACE_OPER_STATUS_DOWN;
		router_stats_update_link_down(port, status_changes);
	}
	router_stats_flush();
	app_read(router_stats_interface_read(port, &interface), "interface read");
	app_check("oper_status of interface", port, (uint64_t)interface.oper_status,
			(uint64_t)status);
	app_check("last_change of interface", port, interface.last_change, status_changes);
}

/** Configure interfaces, neighbours and routes. */
static void
configure(void)
{
	uint8_t mac[6] = { 0x02, 0, 0, 0, 0, 0 };
	uint8_t address[16] = { 0xfe, 0x80 };
	char name[16];
	uint32_t i;

	router_stats_set_host_name("router1.example.net");
	router_stats_set_forwarding(true);
	for (i = 0; i < INTERFACES; i++) {
		snprintf(name, sizeof(name), "eth%" PRIu32, i);
		mac[5] = (uint8_t)i;
		address[15] = (uint8_t)(i + 1);
		router_stats_interface_set_name(i, name);
		router_stats_interface_set_mac(i, mac);
		router_stats_interface_set_address(i, address);
		router_stats_interface_set_speed(i, 10000);
		router_stats_interface_set_oper_status(i, ROUTER_STATS_INTERFACE_OPER_STATUS_UP);
		router_stats_interface_set_mtu(i, 1500);
		router_stats_interface_set_temperature(i, -5 + (int32_t)i);
	}
	for (i = 0; i < 256; i++)
		routes[i].next_hop = NO_ROUTE;
	for (i = 0; i < NEXT_HOPS; i++) {
		routes[i].next_hop = (uint16_t)i;
		routes[i].interface = (uint16_t)(i % INTERFACES);
		router_stats_next_hop_set_reachable(i, true);
		router_stats_add_routes(1);
	}
	/* A faulty route, through an interface that cannot be: `bounds: drop` ignores
	 * updates with such an index, and router_stats_drops() counts them. */
	routes[NEXT_HOPS].next_hop = 0;
	routes[NEXT_HOPS].interface = ROUTER_STATS_INTERFACE_MAX;
	router_stats_flush();
}

/* Comparison of the statistics with what the generator made. */

/** How many packets of a kind were made, on one interface or on all. */
static uint64_t
made(uint32_t first, uint32_t last, enum intent intent)
{
	uint64_t sum = 0;
	uint32_t i, w;

	for (w = 0; w < WORKERS; w++)
		for (i = first; i <= last; i++)
			sum += workers[w].intent[i][intent];
	return sum;
}

static void
check_interface(uint32_t i)
{
	struct router_stats_interface interface;
	struct router_stats_queue queue;
	struct tally in = { 0, 0 }, out = { 0, 0 };
	uint32_t w;

	for (w = 0; w < WORKERS; w++) {
		in.pkts += workers[w].in[i].pkts;
		in.bytes += workers[w].in[i].bytes;
		out.pkts += workers[w].out[i].pkts;
		out.bytes += workers[w].out[i].bytes;
		app_read(router_stats_queue_read(i, w, &queue), "queue read");
		app_check("pkts of queue", w, queue.pkts, workers[w].in[i].pkts);
		app_check("polls of queue", w, queue.polls, workers[w].polls[i]);
		app_check("empty_polls of queue", w, queue.empty_polls, workers[w].empty_polls[i]);
		app_check("depth of queue", w, queue.depth, 0);
	}
	app_read(router_stats_interface_read(i, &interface), "interface read");
	app_check("in_pkts of interface", i, interface.in_pkts, in.pkts);
	app_check("in_bytes of interface", i, interface.in_bytes, in.bytes);
	app_check("in_errors of interface", i, interface.in_errors, made(i, i, BAD_HEADER));
	app_check("in_discards of interface", i, interface.in_discards,
			made(i, i, NO_SUCH_ROUTE) + made(i, i, TTL_EXPIRED));
	app_check("out_pkts of interface", i, interface.out_pkts, out.pkts);
	app_check("out_bytes of interface", i, interface.out_bytes, out.bytes);
	app_check("speed of interface", i, interface.speed, 10000);
	app_check("mtu of interface", i, interface.mtu, 1500);
	app_check("temperature of interface", i, (uint64_t)(interface.temperature + 5), i);
	app_check("mac of interface", i, interface.mac[5], i);
	app_check("address of interface", i, interface.address[15], i + 1);

	printf("  %-5s in %8" PRIu64 " packets %12" PRIu64 " bytes  errors %5" PRIu32
			"  discards %5" PRIu32 "  out %8" PRIu64 " packets %12" PRIu64 " bytes\n",
			interface.name, interface.in_pkts, interface.in_bytes, interface.in_errors,
			interface.in_discards, interface.out_pkts, interface.out_bytes);
}

static void
check_next_hop(uint32_t i)
{
	struct router_stats_next_hop next_hop;
	struct tally sum = { 0, 0 };
	uint32_t w;

	for (w = 0; w < WORKERS; w++) {
		sum.pkts += workers[w].next_hop[i].pkts;
		sum.bytes += workers[w].next_hop[i].bytes;
	}
	app_read(router_stats_next_hop_read(i, &next_hop), "next_hop read");
	app_check("pkts of next hop", i, next_hop.pkts, sum.pkts);
	app_check("bytes of next hop", i, next_hop.bytes, sum.bytes);
	app_check("reachable next hop", i, next_hop.reachable, true);
}

static void
check_global(void)
{
	const uint32_t last = INTERFACES - 1;
	struct router_stats_global global;

	app_read(router_stats_global_read(&global), "global read");
	app_check("forwarded_pkts", 0, global.forwarded_pkts, made(0, last, FORWARD));
	app_check("drop_bad_header", 0, global.drop_bad_header, made(0, last, BAD_HEADER));
	app_check("drop_no_route", 0, global.drop_no_route, made(0, last, NO_SUCH_ROUTE));
	app_check("drop_ttl", 0, global.drop_ttl, made(0, last, TTL_EXPIRED));
	app_check("drops", 0, router_stats_drops(), made(0, last, MISROUTED));
	app_check("routes", 0, global.routes, NEXT_HOPS);
	app_check("host_name", 0, (uint64_t)strcmp(global.host_name, "router1.example.net"), 0);

	printf("  forwarded %" PRIu64 "; dropped %" PRIu64 " broken, %" PRIu64
			" without route, %" PRIu64 " of expired TTL; %" PRIu64
			" not counted for a faulty index\n", global.forwarded_pkts,
			global.drop_bad_header, global.drop_no_route, global.drop_ttl,
			router_stats_drops());
}

int
main(int argc, char **argv)
{
	uint32_t i;

	app_start(argc, argv);
	app_must(router_stats_init(), "router_stats_init");
	configure();

	for (i = 0; i < WORKERS; i++) {
		workers[i].queue = i;
		workers[i].random = 1181783497276652981u + i;
	}
	app_run(worker_main, workers, sizeof(workers[0]), WORKERS, control);

	printf("%s: %u interfaces, %u workers\n", router_stats_module.name, INTERFACES, WORKERS);
	for (i = 0; i < INTERFACES; i++)
		check_interface(i);
	check_global();
	for (i = 0; i < NEXT_HOPS; i++)
		check_next_hop(i);

	router_stats_fini();
	app_stop();
	return app_verdict();
}
