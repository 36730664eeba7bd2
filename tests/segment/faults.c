/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments under failures and next to each other; files are in the current folder. Option: EXECS, 1
 * for a helper that is another program. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "ctr_key.h"
#include "fa_stats.h"
#include "../run/harness.h"
#include "../support/need.h"

#define SEGMENTS 3u

static const struct ctr_module *const modules[] = { &fa_stats_module };
static int stop;

/* ---- calls that fail ---- */

static int calls;      /* So far. */
static int fails;      /* The number of the one that does; 0: none. */
static int dies;       /* Die where the file would get its name. */
static int begin = -1; /* Close it there, and wait. */

static int
failed(void)
{
	if (++calls != fails)
		return 0;
	errno = ENOMEM;
	return 1;
}

#define WRAP(type, name, parameters, arguments, error) \
	type __real_##name parameters;                 \
	type __wrap_##name parameters;                 \
	type __wrap_##name parameters                  \
	{                                              \
		return failed() ? error : __real_##name arguments; \
	}

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t num, size_t size), (num, size), NULL)
WRAP(void *, realloc, (void *at, size_t size), (at, size), NULL)
WRAP(int, posix_memalign, (void **memory, size_t align, size_t size), (memory, align, size), ENOMEM)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(int, mkostemp, (char *path, int flags), (path, flags), -1)
WRAP(int, memfd_create, (const char *name, unsigned int flags), (name, flags), -1)
WRAP(int, fallocate, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size), -1)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size), -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
WRAP(int, fstat, (int fd, struct stat *status), (fd, status), -1)
WRAP(void *, mmap, (void *at, size_t size, int how, int flags, int fd, off_t from),
     (at, size, how, flags, fd, from), MAP_FAILED)
WRAP(int, mprotect, (void *at, size_t size, int how), (at, size, how), -1)
WRAP(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), -1)

WRAP(int, linkat, (int from, const char *path, int to, const char *name, int flags),
     (from, path, to, name, flags), -1)

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int
__wrap_rename(const char *from, const char *to)
{
	if (dies)
		_exit(0);
	if (begin >= 0) {
		close(begin);
		begin = -1;
		usleep(100000);
	}
	return failed() ? -1 : __real_rename(from, to);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int
__wrap_open(const char *path, int flags, ...)
{
	return failed() ? -1 : __real_open(path, flags, 0600);
}

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int
__wrap_fcntl(int fd, int command, ...)
{
	va_list more;
	void *argument;

	va_start(more, command);
	argument = va_arg(more, void *);
	va_end(more);
	if (failed())
		return -1;
	return __real_fcntl(fd, command, argument);
}

/* ---- tables of discontinuities ---- */

static void *
resets(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		NEED(fa_stats_port_reset(1, NULL) == 0);
		(void)fa_stats_global_reset(NULL);
	}
	return NULL;
}

/* Several users of the tables close them in each order, while another thread resets. */
TEST(tables)
{
	struct ctr_segment *segment[SEGMENTS];
	pthread_t thread;
	unsigned int order, i;

	NEED(fa_stats_init() == 0);
	NEED(pthread_create(&thread, NULL, resets, NULL) == 0);
	for (order = 0; order < 2 * SEGMENTS; order++) {
		const struct ctr_scope *scope = ctr_scope_find(&fa_stats_module, "port");
		uint64_t *table;

		for (i = 0; i < SEGMENTS; i++)
			NEED(ctr_segment_create(&segment[i], modules, 1, NULL) == 0);
		NEED(ctr_discontinuity_open(&fa_stats_module, scope, &table) == 0);
		for (i = 0; i < SEGMENTS; i++) {
			const unsigned int at = (order + (order % 2 ? i : 2 * i)) % SEGMENTS;

			ctr_segment_close(segment[at]);
			segment[at] = NULL;
			NEED(fa_stats_port_reset(0, NULL) == 0);
			NEED(__atomic_load_n(&table[0], __ATOMIC_RELAXED) != 0);
			if (segment[(at + 1) % SEGMENTS] != NULL)
				NEED(ctr_segment_publish(segment[(at + 1) % SEGMENTS]) == 0);
		}
		ctr_discontinuity_close(&fa_stats_module, scope, &table);
		ctr_discontinuity_close(&fa_stats_module, scope, &table);
		NEED(*scope->discontinuity_ns == NULL);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	NEED(pthread_join(thread, NULL) == 0);
	fa_stats_fini();
}

/* ---- handing over ---- */

#define COUNTED 1000u

static const struct fa_stats_flow_key key = { .customer = 7, .site = 1,
					      .kind = FA_STATS_FLOW_KEY_KIND_IRON };
static const char former_path[] = "former", *const new_path[] = { "new", "again" };

static void
count(void)
{
	NEED(fa_stats_init() == 0);
	fa_stats_add_total(COUNTED);
	fa_stats_set_level(5);
	NEED(fa_stats_flow_create(3) == 0);
	NEED(fa_stats_flow_key_set(3, &key) == 0);
	fa_stats_flow_add_bytes(3, COUNTED);
	NEED(fa_stats_branch_create(3) == 0 && fa_stats_leaf_create(3, 1) == 0);
	fa_stats_leaf_add_bytes(3, 1, COUNTED);
	fa_stats_port_add_pkts(699, COUNTED);
	fa_stats_drop_add_pkts(FA_STATS_DROP_REASON_ACL, COUNTED);
}

/* Let a process run to its end; its exit code. */
static int
ends(pid_t pid)
{
	int status;

	NEED(pid > 0 && waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Another process counts, and leaves its segment. */
static void
leave_former(void)
{
	const struct ctr_segment_options options = { .path = former_path, .views = true };
	struct ctr_segment *segment;
	pid_t pid = fork();

	if (pid == 0) {
		count();
		NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
		NEED(ctr_segment_final(segment) == 0);
		ctr_segment_close(segment);
		_exit(0);
	}
	NEED(ends(pid) == 0);
}

/* Make a segment that goes on. */
static int
go_on(struct ctr_segment **segment, struct ctr_segment_former *former, unsigned int path)
{
	const struct ctr_segment_options options = { .path = new_path[path], .views = true,
						     .former = former };

	former->path = former_path;
	former->wait_ms = 10000;
	return ctr_segment_create(segment, modules, 1, &options);
}

static void
check_counts(uint64_t counted)
{
	struct fa_stats_flow flow;
	uint32_t at;

	fa_stats_flush();
	if (fa_stats_get_total() != counted || fa_stats_port_get_pkts(699) != counted ||
	    fa_stats_drop_get_pkts(FA_STATS_DROP_REASON_ACL) != counted) {
		fprintf(stderr, "call %d: counts are not exactly once: %lu\n", fails,
			(unsigned long)fa_stats_get_total());
		exit(1);
	}
	if (counted == 0)
		return;
	NEED(fa_stats_get_level() == 5);
	NEED(fa_stats_flow_instances() == 1);
	NEED(fa_stats_flow_key_find(&key, &at) == 0);
	NEED(fa_stats_flow_read(at, &flow) == 0 && flow.bytes == counted);
	NEED(fa_stats_leaf_exists(3, 1) && fa_stats_leaf_get_bytes(3, 1) == counted);
}

static int
entries(const char *folder)
{
	DIR *at = opendir(folder);
	int num = 0;

	while (readdir(at) != NULL)
		num++;
	closedir(at);
	return num;
}

/* A creation whose call number `fails` fails, and another try. */
static void
try_twice(void)
{
	struct ctr_segment_former former = { 0 };
	struct ctr_segment *segment;
	const int files = entries(".");
	int rc, fds;

	calls = -1000; /* none of these fails */
	NEED(fa_stats_init() == 0);
	fds = entries("/proc/self/fd");
	calls = 0;
	rc = go_on(&segment, &former, 0);
	fails = calls < fails ? -1 : 0;
	if (rc != 0) {
		NEED(entries(".") == files);
		rc = go_on(&segment, &former, 1);
	}
	if (rc != 0 || former.error != 0 || !former.final)
		fprintf(stderr, "call %d: %d, error %d\n", fails, rc, former.error);
	NEED(rc == 0 && former.error == 0 && former.final);
	check_counts(COUNTED);
	NEED(ctr_segment_publish(segment) == 0);
	ctr_segment_close(segment);
	NEED(entries(".") == files && entries("/proc/self/fd") == fds);
	rc = go_on(&segment, &former, 0); /* exactly once, even in this process */
	NEED(rc == 0 && former.error == -EALREADY);
	check_counts(COUNTED);
	ctr_segment_close(segment);
	fa_stats_fini();
	exit(fails == -1 ? 2 : 0);
}

TEST(inject)
{
	int n, code = 0;

	for (n = 1; code == 0; n++) {
		pid_t pid;

		leave_former();
		pid = fork();
		if (pid == 0) {
			fails = n;
			try_twice();
		}
		code = ends(pid);
		NEED(code == 0 || code == 2);
	}
	printf("%d calls\n", n - 2);
}

/* Two successors race; a third one comes late. */
TEST(race)
{
	unsigned int rounds;

	for (rounds = 0; rounds < 20; rounds++) {
		pid_t pid[3];
		int begin[2], sum = 0;
		unsigned int i;
		char go;

		leave_former();
		NEED(pipe(begin) == 0);
		for (i = 0; i < 3; i++) {
			pid[i] = fork();
			if (pid[i] == 0) {
				struct ctr_segment_former former = { 0 };
				struct ctr_segment *segment;

				NEED(fa_stats_init() == 0);
				close(begin[1]);
				(void)!read(begin[0], &go, 1);
				NEED(go_on(&segment, &former, i % 2) == 0);
				NEED(former.error == 0 || former.error == -EALREADY);
				check_counts(former.error == 0 ? COUNTED : 0);
				_exit(former.error == 0 ? 11 : 10);
			}
		}
		close(begin[0]);
		close(begin[1]);
		for (i = 0; i < 3; i++)
			sum += ends(pid[i]);
		NEED(sum == 31); /* exactly one has adopted */
	}
}

/* A second successor, which waits for the first one's claim, does not replace its file. */
TEST(second)
{
	struct ctr_segment_former former = { .path = former_path, .wait_ms = 500 };
	const struct ctr_segment_options options = { .path = former_path, .former = &former };
	struct ctr_segment_reader *reader;
	struct ctr_segment *segment;
	int both[2];
	pid_t pid;
	char go;

	leave_former();
	NEED(pipe(both) == 0);
	pid = fork();
	if (pid == 0) {
		NEED(fa_stats_init() == 0);
		close(both[1]);
		(void)!read(both[0], &go, 1);
		NEED(ctr_segment_create(&segment, modules, 1, &options) == -ETIMEDOUT);
		check_counts(0);
		_exit(0);
	}
	begin = both[1];
	NEED(fa_stats_init() == 0);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0 && former.error == 0);
	NEED(ends(pid) == 0);
	NEED(ctr_segment_open(&reader, former_path) == 0);
	NEED(ctr_segment_header(reader)->pid == (uint64_t)getpid());
	ctr_segment_leave(reader);
	ctr_segment_close(segment);
	fa_stats_fini();
}

/* A successor dies when it has taken over, before its segment has a name: the next one goes on. */
TEST(killed)
{
	struct ctr_segment_former former = { 0 };
	struct ctr_segment *segment;
	pid_t pid;

	leave_former();
	pid = fork();
	if (pid == 0) {
		dies = 1;
		NEED(fa_stats_init() == 0);
		(void)go_on(&segment, &former, 0);
		_exit(9);
	}
	NEED(ends(pid) == 0);
	NEED(fa_stats_init() == 0);
	NEED(go_on(&segment, &former, 0) == 0 && former.error == 0);
	check_counts(COUNTED);
	ctr_segment_close(segment);
}

/* Sealed memory is taken over once, too. */
TEST(sealed)
{
	const struct ctr_segment_options options = { .views = true };
	struct ctr_segment *first, *segment;
	int tries;

	count();
	NEED(ctr_segment_create(&first, modules, 1, &options) == 0);
	NEED(ctr_segment_final(first) == 0);
	for (tries = 0; tries < 3; tries++) {
		pid_t pid = fork();

		if (pid == 0) {
			struct ctr_segment_former former = { .fd = ctr_segment_fd(first) };
			const struct ctr_segment_options more = { .former = &former };

			fa_stats_fini();
			NEED(fa_stats_init() == 0);
			NEED(ctr_segment_create(&segment, modules, 1, &more) == 0);
			NEED(former.error == (tries == 0 ? 0 : -EALREADY));
			check_counts(tries == 0 ? COUNTED : 0);
			_exit(0);
		}
		NEED(ends(pid) == 0);
	}
	ctr_segment_close(first);
	fa_stats_fini();
}

/* ---- helpers ---- */

/* What a child of fork() must not do. */
static void
check_child(struct ctr_segment *segment)
{
	NEED(ctr_segment_publish(segment) == -EPERM);
	NEED(ctr_segment_final(segment) == -EPERM);
	NEED(ctr_segment_start(segment, 1) == -EPERM);
	ctr_segment_stop(segment);
	ctr_segment_close(segment);
}

/* Begin a helper that lives on, as a child or as another program (system() and popen() spawn). */
static void
help(bool execs, struct ctr_segment *segment)
{
	char *words[] = { (char *)(uintptr_t)"sleep", (char *)(uintptr_t)"5", NULL };
	char *none[] = { NULL };
	pid_t pid = fork();

	if (pid == 0) {
		check_child(segment);
		_exit(0);
	}
	NEED(ends(pid) == 0 && access(former_path, F_OK) == 0);
	if (execs) {
		NEED(posix_spawn(&pid, "/bin/sleep", NULL, NULL, words, none) == 0);
		return;
	}
	pid = fork();
	if (pid == 0)
		_exit((int)sleep(5));
}

TEST(helper)
{
	const struct ctr_segment_options options = { .path = former_path, .views = true };
	struct ctr_segment_former former = { 0 };
	struct ctr_segment_reader *reader;
	struct ctr_segment *segment;
	int ready[2];
	pid_t pid;
	char go;

	NEED(pipe2(ready, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0) {
		count();
		NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
		help(option("EXECS", 0) != 0, segment);
		usleep(100000);
		NEED(ctr_segment_publish(segment) == 0);
		NEED(write(ready[1], "x", 1) == 1);
		for (;;)
			pause();
	}
	NEED(read(ready[0], &go, 1) == 1);
	NEED(ctr_segment_open(&reader, former_path) == 0);
	NEED(ctr_segment_alive(reader));
	kill(pid, SIGKILL);
	NEED(ends(pid) == 128);
	NEED(!ctr_segment_alive(reader) && ctr_segment_state(reader) == CTR_SEGMENT_LIVE);
	ctr_segment_leave(reader);
	NEED(fa_stats_init() == 0);
	former.path = former_path;
	NEED(go_on(&segment, &former, 0) == 0 && former.error == 0 && !former.final);
	check_counts(COUNTED);
	ctr_segment_close(segment);
}

/* ---- readers ---- */

static uint8_t *
whole(size_t *size)
{
	struct stat status;
	uint8_t *data;
	int fd = open(former_path, O_RDONLY);

	NEED(fd >= 0 && fstat(fd, &status) == 0);
	*size = (size_t)status.st_size;
	data = malloc(*size);
	NEED(data != NULL && pread(fd, data, *size, 0) == status.st_size);
	close(fd);
	return data;
}

/* Memory without a name is read if no process can shrink it, and then only. */
TEST(memory)
{
	struct ctr_segment_reader *reader;
	size_t size;
	uint8_t *data;
	int seals, fd;

	leave_former();
	data = whole(&size);
	for (seals = 0; seals < 3; seals++) {
		fd = memfd_create("faults", seals != 0 ? MFD_ALLOW_SEALING : 0);
		NEED(fd >= 0 && write(fd, data, size) == (ssize_t)size);
		NEED(seals != 2 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
		NEED(ctr_segment_open_fd(&reader, fd) == (seals == 2 ? 0 : -EPERM));
		if (seals == 2)
			ctr_segment_leave(reader);
		close(fd);
	}
	free(data);
}

/* Read all that there is; the worst error. */
static int
read_all(const struct ctr_segment_reader *reader)
{
	uint32_t num, at, i;
	const struct ctr_segment_scope *scope = (const struct ctr_segment_scope *)
		ctr_segment_table(reader, CTR_SEGMENT_SCOPES, &num);
	uint8_t values[4096];
	int worst = 0, rc;

	(void)ctr_segment_alive(reader);
	(void)ctr_segment_state(reader);
	(void)ctr_segment_published_ns(reader);
	for (i = 0; i < num; i++) {
		(void)ctr_segment_next(reader, &scope[i], 0);
		for (at = 0; at < scope[i].total; at++) {
			rc = ctr_segment_read(reader, &scope[i], at, values, NULL);
			worst = rc == -EBADMSG ? rc : worst;
			(void)ctr_segment_read_view(reader, &scope[i], 0, at, values, NULL);
			(void)ctr_segment_read_key(reader, &scope[i], at, values);
		}
	}
	return worst;
}

/* A file is cut short after it was opened: an error, not a signal. */
TEST(truncated)
{
	struct ctr_segment_former former = { 0 };
	struct ctr_segment_reader *reader;
	struct ctr_segment *segment;
	size_t size, cut;
	uint8_t *data;

	leave_former();
	data = whole(&size);
	for (cut = 0; cut < size; cut += cut < 512 ? 64 : size / 7) {
		int fd = open(former_path, O_RDWR);

		NEED(pwrite(fd, data, size, 0) == (ssize_t)size);
		NEED(ctr_segment_open(&reader, former_path) == 0 && read_all(reader) == 0);
		NEED(ftruncate(fd, (off_t)cut) == 0);
		NEED(read_all(reader) == -EBADMSG);
		ctr_segment_leave(reader);
		NEED(ctr_segment_open(&reader, former_path) == -EBADMSG);
		close(fd);
	}
	NEED(fa_stats_init() == 0);
	NEED(go_on(&segment, &former, 0) == 0 && former.error == -EBADMSG);
	check_counts(0);
	ctr_segment_close(segment);
	free(data);
}

/* ---- identity ---- */

/* A copy of the module, of which a case changes something. */
static struct {
	struct ctr_module module;
	struct ctr_scope scope[8];
	struct ctr_item item[8];
	struct ctr_key_part part[3];
	struct ctr_label label[2];
	struct ctr_keys keys;
	const struct ctr_keys *levels[1];
	const char *index[1];
	const char *const *index_labels[1];
	const char *names[3];
	struct ctr_scope *flow, *drop, *global;
} changed;

/* A case: what is reported, whether flows and the total go on, and what it changes. */
#define CHANGES(X)                                                         \
	X("", true, true, (void)0)                                         \
	X("flow.site", false, true, SWAP(changed.part[0].name, changed.part[1].name)) \
	X("flow.account", false, true, changed.part[0].name = "account")   \
	X("flow.customer", false, true, changed.part[0].type = CTR_KEY_IPV4) \
	X("flow.site", false, true, changed.part[1].size = 2)              \
	X("flow.flow", false, true, changed.keys.num_parts = 2)            \
	X("flow.flow", false, true, changed.flow->keys = NULL)             \
	X("flow.kind", false, true, changed.label[0].name = "steel")       \
	X("flow.kind", false, true, SWAP(changed.label[0].value, changed.label[1].value)) \
	X("flow.kind", false, true, changed.part[2].num_labels = 1)        \
	X("flow.gate", false, true, changed.index[0] = "gate")             \
	X("drop.reason", true, true, changed.drop->index_labels = NULL)    \
	X("global.total", true, false, changed.item[0].kind = CTR_GAUGE)   \
	X("global.total", true, false, changed.item[0].type = CTR_TIMESTAMP) \
	X("global.total", true, false, changed.item[0].width = 32)         \
	X("global.total", true, false, changed.item[0].unit = "By")        \
	X("global.total", true, false, changed.item[0].name = "sum")       \
	X("", true, true, SWAP(changed.item[0], changed.item[1]))
#define SWAP(a, b)                         \
	do {                               \
		__typeof__(a) former = a;  \
                                           \
		a = b;                     \
		b = former;                \
	} while (0)
#define ROW(reported, flows, total, does) { #does, reported, flows, total },
#define APPLY(reported, flows, total, does)  \
	if (strcmp(what, #does) == 0) {      \
		does;                        \
	}

static const struct change {
	const char *what;
	const char *reported; /* Scope and name. */
	bool flows;
	bool total;
} changes[] = { CHANGES(ROW) };

static char reports[1000];

static void
note(const struct ctr_segment_change *change, void *unused)
{
	(void)unused;
	snprintf(reports + strlen(reports), sizeof(reports) - strlen(reports), "%s.%s ",
		 change->scope, change->item != NULL ? change->item : "");
}

static void
copy_module(void)
{
	unsigned int i;

	changed.module = fa_stats_module;
	for (i = 0; i < fa_stats_module.num_scopes; i++) {
		struct ctr_scope *scope = &changed.scope[i];

		*scope = fa_stats_module.scopes[i];
		changed.flow = strcmp(scope->name, "flow") == 0 ? scope : changed.flow;
		changed.drop = strcmp(scope->name, "drop") == 0 ? scope : changed.drop;
		changed.global = strcmp(scope->name, "global") == 0 ? scope : changed.global;
	}
	changed.module.scopes = changed.scope;
	memcpy(changed.item, changed.global->items,
	       changed.global->num_items * sizeof(changed.item[0]));
	changed.global->items = changed.item;
	changed.keys = *changed.flow->keys[0];
	memcpy(changed.part, changed.keys.parts, sizeof(changed.part));
	memcpy(changed.label, changed.part[2].labels, sizeof(changed.label));
	changed.part[2].labels = changed.label;
	changed.keys.parts = changed.part;
	changed.levels[0] = &changed.keys;
	changed.flow->keys = changed.levels;
	changed.index[0] = "flow";
	changed.flow->index_names = changed.index;
}

static void
apply(const char *what)
{
	CHANGES(APPLY)
}

static void
check_change(const struct change *change)
{
	struct ctr_segment_former former = { .path = former_path, .report = note };
	const struct ctr_segment_options options = { .path = new_path[0], .former = &former };
	const struct ctr_module *const now[] = { &changed.module };
	struct ctr_segment *segment;
	uint32_t at;

	NEED(fa_stats_init() == 0);
	copy_module();
	apply(change->what);
	NEED(ctr_segment_create(&segment, now, 1, &options) == 0 && former.error == 0);
	if (strstr(reports, change->reported) == NULL || (*change->reported == 0 && *reports != 0) ||
	    (fa_stats_flow_next(0) < FA_STATS_FLOW_MAX) != change->flows ||
	    fa_stats_get_total() != (change->total ? COUNTED : 0)) {
		fprintf(stderr, "%s: reported '%s', total %lu\n", change->what, reports,
			(unsigned long)fa_stats_get_total());
		exit(1);
	}
	if (change->flows)
		NEED(ctr_keys_find(&changed.keys, 0, &key, &at) == 0);
	_exit(0);
}

/* A former segment of format 2, as ctrgen 0.2 makes them; it had no labels of key parts. */
TEST(former_format)
{
	static const struct change change = { "changed.keys.num_parts = 2", "", true, true };
	const struct ctr_segment_options options = { .path = former_path };
	const struct ctr_module *const now[] = { &changed.module };
	struct ctr_segment_header *header;
	struct ctr_segment *segment;
	uint8_t *data, *table;
	uint32_t i;
	size_t size;
	pid_t pid = fork();
	int fd;

	if (pid == 0) {
		count();
		copy_module();
		apply(change.what);
		NEED(ctr_segment_create(&segment, now, 1, &options) == 0);
		NEED(ctr_segment_final(segment) == 0);
		_exit(0);
	}
	NEED(ends(pid) == 0);
	data = whole(&size);
	header = (struct ctr_segment_header *)(void *)data;
	table = data + header->directory + header->table[CTR_SEGMENT_PARTS].offset;
	NEED(header->table[CTR_SEGMENT_PARTS].count == 2);
	for (i = 0; i < 2; i++)
		memmove(table + i * 24, table + i * sizeof(struct ctr_segment_part), 24);
	header->version = 2;
	header->layout = ctr_segment_hash(
		(const uint64_t *)(const void *)(data + header->directory), header->directory_size);
	fd = open(former_path, O_RDWR);
	NEED(pwrite(fd, data, size, 0) == (ssize_t)size);
	check_change(&change);
}

TEST(identity)
{
	unsigned int i;
	int bad = 0;

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		pid_t pid;

		leave_former();
		pid = fork();
		if (pid == 0)
			check_change(&changes[i]);
		bad += ends(pid) != 0;
	}
	NEED(bad == 0);
}
