/* SPDX-License-Identifier: BSD-3-Clause */
/* Listening sockets. */
#include "ctr_om_server.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#define UNIX "unix:"
#define BACKLOG 1024
/* Bytes that the kernel queues for a client. Its default is megabytes. */
#define SEND_BUFFER (1 << 17)

/* An address of IP and a port, such as "127.0.0.1:9464"; NULL: it is none. */
static struct addrinfo *
parse_address(const char *text)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				  .ai_socktype = SOCK_STREAM,
				  .ai_family = AF_INET };
	const char *port = strrchr(text, ':'), *host;
	char copy[INET6_ADDRSTRLEN + 2];
	struct addrinfo *found = NULL;
	struct in_addr four;
	size_t length = port != NULL ? (size_t)(port++ - text) : sizeof(copy);

	if (length >= sizeof(copy) || *port == '\0' || strspn(port, "0123456789") != strlen(port) ||
	    strlen(port) > 5 || strtoul(port, NULL, 10) > UINT16_MAX)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	host = length == 0 || strcmp(copy, "localhost") == 0 ? "127.0.0.1" : copy;
	if (copy[0] == '[' && copy[length - 1] == ']') {
		copy[length - 1] = '\0';
		host = copy + 1;
		hints.ai_family = AF_INET6;
	} else if (inet_pton(AF_INET, host, &four) != 1) {
		return NULL; /* "0" is all addresses to getaddrinfo() */
	}
	return getaddrinfo(host, port, &hints, &found) == 0 ? found : NULL;
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
	struct addrinfo *address = parse_address(text);
	struct sockaddr_in6 own = { 0 };
	socklen_t size = sizeof(own);
	int rc = address != NULL ? open_socket(server, address->ai_family) : -EINVAL;

	if (rc == 0 && (bind(server->fd, address->ai_addr, address->ai_addrlen) != 0 ||
			listen(server->fd, BACKLOG) != 0 ||
			getsockname(server->fd, (struct sockaddr *)&own, &size) != 0))
		rc = -errno;
	server->port = ntohs(own.sin6_port); /* where that of IPv4 is */
	if (address != NULL)
		freeaddrinfo(address);
	return rc;
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
