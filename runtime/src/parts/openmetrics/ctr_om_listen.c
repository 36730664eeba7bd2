/* SPDX-License-Identifier: BSD-3-Clause */
/* Listening sockets. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctr_om_server.h"

#define UNIX "unix:"
#define BACKLOG 1024
/* Bytes that the kernel queues for a client. Its default is megabytes. */
#define SEND_BUFFER (1 << 17)

/* An address of IP and a port, such as "127.0.0.1:9464". */
static int
parse_address(const char *text, struct sockaddr_storage *address, socklen_t *size)
{
	struct sockaddr_in *four = (struct sockaddr_in *)address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN + 2];
	unsigned long port;
	size_t length;

	if (colon == NULL || colon[1] == '\0' || strlen(colon + 1) > 5 ||
	    strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return -EINVAL;
	port = strtoul(colon + 1, NULL, 10);
	length = (size_t)(colon - text);
	if (port > UINT16_MAX || length >= sizeof(host))
		return -EINVAL;
	memcpy(host, text, length);
	host[length] = '\0';
	memset(address, 0, sizeof(*address));
	if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
		host[length - 1] = '\0';
		six->sin6_family = AF_INET6;
		six->sin6_port = htons((uint16_t)port);
		*size = sizeof(*six);
		return inet_pton(AF_INET6, host + 1, &six->sin6_addr) == 1 ? 0 : -EINVAL;
	}
	four->sin_family = AF_INET;
	four->sin_port = htons((uint16_t)port);
	four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*size = sizeof(*four);
	if (length == 0 || strcmp(host, "localhost") == 0)
		return 0;
	return inet_pton(AF_INET, host, &four->sin_addr) == 1 ? 0 : -EINVAL;
}

/* A socket; connections inherit its buffer. */
static int
open_socket(struct ctr_om_server *server, int family)
{
	const int on = 1, size = SEND_BUFFER;

	server->fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (server->fd < 0)
		return -errno;
	(void)setsockopt(server->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	(void)setsockopt(server->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	return 0;
}

static int
listen_ip(struct ctr_om_server *server, const char *text)
{
	struct sockaddr_storage address;
	socklen_t size;
	int rc = parse_address(text, &address, &size);

	rc = rc != 0 ? rc : open_socket(server, address.ss_family);
	if (rc != 0)
		return rc;
	if (bind(server->fd, (struct sockaddr *)&address, size) != 0 ||
	    listen(server->fd, BACKLOG) != 0 ||
	    getsockname(server->fd, (struct sockaddr *)&address, &size) != 0)
		return -errno;
	server->port = ntohs(((struct sockaddr_in *)&address)->sin_port);
	return 0;
}

/* Remove a socket that no process listens on. */
static void
remove_stale(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct stat status;

	if (fd >= 0 && lstat(address->sun_path, &status) == 0 && S_ISSOCK(status.st_mode) &&
	    connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
	    errno == ECONNREFUSED)
		(void)unlink(address->sun_path);
	if (fd >= 0)
		close(fd);
}

static int
listen_unix(struct ctr_om_server *server, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int rc;

	if (*path == '\0' || strlen(path) >= sizeof(address.sun_path))
		return -EINVAL;
	memcpy(address.sun_path, path, strlen(path) + 1);
	rc = open_socket(server, AF_UNIX);
	if (rc != 0)
		return rc;
	remove_stale(&address);
	if (bind(server->fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return -errno;
	server->path = strdup(path);
	if (server->path == NULL) {
		(void)unlink(path);
		return -ENOMEM;
	}
	if (chmod(path, server->options.mode) != 0 || listen(server->fd, BACKLOG) != 0)
		return -errno;
	return 0;
}

int
ctr_om_listen(struct ctr_om_server *server, const char *address)
{
	if (strncmp(address, UNIX, strlen(UNIX)) == 0)
		return listen_unix(server, address + strlen(UNIX));
	return listen_ip(server, address);
}

void
ctr_om_unlisten(struct ctr_om_server *server)
{
	if (server->path != NULL && server->pid == getpid())
		(void)unlink(server->path);
	if (server->fd >= 0)
		close(server->fd);
	server->fd = -1;
	free(server->path);
	server->path = NULL;
}
