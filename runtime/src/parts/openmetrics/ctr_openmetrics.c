/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and stop of the server, and the deadlines of its clients. */
#include "ctr_om_server.h"

#include <poll.h>
#include <sys/eventfd.h>

#define DEFAULT_SERIES 100000u
#define DEFAULT_CONNECTIONS 64u
#define CONNECTIONS_MAX 1000u
#define DEFAULT_DEADLINE_MS 20000u
#define DEFAULT_MODE 0660u
/* Milliseconds between two looks at deadlines. */
#define SWEEP_MS 100

static struct ctr_om_server *served;

static void *
run_server(void *self)
{
	struct ctr_om_server *server = self;
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon,
							       MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd poll_fd[] = { { .fd = server->wake, .events = POLLIN },
				    { .fd = info->epoll_fd, .events = POLLIN },
				    { .fd = server->fd, .events = POLLIN } };
	MHD_UNSIGNED_LONG_LONG wait_ms;
	const bool tls = server->options.certificate != NULL;
	bool listens = true, idles;

	while ((poll_fd[0].revents & POLLIN) == 0) {
		if (MHD_get_timeout(server->daemon, &wait_ms) != MHD_YES || wait_ms > SWEEP_MS)
			wait_ms = SWEEP_MS;
		if (!tls && server->num_waiting != 0)
			wait_ms = 0;
		if (tls && server->num_waiting + server->num[0] != 0 && wait_ms > CTR_OM_TRY_MS)
			wait_ms = CTR_OM_TRY_MS;
		poll_fd[2].fd = listens ? server->fd : -1;
		idles = LIST_EMPTY(&server->clients) && server->num_waiting == 0 && listens;
		(void)poll(poll_fd, 3, idles ? -1 : (int)wait_ms);
		server->turn_ns[1] = server->turn_ns[0];
		server->turn_ns[0] = 0;
		listens = ctr_om_accept(server);
		ctr_om_tend(server);
		(void)MHD_run(server->daemon);
	}
	return NULL;
}

/* ---- options ---- */

static bool
is_empty(const char *secret)
{
	return secret != NULL && *secret == '\0';
}

static int
copy_options(struct ctr_om_server *server, const struct ctr_openmetrics_options *from)
{
	struct ctr_openmetrics_options *options = &server->options;

	*options = *from;
	if ((from->user != NULL) != (from->password != NULL) || is_empty(from->user) ||
	    is_empty(from->password) || is_empty(from->token) ||
	    (from->certificate != NULL) != (from->key != NULL) ||
	    from->connections > CONNECTIONS_MAX)
		return -EINVAL;
	options->series = from->series != 0 ? from->series : DEFAULT_SERIES;
	options->connections = from->connections != 0 ? from->connections : DEFAULT_CONNECTIONS;
	options->deadline_ms = from->deadline_ms != 0 ? from->deadline_ms : DEFAULT_DEADLINE_MS;
	options->mode = from->mode != 0 ? from->mode : DEFAULT_MODE;
	server->most[0] = from->certificate == NULL ? options->connections :
						      (options->connections + 3) / 4;
	server->most[1] = options->connections;
	server->waiting = calloc(CTR_OM_CLIENTS(options->connections), sizeof(*server->waiting));
	return server->waiting != NULL ? 0 : -ENOMEM;
}

static void
free_secret(char *text)
{
	if (text != NULL)
		explicit_bzero(text, strlen(text));
	free(text);
}

/* A file in PEM as text, which free_secret() frees. */
static int
read_file(const char *path, char **text)
{
	FILE *file = fopen(path, "re");
	size_t room = 0;
	int rc = 0;

	if (file == NULL)
		return -errno;
	if (getdelim(text, &room, '\0', file) < 0) {
		rc = ferror(file) ? -EIO : -EPROTO;
		free(*text); /* not a text */
		*text = NULL;
	}
	(void)fclose(file);
	return rc;
}

/* ---- start and stop ---- */

static int
start_daemon(struct ctr_om_server *server)
{
	struct MHD_OptionItem items[3] = { { MHD_OPTION_END, 0, NULL } };
	unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET;
	char *certificate = NULL, *key = NULL;
	int rc = 0;

	if (server->options.certificate != NULL) {
		rc = read_file(server->options.certificate, &certificate);
		rc = rc != 0 ? rc : read_file(server->options.key, &key);
		items[0] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_CERT, 0, certificate };
		items[1] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_KEY, 0, key };
		items[2] = (struct MHD_OptionItem){ MHD_OPTION_END, 0, NULL };
		flags |= MHD_USE_TLS | MHD_ALLOW_SUSPEND_RESUME;
	}
	if (rc == 0) {
		errno = 0;
		server->daemon = MHD_start_daemon(
			flags, 0, NULL, NULL, ctr_om_answer, server, MHD_OPTION_CONNECTION_LIMIT,
			CTR_OM_CLIENTS(server->options.connections),
			MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CTR_OM_PAGE,
			MHD_OPTION_NOTIFY_CONNECTION, ctr_om_notify, server,
			MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
		if (server->daemon == NULL)
			rc = errno != 0 ? -errno : -EPROTO;
	}
	free_secret(certificate);
	free_secret(key);
	return rc;
}

static int
om_start_thread(struct ctr_om_server *server)
{
	server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (server->wake < 0)
		return -errno;
	server->thread.run = run_server;
	server->thread.argument = server;
	return ctr_port_control_start(&server->thread, "ctr-openmetrics");
}

/* Free a server whose thread has ended. */
static void
free_server(struct ctr_om_server *server)
{
	struct ctr_om_client *client;

	LIST_FOREACH(client, &server->clients, entry)
		if (client->suspended)
			MHD_resume_connection(client->connection);
	if (server->daemon != NULL)
		MHD_stop_daemon(server->daemon);
	for (unsigned int i = 0; i < server->num_waiting; i++)
		close(server->waiting[i].fd);
	free(server->waiting);
	ctr_om_unlisten(server);
	if (server->wake >= 0)
		close(server->wake);
	ctr_om_model_free(&server->model);
	free(server);
}

int
ctr_om_start(const char *address, const struct ctr_openmetrics_options *options,
	     struct ctr_om_feed *feed)
{
	struct ctr_om_server *server;
	int rc;

	if (served != NULL)
		return -EALREADY;
	server = calloc(1, sizeof(*server));
	if (server == NULL)
		return -ENOMEM;
	server->feed = feed;
	server->pid = getpid();
	server->fd = server->wake = -1;
	rc = copy_options(server, options);
	rc = rc != 0 ? rc : ctr_om_listen(server, address);
	rc = rc != 0 ? rc : start_daemon(server);
	if (rc == 0 && feed->refresh == NULL)
		rc = ctr_om_renew(server); /* discontinuities are known from now on */
	rc = rc != 0 ? rc : om_start_thread(server);
	if (rc != 0)
		free_server(server);
	else
		served = server;
	return rc;
}

/* ---- this process ---- */

/* The modules of this process. */
static struct ctr_om_feed here;
static struct ctr_om_app here_app;

/* The application stays the same; the wall clock may have been stepped. */
static bool
here_changed(struct ctr_om_feed *feed)
{
	feed->apps[0].clock_ns = ctr_clock_ns(feed->apps[0].clock_ns);
	return false;
}

static void
set_here(const struct ctr_openmetrics_options *options)
{
	here_app = (struct ctr_om_app){ .name = options->application != NULL ?
							options->application :
							program_invocation_short_name,
					.modules = options->modules,
					.num_modules = options->num_modules,
					.clock_ns = ctr_clock_ns(0),
					.began_ns = ctr_clock_ns(0),
					.up = true,
					.age_s = -1,
					.walk = ctr_om_walk_here };
	here = (struct ctr_om_feed){ .apps = &here_app, .num_apps = 1, .changed = here_changed };
}

int
ctr_openmetrics_start(const char *address, const struct ctr_openmetrics_options *options)
{
	if (address == NULL || options == NULL || options->modules == NULL ||
	    options->num_modules == 0)
		return -EINVAL;
	for (unsigned int i = 0; i < options->num_modules; i++)
		if (options->modules[i] == NULL || options->modules[i]->abi != CTR_ABI)
			return -EINVAL;
	if (served != NULL)
		return -EALREADY;
	set_here(options);
	return ctr_om_start(address, options, &here);
}

void
ctr_openmetrics_stop(void)
{
	struct ctr_om_server *server = served;

	if (server == NULL)
		return;
	served = NULL;
	if (server->pid != getpid()) {
		ctr_om_unlisten(server); /* a copy of what the parent's thread uses */
		return;
	}
	(void)eventfd_write(server->wake, 1);
	ctr_port_control_join(&server->thread);
	free_server(server);
}

uint16_t
ctr_openmetrics_port(void)
{
	return served != NULL ? served->port : 0;
}
