/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: what is refused, and with which status (RFC 9110). */
#include "ctr_om_server.h"

#include <arpa/inet.h>
#include <strings.h>

#define OPENMETRICS "application/openmetrics-text"
#define OPENMETRICS_TYPE OPENMETRICS "; version=1.0.0; charset=utf-8"
#define PLAIN_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* ---- checks ---- */

static const char *
header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
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

/* Whether a header `Host`, or a target's host, is a name of this server; another one may be of
 * another site (DNS rebinding). */
static bool
is_own_host(const struct ctr_om_server *server, const char *value)
{
	struct in6_addr address;
	char name[256];

	if (value == NULL || !host_name(value, name, sizeof(name)))
		return false;
	for (unsigned int i = 0; i < server->options.num_hosts; i++)
		if (strcasecmp(name, server->options.hosts[i]) == 0)
			return true;
	return strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &address) == 1 ||
	       inet_pton(AF_INET6, name, &address) == 1;
}

/* Refuse a request for another host: set *context to the server, which is NULL afterwards. */
static enum MHD_Result
check_host(void *context, CTR_UNUSED enum MHD_ValueKind kind, const char *key, const char *value)
{
	const struct ctr_om_server **server = context;

	if (strcasecmp(key, "Host") != 0 || is_own_host(*server, value))
		return MHD_YES;
	*server = NULL;
	return MHD_NO;
}

/* The path of a target, which may be absolute (`http://HOST/PATH`); NULL: of another host. */
static const char *
path_of(const struct ctr_om_server *server, const char *target)
{
	const size_t scheme = strncasecmp(target, "http://", 7) == 0  ? 7 :
			      strncasecmp(target, "https://", 8) == 0 ? 8 :
									0;
	const size_t length = strcspn(target + scheme, "/");
	char host[300];

	if (scheme == 0)
		return target;
	if (length >= sizeof(host))
		return NULL;
	memcpy(host, target + scheme, length);
	host[length] = '\0';
	return server->path != NULL || is_own_host(server, host) ? target + scheme + length : NULL;
}

/* Whether a secret is the expected one, in a time that does not depend on its octets. */
static bool
is_secret(const char *given, const char *expected)
{
	const size_t size = strlen(given), most = strlen(expected) + 1;
	unsigned int different = size + 1 != most;

	for (size_t i = 0; i < most; i++)
		different |= (unsigned int)(given[i < size ? i : size] ^ expected[i]);
	return different == 0;
}

static bool
is_authorized(const struct ctr_openmetrics_options *options, struct MHD_Connection *connection)
{
	const char *given = header(connection, "Authorization");
	char *user, *password = NULL;
	bool good = false;

	if (options->user == NULL && options->token == NULL)
		return true;
	if (given == NULL)
		return false;
	if (options->token != NULL && strncasecmp(given, "Bearer ", 7) == 0)
		return is_secret(given + 7, options->token);
	if (options->user == NULL)
		return false;
	user = MHD_basic_auth_get_username_password(connection, &password);
	if (user != NULL && password != NULL)
		good = (int)is_secret(user, options->user) &
		       (int)is_secret(password, options->password);
	MHD_free(user);
	MHD_free(password);
	return good;
}

/* Whether an element of a header, from its parameters on, has a quality or version of 0. */
static bool
is_refused(const char *at)
{
	const char *end = at + strcspn(at, ",");

	while (at < end && (at = memchr(at, ';', (size_t)(end - at))) != NULL) {
		at += 1 + strspn(at + 1, " \t");
		if (strncasecmp(at, "version=0", 9) == 0 ||
		    (strncasecmp(at, "q=0", 3) == 0 &&
		     strchr(";, \t", at[3 + strspn(at + 3, ".0")]) != NULL))
			return true;
	}
	return false;
}

/* Whether a header with a list accepts something. */
static bool
accepts(struct MHD_Connection *connection, const char *name, const char *kind)
{
	const size_t length = strlen(kind);

	for (const char *at = header(connection, name); at != NULL; at = strchr(at, ',')) {
		at += strspn(at, ", \t");
		if (strncasecmp(at, kind, length) == 0 && strchr(";, \t", at[length]) != NULL &&
		    !is_refused(at + length))
			return true;
	}
	return false;
}

/* Status of a request that is refused; 0: it is served. */
static unsigned int
refuse(const struct ctr_om_server *server, struct MHD_Connection *connection, const char *url,
       const char *method)
{
	const char *length = header(connection, "Content-Length");
	const struct ctr_om_server *host = server;

	if (server->path == NULL)
		(void)MHD_get_connection_values(connection, MHD_HEADER_KIND, check_host, &host);
	if (host == NULL || url == NULL)
		return MHD_HTTP_MISDIRECTED_REQUEST;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return MHD_HTTP_METHOD_NOT_ALLOWED;
	if (strcmp(url, "/metrics") != 0 && strcmp(url, "/healthz") != 0)
		return MHD_HTTP_NOT_FOUND;
	if (header(connection, "Transfer-Encoding") != NULL ||
	    (length != NULL && strspn(length, "0") != strlen(length)))
		return MHD_HTTP_CONTENT_TOO_LARGE;
	if (strcmp(url, "/metrics") == 0 && !is_authorized(&server->options, connection))
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
	if (status == MHD_HTTP_UNAUTHORIZED && server->options.user != NULL)
		(void)MHD_add_response_header(response, "WWW-Authenticate",
					      "Basic realm=\"ctrgen\", charset=\"UTF-8\"");
	if (status == MHD_HTTP_UNAUTHORIZED && server->options.token != NULL)
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

/* Reads the body of a response to HEAD, whose size is unknown. */
static ssize_t
no_body(CTR_UNUSED void *context, CTR_UNUSED uint64_t at, CTR_UNUSED char *to,
	CTR_UNUSED size_t room)
{
	return MHD_CONTENT_READER_END_OF_STREAM;
}

/* The response with values; NULL: no memory. A request for its headers alone copies none. */
static struct MHD_Response *
metrics_reply(struct ctr_om_client *client, struct MHD_Connection *connection, bool empty)
{
	const bool open = accepts(connection, "Accept", OPENMETRICS);
	const bool packed = accepts(connection, "Accept-Encoding", "gzip");
	struct MHD_Response *response;

	response = empty ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, no_body, NULL,
							     NULL) :
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
ctr_om_answer(void *self, struct MHD_Connection *connection, const char *target, const char *method,
	      CTR_UNUSED const char *version, CTR_UNUSED const char *body,
	      CTR_UNUSED size_t *body_size, void **context)
{
	struct ctr_om_server *server = self;
	const char *url = path_of(server, target);
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct MHD_Response *response = NULL;
	unsigned int status;
	enum MHD_Result rc;

	if (*context != NULL || info == NULL || info->socket_context == NULL)
		return MHD_NO; /* more of a body that was refused, or no memory */
	*context = server;
	status = refuse(server, connection, url, method);
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
