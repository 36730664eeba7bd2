/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * The Example Protocol (EP): what a packet looks like, and the classifier.
 *
 * EP is made up for the example. It runs over UDP and IPv4, on port 32473. A
 * datagram holds one EP packet: a header of 16 octets, all fields in network
 * byte order, and a payload.
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     +-------------------------------+---------------+---------------+
 *     |         magic = 0x4550        |  version = 1  |     type      |
 *     +-------------------------------+---------------+---------------+
 *     |                           session id                          |
 *     +---------------------------------------------------------------+
 *     |                        sequence number                        |
 *     +-------------------------------+-------------------------------+
 *     |         payload length        |            reserved           |
 *     +-------------------------------+-------------------------------+
 *
 * A session is opened, carries data, and is closed. Opening an open session or
 * closing a closed one changes nothing. The size of an EP packet is the header
 * plus the payload. A packet is malformed when its magic, version or type is
 * unknown, when it is shorter than its header, or when the payload length is
 * not what the datagram holds. Session ids are 0..999; a well-formed packet of
 * any other id belongs to an unknown session.
 */
#ifndef EP_PROTO_H
#define EP_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>

#define EP_UDP_PORT 32473
#define EP_MAGIC 0x4550
#define EP_VERSION 1
#define EP_SESSIONS 1000u

enum ep_type {
	EP_TYPE_OPEN = 1,
	EP_TYPE_DATA = 2,
	EP_TYPE_CLOSE = 3,
};

/** The header; frames put it on any even address. */
struct ep_hdr {
	rte_be16_t magic;
	uint8_t version;
	uint8_t type;
	rte_be32_t session;
	rte_be32_t sequence;
	rte_be16_t payload_len;
	rte_be16_t reserved;
} __attribute__((packed, aligned(2)));

/** Result of the classification of a frame. */
enum ep_verdict {
	EP_PACKET,		/**< an EP packet of a known session */
	EP_OTHER,		/**< not EP at all */
	EP_MALFORMED,		/**< sent to the EP port, but broken */
	EP_UNKNOWN_SESSION,	/**< well-formed, session id out of range */
	EP_VERDICTS
};

/** The fields of a frame that the statistics use. */
struct ep_packet {
	uint32_t flow;		/**< hash of addresses and ports; 0 when not IPv4 and UDP */
	uint32_t session;	/**< session id */
	uint16_t size;		/**< octets of the EP packet, header included */
	uint8_t type;		/**< enum ep_type */
};

/** A hash of addresses and ports, never 0; packets of one UDP flow have the same. */
static inline uint32_t
ep_flow_hash(const struct rte_ipv4_hdr *ip, const struct rte_udp_hdr *udp)
{
	uint32_t key = ip->src_addr ^ ip->dst_addr ^
		((uint32_t)udp->src_port << 16 | udp->dst_port);

	key ^= key >> 16;
	key *= UINT32_C(0x7feb352d);
	key ^= key >> 15;
	key *= UINT32_C(0x846ca68b);
	key ^= key >> 16;
	return key == 0 ? 1 : key;
}

/**
 * Find the UDP header of a frame.
 *
 * @return
 *   The header, or NULL unless the first segment of the frame holds Ethernet,
 *   the whole of an unfragmented IPv4 packet, and in it a UDP header. Then
 *   `*ip_hdr` is the IPv4 header and `*len` the octets behind the UDP header.
 */
static inline const struct rte_udp_hdr *
ep_find_udp(const struct rte_mbuf *m, const struct rte_ipv4_hdr **ip_hdr, size_t *len)
{
	const struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, const struct rte_ether_hdr *);
	const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *)(eth + 1);
	size_t held = rte_pktmbuf_data_len(m);
	size_t ip_len, hdr_len;

	if (held < sizeof(*eth) + sizeof(*ip) ||
			eth->ether_type != rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4))
		return NULL;

	held -= sizeof(*eth);
	ip_len = rte_be_to_cpu_16(ip->total_length);
	hdr_len = (size_t)(ip->version_ihl & 0x0f) * 4;
	if (ip->version_ihl >> 4 != 4 || hdr_len < sizeof(*ip) || ip_len > held ||
			ip_len < hdr_len + sizeof(struct rte_udp_hdr) ||
			ip->next_proto_id != IPPROTO_UDP ||
			(ip->fragment_offset & rte_cpu_to_be_16(0x3fff)) != 0)
		return NULL;

	*ip_hdr = ip;
	*len = ip_len - hdr_len - sizeof(struct rte_udp_hdr);
	return (const struct rte_udp_hdr *)((const uint8_t *)ip + hdr_len);
}

/** Classify a frame: fills in `*packet`, all of it when the verdict is EP_PACKET. */
static inline enum ep_verdict
ep_classify(const struct rte_mbuf *m, struct ep_packet *packet)
{
	const struct rte_ipv4_hdr *ip = NULL;
	const struct rte_udp_hdr *udp;
	const struct ep_hdr *ep;
	size_t len = 0;

	packet->flow = 0;
	udp = ep_find_udp(m, &ip, &len);
	if (udp == NULL)
		return EP_OTHER;

	packet->flow = ep_flow_hash(ip, udp);
	if (udp->dst_port != rte_cpu_to_be_16(EP_UDP_PORT))
		return EP_OTHER;

	ep = (const struct ep_hdr *)(udp + 1);
	if (len < sizeof(*ep) || len + sizeof(*udp) != rte_be_to_cpu_16(udp->dgram_len) ||
			ep->magic != rte_cpu_to_be_16(EP_MAGIC) || ep->version != EP_VERSION ||
			ep->type < EP_TYPE_OPEN || ep->type > EP_TYPE_CLOSE ||
			len != sizeof(*ep) + rte_be_to_cpu_16(ep->payload_len))
		return EP_MALFORMED;

	packet->session = rte_be_to_cpu_32(ep->session);
	packet->size = (uint16_t)len;
	packet->type = ep->type;
	return packet->session < EP_SESSIONS ? EP_PACKET : EP_UNKNOWN_SESSION;
}

#endif
