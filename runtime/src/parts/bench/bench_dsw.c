/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets through the DSW event device, which keeps a flow on one lcore until it is moved. */
#include <rte_eventdev.h>

#include "bench.h"

#define DEVICE 0
#define QUEUE 0
#define EVENTS 16
#define IN_FLIGHT 4096

/* The producer's port, after the ports of all possible workers. */
static uint8_t producer;
static bool configured;
static uint32_t dsw_next;

static int
set_up_port(uint8_t port)
{
	struct rte_event_port_conf conf;
	int rc;

	rc = rte_event_port_default_conf_get(DEVICE, port, &conf);
	if (rc != 0)
		return rc;
	conf.new_event_threshold = IN_FLIGHT / 2;
	return rte_event_port_setup(DEVICE, port, &conf);
}

/* Once: the device never frees the resources of ports. */
static int
configure(void)
{
	struct rte_event_queue_conf queue = {
		.schedule_type = RTE_SCHED_TYPE_ATOMIC,
		.priority = RTE_EVENT_DEV_PRIORITY_NORMAL,
		.nb_atomic_flows = 1024,
		.nb_atomic_order_sequences = 1024,
	};
	struct rte_event_dev_info info;
	struct rte_event_dev_config conf;
	uint8_t port;
	int rc;

	if (rte_event_dev_count() == 0)
		return -ENODEV;
	rc = rte_event_dev_info_get(DEVICE, &info);
	if (rc != 0)
		return rc;
	/* One for each lcore that there is, and the producer's. */
	producer = (uint8_t)(RTE_MIN(rte_lcore_count(), (unsigned int)info.max_event_ports) - 1);
	conf = (struct rte_event_dev_config){
		.nb_event_queues = 1,
		.nb_event_ports = (uint8_t)(producer + 1),
		.nb_events_limit = IN_FLIGHT,
		.nb_event_queue_flows = info.max_event_queue_flows,
		.nb_event_port_dequeue_depth = info.max_event_port_dequeue_depth,
		.nb_event_port_enqueue_depth = info.max_event_port_enqueue_depth,
	};
	rc = rte_event_dev_configure(DEVICE, &conf);
	if (rc == 0)
		rc = rte_event_queue_setup(DEVICE, QUEUE, &queue);
	for (port = 0; port <= producer && rc == 0; port++)
		rc = set_up_port(port);
	configured = rc == 0;
	return rc;
}

/* Flows go to the ports that are linked to the queue: those of the workers of this run. */
static int
dsw_setup(struct bench_run *run)
{
	unsigned int workers = run->o->workers;
	uint8_t queue = QUEUE, port;
	int rc = configured ? 0 : configure();

	if (rc == 0 && workers > producer)
		return -ERANGE;
	for (port = 0; rc == 0 && port < producer; port++) {
		(void)rte_event_port_unlink(DEVICE, port, &queue, 1);
		if (port < workers && rte_event_port_link(DEVICE, port, &queue, NULL, 1) != 1)
			rc = -EINVAL;
	}
	dsw_next = 0;
	return rc == 0 ? rte_event_dev_start(DEVICE) : rc;
}

/* The event device migrates flows of a port only while the port is called. */
static void
dsw_drain(struct bench_run *run)
{
	(void)run;
	(void)rte_event_enqueue_burst(DEVICE, producer, NULL, 0);
	(void)rte_event_maintain(DEVICE, producer, RTE_EVENT_DEV_MAINT_OP_FLUSH);
	ctr_pause();
}

static void
dsw_produce(struct bench_run *run)
{
	const struct ctr_bench_traffic *t = run->traffic;
	struct rte_event events[EVENTS];
	unsigned int i, sent;

	for (i = 0; i < EVENTS; i++) {
		uint32_t place = (dsw_next + i) & (t->count - 1);

		events[i] = (struct rte_event){
			.op = RTE_EVENT_OP_NEW,
			.queue_id = QUEUE,
			.sched_type = RTE_SCHED_TYPE_ATOMIC,
			.flow_id = t->flow[place] & 0xfffff,
			.u64 = place,
		};
	}
	sent = rte_event_enqueue_new_burst(DEVICE, producer, events, EVENTS);
	dsw_next += sent;
	__atomic_fetch_add(&run->produced, sent, __ATOMIC_RELAXED);
	if (sent == 0)
		ctr_yield();
}

static void
dsw_work(struct bench_run *run, unsigned int number)
{
	struct bench_worker *worker = &run->worker[number];
	unsigned int idle = 0;

	while (bench_phase(run) != BENCH_STOP) {
		struct rte_event events[CTR_BENCH_BURST];
		uint32_t place[CTR_BENCH_BURST];
		uint16_t n, i;

		n = rte_event_dequeue_burst(DEVICE, (uint8_t)number, events, CTR_BENCH_BURST, 0);
		for (i = 0; i < n; i++)
			place[i] = (uint32_t)events[i].u64;
		if (n != 0)
			bench_scattered(run, worker, place, n);
		else
			ctr_spin_wait(&idle);
		for (i = 0; i < n; i++)
			events[i].op = RTE_EVENT_OP_RELEASE;
		if (n != 0)
			(void)rte_event_enqueue_burst(DEVICE, (uint8_t)number, events, n);
	}
}

static void
dsw_teardown(struct bench_run *run)
{
	(void)run;
	rte_event_dev_stop(DEVICE);
}

const struct bench_via bench_via_dsw = {
	dsw_setup,
	dsw_produce,
	dsw_drain,
	dsw_work,
	dsw_teardown,
};
