/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: what is refused, and with which status (RFC 9110). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>

#include "ctr_om_server.h"

#define OPENMETRICS "application/openmetrics-text"
#define OPENMETRICS_TYPE OPENMETRICS "; version=1.0.0; charset=utf-8"
#define PLAIN_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Most octets of a header that is looked into. */
#define HEADER_MAX 1024u

/* ---- checks ---- */

static const char *
header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* The address that a client has reached, IPv4 also where it is mapped; false: a UNIX socket. */
static bool
reached_address(int fd, struct in6_addr *address)
{
	struct sockaddr_storage own = { 0 };
	socklen_t size = sizeof(own);

	if (getsockname(fd, (struct sockaddr *)&own, &size) != 0 || own.ss_family == AF_UNIX)
		return false;
	memset(address, 0, sizeof(*address));
	if (own.ss_family == AF_INET6) {
		*address = ((struct sockaddr_in6 *)&own)->sin6_addr;
		return true;
	}
	address->s6_addr[10] = address->s6_addr[11] = 0xff;
	memcpy(&address->s6_addr[12], &((struct sockaddr_in *)&own)->sin_addr, 4);
	return true;
}

/* The name or address of a header `Host`, without its port; false: it is none. */
static bool
host_name(const char *value, char *name, size_t room)
{
	const bool bracket = value[0] == '[';
	const size_t length = strcspn(value += bracket, bracket ? "]" : ":");
	const char *rest = value + length + (bracket && value[length] == ']');

	if ((bracket && value[length] != ']') || length == 0 || length >= room ||
	    (*rest != '\0' && (*rest != ':' || strspn(rest + 1, "0123456789") != strlen(rest + 1))))
		return false;
	memcpy(name, value, length);
	name[length] = '\0';
	return true;
}

/* Checks a header `Host`: any other name may be of another site (DNS rebinding). */
struct host_check {
	const struct ctr_om_server *server;
	struct in6_addr reached;
	unsigned int count;
	bool refused;
};

static enum MHD_Result
check_host(void *context, enum MHD_ValueKind kind, const char *key, const char *value)
{
	struct host_check *check = context;
	const struct ctr_openmetrics_options *options = &check->server->options;
	struct in6_addr address = { 0 };
	struct in_addr narrow;
	char name[256];
	unsigned int i;

	(void)kind;
	if (strcasecmp(key, "Host") != 0)
		return MHD_YES;
	check->count++;
	if (value == NULL || !host_name(value, name, sizeof(name))) {
		check->refused = true;
		return MHD_NO;
	}
	if (strcasecmp(name, "localhost") == 0)
		return MHD_YES;
	for (i = 0; i < options->num_hosts; i++)
		if (strcasecmp(name, options->hosts[i]) == 0)
			return MHD_YES;
	if (inet_pton(AF_INET, name, &narrow) == 1) {
		address.s6_addr[10] = address.s6_addr[11] = 0xff;
		memcpy(&address.s6_addr[12], &narrow, sizeof(narrow));
		if (address.s6_addr[12] == 127)
			return MHD_YES;
	} else if (inet_pton(AF_INET6, name, &address) != 1) {
		check->refused = true;
		return MHD_NO;
	}
	if (!IN6_IS_ADDR_LOOPBACK(&address) &&
	    memcmp(&address, &check->reached, sizeof(address)) != 0)
		check->refused = true;
	return MHD_YES;
}

/* 0, 400 or 421 for the headers `Host`. */
static unsigned int
refuse_host(const struct ctr_om_server *server, struct MHD_Connection *connection,
	    const char *version)
{
	struct host_check check = { .server = server };
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (info == NULL || !reached_address(info->connect_fd, &check.reached))
		return 0;
	(void)MHD_get_connection_values(connection, MHD_HEADER_KIND, check_host, &check);
	if (check.refused)
		return MHD_HTTP_MISDIRECTED_REQUEST;
	return check.count == 0 && strcmp(version, MHD_HTTP_VERSION_1_0) != 0 ?
		       MHD_HTTP_BAD_REQUEST :
		       0;
}

/* Whether a secret is the expected one, in a time that does not depend on its octets. */
static bool
is_secret(const char *given, const char *expected)
{
	const size_t size = strlen(given), most = strlen(expected) + 1;
	unsigned int different = size + 1 != most;
	size_t i;

	for (i = 0; i < most; i++)
		different |= (unsigned int)(given[i < size ? i : size] ^ expected[i]);
	return different == 0;
}

static bool
is_authorized(const struct ctr_om_server *server, struct MHD_Connection *connection)
{
	const char *given = header(connection, "Authorization");
	char *user, *password = NULL;
	bool good = false;

	if (server->user == NULL && server->token == NULL)
		return true;
	if (given == NULL)
		return false;
	if (server->token != NULL && strncasecmp(given, "Bearer ", 7) == 0)
		return is_secret(given + 7, server->token);
	if (server->user == NULL)
		return false;
	user = MHD_basic_auth_get_username_password(connection, &password);
	if (user != NULL && password != NULL)
		good = (int)is_secret(user, server->user) & (int)is_secret(password,
									   server->password);
	MHD_free(user);
	MHD_free(password);
	return good;
}

/* Whether a header `Accept` has OpenMetrics, not before version 1.0.0. */
static bool
accepts_openmetrics(struct MHD_Connection *connection)
{
	const char *value = header(connection, "Accept");
	char text[HEADER_MAX], *part, *parameter, *rest, *more;
	bool found;

	if (value == NULL || strlen(value) >= sizeof(text))
		return false;
	memcpy(text, value, strlen(value) + 1);
	for (part = strtok_r(text, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest)) {
		parameter = strtok_r(part, "; \t", &more);
		found = parameter != NULL && strcmp(parameter, OPENMETRICS) == 0;
		while (found && (parameter = strtok_r(NULL, "; \t", &more)) != NULL)
			found = strncmp(parameter, "version=0", 9) != 0;
		if (found)
			return true;
	}
	return false;
}

/* Whether a header `Accept-Encoding` has gzip, not with a quality of 0. */
static bool
accepts_gzip(struct MHD_Connection *connection)
{
	const char *value = header(connection, "Accept-Encoding");
	const char *found = value != NULL ? strstr(value, "gzip") : NULL;

	if (found == NULL)
		return false;
	found += strspn(found + 4, " ;\tq=") + 4;
	return found[0] != '0' || (found[1] == '.' && found[2 + strspn(found + 2, "0")] > '0');
}

/* Status of a request that is refused; 0: it is served. */
static unsigned int
refuse(const struct ctr_om_server *server, struct MHD_Connection *connection, const char *url,
       const char *method, const char *version)
{
	const char *length = header(connection, "Content-Length");
	unsigned int status = refuse_host(server, connection, version);

	if (status != 0)
		return status;
	if (strcmp(url, "/metrics") != 0 && strcmp(url, "/healthz") != 0)
		return MHD_HTTP_NOT_FOUND;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return MHD_HTTP_METHOD_NOT_ALLOWED;
	if (header(connection, "Transfer-Encoding") != NULL ||
	    (length != NULL && strspn(length, "0") != strlen(length)))
		return MHD_HTTP_CONTENT_TOO_LARGE;
	if (strcmp(url, "/metrics") == 0 && !is_authorized(server, connection))
		return MHD_HTTP_UNAUTHORIZED;
	return 0;
}

/* ---- responses ---- */

static void
add_headers(const struct ctr_om_server *server, struct MHD_Response *response, unsigned int status)
{
	(void)MHD_add_response_header(response, "Connection", "close");
	(void)MHD_add_response_header(response, "Cache-Control", "no-store");
	(void)MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		(void)MHD_add_response_header(response, "Allow", "GET, HEAD");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		(void)MHD_add_response_header(response, "Retry-After", "1");
	if (status == MHD_HTTP_UNAUTHORIZED && server->user != NULL)
		(void)MHD_add_response_header(response, "WWW-Authenticate",
					      "Basic realm=\"ctrgen\", charset=\"UTF-8\"");
	if (status == MHD_HTTP_UNAUTHORIZED && server->token != NULL)
		(void)MHD_add_response_header(response, "WWW-Authenticate",
					      "Bearer realm=\"ctrgen\"");
}

static struct MHD_Response *
short_reply(unsigned int status)
{
	struct MHD_Response *response;
	char text[80];
	const int size = status == MHD_HTTP_OK ?
				 snprintf(text, sizeof(text), "ok\n") :
				 snprintf(text, sizeof(text), "%u %s\n", status,
					  MHD_get_reason_phrase_for(status));

	response = MHD_create_response_from_buffer((size_t)size, text, MHD_RESPMEM_MUST_COPY);
	if (response != NULL)
		(void)MHD_add_response_header(response, "Content-Type", "text/plain");
	return response;
}

/* The response with values; NULL: no memory. A request for its headers alone copies none. */
static struct MHD_Response *
metrics_reply(struct ctr_om_client *client, struct MHD_Connection *connection, bool empty)
{
	const bool open = accepts_openmetrics(connection), packed = accepts_gzip(connection);
	struct MHD_Response *response;

	response = empty ? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT) :
			   ctr_om_reply(client, open, packed);
	if (response == NULL)
		return NULL;
	(void)MHD_add_response_header(response, "Content-Type",
				      open ? OPENMETRICS_TYPE : PLAIN_TYPE);
	(void)MHD_add_response_header(response, "Vary", "Accept, Accept-Encoding");
	if (packed)
		(void)MHD_add_response_header(response, "Content-Encoding", "gzip");
	return response;
}

enum MHD_Result
ctr_om_answer(void *self, struct MHD_Connection *connection, const char *url, const char *method,
	      const char *version, const char *body, size_t *body_size, void **context)
{
	struct ctr_om_server *server = self;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct MHD_Response *response = NULL;
	unsigned int status;
	enum MHD_Result rc;

	(void)body;
	(void)body_size;
	if (*context != NULL || info == NULL || info->socket_context == NULL)
		return MHD_NO; /* more of a body that was refused, or no memory */
	*context = server;
	status = refuse(server, connection, url, method, version);
	if (!ctr_om_begin_taking(info->socket_context))
		status = MHD_HTTP_SERVICE_UNAVAILABLE;
	if (status == 0 && strcmp(url, "/metrics") == 0) {
		response = metrics_reply(info->socket_context, connection,
					 strcmp(method, "HEAD") == 0);
		status = response == NULL ? MHD_HTTP_SERVICE_UNAVAILABLE : 0;
	}
	status = status == 0 ? MHD_HTTP_OK : status;
	if (response == NULL)
		response = short_reply(status);
	if (response == NULL)
		return MHD_NO;
	add_headers(server, response, status);
	rc = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return rc;
}
