/* SPDX-License-Identifier: BSD-3-Clause */
/* One process at a time is attached: baselines are its own, and a second one would take keys, peaks
 * and instances from it. The claim is a word of the common map: the id of the process and when it
 * began, so it ends with the process, and another one with its id does not have it. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "ctr_xdp_private.h"

#define SKIP4 " %*s %*s %*s %*s"

/* The word of a process; 0: there is none, or it has ended and was not waited for. Where the first
 * thread has ended before others, there is more than one thread. */
static uint64_t
claim_of(uint32_t process)
{
	unsigned long long threads, began;
	char text[512], path[32], state;
	const char *at;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%u/stat", process);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	(void)fclose(file);
	at = strrchr(text, ')'); /* The second field, a name, may have spaces. */
	if (at == NULL || sscanf(at, ") %c" SKIP4 SKIP4 SKIP4 SKIP4 " %llu %*s %llu", &state, &threads,
				 &began) != 3)
		return 0;
	return state == 'Z' && threads == 1 ? 0 : (uint64_t)process << 32 | (uint32_t)began;
}

int
ctr_xdp_claim(const struct ctr_xdp *xdp, uint64_t *former)
{
	const uint64_t own = claim_of((uint32_t)getpid());

	if (own == 0)
		return ctr_xdp_refuse(-ENOENT, "cannot read /proc/%d/stat", getpid());
	*former = ctr_load64(xdp->process);
	do {
		const uint32_t process = (uint32_t)(*former >> 32);

		if (process != 0 && claim_of(process) == *former)
			return ctr_xdp_refuse(-EBUSY, "process %u is attached: read its segment",
					      process);
	} while (!__atomic_compare_exchange_n(xdp->process, former, own, false, __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	return 0;
}

void
ctr_xdp_release(const struct ctr_xdp *xdp, uint64_t to)
{
	uint64_t own = ctr_load64(xdp->process);

	if (own >> 32 == (uint32_t)getpid())
		(void)__atomic_compare_exchange_n(xdp->process, &own, to, false, __ATOMIC_SEQ_CST,
						  __ATOMIC_SEQ_CST);
}

/* ---- where the maps of a module are found ---- */

int
ctr_xdp_refuse(int rc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)fputs("ctr_xdp: ", stderr);
	(void)vfprintf(stderr, format, args);
	(void)fputc('\n', stderr);
	va_end(args);
	return rc;
}

int
ctr_xdp_open(const struct ctr_xdp_source *from, const char *name)
{
	char path[4096];
	int fd;

	if (from->object != NULL) {
		fd = bpf_object__find_map_fd_by_name(from->object, name);
		fd = fd < 0 ? -ENOENT : dup(fd);
		return fd >= 0 ? fd :
				 ctr_xdp_refuse(-ENOENT,
					"the object has no map '%s', or is not loaded: build the "
					"program with the header of this schema",
					name);
	}
	/* As bpf_object__pin_maps() names it. */
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", from->folder, name) >= sizeof(path))
		return -ENAMETOOLONG;
	for (char *at = path + strlen(from->folder); *at != '\0'; at++)
		if (*at == '.')
			*at = '_';
	fd = bpf_obj_get(path);
	return fd >= 0 ? fd : ctr_xdp_refuse(-errno, "cannot open the map %s: %s", path, strerror(errno));
}
