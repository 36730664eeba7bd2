/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What readers of any module know of the types of items. */
#ifndef CTR_TYPE_H
#define CTR_TYPE_H

#include "ctr_key.h"

/** What holds of all values of a type. */
struct ctr_type_info {
	const char *name; /**< "u32"; NULL: no type. */
	uint8_t size;     /**< Bytes of a value; 0: as many as the item has. */
	uint8_t text;     /**< The enum ctr_key_type with the same text; 0: it is a number. */
	bool is_signed;   /**< Whether a value can be negative. */
};

/** The row of @p type, an enum ctr_type, which may come from another process. */
static inline const struct ctr_type_info *
ctr_type_info(uint32_t type)
{
	static const struct ctr_type_info all[] = {
		/* CTR_U32 */ { "u32", 4, 0, false },
		/* CTR_U64 */ { "u64", 8, 0, false },
		/* CTR_BOOL */ { "bool", sizeof(bool), 0, false },
		/* CTR_I32 */ { "i32", 4, 0, true },
		/* CTR_ENUM */ { "enum", 4, 0, true },
		/* CTR_TIMETICKS */ { "timeticks", 4, 0, false },
		/* CTR_IPV4 */ { "ipv4", 4, CTR_KEY_IPV4, false },
		/* CTR_IPV6 */ { "ipv6", 16, CTR_KEY_IPV6, false },
		/* CTR_MAC */ { "mac", 6, CTR_KEY_MAC, false },
		/* CTR_STRING */ { "string", 0, CTR_KEY_STRING, false },
		/* CTR_TIMESTAMP */ { "timestamp", 8, 0, false },
		{ NULL, 0, 0, false },
	};
	const uint32_t none = sizeof(all) / sizeof(all[0]) - 1;

	return &all[type < none ? type : none];
}

#endif /* CTR_TYPE_H */
