/* SPDX-License-Identifier: BSD-3-Clause */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <string.h>
#include <time.h>

#include "ctr.h"
#include "ctr_agentx_serve.h"

bool
ctr_agentx_has(const struct ctr_agentx_source *source, const struct ctr_agentx_object *object,
		const struct ctr_agentx_values *values)
{
	const struct ctr_item *item;
	unsigned int i;
	int32_t state;

	if (object->syntax >= CTR_AGENTX_INDEX_INTEGER || object->syntax == CTR_AGENTX_JUMP)
		return true;
	item = &source->scope->items[object->item];
	if (!ctr_item_available(item, values->value))
		return false;
	if (object->syntax != CTR_AGENTX_INTEGER)
		return true;
	if (item->type != CTR_ENUM)
		return true;
	memcpy(&state, values->value + item->offset, sizeof(state));
	for (i = 0; i < item->num_labels; i++) {
		if (item->labels[i].value == state)
			return true;
	}
	return false;
}

static long
clamped(const struct ctr_item *item, uint64_t n)
{
	if (item->type == CTR_I32 || item->type == CTR_ENUM)
		return (long)(int64_t)n;
	return n > INT32_MAX ? INT32_MAX : (long)n;
}

/* sysUpTime of a point in time; 0 if that was before the master started, or the machine. */
static u_long
ticks_of(uint64_t when, uint64_t zero_ns)
{
	const u_long now = netsnmp_get_agent_uptime();
	u_long ticks;

	if (when == 0 || (int64_t)(when - zero_ns) <= 0)
		return 0;
	ticks = (u_long)((when - zero_ns) / 10000000u) & 0xffffffffu;
	return ticks > now && ticks - now <= CTR_AGENTX_SLACK_TICKS ? now : ticks;
}

/* What the wall clock showed when ctr_time_ns() was 0. It follows steps of that clock, and not its
 * slow corrections, which would move a time from one answer to the next. The agent's thread only.
 */
static uint64_t
wall_zero(void)
{
	static uint64_t zero_ns;
	const uint64_t step_ns = UINT64_C(500000000);
	const uint64_t now_ns = ctr_time_ns();
	struct timespec wall;
	uint64_t at;

	if (clock_gettime(CLOCK_REALTIME, &wall) != 0)
		return zero_ns;
	at = (uint64_t)wall.tv_sec * UINT64_C(1000000000) + (uint64_t)wall.tv_nsec - now_ns;
	if (at > zero_ns + step_ns || at + step_ns < zero_ns)
		zero_ns = at;
	return zero_ns;
}

/* DateAndTime: 11 octets, with the zone of UTC; 8 octets of zero if it never was. */
static void
put_date(netsnmp_variable_list *vb, uint64_t when_ns)
{
	const uint64_t wall_ns = wall_zero() + when_ns;
	const time_t seconds = (time_t)(wall_ns / UINT64_C(1000000000));
	uint8_t octets[11] = { 0 };
	struct tm utc;

	if (when_ns == 0 || gmtime_r(&seconds, &utc) == NULL) {
		snmp_set_var_typed_value(vb, ASN_OCTET_STR, octets, 8);
		return;
	}
	octets[0] = (uint8_t)((utc.tm_year + 1900) >> 8);
	octets[1] = (uint8_t)(utc.tm_year + 1900);
	octets[2] = (uint8_t)(utc.tm_mon + 1);
	octets[3] = (uint8_t)utc.tm_mday;
	octets[4] = (uint8_t)utc.tm_hour;
	octets[5] = (uint8_t)utc.tm_min;
	octets[6] = (uint8_t)utc.tm_sec;
	octets[7] = (uint8_t)(wall_ns / UINT64_C(100000000) % 10);
	octets[8] = '+';
	snmp_set_var_typed_value(vb, ASN_OCTET_STR, octets, sizeof(octets));
}

static void
put_octet_string(netsnmp_variable_list *vb, const struct ctr_item *item, const uint8_t *value)
{
	const char *text = (const char *)value + item->offset;
	size_t length = item->type == CTR_STRING ? strnlen(text, item->size) : item->size;

	snmp_set_var_typed_value(vb, ASN_OCTET_STR, text, length);
}

/* A part of the index. */
static void
put_index(netsnmp_variable_list *vb, const struct ctr_agentx_object *object,
		const struct ctr_agentx_place *place)
{
	const uint32_t part = object->item < place->length ? place->suffix[object->item] : 0;
	uint8_t address[4] = { 0 };
	uint32_t i;

	switch (object->syntax) {
	case CTR_AGENTX_INDEX_IPADDRESS:
		for (i = 0; i < sizeof(address) && object->item + i < place->length; i++)
			address[i] = (uint8_t)place->suffix[object->item + i];
		snmp_set_var_typed_value(vb, ASN_IPADDRESS, address, sizeof(address));
		break;
	case CTR_AGENTX_INDEX_UNSIGNED:
		snmp_set_var_typed_integer(vb, ASN_UNSIGNED, (long)part);
		break;
	case CTR_AGENTX_INDEX_TICKS:
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS, (long)part);
		break;
	default:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, (long)part);
		break;
	}
}

/* A number in the range of its SMI type. */
static void
put_number(netsnmp_variable_list *vb, const struct ctr_agentx_object *object,
		const struct ctr_item *item, uint64_t n)
{
	struct counter64 split;

	switch (object->syntax) {
	case CTR_AGENTX_TRUTH:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, n != 0 ? 1 : 2);
		break;
	case CTR_AGENTX_COUNTER32:
		snmp_set_var_typed_integer(vb, ASN_COUNTER, (long)(n & 0xffffffffu));
		break;
	case CTR_AGENTX_COUNTER64:
		split.high = (u_long)(n >> 32);
		split.low = (u_long)(n & 0xffffffffu);
		snmp_set_var_typed_value(vb, ASN_COUNTER64, &split, sizeof(split));
		break;
	case CTR_AGENTX_GAUGE32:
		snmp_set_var_typed_integer(vb, ASN_GAUGE, (long)(n > UINT32_MAX ? UINT32_MAX : n));
		break;
	case CTR_AGENTX_TICKS:
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS, (long)(n & 0xffffffffu));
		break;
	default:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, clamped(item, n));
		break;
	}
}

void
ctr_agentx_put(netsnmp_variable_list *vb, const struct ctr_agentx_source *source,
		const struct ctr_agentx_object *object, const struct ctr_agentx_place *place,
		const struct ctr_agentx_values *values, uint64_t zero_ns)
{
	const uint8_t *value = values->value;
	const struct ctr_item *item;

	if (object->syntax >= CTR_AGENTX_INDEX_INTEGER) {
		put_index(vb, object, place);
		return;
	}
	item = &source->scope->items[object->item];

	switch (object->syntax) {
	case CTR_AGENTX_JUMP:
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS,
				(long)ticks_of(values->discontinuity_ns, zero_ns));
		break;
	case CTR_AGENTX_STAMP:
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS,
				(long)ticks_of(ctr_item_value(item, value), zero_ns));
		break;
	case CTR_AGENTX_DATE:
		put_date(vb, ctr_item_value(item, value));
		break;
	case CTR_AGENTX_IPV4:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, 1);
		break;
	case CTR_AGENTX_IPV6:
		snmp_set_var_typed_integer(vb, ASN_INTEGER, 2);
		break;
	case CTR_AGENTX_OCTETS:
		put_octet_string(vb, item, value);
		break;
	case CTR_AGENTX_IPADDRESS:
		snmp_set_var_typed_value(vb, ASN_IPADDRESS, value + item->offset, 4);
		break;
	default:
		put_number(vb, object, item, ctr_item_value(item, value));
		break;
	}
}
