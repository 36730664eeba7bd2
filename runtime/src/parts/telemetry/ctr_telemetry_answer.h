/* SPDX-License-Identifier: BSD-3-Clause */
/* What telemetry answers of a module, without DPDK: ctr_telemetry.c makes replies of the pages. */
#ifndef CTR_TELEMETRY_ANSWER_H
#define CTR_TELEMETRY_ANSWER_H

#include "ctr_module.h"
#include "ctr_telemetry_page.h"
#include "ctr_telemetry_words.h"

/* A module, and what is to be known about it. */
struct ctr_telemetry_source {
	const struct ctr_module *module;
	bool resets;            /* Whether resets are allowed. */
	uint64_t start_unix_ns; /* The time of day when it was registered, */
	uint64_t start_ns;      /* and ctr_time_ns() then. */
};

/* Commands behind the name of the module. The rest are scopes. */
extern const char *const ctr_telemetry_commands[];
extern const unsigned int ctr_telemetry_num_commands;

/* Whether a word is one of them. */
bool ctr_telemetry_is_command(const char *word);

/* Answer "/MODULE/command,params" for a module that is initialised; params may be NULL. */
void ctr_telemetry_answer(const struct ctr_telemetry_source *source, const char *command,
			  const char *params, struct ctr_page *page);

/* A time of ctr_time_ns() as Unix time in nanoseconds; 0 for 0. */
uint64_t ctr_telemetry_unix_ns(const struct ctr_telemetry_source *source, uint64_t time_ns);

/* Possible instances of a scope. */
static inline uint64_t
ctr_telemetry_total(const struct ctr_scope *scope)
{
	uint64_t total = 1;
	unsigned int i;

	for (i = 0; i < scope->num_indexes; i++)
		total *= scope->index_maxima[i];
	return total;
}

/* The indexes of a position. */
static inline void
ctr_telemetry_indexes(const struct ctr_scope *scope, uint64_t at, uint32_t *index)
{
	unsigned int i;

	for (i = scope->num_indexes; i-- > 0; at /= scope->index_maxima[i])
		index[i] = (uint32_t)(at % scope->index_maxima[i]);
}

/* ---- the answers, each in its own file ---- */

enum ctr_telemetry_of {
	CTR_TELEMETRY_ALL,
	CTR_TELEMETRY_LCORE,
	CTR_TELEMETRY_VIEW
};

/* What is read of instances. */
struct ctr_telemetry_what {
	enum ctr_telemetry_of of;
	unsigned int number; /* Of the lcore or view. */
	const char *before;  /* Words before the scope in /next: the lcore or view, a comma. */
};

/* The instances of the scope in the words, and where to start. */
void ctr_telemetry_stats(const struct ctr_telemetry_source *source,
			 const struct ctr_telemetry_what *what, struct ctr_words *words,
			 struct ctr_page *page);
/* One instance; `named`: /next has the name of the scope. */
void ctr_telemetry_instance(const struct ctr_telemetry_source *source,
			    const struct ctr_scope *scope, bool named, struct ctr_words *words,
			    struct ctr_page *page);
void ctr_telemetry_info(const struct ctr_telemetry_source *source, struct ctr_words *words,
			struct ctr_page *page);
void ctr_telemetry_list(const struct ctr_telemetry_source *source, struct ctr_words *words,
			struct ctr_page *page);
void ctr_telemetry_reset(const struct ctr_telemetry_source *source, struct ctr_words *words,
			 struct ctr_page *page);
/* The next word as a view of the module; -EINVAL, with an error. */
int ctr_telemetry_view(const struct ctr_telemetry_source *source, struct ctr_words *words,
		       unsigned int *view, struct ctr_page *page);

#endif /* CTR_TELEMETRY_ANSWER_H */
