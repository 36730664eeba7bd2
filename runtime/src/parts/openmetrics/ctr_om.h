/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the server: sources of values, families of metrics, copies of values, their text. */
#ifndef CTR_OM_H
#define CTR_OM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>

#include "ctr.h"
#include "ctr_key.h"
#include "ctr_openmetrics.h"

/* Copies of all values: the latest one, and one that slow clients may still read. */
#define CTR_OM_COPIES 2u

/* Instance of a walk. */
struct ctr_om_instance {
	uint32_t at;       /* Position in the scope. */
	uint32_t keyed;    /* A bit for each level that has a key. */
	uint64_t since_ns; /* Unix time of its last discontinuity; 0: unknown. */
};

struct ctr_om_scope;

typedef int ctr_om_visit(const struct ctr_om_instance *instance, const void *values,
			 const uint8_t *keys, void *context);

/* A running application. */
struct ctr_om_app {
	const char *name; /* Label `application`. */
	const struct ctr_module *const *modules;
	unsigned int num_modules;
	uint64_t clock_ns; /* Unix time when its ctr_time_ns() was 0. */
	uint64_t began_ns; /* The first clock_ns: a start that moves would be a reset. */
	bool up;           /* Whether its values can be read. */
	double age_s;      /* Time since it published; less than 0: it does not. */
	/* Pass the existing instances of a scope in order: 0; -errno; the result of `visit`. */
	int (*walk)(const struct ctr_om_scope *place, ctr_om_visit *visit, void *context);
	const void *context; /* For `walk`. */
};

/* The applications of a server. */
struct ctr_om_feed {
	/* Whether there are other applications by now; NULL: never. */
	bool (*changed)(struct ctr_om_feed *feed);
	/* Replace them, while no model is made of the former ones; or NULL. 0 or -ENOMEM. */
	int (*refresh)(struct ctr_om_feed *feed);
	struct ctr_om_app *apps;
	unsigned int num_apps;
};

/* The walk of an application that is this process. */
int ctr_om_walk_here(const struct ctr_om_scope *place, ctr_om_visit *visit, void *context);

enum ctr_om_type {
	CTR_OM_COUNTER,
	CTR_OM_GAUGE,
	CTR_OM_INFO,
	CTR_OM_STATESET,
	CTR_OM_HISTOGRAM
};

/* Instances of a scope: values in the order of positions. */
struct ctr_om_rows {
	uint8_t *data;     /* `num` rows of `stride` bytes. */
	uint32_t num;      /* Number of rows that have been stored. */
	uint32_t room;     /* Number of rows that there is memory for. */
	uint32_t most;     /* Number of rows that may be stored. */
	uint64_t found;    /* Number of instances to show. */
	uint64_t left_out; /* Number of instances that have counted nothing. */
};

/* A label that tells instances of a scope apart. */
struct ctr_om_label {
	const char *name;
	const char *const *texts; /* Of its values by number; or NULL. */
	const struct ctr_key_part *part; /* NULL: the index itself. */
	unsigned int level;
};

/* A scope of an application. A row is a struct ctr_om_instance, the value struct, the keys. */
struct ctr_om_scope {
	const struct ctr_om_app *app;
	const struct ctr_module *module;
	const struct ctr_scope *scope;
	struct ctr_om_label *labels; /* One per part of a key, or index. */
	unsigned int num_labels;   /* Length of `labels`. */
	uint32_t keys;             /* Offset of the keys in a row. */
	uint32_t key_at[CTR_INDEXES_MAX]; /* Offset of each level's key from there. */
	uint32_t stride;           /* Bytes of a row. */
	uint32_t lines;            /* Most samples of an instance; at least 1. */
	uint64_t share;            /* Samples that it may have of too many. */
	uint32_t group;            /* Instances that are left out together; 0: none are. */
	uint64_t *shown;           /* A bit for each group that was not left out before. */
	uint64_t *discontinuity_ns; /* Of its instances, while it is open; or NULL. */
	struct ctr_om_rows rows[CTR_OM_COPIES];
};

/* An item or histogram as part of a family. */
struct ctr_om_member {
	struct ctr_om_scope *scope;
	const struct ctr_item *item;           /* NULL: a histogram. */
	const struct ctr_histogram *histogram; /* NULL: an item. */
	char *key;                 /* Label with the text, or the name of a label of an enum. */
	const char *const *texts;  /* Texts of the labels of an enum. */
	bool created;              /* Whether the time of its beginning is known. */
};

/* A family of metrics. */
struct ctr_om_family {
	const char *name; /* Without the suffix of its type. */
	enum ctr_om_type type;
	const char *help;
	const char *unit;
	struct ctr_om_member *members;
	unsigned int num_members;
};

/* All families of all applications by name. */
struct ctr_om_model {
	struct ctr_om_scope *scopes;
	unsigned int num_scopes;
	struct ctr_om_family *families;
	unsigned int num_families;
	unsigned int clashes;     /* Items left out: their names are in use. */
	void *memory;             /* What ctr_om_alloc() has made. */
	bool failed;              /* It had no memory once. */
};

/* Make the families of applications. 0; -ENOMEM, with what is to be freed. */
int ctr_om_model_make(struct ctr_om_model *model, const struct ctr_om_feed *feed, bool all);

/* Free all; idempotent. */
void ctr_om_model_free(struct ctr_om_model *model);

/* Zeroed memory that ctr_om_model_free() frees; NULL: none, and the model has failed. */
void *ctr_om_alloc(struct ctr_om_model *model, size_t count, size_t size);

/* Likewise a text as of printf(). */
char *ctr_om_text(struct ctr_om_model *model, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Names of labels and texts of a scope, unless the model fails. */
void ctr_om_labels_make(struct ctr_om_model *model, struct ctr_om_scope *place);

/* Text to display for a name in a scope, by the words in front of it (struct ctr_display); NULL if
 * there is none. */
const char *ctr_om_display(const struct ctr_scope *scope, const char *kind, const char *name);

/* The texts to display for labels, or names if that is NULL; unless the model fails. */
const char *const *ctr_om_texts(struct ctr_om_model *model, const struct ctr_scope *scope,
				const char *kind, const struct ctr_label *labels,
				const char *const *names, unsigned int num);

/* Copy the values of all instances, with at most `most` samples of each application. 0 or -errno:
 * -ENOMEM. */
int ctr_om_copy(struct ctr_om_model *model, struct ctr_om_feed *feed, unsigned int copy,
		uint32_t most);

/* How far a client has read. */
struct ctr_om_cursor {
	bool open;           /* OpenMetrics, rather than the older format. */
	unsigned int copy;   /* Number of its copy. */
	unsigned int family; /* 0: facts about the server itself; then one more than the number. */
	bool headed;         /* Whether the client has the head of the family. */
	bool later;          /* Times of creation, a family of their own in the older format. */
	unsigned int member;
	uint32_t row;
	size_t offset;       /* Octets of the piece at hand that the client has. */
	bool done;
};

/* Facts about the server itself. */
struct ctr_om_facts {
	const struct ctr_om_model *model;
	const struct ctr_om_feed *feed;
	double seconds; /* Time that the latest copy took. */
};

/* The next octets for a client, at most `room`; 0: there are no more. */
size_t ctr_om_render(const struct ctr_om_facts *facts, struct ctr_om_cursor *cursor, char *text,
		     size_t room);

/* As ctr_openmetrics_start(), of other applications. */
int ctr_om_start(const char *address, const struct ctr_openmetrics_options *options,
		 struct ctr_om_feed *feed);

#endif /* CTR_OM_H */
