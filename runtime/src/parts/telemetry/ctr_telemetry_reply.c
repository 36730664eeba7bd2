/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ctr.h"
#include "ctr_telemetry_reply.h"

CTR_STATIC_ASSERT(CTR_REPLY_NAMES + 4 <= RTE_TEL_MAX_DICT_ENTRIES, "names of a dictionary");
CTR_STATIC_ASSERT(CTR_REPLY_TEXT <= RTE_TEL_MAX_STRING_LEN, "octets of a text");

/* For /next and /error. */
#define RESERVE ((size_t)2 * (CTR_REPLY_VALUE + 8))
/* What JSON adds to a name and its value, and digits of a number. */
#define AROUND 6u
#define DIGITS 20u

/* Octets of a text in JSON. */
static size_t
json_length(const char *text)
{
	size_t length;

	for (length = 0; *text != '\0'; text++)
		length += *text == '"' || *text == '\\' ? 2 : 1;
	return length;
}

bool
ctr_reply_fits(const struct ctr_reply *reply, size_t names, size_t json)
{
	return reply->names + names <= CTR_REPLY_NAMES &&
	       reply->json + json + RESERVE <= CTR_REPLY_JSON;
}

/* Account for an entry whose value takes so many octets; false: there is no room. */
static bool
take(struct ctr_reply *reply, const char *name, size_t json)
{
	json += strlen(name) + AROUND;
	if (strlen(name) >= CTR_REPLY_TEXT || !ctr_reply_fits(reply, 1, json))
		return false;
	reply->names++;
	reply->json += json;
	return true;
}

bool
ctr_reply_number(struct ctr_reply *reply, const char *name, uint64_t number, bool is_signed)
{
	if (!take(reply, name, DIGITS))
		return false;
	if (is_signed)
		return rte_tel_data_add_dict_int(reply->data, name, (int)(int64_t)number) == 0;
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
	return rte_tel_data_add_dict_uint(reply->data, name, number) == 0;
#else
	return rte_tel_data_add_dict_u64(reply->data, name, number) == 0;
#endif
}

/* A text as printable ASCII, of up to CTR_REPLY_TEXT octets with its end. */
static void
legible(const char *text, size_t length, char *out)
{
	static const char dots[] = "...";
	size_t at, used = 0, whole = 0;
	char shown[8];

	for (at = 0; at < length; at++) {
		const unsigned char octet = (unsigned char)text[at];

		if (octet < 0x20 || octet > 0x7e)
			snprintf(shown, sizeof(shown), "\\x%02x", (unsigned int)octet);
		else
			snprintf(shown, sizeof(shown), octet == '\\' ? "\\\\" : "%c", octet);
		if (used + strlen(shown) >= CTR_REPLY_TEXT) {
			memcpy(out + whole, dots, sizeof(dots));
			return;
		}
		memcpy(out + used, shown, strlen(shown));
		used += strlen(shown);
		whole = used + sizeof(dots) <= CTR_REPLY_TEXT ? used : whole;
	}
	out[used] = '\0';
}

bool
ctr_reply_text(struct ctr_reply *reply, const char *name, const char *text, size_t length)
{
	char shown[CTR_REPLY_TEXT];

	legible(text, length, shown);
	return take(reply, name, json_length(shown)) &&
	       rte_tel_data_add_dict_string(reply->data, name, shown) == 0;
}

int
ctr_reply_last(struct ctr_reply *reply, const char *name, const char *format, ...)
{
	char text[CTR_REPLY_TEXT * 2], shown[CTR_REPLY_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	legible(text, strlen(text), shown);
	(void)rte_tel_data_add_dict_string(reply->data, name, shown);
	reply->failed |= strcmp(name, "/error") == 0;
	return -EINVAL;
}
