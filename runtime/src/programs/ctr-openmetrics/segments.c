/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "describe.h"
#include "segments.h"

/* Most segments; others in a folder are ignored. */
#define SEGMENTS_MAX 1024u
/* Seconds without a publication after which an application counts as hung. */
#define STALE_S 60.0

/* A file; it is another one if one of these differs. */
struct file {
	char *path;
	dev_t device;
	ino_t inode;
};

struct segment {
	struct file file;
	char *name;
	struct ctr_segment_reader *reader; /* NULL: it cannot be read. */
	struct ctr_om_model memory;        /* Of its descriptors. */
};

/* ---- files ---- */

/* Whether a file begins as segments do. */
static bool
is_segment(const char *path)
{
	char magic[sizeof(CTR_SEGMENT_MAGIC)];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool found;

	found = fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		memcmp(magic, CTR_SEGMENT_MAGIC, sizeof(magic)) == 0;
	if (fd >= 0)
		close(fd);
	return found;
}

/* Add a file, unless there are too many; with `checked`, if it is a segment. */
static void
add_file(struct file *files, unsigned int *num, const char *path, bool checked)
{
	struct file *file = &files[*num];
	struct stat status = { 0 };

	if (*num == SEGMENTS_MAX || (stat(path, &status) != 0 && checked) ||
	    (checked && (!S_ISREG(status.st_mode) || !is_segment(path))))
		return;
	file->path = strdup(path);
	file->device = status.st_dev;
	file->inode = status.st_ino;
	*num += file->path != NULL;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

/* The files that there are now: those of folders by name; returns how many. */
static unsigned int
find_files(const struct segments *segments, struct file *files)
{
	unsigned int num = 0, first;
	struct dirent *entry;
	char path[4096];
	DIR *folder;
	int i;

	for (i = 0; i < segments->num_paths; i++) {
		folder = opendir(segments->paths[i]);
		if (folder == NULL) {
			add_file(files, &num, segments->paths[i], false);
			continue;
		}
		first = num;
		while ((entry = readdir(folder)) != NULL)
			if (snprintf(path, sizeof(path), "%s/%s", segments->paths[i],
				     entry->d_name) < (int)sizeof(path))
				add_file(files, &num, path, true);
		closedir(folder);
		qsort(files + first, num - first, sizeof(*files), by_path);
	}
	return num;
}

/* ---- names ---- */

/* The name of an application, the shortest first: file, folder and file, path. */
static char *
name_of(const char *path, unsigned int length)
{
	const char *file = strrchr(path, '/'), *dot, *folder;
	char *name = NULL;

	file = file != NULL ? file + 1 : path;
	dot = strrchr(file, '.');
	if (dot == NULL || dot == file)
		dot = file + strlen(file);
	for (folder = file - (file != path); folder > path && folder[-1] != '/'; folder--)
		;
	if (length == 2)
		return strdup(path);
	if (length == 1)
		file = folder;
	if (asprintf(&name, "%.*s", (int)(dot - file), file) < 0)
		return NULL;
	return name;
}

/* Give each application the shortest name that no other one has. */
static int
name_all(struct segment *open, unsigned int num)
{
	unsigned int i, j, length;
	bool shared = true;
	char *other;

	for (i = 0; i < num; i++) {
		for (length = 0, shared = true; length < 3 && shared; length++) {
			free(open[i].name);
			open[i].name = name_of(open[i].file.path, length);
			if (open[i].name == NULL)
				return -ENOMEM;
			for (j = 0, shared = false; j < num && !shared; j++) {
				other = i != j ? name_of(open[j].file.path, length) : NULL;
				shared = other != NULL && strcmp(other, open[i].name) == 0;
				free(other);
			}
		}
	}
	return 0;
}

/* ---- values ---- */

/* A walk of a scope. */
struct walk {
	ctr_om_visit *visit;
	void *context;
};

static int
visit_record(uint32_t at, const void *values, const struct ctr_segment_info *info, void *context)
{
	const bool keyed = (info->flags & CTR_SEGMENT_KEYED) != 0 && info->text != NULL;
	const struct ctr_om_instance instance = { at, keyed ? UINT32_MAX : 0, info->since_ns };
	const void *text = info->text != NULL ? (const void *)info->text : values;
	const struct walk *walk = context;

	return walk->visit(&instance, values, text, walk->context);
}

static int
walk_segment(const struct ctr_om_app *app, const struct ctr_module *module,
	     const struct ctr_scope *scope, ctr_om_visit *visit, void *context)
{
	const struct segment *segment = app->context;
	const struct ctr_segment_module *modules =
		ctr_segment_table(segment->reader, CTR_SEGMENT_MODULES, NULL);
	const struct ctr_segment_scope *scopes =
		ctr_segment_table(segment->reader, CTR_SEGMENT_SCOPES, NULL);
	struct walk walk = { visit, context };
	unsigned int m;

	for (m = 0; app->modules[m] != module; m++)
		;
	scopes += modules[m].first_scope + (scope - module->scopes);
	return ctr_segment_walk(segment->reader, scopes, visit_record, &walk);
}

/* ---- the feed ---- */

/* Whether an application runs and publishes. */
static void
look_at(struct ctr_om_app *app)
{
	const struct segment *segment = app->context;
	struct timespec now;

	app->up = false;
	app->age_s = -1;
	if (segment->reader == NULL || !ctr_segment_alive(segment->reader))
		return;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	app->age_s = (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
		     (double)ctr_segment_published_ns(segment->reader) / 1e9;
	app->age_s = app->age_s > 0 ? app->age_s : 0;
	app->up = app->age_s <= STALE_S;
}

static void
close_all(struct segments *segments)
{
	unsigned int i;

	for (i = 0; i < segments->feed.num_apps; i++) {
		ctr_segment_leave(segments->open[i].reader);
		ctr_om_model_free(&segments->open[i].memory);
		free(segments->open[i].name);
		free(segments->open[i].file.path);
	}
	free(segments->open);
	free(segments->feed.apps);
	segments->open = NULL;
	segments->feed.apps = NULL;
	segments->feed.num_apps = 0;
}

/* Read the directory of a segment; one that cannot be read has no modules. */
static int
open_segment(struct segment *segment, struct ctr_om_app *app)
{
	int rc = ctr_segment_open(&segment->reader, segment->file.path);

	*app = (struct ctr_om_app){ .name = segment->name,
				    .walk = walk_segment,
				    .context = segment };
	if (rc == 0) {
		app->clock_ns = ctr_segment_header(segment->reader)->clock_ns;
		rc = describe(&segment->memory, segment->reader, &app->modules, &app->num_modules);
	}
	if (rc != 0) {
		ctr_segment_leave(segment->reader);
		segment->reader = NULL;
	}
	look_at(app);
	return rc == -ENOMEM ? rc : 0;
}

static int
refresh(struct ctr_om_feed *feed)
{
	struct segments *segments = (struct segments *)feed;
	struct file *files = calloc(SEGMENTS_MAX, sizeof(*files));
	unsigned int num, i;
	int rc = 0;

	close_all(segments);
	if (files == NULL)
		return -ENOMEM;
	num = find_files(segments, files);
	segments->open = calloc(num + 1, sizeof(*segments->open));
	feed->apps = calloc(num + 1, sizeof(*feed->apps));
	for (i = 0; i < num; i++) {
		if (segments->open != NULL)
			segments->open[i].file = files[i];
		else
			free(files[i].path);
	}
	free(files);
	if (segments->open == NULL || feed->apps == NULL)
		return -ENOMEM;
	feed->num_apps = num;
	rc = name_all(segments->open, num);
	for (i = 0; i < num && rc == 0; i++)
		rc = open_segment(&segments->open[i], &feed->apps[i]);
	return rc;
}

static bool
changed(struct ctr_om_feed *feed)
{
	struct segments *segments = (struct segments *)feed;
	struct file *files = calloc(SEGMENTS_MAX, sizeof(*files));
	unsigned int num, i;
	bool same;

	if (files == NULL)
		return false;
	num = find_files(segments, files);
	same = num == feed->num_apps;
	for (i = 0; i < num; i++) {
		const struct file *was = same ? &segments->open[i].file : NULL;

		same = was != NULL && strcmp(was->path, files[i].path) == 0 &&
		       was->device == files[i].device && was->inode == files[i].inode;
		free(files[i].path);
	}
	free(files);
	for (i = 0; i < feed->num_apps; i++)
		look_at(&feed->apps[i]);
	return !same;
}

void
segments_init(struct segments *segments, char *const *paths, int num_paths)
{
	memset(segments, 0, sizeof(*segments));
	segments->feed.changed = changed;
	segments->feed.refresh = refresh;
	segments->paths = paths;
	segments->num_paths = num_paths;
}

void
segments_free(struct segments *segments)
{
	close_all(segments);
}
