/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections, their deadlines, and which one ends where there are too many. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <sys/socket.h>

#include "ctr_om_server.h"

/* A client that takes no page for this time may lose its connection to another one. */
#define IDLE_NS UINT64_C(10000000)

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
	client->server->num_taking -= client->takes;
}

void
ctr_om_end_late(struct ctr_om_server *server)
{
	const uint64_t now_ns = ctr_time_ns();
	const uint64_t most_ns = server->options.deadline_ms * UINT64_C(1000000);
	struct ctr_om_client *client;

	for (client = server->clients; client != NULL; client = client->next)
		if (!client->ended &&
		    now_ns - client->since_ns > (client->takes ? most_ns : most_ns / 4))
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
	if (idle != NULL && (!takes || ctr_time_ns() - idle->page_ns > IDLE_NS))
		end_client(idle);
}

bool
ctr_om_begin_taking(struct ctr_om_client *client)
{
	struct ctr_om_server *server = client->server;

	if (server->num_taking >= server->options.connections)
		end_idle(server, true);
	client->takes = true;
	client->since_ns = client->page_ns = ctr_time_ns();
	return ++server->num_taking <= server->options.connections;
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
	if (++server->num_clients - server->num_taking > server->options.connections)
		end_idle(server, false);
	client->server = server;
	client->fd = fd;
	client->since_ns = client->page_ns = ctr_time_ns();
	client->next = server->clients;
	client->link = &server->clients;
	if (client->next != NULL)
		client->next->link = &client->next;
	server->clients = client;
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
	server->num_taking -= client->takes && !client->ended;
	free(client);
}
