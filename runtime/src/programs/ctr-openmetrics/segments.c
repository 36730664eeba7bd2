/* SPDX-License-Identifier: BSD-3-Clause */
/* The segments that there are, their names and values. */
#include "segments.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most segments; others in a folder are ignored. */
#define SEGMENTS_MAX 1024u
/* Room for a name, which is at most a path. */
#define NAME_ROOM 4096u
/* Seconds without a publication after which an application counts as hung. */
#define STALE_S 60.0

struct segment {
	char *path;
	dev_t device; /* It is another file if one of these differs. */
	ino_t inode;
	char *name;
	struct ctr_segment_reader *reader; /* NULL: it cannot be read. */
	bool closed;                       /* Opening it failed, which may be over. */
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

/* Add a file, unless it is there or there are too many; with `checked`, if it is a segment. */
static void
add_file(struct segment *files, unsigned int *num, const char *path, bool checked)
{
	struct segment *file = &files[*num];
	struct stat status = { 0 };

	if (*num == SEGMENTS_MAX || (stat(path, &status) != 0 && checked) ||
	    (checked && (!S_ISREG(status.st_mode) || !is_segment(path))))
		return;
	for (unsigned int i = 0; i < *num; i++)
		if (files[i].inode == status.st_ino && files[i].device == status.st_dev &&
		    (status.st_ino != 0 || strcmp(files[i].path, path) == 0))
			return;
	file->path = strdup(path);
	file->device = status.st_dev;
	file->inode = status.st_ino;
	*num += file->path != NULL;
}

/* The files that there are now: those of folders by name; returns how many. */
static unsigned int
find_files(const struct segments *segments, struct segment *files)
{
	unsigned int num = 0;
	struct dirent **entries;
	char path[NAME_ROOM];
	int count, length;

	for (int i = 0; i < segments->num_paths; i++) {
		length = (int)strlen(segments->paths[i]);
		while (length > 1 && segments->paths[i][length - 1] == '/')
			length--;
		count = scandir(segments->paths[i], &entries, NULL, alphasort);
		if (count < 0)
			add_file(files, &num, segments->paths[i], false);
		for (int n = 0; n < count; n++) {
			if (snprintf(path, sizeof(path), "%.*s/%s", length, segments->paths[i],
				     entries[n]->d_name) < (int)sizeof(path))
				add_file(files, &num, path, true);
			free(entries[n]);
		}
		if (count >= 0)
			free(entries);
	}
	return num;
}

/* ---- names ---- */

/* The name of an application, the shortest first: file, folder and file, path. */
static const char *
name_of(const char *path, unsigned int length, char *name)
{
	const char *file = strrchr(path, '/'), *dot, *folder;

	file = file != NULL ? file + 1 : path;
	dot = strrchr(file, '.');
	if (dot == NULL || dot == file || length == 2)
		dot = file + strlen(file);
	for (folder = file - (file != path); folder > path && folder[-1] != '/'; folder--)
		;
	if (length != 0)
		file = length == 1 ? folder : path;
	(void)snprintf(name, NAME_ROOM, "%.*s", (int)(dot - file), file);
	return name;
}

/* Give each application the shortest name that no other one has. */
static int
name_all(struct segment *open, unsigned int num)
{
	char name[NAME_ROOM], other[NAME_ROOM];
	unsigned int j, length;

	for (unsigned int i = 0; i < num; i++) {
		for (length = 0, j = 0; length < 3 && j < num; length++) {
			(void)name_of(open[i].path, length, name);
			for (j = 0; j < num; j++)
				if (i != j && !strcmp(name, name_of(open[j].path, length, other)))
					break;
		}
		open[i].name = strdup(name);
		if (open[i].name == NULL)
			return -ENOMEM;
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
walk_segment(const struct ctr_om_scope *place, ctr_om_visit *visit, void *context)
{
	const struct segment *segment = place->app->context;
	const struct ctr_segment_module *modules =
		ctr_segment_table(segment->reader, CTR_SEGMENT_MODULES, NULL);
	const struct ctr_segment_scope *scopes =
		ctr_segment_table(segment->reader, CTR_SEGMENT_SCOPES, NULL);
	struct walk walk = { visit, context };
	unsigned int m;

	for (m = 0; place->app->modules[m] != place->module; m++)
		;
	scopes += modules[m].first_scope + (place->scope - place->module->scopes);
	return ctr_segment_walk(segment->reader, scopes, visit_record, &walk);
}

/* ---- the feed ---- */

/* Whether an application runs and publishes. */
static void
look_at(struct ctr_om_app *app)
{
	const struct segment *segment = app->context;
	uint64_t published_ns;

	app->up = false;
	app->age_s = -1;
	if (segment == NULL || segment->reader == NULL || !ctr_segment_alive(segment->reader))
		return;
	published_ns = ctr_segment_published_ns(segment->reader);
	if (published_ns == 0) /* the file was cut short */
		return;
	app->clock_ns = ctr_segment_clock_ns(segment->reader);
	app->age_s = (double)ctr_unix_ns() - (double)published_ns;
	app->age_s = app->age_s > 0 ? app->age_s / 1e9 : 0;
	app->up = app->age_s <= STALE_S;
}

void
segments_free(struct segments *segments)
{
	for (unsigned int i = 0; i < segments->feed.num_apps; i++) {
		ctr_segment_leave(segments->open[i].reader);
		ctr_om_model_free(&segments->open[i].memory);
		free(segments->open[i].name);
		free(segments->open[i].path);
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
	int rc = ctr_segment_open(&segment->reader, segment->path);

	segment->closed = rc != 0;
	*app = (struct ctr_om_app){ .name = segment->name,
				    .walk = walk_segment,
				    .context = segment };
	if (rc == 0) {
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
	int rc;

	segments_free(segments);
	segments->open = calloc(SEGMENTS_MAX, sizeof(*segments->open));
	feed->apps = calloc(SEGMENTS_MAX, sizeof(*feed->apps));
	if (segments->open == NULL || feed->apps == NULL)
		return -ENOMEM;
	feed->num_apps = find_files(segments, segments->open);
	rc = name_all(segments->open, feed->num_apps);
	for (unsigned int i = 0; i < feed->num_apps && rc == 0; i++)
		rc = open_segment(&segments->open[i], &feed->apps[i]);
	return rc;
}

/* Whether a file can be opened now that could not: for want of permissions or descriptors. */
static bool
opens_now(const struct segment *segment)
{
	struct ctr_segment_reader *reader = NULL;
	const bool opens = segment->closed && ctr_segment_open(&reader, segment->path) == 0;

	ctr_segment_leave(reader);
	return opens;
}

static bool
changed(struct ctr_om_feed *feed)
{
	struct segments *segments = (struct segments *)feed;
	struct segment *files = calloc(SEGMENTS_MAX, sizeof(*files));
	unsigned int num;
	bool same;

	if (files == NULL)
		return false;
	num = find_files(segments, files);
	same = num == feed->num_apps;
	for (unsigned int i = 0; i < num; i++) {
		const struct segment *was = same ? &segments->open[i] : NULL;

		same = was != NULL && strcmp(was->path, files[i].path) == 0 &&
		       was->device == files[i].device && was->inode == files[i].inode &&
		       !opens_now(was);
		free(files[i].path);
	}
	free(files);
	for (unsigned int i = 0; i < feed->num_apps; i++)
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
