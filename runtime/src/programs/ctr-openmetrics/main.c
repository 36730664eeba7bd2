/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves the segments of other processes to Prometheus: ctr-openmetrics --help. */
#include "segments.h"

#include <getopt.h>
#include <signal.h>

static const char usage[] =
	"usage: ctr-openmetrics [OPTION]... PATH...\n"
	"Serve segments of ctrgen, files or those in folders, as OpenMetrics.\n\n"
	"  --listen ADDRESS        HOST:PORT, [HOST]:PORT or unix:PATH [default: 127.0.0.1:9464]\n"
	"  --all                   also instances that have counted nothing\n"
	"  --series N              most samples of an application [default: 100000]\n"
	"  --connections N         most clients at a time, up to 1000 [default: 64]\n"
	"  --deadline MS           time for a client to take a response [default: 20000]\n"
	"  --host NAME             a name in the header Host; may be repeated\n"
	"  --certificate, --key FILE  PEM files for TLS\n"
	"  --token-file FILE       token for bearer authentication\n"
	"  --user NAME, --password-file FILE  basic authentication\n";

/* As of ctr_openmetrics_start(). */
#define CONNECTIONS_MAX 1000u

static struct ctr_openmetrics_options options;
static const char *address = "127.0.0.1:9464";

/* Kinds of values of options. */
enum kind {
	FLAG,
	HELP,
	TEXT,
	NUMBER,
	LINE,
	NAMES
};

/* The options, and where their values go. */
static const struct {
	const char *name;
	enum kind kind;
	void *value;
} known[] = {
	{ "listen", TEXT, &address },
	{ "all", FLAG, &options.all },
	{ "series", NUMBER, &options.series },
	{ "connections", NUMBER, &options.connections },
	{ "deadline", NUMBER, &options.deadline_ms },
	{ "host", NAMES, NULL },
	{ "certificate", TEXT, &options.certificate },
	{ "key", TEXT, &options.key },
	{ "token-file", LINE, &options.token },
	{ "user", TEXT, &options.user },
	{ "password-file", LINE, &options.password },
	{ "help", HELP, NULL },
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

static void
fail(const char *what, const char *why)
{
	fprintf(stderr, "ctr-openmetrics: %s: %s\n", what, why);
	exit(2);
}

static uint32_t
number(const char *text)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value == 0 ||
	    value > UINT32_MAX)
		fail(text, "not a number from 1 on");
	return (uint32_t)value;
}

/* The first line of a file. */
static const char *
secret(const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (file == NULL)
		fail(path, strerror(errno));
	if (getline(&line, &room, file) <= 0 || strcspn(line, "\r\n") == 0)
		fail(path, "its first line is empty");
	line[strcspn(line, "\r\n")] = '\0';
	fclose(file);
	return line;
}

static void
parse(int argc, char **argv)
{
	const char **hosts = calloc((size_t)argc, sizeof(*hosts));
	struct option names[KNOWN + 1] = { 0 };
	int i, opt;

	if (hosts == NULL)
		fail("options", strerror(ENOMEM));
	options.hosts = hosts;
	for (i = 0; i < (int)KNOWN; i++)
		names[i] = (struct option){ known[i].name, known[i].kind >= TEXT, NULL, 0 };
	while ((opt = getopt_long(argc, argv, "", names, &i)) != -1) {
		if (opt != 0 || known[i].kind == HELP)
			exit(fputs(usage, opt != 0 ? stderr : stdout) < 0 || opt != 0 ? 2 : 0);
		else if (known[i].kind == FLAG)
			*(bool *)known[i].value = true;
		else if (known[i].kind == NUMBER)
			*(uint32_t *)known[i].value = number(optarg);
		else if (known[i].kind == NAMES)
			hosts[options.num_hosts++] = optarg;
		else
			*(const char **)known[i].value =
				known[i].kind == LINE ? secret(optarg) : optarg;
	}
	if (optind == argc)
		fail("no path", "name files or folders of segments");
	if (options.connections > CONNECTIONS_MAX)
		fail("--connections", "at most 1000");
	if ((options.user == NULL) != (options.password == NULL))
		fail("--user and --password-file", "give both");
	if ((options.certificate == NULL) != (options.key == NULL))
		fail("--certificate and --key", "give both");
}

int
main(int argc, char **argv)
{
	struct segments segments;
	sigset_t ends;
	int signal, rc;

	parse(argc, argv);
	(void)sigemptyset(&ends);
	(void)sigaddset(&ends, SIGINT);
	(void)sigaddset(&ends, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &ends, NULL);
	segments_init(&segments, argv + optind, argc - optind);
	rc = ctr_om_start(address, &options, &segments.feed);
	if (rc != 0)
		fail(address, strerror(-rc));
	if (ctr_openmetrics_port() != 0)
		fprintf(stderr, "port %u\n", ctr_openmetrics_port());
	(void)sigwait(&ends, &signal);
	ctr_openmetrics_stop();
	segments_free(&segments);
	return 0;
}
