/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections, their deadlines, and which one ends where there are too many. */
#include "ctr_om_server.h"

#include <sys/socket.h>

/* A client that takes no page for this time may lose its connection to another one. */
#define IDLE_NS UINT64_C(10000000)
/* Most connections that are accepted in a round; one of those that wait becomes a client. */
#define ACCEPTED 1024u
/* A handshake takes a millisecond. Over TLS the next connection becomes a client when the last one
 * has asked, or after this time: if it is newer, and if it is older. */
#define NEWER_NS UINT64_C(10000000)
#define OLDER_NS UINT64_C(100000000)

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

/* libmicrohttpd tries each unfinished handshake in each round: have it try less often. */
static void
pace(struct ctr_om_client *client, uint64_t now_ns)
{
	const bool goes_on = client->takes || client->ended ||
			     now_ns - client->tried_ns >= CTR_OM_TRY_NS;

	if (goes_on)
		client->tried_ns = now_ns;
	if (goes_on == !client->suspended)
		return;
	client->suspended = !goes_on;
	if (goes_on)
		MHD_resume_connection(client->connection);
	else
		MHD_suspend_connection(client->connection);
}

void
ctr_om_tend(struct ctr_om_server *server)
{
	const uint64_t now_ns = ctr_time_ns();
	const uint64_t most_ns = server->options.deadline_ms * UINT64_C(1000000);
	struct ctr_om_client *client;

	LIST_FOREACH(client, &server->clients, entry) {
		if (!client->ended &&
		    now_ns - client->since_ns > (client->takes ? most_ns : most_ns / 4))
			end_client(client);
		if (server->options.certificate != NULL)
			pace(client, now_ns);
	}
}

/* End the client that has been silent longest, of those that ask or take. */
static void
end_idle(struct ctr_om_server *server, bool takes)
{
	struct ctr_om_client *client, *idle = NULL;

	LIST_FOREACH(client, &server->clients, entry)
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

	if (server->num[1] >= server->most[1])
		end_idle(server, true);
	server->num[0] -= !client->ended;
	server->num[1] += !client->ended;
	client->takes = true;
	server->begun_ns = 0;
	client->since_ns = client->page_ns = ctr_time_ns();
	return server->num[1] <= server->most[1];
}

static void
add_client(struct ctr_om_server *server, struct MHD_Connection *connection, void **context)
{
	struct ctr_om_client *client = calloc(1, sizeof(*client));
	const int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
			       ->connect_fd;

	*context = client;
	if (client == NULL) {
		(void)shutdown(fd, SHUT_RDWR);
		return;
	}
	if (++server->num[0] > server->most[0])
		end_idle(server, false);
	server->num_clients++;
	client->server = server;
	client->connection = connection;
	client->fd = fd;
	client->accepted_ns = client->since_ns = client->page_ns = server->accepted_ns;
	LIST_INSERT_HEAD(&server->clients, client, entry);
}

/* Keep a connection until it becomes a client; where there are too many, the oldest gives way. */
static void
keep_waiting(struct ctr_om_server *server, int fd)
{
	struct ctr_om_waiting *first = server->waiting;

	if (server->num_waiting == CTR_OM_CLIENTS(server->options.connections)) {
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
	const uint64_t now_ns = ctr_time_ns();
	const uint64_t gap_ns = newest->since_ns > server->accepted_ns ? NEWER_NS : OLDER_NS;

	if ((server->options.certificate != NULL && now_ns - server->begun_ns < gap_ns) ||
	    server->num_clients >= CTR_OM_CLIENTS(server->options.connections) ||
	    newest->since_ns < server->turn_ns[0] || newest->since_ns < server->turn_ns[1])
		return;
	server->num_waiting--;
	server->begun_ns = now_ns;
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
	bool more;
	int fd = 0;

	for (unsigned int i = 0; i < ACCEPTED && fd >= 0; i++) {
		fd = accept4(server->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0)
			keep_waiting(server, fd);
	}
	more = fd >= 0 || errno == EAGAIN || errno == ECONNABORTED;
	if (server->num_waiting != 0)
		add_waiting(server);
	return more;
}

void
ctr_om_notify(void *self, struct MHD_Connection *connection, void **context,
	      enum MHD_ConnectionNotificationCode code)
{
	struct ctr_om_server *server = self;
	struct ctr_om_client *client = *context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		add_client(server, connection, context);
		return;
	}
	if (client == NULL)
		return;
	LIST_REMOVE(client, entry);
	server->num_clients--;
	server->num[client->takes] -= !client->ended;
	free(client);
}
