/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_agentx_private.h"
#include "ctr_type.h"

#include <ctype.h>
#include <time.h>

bool
ctr_agentx_has(const struct ctr_scope *scope, const struct ctr_agentx_object *object,
		const struct ctr_agentx_values *values)
{
	const struct ctr_item *item;

	if (object->syntax >= CTR_AGENTX_DISCONTINUITY)
		return true; /* no item is behind it */
	item = &scope->items[object->item];
	if (!ctr_item_available(item, values->value))
		return false;
	return object->syntax != CTR_AGENTX_INTEGER || item->type != CTR_ENUM ||
	       ctr_item_label(item, NULL, (int32_t)ctr_item_value(item, values->value)) != NULL;
}

/* sysUpTime of a point in time; 0 if that was before the master started, or the machine. */
static u_long
ticks_of(uint64_t when, uint64_t zero_ns)
{
	const u_long now = netsnmp_get_agent_uptime();
	u_long ticks;

	if (when == 0 || (int64_t)(when - zero_ns) <= 0)
		return 0;
	ticks = (u_long)((when - zero_ns) / CTR_AGENTX_TICK_NS) & 0xffffffffu;
	return ticks > now && ticks - now <= CTR_AGENTX_SLACK_TICKS ? now : ticks;
}

/* The wall clock when ctr_time_ns() was 0. The agent's thread only. */
static uint64_t
wall_zero(void)
{
	static uint64_t zero_ns;

	zero_ns = ctr_clock_ns(zero_ns);
	return zero_ns;
}

/* DateAndTime: 11 octets, with the zone of UTC; 8 octets of zero if it never was. */
static void
put_date(netsnmp_variable_list *vb, uint64_t when_ns)
{
	const uint64_t wall_ns = wall_zero() + when_ns;
	const time_t seconds = (time_t)(wall_ns / CTR_SECOND_NS);
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
	octets[7] = (uint8_t)(wall_ns / (CTR_SECOND_NS / 10) % 10);
	octets[8] = '+';
	snmp_set_var_typed_value(vb, ASN_OCTET_STR, octets, sizeof(octets));
}

/* The sub-identifiers of a text such as "1.3.6.1"; returns their number, 0 for any other text. */
static size_t
parse_oid(const uint8_t *text, size_t length, oid parts[MAX_OID_LEN])
{
	uint64_t part = 0;
	bool digits = false;
	size_t n = 0;

	for (size_t i = 0; i <= length; i++) {
		if (i < length && isdigit(text[i]) && part <= UINT32_MAX) {
			part = part * 10 + (uint64_t)(text[i] - '0');
			digits = true;
		} else if (digits && part <= UINT32_MAX && n < MAX_OID_LEN &&
				(i == length || text[i] == '.')) {
			parts[n++] = (oid)part;
			part = 0;
			digits = false;
		} else if (i != 0 || i == length || text[i] != '.') {
			return 0;
		}
	}
	/* One number on the wire: 40 times the first plus the second. */
	if (n < 2 || parts[0] > 2 || parts[1] > (parts[0] == 2 ? UINT32_MAX - 80 : 39))
		return 0;
	return n;
}

static void
put_oid(netsnmp_variable_list *vb, const uint8_t *text, size_t length)
{
	oid parts[MAX_OID_LEN];
	size_t n = parse_oid(text, length, parts);

	if (n == 0) {
		n = 2;
		parts[0] = parts[1] = 0; /* zeroDotZero */
	}
	snmp_set_var_typed_value(vb, ASN_OBJECT_ID, parts, n * sizeof(parts[0]));
}

/* A sub-identifier of the index. */
static long
suffix_at(const struct ctr_agentx_place *place, uint32_t number)
{
	return number < place->length ? (long)place->suffix[number] : 0;
}

/* An object that is one number: in the range of its type. */
static long
number_of(const struct ctr_agentx_object *object, const struct ctr_item *item,
		const struct ctr_agentx_place *place, const struct ctr_agentx_values *values,
		uint64_t zero_ns)
{
	const uint64_t n = item->size != 0 ? ctr_item_value(item, values->value) : 0;

	switch (object->syntax) {
	case CTR_AGENTX_TRUTH:
		return n != 0 ? 1 : 2;
	case CTR_AGENTX_COUNTER32:
	case CTR_AGENTX_TICKS:
		return (long)(n & UINT32_MAX);
	case CTR_AGENTX_GAUGE32:
		return (long)(n > UINT32_MAX ? UINT32_MAX : n);
	case CTR_AGENTX_STAMP:
		return (long)ticks_of(n, zero_ns);
	case CTR_AGENTX_DISCONTINUITY:
		return (long)ticks_of(values->discontinuity_ns, zero_ns);
	case CTR_AGENTX_IPV4:
		return 1;
	case CTR_AGENTX_IPV6:
		return 2;
	case CTR_AGENTX_INDEX_INTEGER:
	case CTR_AGENTX_INDEX_UNSIGNED:
	case CTR_AGENTX_INDEX_TICKS:
		return suffix_at(place, object->item);
	default:
		if (ctr_type_info(item->type)->is_signed)
			return (long)(int64_t)n;
		return n > INT32_MAX ? INT32_MAX : (long)n;
	}
}

void
ctr_agentx_put(netsnmp_variable_list *vb, const struct ctr_scope *scope,
		const struct ctr_agentx_object *object, const struct ctr_agentx_place *place,
		const struct ctr_agentx_values *values, uint64_t zero_ns)
{
	/* Of those that are one number; 0: ASN_INTEGER. */
	static const u_char types[CTR_AGENTX_INDEX_IPADDRESS] = {
		[CTR_AGENTX_COUNTER32] = ASN_COUNTER,
		[CTR_AGENTX_GAUGE32] = ASN_GAUGE,
		[CTR_AGENTX_TICKS] = ASN_TIMETICKS,
		[CTR_AGENTX_STAMP] = ASN_TIMETICKS,
		[CTR_AGENTX_DISCONTINUITY] = ASN_TIMETICKS,
		[CTR_AGENTX_INDEX_UNSIGNED] = ASN_UNSIGNED,
		[CTR_AGENTX_INDEX_TICKS] = ASN_TIMETICKS,
	};
	static const struct ctr_item none;
	const bool stored = object->syntax < CTR_AGENTX_DISCONTINUITY;
	const struct ctr_item *item = stored ? &scope->items[object->item] : &none;
	const uint8_t *octets = values->value + item->offset;
	struct counter64 split;
	uint8_t address[4];
	size_t length;

	switch (object->syntax) {
	case CTR_AGENTX_COUNTER64:
		split.high = (u_long)(ctr_item_value(item, values->value) >> 32);
		split.low = (u_long)(ctr_item_value(item, values->value) & UINT32_MAX);
		snmp_set_var_typed_value(vb, ASN_COUNTER64, &split, sizeof(split));
		break;
	case CTR_AGENTX_DATE:
		put_date(vb, ctr_item_value(item, values->value));
		break;
	case CTR_AGENTX_OID:
		put_oid(vb, octets, strnlen((const char *)octets, item->size));
		break;
	case CTR_AGENTX_OCTETS:
		length = item->size;
		if (item->type == CTR_STRING)
			length = strnlen((const char *)octets, item->size);
		snmp_set_var_typed_value(vb, ASN_OCTET_STR, octets, length);
		break;
	case CTR_AGENTX_IPADDRESS:
		snmp_set_var_typed_value(vb, ASN_IPADDRESS, octets, 4);
		break;
	case CTR_AGENTX_INDEX_IPADDRESS:
		for (uint32_t i = 0; i < sizeof(address); i++)
			address[i] = (uint8_t)suffix_at(place, object->item + i);
		snmp_set_var_typed_value(vb, ASN_IPADDRESS, address, sizeof(address));
		break;
	default:
		snmp_set_var_typed_integer(vb,
				types[object->syntax] != 0 ? types[object->syntax] : ASN_INTEGER,
				number_of(object, item, place, values, zero_ns));
		break;
	}
}
