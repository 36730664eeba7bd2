/* SPDX-License-Identifier: BSD-3-Clause */
/* Telemetry replies of a module. The library silently truncates texts and omits entries beyond its
 * bounds; a reply here reports that it is full. */
#ifndef CTR_TELEMETRY_REPLY_H
#define CTR_TELEMETRY_REPLY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ctr_values.h"

#include <rte_telemetry.h>

/* Most names of a reply; the library has 256. What is left is for /next and /error. */
#define CTR_REPLY_NAMES 250u
/* Octets of JSON; the library has 16384, of which up to 64 are the command. */
#define CTR_REPLY_JSON 15872u
/* Octets of a name or text with its end; RTE_TEL_MAX_STRING_LEN. */
#define CTR_REPLY_TEXT 128u

/* Octets of JSON that a value takes at most, with what is around it. */
#define CTR_REPLY_VALUE (2u * CTR_REPLY_TEXT + 8u)

/* A dictionary of the library, and how much of it is in use. */
struct ctr_reply {
	struct rte_tel_data *data;
	unsigned int names;
	size_t json;
	bool resets;       /* Whether resets are allowed. */
	uint64_t clock_ns; /* What makes Unix time of ctr_time_ns(). */
	bool failed;       /* Whether there is an /error. */
};

/* Add an entry; false: there is no room for it, or its name is too long. Numbers that are signed
 * have 32 bits. */
bool ctr_reply_number(struct ctr_reply *reply, const char *name, uint64_t number, bool is_signed);
/* A text of any octets as printable ASCII, others and backslashes as in C (\x0a, \\); one that is
 * too long for the library ends with three dots. */
bool ctr_reply_text(struct ctr_reply *reply, const char *name, const char *text, size_t length);
/* /next and /error, for which there is always room, once each; what is too long is cut. -EINVAL. */
int ctr_reply_last(struct ctr_reply *reply, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define ctr_reply_error(reply, ...) ctr_reply_last(reply, "/error", __VA_ARGS__)

/* Which values of instances are read. */
enum ctr_telemetry_of {
	CTR_TELEMETRY_ALL,
	CTR_TELEMETRY_LCORE,
	CTR_TELEMETRY_VIEW
};

/* Instances of a scope that are put into a reply. */
struct ctr_telemetry_walk {
	const struct ctr_module *module;
	const struct ctr_scope *scope;
	enum ctr_telemetry_of of;
	unsigned int number; /* of the lcore or view */
};

/* Add as many items as there is room for, from `item` of the instance at `at` on, of instances
 * before `end`. An instance that does not fit behind others begins a reply. Returns where to go on,
 * position times number of items plus item, or UINT64_MAX. */
uint64_t ctr_telemetry_put(const struct ctr_telemetry_walk *walk, struct ctr_reply *reply,
			   uint64_t at, unsigned int item, uint64_t end);

/* A command behind the name of the module. */
struct ctr_request;
struct ctr_telemetry_command {
	const char *name, *help;
	void (*answer)(struct ctr_request *request);
};

#define CTR_TELEMETRY_COMMANDS 5u
extern const struct ctr_telemetry_command ctr_telemetry_commands[CTR_TELEMETRY_COMMANDS];

/* Reply to a command about a module, NULL if none is registered; params may be NULL. */
void ctr_telemetry_answer(const struct ctr_module *module, const char *command, const char *params,
			  struct ctr_reply *reply);

#endif /* CTR_TELEMETRY_REPLY_H */
