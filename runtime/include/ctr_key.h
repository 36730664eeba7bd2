/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Keys of instances, which identify a session or a peer to operators, such as an IMSI or an
 * address. A key is a struct of the generated code with a member per part; it is unique within the
 * parent. Keys are set under the control lock and a sequence counter; readers take no lock, retry,
 * and take the control lock after too many retries (ctr_read_ctx.h). Not for the fast path.
 */
#ifndef CTR_KEY_H
#define CTR_KEY_H

#include "ctr_control.h"
#include "ctr_module.h"

/** Most bytes of the struct of a key. */
#define CTR_KEY_ROOM 512u
/** Most sub-identifiers of an OID, and so of an index (RFC 2578, 3.5). */
#define CTR_KEY_SUFFIX_MAX 128u

/** The version of an IP address, as InetAddressType has it (RFC 4001). */
enum ctr_ip_type {
	CTR_IP_V4 = 1, /**< Four octets. */
	CTR_IP_V6 = 2  /**< Sixteen octets. */
};

/** An IP address of either version. */
struct ctr_ip_address {
	uint32_t type;      /**< One of enum ctr_ip_type. */
	uint8_t octets[16]; /**< In network byte order; an IPv4 address is in the first 4. */
};

/** The type of a part of a key. */
enum ctr_key_type {
	CTR_KEY_UINT32, /**< uint32_t */
	CTR_KEY_INT32,  /**< int32_t, not negative */
	CTR_KEY_ENUM,   /**< an enum, one of the part's labels */
	CTR_KEY_PORT,   /**< uint16_t */
	CTR_KEY_IPV4,   /**< uint32_t in network byte order */
	CTR_KEY_IPV6,   /**< uint8_t[16] */
	CTR_KEY_IP,     /**< struct ctr_ip_address */
	CTR_KEY_MAC,    /**< uint8_t[6] */
	CTR_KEY_STRING, /**< char[size], terminated, not empty */
	CTR_KEY_OCTETS  /**< uint8_t[size] */
};

/** A part of a key. */
struct ctr_key_part {
	const char *name;        /**< Name in the schema. */
	const char *description; /**< Description in the schema. */
	enum ctr_key_type type;  /**< Its type. */
	uint32_t offset;         /**< Offset in the struct of the key. */
	uint32_t size;           /**< Bytes in that struct. */
	bool whole;              /**< A string that always has size - 1 octets. */
	bool implied;            /**< A string whose length is not in the index: IMPLIED. */
	const struct ctr_label *labels; /**< Labels of an enum; NULL for others. */
	unsigned int num_labels;        /**< Length of @ref labels. */
};

/** The initialiser of a part: member @p m of struct @p key. */
#define CTR_KEY_PART(key, m, type_, whole_, implied_, labels_, count, text) \
	{                                                                   \
		.name = #m,                                                 \
		.description = text,                                        \
		.type = type_,                                              \
		.offset = offsetof(struct key, m),                          \
		.size = sizeof(((struct key *)0)->m),                       \
		.whole = whole_,                                            \
		.implied = implied_,                                        \
		.labels = labels_,                                          \
		.num_labels = count,                                        \
	}

/** The keys of a scope's instances. The members up to @ref control are constant. */
struct ctr_keys {
	const struct ctr_key_part *parts; /**< In the order of the schema. */
	unsigned int num_parts;           /**< Length of @ref parts. */
	uint32_t size;                    /**< Bytes of the struct of a key. */
	uint32_t max;                     /**< Number of possible instances. */
	uint32_t each;                    /**< Number of these in one instance of the parent. */
	struct ctr_control *control;      /**< The lock of setters. */
	struct ctr_key_table *table;      /**< NULL until the first key is set. */
	/** Also change the key of the instance at @p at in another table, from @p former to @p key,
	 * words that are equal for equal keys, or NULL; the control lock is taken. 0 or -errno.
	 * NULL: no other table. */
	int (*mirror)(const struct ctr_keys *keys, uint32_t at, const uint64_t *former,
		      const uint64_t *key);
	int mirror_fd;                    /**< For @ref mirror. */
};

/** Words of 64 bits that hold a key of @p bytes. */
#define CTR_KEY_WORDS(bytes) (((bytes) + 7u) / 8u)

CTR_C_BEGIN

/** Allocate the memory of the key at position @p at; the control lock is taken. 0 or -ENOMEM. */
int ctr_keys_reserve(struct ctr_keys *keys, uint32_t at);

/** Set the key of the existing instance at position @p at; the control lock is taken. May
 * allocate memory. 0; -EINVAL: an invalid value of a part (an empty or unterminated string, a wrong
 * fixed length, a negative number, a number without a label, an unknown type of address); -EEXIST:
 * another instance of the parent has the key; -ENOMEM; an error of `mirror`. After an error it has
 * its former key. */
int ctr_keys_set(struct ctr_keys *keys, uint32_t at, const void *key);

/** Remove the key of the instance at @p at, if it has one; the control lock is taken. */
void ctr_keys_clear(struct ctr_keys *keys, uint32_t at);

/** Copy the key of the instance at @p at; strings are padded with 0. @p life, unless NULL, receives
 * a number that changes with this key. Any thread. 0; -ENOENT: it has no key. */
int ctr_keys_get(const struct ctr_keys *keys, uint32_t at, void *key, uint32_t *life);

/** The number that ctr_keys_get() stores to @p life, whether or not there is a key. Any thread. */
uint32_t ctr_keys_life(const struct ctr_keys *keys, uint32_t at);

/** Find the instance with a key: stores its position among those of the parent at @p outer (0
 * without a parent) to *@p at. Any thread. 0; -ENOENT; -EINVAL as ctr_keys_set(). */
int ctr_keys_find(const struct ctr_keys *keys, uint32_t outer, const void *key, uint32_t *at);

/** A number that changes with each change of any key. Any thread. */
uint32_t ctr_keys_changes(const struct ctr_keys *keys);

/** Free all memory; no other thread uses the keys. */
void ctr_keys_free(struct ctr_keys *keys);

/** Reinitialise without freeing memory. */
void ctr_keys_forget(struct ctr_keys *keys);

/** The sub-identifiers of a key in an index (RFC 2578, 7.7). Their number, up to
 * CTR_KEY_SUFFIX_MAX. */
uint32_t ctr_key_suffix(const struct ctr_keys *keys, const void *key, uint32_t *suffix);

/** The sub-identifiers that index an instance in its table: for each level its key, or without
 * keys the index plus one. Any thread. @p life, unless NULL, receives a number that changes with
 * these keys. Their number, at most CTR_KEY_SUFFIX_MAX; -ENOENT if a key is missing. */
int ctr_scope_suffix(const struct ctr_scope *scope, const uint32_t *index, uint32_t *suffix,
		     uint64_t *life);

/** The number that ctr_scope_suffix() stores to @p life. Any thread. */
uint64_t ctr_scope_life(const struct ctr_scope *scope, const uint32_t *index);

/** A part of a key of ctr_keys_get() as text: digits, the name of a label, an address as from
 * inet_ntop(), 00:1b:21:3c:9d:f8, the octets of a string, hexadecimal digits of other octets.
 * Terminated and truncated to @p room; returns its whole length, as snprintf(). */
int ctr_key_text(const struct ctr_key_part *part, const void *key, char *text, size_t room);

CTR_C_END

#endif /* CTR_KEY_H */
