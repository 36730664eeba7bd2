/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_segment_private.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

/* ---- creating ---- */

/* Take the memory that is needed at any rate: of all bits, of the records where all exist. */
static int
back_source(struct ctr_segment *segment, const struct ctr_segment_source *source)
{
	const struct ctr_segment_scope *place = source->place;
	const int rc = ctr_segment_back(segment, place->exists,
					((uint64_t)place->total + 63) / 64 * 8);

	if (rc != 0 || source->scope->rows == NULL)
		return rc;
	return ctr_segment_back(segment, place->records, (uint64_t)place->total * place->stride);
}

/* Where the records of each scope are, in the order in which they were described. */
static int
find_sources(struct ctr_segment *segment, const struct ctr_module *const *modules,
	     unsigned int count)
{
	const struct ctr_segment_header *header = segment->header;
	const struct ctr_segment_scope *place;
	uint32_t stride = 0;
	int rc;

	place = (const void *)(segment->map + header->directory +
			       header->table[CTR_SEGMENT_SCOPES].offset);
	segment->source = calloc(header->table[CTR_SEGMENT_SCOPES].count + 1u,
				 sizeof(*segment->source));
	if (segment->source == NULL)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int j = 0; j < ctr_scopes_shown(modules[i]); j++) {
			struct ctr_segment_source *source = &segment->source[segment->num_sources];

			if (modules[i]->scopes[j].read == NULL)
				continue;
			source->module = modules[i];
			source->scope = &modules[i]->scopes[j];
			source->place = place + segment->num_sources++;
			stride = source->place->stride > stride ? source->place->stride : stride;
			if (ctr_discontinuity_open(source->module, source->scope,
						   &source->discontinuity_ns) != 0)
				return -ENOMEM;
			rc = back_source(segment, source);
			if (rc != 0)
				return rc;
		}
	}
	segment->row = calloc(1, stride + 1u);
	segment->rows = calloc(1, stride > CTR_SEGMENT_ROOM ? stride : CTR_SEGMENT_ROOM);
	return segment->row != NULL && segment->rows != NULL ? 0 : -ENOMEM;
}

static void
fill_header(struct ctr_segment *segment, const struct ctr_segment_header *from)
{
	struct ctr_segment_header *header = (struct ctr_segment_header *)(void *)segment->map;
	const uint64_t now_ns = ctr_unix_ns();

	*header = *from;
	memcpy(header->magic, CTR_SEGMENT_MAGIC, sizeof(header->magic));
	header->version = CTR_SEGMENT_VERSION;
	header->byte_order = CTR_SEGMENT_BYTE_ORDER;
	header->size = segment->size;
	header->start_ns = now_ns;
	header->clock_ns = segment->began_ns = now_ns - ctr_time_ns();
	header->pid = (uint64_t)segment->pid;
	if (getrandom(&header->generation, sizeof(header->generation), GRND_NONBLOCK) !=
	    (ssize_t)sizeof(header->generation))
		header->generation = now_ns;
	segment->header = header;
}

/* Describe the modules in new memory, and publish them there. */
static int
fill_all(struct ctr_segment *segment, const struct ctr_module *const *modules, unsigned int count,
	 const struct ctr_segment_options *options)
{
	struct ctr_segment_header header = { .state = CTR_SEGMENT_LIVE };
	uint8_t *directory;
	int rc = ctr_segment_describe(modules, count, options->views, &header, &directory);

	segment->size = (size_t)header.size;
	if (rc == 0)
		rc = ctr_segment_make(segment, options);
	if (rc == 0)
		rc = ctr_segment_back(segment, 0, header.directory + header.directory_size);
	if (rc == 0) {
		memcpy(segment->map + header.directory, directory, header.directory_size);
		header.layout = ctr_segment_hash(directory, header.directory_size);
		fill_header(segment, &header);
		rc = find_sources(segment, modules, count);
	}
	free(directory);
	return rc;
}

/* 0; -EINVAL: a module is NULL; -EEXIST: two have one name, which readers call corrupt. */
static int
check_modules(const struct ctr_module *const *modules, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (modules[i] == NULL)
			return -EINVAL;
		for (unsigned int j = 0; j < i; j++)
			if (strcmp(modules[i]->name, modules[j]->name) == 0)
				return -EEXIST;
	}
	return 0;
}

int
ctr_segment_create(struct ctr_segment **segment, const struct ctr_module *const *modules,
		   unsigned int count, const struct ctr_segment_options *options)
{
	static const struct ctr_segment_options none;
	struct ctr_segment_claim *claim = NULL;
	struct ctr_segment *made;
	int rc;

	if (segment == NULL || modules == NULL || count == 0)
		return -EINVAL;
	rc = check_modules(modules, count);
	if (rc != 0)
		return rc;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	pthread_mutex_init(&made->mutex, NULL);
	made->pid = getpid();
	made->fd = -1;
	made->lock = -1;
	made->fork.fork_child = ctr_segment_disown;
	ctr_fork_watch(&made->fork);
	rc = fill_all(made, modules, count, options != NULL ? options : &none);
	if (rc == 0 && options != NULL && options->former != NULL)
		rc = ctr_segment_restore_scopes(made, options->former, &claim);
	if (rc == 0)
		rc = ctr_segment_write(made);
	if (rc == 0)
		rc = ctr_segment_show(made);
	if (rc == 0) {
		ctr_segment_commit(claim, made);
		*segment = made;
	} else {
		ctr_segment_release(claim);
		ctr_segment_close(made);
	}
	return rc;
}

/* ---- publishing ---- */

int
ctr_segment_fd(const struct ctr_segment *segment)
{
	return segment->fd;
}

int
ctr_segment_publish(struct ctr_segment *segment)
{
	int rc;

	if (segment->pid != getpid())
		return -EPERM;
	pthread_mutex_lock(&segment->mutex);
	rc = segment->final ? -EALREADY : ctr_segment_write(segment);
	pthread_mutex_unlock(&segment->mutex);
	return rc;
}

int
ctr_segment_last(const struct ctr_segment *segment)
{
	if (segment->pid != getpid())
		return -EPERM;
	return __atomic_load_n(&segment->last, __ATOMIC_RELAXED);
}

int
ctr_segment_final(struct ctr_segment *segment)
{
	int rc;

	if (segment->pid != getpid())
		return -EPERM;
	ctr_segment_stop(segment);
	pthread_mutex_lock(&segment->mutex);
	segment->stays = true;
	for (uint32_t i = 0; i < segment->num_sources && !segment->final; i++)
		if (i == 0 || segment->source[i].module != segment->source[i - 1].module)
			segment->source[i].module->flush();
	rc = segment->final ? -EALREADY : ctr_segment_write(segment);
	if (rc == 0) {
		segment->final = true;
		__atomic_store_n(&segment->header->state, CTR_SEGMENT_FINAL, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&segment->mutex);
	return rc;
}

/* ---- the thread ---- */

static void *
run_publisher(void *argument)
{
	struct ctr_segment *segment = argument;
	struct pollfd wake = { .fd = segment->wake, .events = POLLIN };

	do
		(void)ctr_segment_publish(segment);
	while (poll(&wake, 1, (int)segment->period_ms) == 0);
	return NULL;
}

int
ctr_segment_start(struct ctr_segment *segment, uint32_t period_ms)
{
	int rc;

	if (segment == NULL || period_ms == 0)
		return -EINVAL;
	if (segment->pid != getpid())
		return -EPERM;
	if (segment->runs)
		return -EBUSY;
	segment->wake = eventfd(0, EFD_CLOEXEC);
	if (segment->wake < 0)
		return -errno;
	segment->period_ms = period_ms < INT32_MAX ? period_ms : INT32_MAX;
	segment->thread.run = run_publisher;
	segment->thread.argument = segment;
	rc = ctr_port_control_start(&segment->thread, "ctr-segment");
	segment->runs = rc == 0;
	if (rc != 0)
		close(segment->wake);
	return rc;
}

void
ctr_segment_stop(struct ctr_segment *segment)
{
	if (segment == NULL || !segment->runs || segment->pid != getpid())
		return;
	(void)eventfd_write(segment->wake, 1);
	ctr_port_control_join(&segment->thread);
	close(segment->wake);
	segment->runs = false;
}

/* ---- the end ---- */

void
ctr_segment_close(struct ctr_segment *segment)
{
	if (segment == NULL)
		return;
	if (segment->pid == getpid()) {
		ctr_segment_stop(segment);
		if (segment->header != NULL && !segment->final)
			__atomic_store_n(&segment->header->state, CTR_SEGMENT_CLOSED,
					 __ATOMIC_RELEASE);
	}
	for (uint32_t i = 0; i < segment->num_sources; i++)
		ctr_discontinuity_close(segment->source[i].module, segment->source[i].scope,
					&segment->source[i].discontinuity_ns);
	ctr_change_begin(); /* until it is closed, a child has to close it, too */
	ctr_segment_unmake(segment, !segment->stays && segment->pid == getpid());
	ctr_change_end();
	ctr_fork_unwatch(&segment->fork);
	pthread_mutex_destroy(&segment->mutex);
	free(segment->source);
	free(segment->row);
	free(segment->rows);
	free(segment);
}
