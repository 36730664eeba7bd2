/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections, their deadlines, and which one ends where there are too many. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctr_om_server.h"

/* A client that takes no page for this time may lose its connection to another one. */
#define IDLE_NS UINT64_C(10000000)
/* Most connections that are accepted in a round, and of these that become clients. */
#define ACCEPTED 1024u
#define BEGUN 8u
/* libmicrohttpd tries each unfinished handshake in each round. So a part of `connections` may ask
 * over TLS, for this time while others take pages. */
#define TLS_SHARE 4u
#define TLS_NS UINT64_C(250000000)

/* Most clients that ask. */
static unsigned int
asks_max(const struct ctr_om_server *server)
{
	const unsigned int most = server->options.connections;

	return server->options.certificate == NULL ? most : (most + TLS_SHARE - 1) / TLS_SHARE;
}

/* End a connection; one that has not asked gets status 408, unless over TLS. */
static void
end_client(struct ctr_om_client *client)
{
	static const char late[] = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n"
				   "Connection: close\r\n\r\n";

	if (!client->takes && client->server->options.certificate == NULL)
		(void)send(client->fd, late, sizeof(late) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	(void)shutdown(client->fd, SHUT_RDWR);
	client->ended = true;
	client->server->num[client->takes]--;
}

void
ctr_om_end_late(struct ctr_om_server *server)
{
	const uint64_t now_ns = ctr_time_ns();
	const uint64_t most_ns = server->options.deadline_ms * UINT64_C(1000000);
	uint64_t asks_ns = most_ns / 4;
	struct ctr_om_client *client;

	if (server->options.certificate != NULL && server->turn_ns[0] != 0 && asks_ns > TLS_NS)
		asks_ns = TLS_NS;
	for (client = server->clients; client != NULL; client = client->next)
		if (!client->ended &&
		    now_ns - client->since_ns > (client->takes ? most_ns : asks_ns))
			end_client(client);
}

/* End the client that has been silent longest, of those that ask or take. */
static void
end_idle(struct ctr_om_server *server, bool takes)
{
	struct ctr_om_client *client, *idle = NULL;

	for (client = server->clients; client != NULL; client = client->next)
		if (!client->ended && client->takes == takes &&
		    (idle == NULL || client->page_ns < idle->page_ns))
			idle = client;
	if (idle != NULL && (!takes || server->num[1] > 1 ||
			     ctr_time_ns() - idle->page_ns > IDLE_NS))
		end_client(idle);
}

bool
ctr_om_begin_taking(struct ctr_om_client *client)
{
	struct ctr_om_server *server = client->server;

	if (server->num[1] >= server->options.connections)
		end_idle(server, true);
	server->num[0] -= !client->ended;
	server->num[1] += !client->ended;
	client->takes = true;
	client->since_ns = client->page_ns = ctr_time_ns();
	return server->num[1] <= server->options.connections;
}

static void
add_client(struct ctr_om_server *server, int fd, void **context)
{
	struct ctr_om_client *client = calloc(1, sizeof(*client));

	*context = client;
	if (client == NULL) {
		(void)shutdown(fd, SHUT_RDWR);
		return;
	}
	if (++server->num[0] > asks_max(server))
		end_idle(server, false);
	server->num_clients++;
	client->server = server;
	client->fd = fd;
	client->accepted_ns = client->since_ns = client->page_ns = server->accepted_ns;
	client->next = server->clients;
	client->link = &server->clients;
	if (client->next != NULL)
		client->next->link = &client->next;
	server->clients = client;
}

/* Keep a connection until it becomes a client; where there are `most`, the oldest gives way. */
static void
keep_waiting(struct ctr_om_server *server, int fd, unsigned int most)
{
	struct ctr_om_waiting *first = server->waiting;

	if (server->num_waiting == most) {
		close(first->fd);
		server->num_waiting--;
		memmove(first, first + 1, server->num_waiting * sizeof(*first));
	}
	first[server->num_waiting++] = (struct ctr_om_waiting){ fd, ctr_time_ns() };
}

/* Make a client of the newest connection, unless a newer one takes pages. */
static void
add_waiting(struct ctr_om_server *server)
{
	const struct ctr_om_waiting *newest = &server->waiting[server->num_waiting - 1];
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);

	if (server->num_clients >= CTR_OM_CLIENTS(server->options.connections) ||
	    newest->since_ns < server->turn_ns[0] || newest->since_ns < server->turn_ns[1])
		return;
	server->num_waiting--;
	server->accepted_ns = newest->since_ns;
	if (getpeername(newest->fd, (struct sockaddr *)&address, &size) != 0)
		close(newest->fd); /* has ended */
	else
		(void)MHD_add_connection(server->daemon, newest->fd, (struct sockaddr *)&address,
					 size);
}

bool
ctr_om_accept(struct ctr_om_server *server)
{
	/* Over TLS a connection costs a handshake of a millisecond before it has asked: accept all,
	 * so that the oldest give way, and begin one handshake in a round. */
	const bool tls = server->options.certificate != NULL;
	const unsigned int most =
		tls ? asks_max(server) : CTR_OM_CLIENTS(server->options.connections);
	unsigned int i;
	bool more;
	int fd = 0;

	for (i = 0; i < ACCEPTED && fd >= 0 && (tls || server->num_waiting < most); i++) {
		fd = accept4(server->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0)
			keep_waiting(server, fd, most);
	}
	more = fd >= 0 || errno == EAGAIN || errno == ECONNABORTED;
	for (i = 0; i < (tls ? 1 : BEGUN) && server->num_waiting != 0; i++)
		add_waiting(server);
	return more;
}

void
ctr_om_notify(void *self, struct MHD_Connection *connection, void **context,
	      enum MHD_ConnectionNotificationCode code)
{
	struct ctr_om_server *server = self;
	struct ctr_om_client *client = *context;
	const union MHD_ConnectionInfo *info;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		add_client(server, info->connect_fd, context);
		return;
	}
	if (client == NULL)
		return;
	*client->link = client->next;
	if (client->next != NULL)
		client->next->link = client->link;
	server->num_clients--;
	server->num[client->takes] -= !client->ended;
	free(client);
}
