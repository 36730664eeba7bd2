/* SPDX-License-Identifier: BSD-3-Clause */
/* Families of metrics: names as of generator/model/naming/prometheus.py. */
#include "ctr_om.h"

#include <limits.h>
#include <search.h>

#include "ctr_type.h"

/* Most characters of a name with its suffixes. */
#define NAME_ROOM 2048u

/* A name in use. */
struct taken {
	const char *name;
	const char *owner; /* Name of the family; empty: the server itself; NULL: no other one. */
};

/* Families while they are made. */
struct making {
	struct ctr_om_model *model;
	struct ctr_om_family *entry; /* Each with one member. */
	unsigned int num;
	void *app;    /* Names of an application: a tree of struct taken. */
	void *all;    /* Names of all. */
};

/* What names of series of a family end with, by its type. */
static const char *const series[][5] = {
	[CTR_OM_COUNTER] = { "", "_total", "_created" },
	[CTR_OM_GAUGE] = { "" },
	[CTR_OM_INFO] = { "", "_info" },
	[CTR_OM_STATESET] = { "" },
	[CTR_OM_HISTOGRAM] = { "", "_bucket", "_count", "_sum", "_created" },
};

static const char *const own_names[] = {
	"ctrgen_application_up",
	"ctrgen_published_age_seconds",
	"ctrgen_scope_left_out",
	"ctrgen_instances_left_out",
	"ctrgen_metric_left_out",
	"ctrgen_collect_seconds",
};

/* ---- names ---- */

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct taken *)a)->name, ((const struct taken *)b)->name);
}

/* Give a family the names of its series; true: another one has one of them. */
static bool
om_take(struct making *making, void **root, const char *name, enum ctr_om_type type,
	const char *owner)
{
	struct taken *key[5], *const *found;
	unsigned int i;

	for (i = 0; i < 5 && series[type][i] != NULL; i++) {
		key[i] = ctr_om_alloc(making->model, 1, sizeof(*key[i]));
		if (key[i] == NULL)
			return true;
		key[i]->name = ctr_om_text(making->model, "%s%s", name, series[type][i]);
		key[i]->owner = owner;
		if (key[i]->name == NULL)
			return true;
		found = tfind(key[i], root, by_name);
		if (found != NULL && (owner == NULL || strcmp((*found)->owner, owner) != 0))
			return true;
	}
	while (i-- > 0)
		making->model->failed |= tsearch(key[i], root, by_name) == NULL;
	return making->model->failed;
}

static void
remove_suffix(char *name, const char *suffix)
{
	const size_t length = strlen(name), end = strlen(suffix);

	if (length >= end && strcmp(name + length - end, suffix) == 0)
		name[length - end] = '\0';
}

/* Name of a family that no other one of the application has; NULL: no memory. */
static char *
free_name(struct making *making, const struct ctr_om_scope *place, const char *item,
	  enum ctr_om_type type)
{
	const char *scope = place->scope->name;
	const char *given = ctr_om_display(place->scope, "metric", item);
	const bool nameless = strcmp(scope, "global") == 0 || strcmp(scope, CTR_HEALTH) == 0;
	char name[NAME_ROOM / 2];
	int size;

	if (given != NULL)
		size = snprintf(name, sizeof(name), "%s", given);
	else
		size = snprintf(name, sizeof(name), "%s_%s%s%s", place->module->name,
				nameless ? "" : scope, nameless ? "" : "_", item);
	if (size < 0 || (size_t)size >= sizeof(name))
		return NULL;
	if (type != CTR_OM_HISTOGRAM && type != CTR_OM_INFO) {
		remove_suffix(name, "_total");
		remove_suffix(name, "_info");
	}
	for (size = (int)strlen(name); om_take(making, &making->app, name, type, NULL); size += 4) {
		if (making->model->failed || (size_t)size + sizeof("_own") > sizeof(name))
			return NULL;
		memcpy(name + size, "_own", sizeof("_own"));
	}
	return ctr_om_text(making->model, "%s", name);
}

/* ---- families ---- */

static enum ctr_om_type
type_of(const struct ctr_item *item)
{
	if (item->kind != CTR_STATE)
		return item->kind == CTR_COUNTER ? CTR_OM_COUNTER : CTR_OM_GAUGE;
	if (item->type == CTR_ENUM)
		return CTR_OM_STATESET;
	return ctr_type_info(item->type)->text != 0 ? CTR_OM_INFO : CTR_OM_GAUGE;
}

/* A name that no label of an instance has. */
static char *
free_label(struct ctr_om_model *model, const struct ctr_om_scope *place, const char *name)
{
	char *label = ctr_om_text(model, "%s", name);

	for (unsigned int i = 0; label != NULL && i <= place->num_labels; i++) {
		const char *other = i == 0 ? "application" : place->labels[i - 1].name;

		if (strcmp(other, label) == 0) {
			label = ctr_om_text(model, "%s_own", label);
			i = UINT_MAX; /* from the first one */
		}
	}
	return label;
}

static void
add_family(struct making *making, struct ctr_om_scope *place, const struct ctr_item *item,
	   const struct ctr_histogram *histogram)
{
	struct ctr_om_family *entry = &making->entry[making->num];
	struct ctr_om_member *member = ctr_om_alloc(making->model, 1, sizeof(*member));
	enum ctr_om_type type;

	if (member == NULL || (item == NULL && histogram == NULL))
		return;
	type = item != NULL ? type_of(item) : CTR_OM_HISTOGRAM;
	entry->type = type;
	entry->name = free_name(making, place, item != NULL ? item->name : histogram->name, type);
	making->model->clashes += entry->name == NULL; /* too long */
	if (entry->name == NULL)
		return;
	entry->help = item != NULL ? item->description : histogram->description;
	entry->unit = item != NULL ? item->unit : histogram->unit;
	if (item != NULL && item->type == CTR_TIMESTAMP)
		entry->unit = "s";
	entry->members = member;
	entry->num_members = 1;
	member->scope = place;
	member->item = item;
	member->histogram = histogram;
	member->created = item == NULL || (type == CTR_OM_COUNTER && item->source != CTR_DEVICE &&
					   item->source != CTR_CALLBACK);
	if (type == CTR_OM_INFO || type == CTR_OM_STATESET)
		member->key = free_label(making->model, place,
					 type == CTR_OM_INFO ? item->name : entry->name);
	if (type == CTR_OM_STATESET)
		member->texts = ctr_om_texts(making->model, place->scope,
					     ctr_om_text(making->model, "label %s", item->name),
					     item->labels, NULL, item->num_labels);
	if (type == CTR_OM_HISTOGRAM)
		place->lines += histogram->num_bounds + 4;
	else
		place->lines += type == CTR_OM_STATESET ? item->num_labels : 1u + member->created;
	if (om_take(making, &making->all, entry->name, type, entry->name))
		making->model->clashes++;
	else
		making->num++;
}

static bool
in_histogram(const struct ctr_scope *scope, unsigned int item)
{
	for (unsigned int i = 0; i < scope->num_histograms; i++)
		if (item >= scope->histograms[i]->item &&
		    item - scope->histograms[i]->item <= scope->histograms[i]->num_bounds + 1)
			return true;
	return false;
}

/* Number of instances that are left out together: those by label of one thing, up to 64. */
static uint32_t
group_of(const struct ctr_scope *scope)
{
	unsigned int level = scope->num_indexes;
	uint64_t group = 1;

	if (scope->storage != CTR_STATIC || level == 0)
		return 0;
	for (; level != 0 && scope->index_labels != NULL && scope->index_labels[level - 1] != NULL;
	     level--)
		group *= scope->index_maxima[level - 1];
	if (group > 64)
		return 1;
	return level == 0 ? 0 : (uint32_t)group;
}

static void
add_scope(struct making *making, struct ctr_om_scope *place, bool all)
{
	const struct ctr_scope *scope = place->scope;

	if (ctr_discontinuity_open(place->module, scope, &place->discontinuity_ns) != 0)
		making->model->failed = true;
	ctr_om_labels_make(making->model, place);
	place->group = all ? 0 : group_of(scope);
	if (place->group != 0)
		place->shown = ctr_om_alloc(making->model,
					    ctr_scope_total(scope) / place->group / 64 + 1,
					    sizeof(*place->shown));
	place->lines = scope->num_items == 0;
	for (unsigned int i = 0; i < scope->num_items && !making->model->failed; i++)
		if (!in_histogram(scope, i))
			add_family(making, place, &scope->items[i], NULL);
	for (unsigned int i = 0; i < scope->num_histograms && !making->model->failed; i++)
		add_family(making, place, NULL, scope->histograms[i]);
}

static int
by_family(const void *a, const void *b)
{
	const struct ctr_om_family *one = a, *other = b;
	const int order = strcmp(one->name, other->name);

	if (order != 0)
		return order;
	return one->members[0].scope < other->members[0].scope ? -1 : 1;
}

/* Join entries of one name, of several applications: members side by side. */
static void
join(struct making *making)
{
	struct ctr_om_model *model = making->model;
	struct ctr_om_member *members = ctr_om_alloc(model, making->num, sizeof(*members));
	struct ctr_om_family *last = NULL;
	unsigned int i, num = 0;

	if (members == NULL)
		return;
	qsort(making->entry, making->num, sizeof(*making->entry), by_family);
	for (i = 0; i < making->num; i++) {
		const bool same = last != NULL && strcmp(last->name, making->entry[i].name) == 0;

		if (same && last->type != making->entry[i].type) {
			model->clashes++;
			continue;
		}
		members[num] = making->entry[i].members[0];
		if (!same) {
			last = &making->entry[model->num_families++];
			*last = making->entry[i];
			last->members = &members[num];
			last->num_members = 0;
		}
		last->num_members++;
		num++;
	}
	model->families = making->entry;
}

static unsigned int
count_all(struct ctr_om_model *model, const struct ctr_om_feed *feed)
{
	unsigned int a, m, s, items = 0;

	for (a = 0; a < feed->num_apps; a++) {
		for (m = 0; m < feed->apps[a].num_modules; m++) {
			const struct ctr_module *module = feed->apps[a].modules[m];

			model->num_scopes += ctr_scopes_shown(module);
			for (s = 0; s < ctr_scopes_shown(module); s++)
				items += module->scopes[s].num_items +
					 module->scopes[s].num_histograms;
		}
	}
	return items;
}

/* Nodes of trees are memory of the model. */
static void
om_keep(CTR_UNUSED void *node)
{
}

static void
add_app(struct making *making, const struct ctr_om_app *app, struct ctr_om_scope **place, bool all)
{
	unsigned int s;

	for (unsigned int m = 0; m < app->num_modules; m++) {
		const struct ctr_module *module = app->modules[m];

		for (s = 0; s < ctr_scopes_shown(module) && !making->model->failed; s++) {
			if (module->scopes[s].storage == CTR_EMBEDDED)
				continue;
			(*place)->app = app;
			(*place)->module = module;
			(*place)->scope = &module->scopes[s];
			add_scope(making, (*place)++, all);
		}
	}
	tdestroy(making->app, om_keep);
	making->app = NULL;
}

int
ctr_om_model_make(struct ctr_om_model *model, const struct ctr_om_feed *feed, bool all)
{
	struct making making = { .model = model };
	struct ctr_om_scope *place;
	unsigned int i, items;

	memset(model, 0, sizeof(*model));
	items = count_all(model, feed);
	making.entry = ctr_om_alloc(model, items + 1, sizeof(*making.entry));
	place = model->scopes = ctr_om_alloc(model, model->num_scopes + 1, sizeof(*place));
	for (i = 0; i < sizeof(own_names) / sizeof(own_names[0]) && !model->failed; i++)
		(void)om_take(&making, &making.all, own_names[i], CTR_OM_GAUGE, "");
	for (i = 0; i < feed->num_apps && !model->failed; i++)
		add_app(&making, &feed->apps[i], &place, all);
	if (!model->failed)
		join(&making);
	tdestroy(making.all, om_keep);
	model->num_scopes = (unsigned int)(place - model->scopes);
	return model->failed ? -ENOMEM : 0;
}
