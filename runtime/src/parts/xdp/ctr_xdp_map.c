/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the maps of a module are found. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctr_xdp_private.h"

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
