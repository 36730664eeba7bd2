/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "ctr_telemetry_answer.h"

static int
read_number(const struct ctr_key_part *part, const char *text, size_t length, uint8_t *out)
{
	const bool narrow = part->type == CTR_KEY_PORT;
	const uint64_t wide = part->type == CTR_KEY_INT32 ? INT32_MAX : UINT32_MAX;
	uint64_t value;
	uint16_t port;
	uint32_t number;

	if (!ctr_words_whole(text, length, narrow ? UINT16_MAX : wide, &value))
		return -EINVAL;
	port = (uint16_t)value;
	number = (uint32_t)value;
	memcpy(out, narrow ? (const void *)&port : &number, narrow ? sizeof(port) : sizeof(number));
	return 0;
}

static int
read_label(const struct ctr_key_part *part, const char *text, uint8_t *out)
{
	unsigned int i;

	for (i = 0; i < part->num_labels; i++) {
		if (strcmp(part->labels[i].name, text) == 0) {
			memcpy(out, &part->labels[i].value, sizeof(part->labels[i].value));
			return 0;
		}
	}
	return -EINVAL;
}

static int
read_address(const char *text, uint8_t *out)
{
	struct ctr_ip_address address;

	memset(&address, 0, sizeof(address));
	if (inet_pton(AF_INET, text, address.octets) == 1)
		address.type = CTR_IP_V4;
	else if (inet_pton(AF_INET6, text, address.octets) == 1)
		address.type = CTR_IP_V6;
	else
		return -EINVAL;
	memcpy(out, &address, sizeof(address));
	return 0;
}

/* Octets as hexadecimal digits, with `between` between each two, or 0. */
static int
read_octets(const char *text, char between, uint8_t *out, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const int high = ctr_words_digit(text[0]);
		const int low = high >= 0 ? ctr_words_digit(text[1]) : -1;

		if (low < 0)
			return -EINVAL;
		out[i] = (uint8_t)(high * 16 + low);
		text += 2;
		if (between != '\0' && i + 1 < count && *text++ != between)
			return -EINVAL;
	}
	return *text == '\0' ? 0 : -EINVAL;
}

int
ctr_telemetry_part(const struct ctr_key_part *part, const char *text, size_t length, void *key)
{
	uint8_t *out = (uint8_t *)key + part->offset;

	if (strlen(text) != length)
		return -EINVAL;
	switch (part->type) {
	case CTR_KEY_UINT32:
	case CTR_KEY_INT32:
	case CTR_KEY_PORT:
		return read_number(part, text, length, out);
	case CTR_KEY_ENUM:
		return read_label(part, text, out);
	case CTR_KEY_IPV4:
		return inet_pton(AF_INET, text, out) == 1 ? 0 : -EINVAL;
	case CTR_KEY_IPV6:
		return inet_pton(AF_INET6, text, out) == 1 ? 0 : -EINVAL;
	case CTR_KEY_IP:
		return read_address(text, out);
	case CTR_KEY_MAC:
		return read_octets(text, ':', out, part->size);
	case CTR_KEY_OCTETS:
		return read_octets(text, '\0', out, part->size);
	case CTR_KEY_STRING:
	default:
		if (length == 0 || length >= part->size)
			return -EINVAL;
		memcpy(out, text, length);
		return 0;
	}
}
