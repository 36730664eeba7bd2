/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Values of a module as instance data of its YANG module: JSON as of RFC 7951.
 *
 * `ctrgen build --only yang` generates the YANG module and the tables of names that this needs. */
#ifndef CTR_YANG_H
#define CTR_YANG_H

#include <stdio.h>

#include "ctr_module.h"

CTR_C_BEGIN

/** A leaf, and the item whose values it has. */
struct ctr_yang_leaf {
	const char *name;               /**< Its name in YANG. */
	uint32_t item;                  /**< Place of the item in its scope. */
	bool quoted;                    /**< A number of 64 bits, which JSON has as a string. */
	const struct ctr_label *labels; /**< Of an enumeration, by their names in YANG; or NULL. */
	unsigned int num_labels;        /**< Length of @ref labels. */
};

/** A key of a list, and an index. */
struct ctr_yang_key {
	const char *name;               /**< Its name in YANG. */
	const struct ctr_label *labels; /**< Of an enumeration; NULL for a number from 1. */
	unsigned int num_labels;        /**< Length of @ref labels. */
};

/** A list, or the container of what there is once. */
struct ctr_yang_node {
	const char *name;                   /**< Its name in YANG. */
	uint32_t scope;                     /**< Place of the scope in its module. */
	const char *discontinuity;          /**< Leaf of the last discontinuity; or NULL. */
	const struct ctr_yang_key *keys;    /**< One for each index of the scope. */
	const struct ctr_yang_leaf *leaves; /**< In the order of the YANG module. */
	unsigned int num_leaves;            /**< Length of @ref leaves. */
};

/** What a YANG module calls the parts of a module. */
struct ctr_yang {
	const struct ctr_module *module;   /**< The module. */
	const char *name;                  /**< Name of the YANG module and of its container. */
	const struct ctr_yang_node *nodes; /**< In the order of the YANG module. */
	unsigned int num_nodes;            /**< Length of @ref nodes. */
};

/** Write all values as one JSON object, read instance by instance. Any thread but lcores with
 * packets to serve; may wait for @p out. A leaf without a value is left out: a time that never was,
 * an enumeration that was never set. Octets that are no UTF-8, and control characters, become
 * U+FFFD.
 * @return 0; -ENOMEM; -EIO if @p out has failed; -EINVAL for NULL */
int ctr_yang_write(const struct ctr_yang *yang, FILE *out);

CTR_C_END

#endif /* CTR_YANG_H */
