/* SPDX-License-Identifier: BSD-3-Clause */
/* The server: its clients, and what they are sent. Its thread does all but start and stop. It
 * serves the newest connection first: hostile clients are older than the next scrape. */
#ifndef CTR_OM_SERVER_H
#define CTR_OM_SERVER_H

#include "ctr_om.h"
#include "ctr_fork.h"

#include <microhttpd.h>
#include <sys/queue.h>
#include <unistd.h>

/* Bytes that libmicrohttpd has for a connection: a request, then a page of the response. */
#define CTR_OM_PAGE 32768u

/* Milliseconds between two tries of a handshake. */
#define CTR_OM_TRY_MS 5u
#define CTR_OM_TRY_NS (CTR_OM_TRY_MS * UINT64_C(1000000))

/* Most connections, with those that have ended but are not closed. */
#define CTR_OM_CLIENTS(connections) (2 * (connections) + 64)

struct ctr_om_server;

/* A connection. */
struct ctr_om_client {
	LIST_ENTRY(ctr_om_client) entry;
	struct ctr_om_server *server;
	struct MHD_Connection *connection;
	int fd;
	uint64_t accepted_ns;
	uint64_t since_ns; /* When it was accepted, or asked for what it takes. */
	uint64_t page_ns;  /* Likewise, or when it last took a page. */
	uint64_t tried_ns; /* When libmicrohttpd last tried to read a request over TLS. */
	bool takes;        /* It has asked. */
	bool suspended;
	bool ended;
};

/* An accepted connection. */
struct ctr_om_waiting {
	int fd;
	uint64_t since_ns;
};

/* A copy of all values. */
struct ctr_om_edition {
	uint32_t number;   /* Changes when it is overwritten; 0: empty. */
	uint32_t readers;  /* Number of its clients. */
	uint64_t taken_ns;
	double seconds;    /* Time that it took. */
};

struct ctr_om_server {
	struct MHD_Daemon *daemon;
	struct ctr_port_control thread;
	int wake;                  /* Readable: end. */
	int fd;                    /* Listening socket. */
	pid_t pid;
	uint16_t port;
	char *path;                /* Of a UNIX socket; or NULL. */
	struct ctr_openmetrics_options options;
	struct ctr_om_feed *feed;
	struct ctr_om_model model;
	bool made;                 /* Whether there is a model. */
	struct ctr_om_edition edition[CTR_OM_COPIES];
	unsigned int latest;       /* Number of the latest copy. */
	LIST_HEAD(, ctr_om_client) clients; /* The newest first. */
	unsigned int num_clients;
	unsigned int num[2];       /* Of those that have not ended: that ask; that take. */
	unsigned int most[2];      /* Of these: over TLS a quarter may ask. */
	uint64_t turn_ns[2];       /* When the newest that took a page in this round, and in the
				    * one before, was accepted; 0: none took a page. */
	struct ctr_om_waiting *waiting; /* Those that have no client yet, oldest first. */
	unsigned int num_waiting;  /* At most CTR_OM_CLIENTS. */
	uint64_t begun_ns;         /* When the latest client began; 0: one has asked since. */
	uint64_t accepted_ns;      /* When that which became a client last was accepted. */
};

/* Called for each connection that begins or ends. */
void ctr_om_notify(void *self, struct MHD_Connection *connection, void **context,
		   enum MHD_ConnectionNotificationCode code);

/* Count a client among those that take a response; false: there are too many. */
bool ctr_om_begin_taking(struct ctr_om_client *client);

/* Accept connections, and make clients of some: the newest first. False: there are no descriptors,
 * for example. */
bool ctr_om_accept(struct ctr_om_server *server);

/* End those whose time is over; suspend handshakes, or resume those whose turn it is. */
void ctr_om_tend(struct ctr_om_server *server);

/* Answers a request. */
enum MHD_Result ctr_om_answer(void *self, struct MHD_Connection *connection, const char *target,
			      const char *method, const char *version, const char *body,
			      size_t *body_size, void **context);

/* Make the families of the applications of now. 0 or -ENOMEM. */
int ctr_om_renew(struct ctr_om_server *server);

/* A response with the values of now, compressed with `packed`; NULL: no memory. */
struct MHD_Response *ctr_om_reply(struct ctr_om_client *client, bool open, bool packed);

/* Open the listening socket of an address, to fd, port and path. 0 or -errno. */
int ctr_om_listen(struct ctr_om_server *server, const char *address);

/* Close it, and remove a UNIX socket. */
void ctr_om_unlisten(struct ctr_om_server *server);

#endif /* CTR_OM_SERVER_H */
