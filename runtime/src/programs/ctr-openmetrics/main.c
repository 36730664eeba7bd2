/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves the segments of other processes to Prometheus: ctr-openmetrics --help. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "segments.h"

static const char usage[] =
	"usage: ctr-openmetrics [OPTION]... PATH...\n"
	"Serve segments of ctrgen, files or those in folders, as OpenMetrics.\n\n"
	"  --listen ADDRESS        HOST:PORT, [HOST]:PORT or unix:PATH [default: 127.0.0.1:9464]\n"
	"  --all                   also instances that have counted nothing\n"
	"  --series N              most samples of an application [default: 100000]\n"
	"  --connections N         most clients at a time [default: 64]\n"
	"  --deadline MS           time for a client to take a response [default: 20000]\n"
	"  --host NAME             a name in the header Host; may be repeated\n"
	"  --certificate, --key FILE  PEM files for TLS\n"
	"  --token-file FILE       token for bearer authentication\n"
	"  --user NAME, --password-file FILE  basic authentication\n";

static const struct option known[] = {
	{ "listen", required_argument, NULL, 'l' },
	{ "all", no_argument, NULL, 'a' },
	{ "series", required_argument, NULL, 's' },
	{ "connections", required_argument, NULL, 'c' },
	{ "deadline", required_argument, NULL, 'd' },
	{ "host", required_argument, NULL, 'h' },
	{ "certificate", required_argument, NULL, 'C' },
	{ "key", required_argument, NULL, 'K' },
	{ "token-file", required_argument, NULL, 't' },
	{ "user", required_argument, NULL, 'u' },
	{ "password-file", required_argument, NULL, 'p' },
	{ "help", no_argument, NULL, '?' + 256 },
	{ NULL, 0, NULL, 0 },
};

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

	if (file == NULL || getline(&line, &room, file) <= 0)
		fail(path, file == NULL ? strerror(errno) : "it is empty");
	line[strcspn(line, "\r\n")] = '\0';
	fclose(file);
	return line;
}

static const char *
parse(int argc, char **argv, struct ctr_openmetrics_options *options)
{
	const char **hosts = calloc((size_t)argc, sizeof(*hosts));
	const char *address = "127.0.0.1:9464";
	int opt;

	if (hosts == NULL)
		fail("options", strerror(ENOMEM));
	options->hosts = hosts;
	while ((opt = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (opt == 'l')
			address = optarg;
		else if (opt == 'a')
			options->all = true;
		else if (opt == 's')
			options->series = number(optarg);
		else if (opt == 'c')
			options->connections = number(optarg);
		else if (opt == 'd')
			options->deadline_ms = number(optarg);
		else if (opt == 'h')
			hosts[options->num_hosts++] = optarg;
		else if (opt == 'C')
			options->certificate = optarg;
		else if (opt == 'K')
			options->key = optarg;
		else if (opt == 't')
			options->token = secret(optarg);
		else if (opt == 'u')
			options->user = optarg;
		else if (opt == 'p')
			options->password = secret(optarg);
		else
			exit(fputs(usage, opt == '?' ? stderr : stdout) < 0 || opt == '?' ? 2 : 0);
	}
	if (optind == argc)
		fail("no path", "name files or folders of segments");
	return address;
}

int
main(int argc, char **argv)
{
	struct ctr_openmetrics_options options = { 0 };
	const char *address = parse(argc, argv, &options);
	struct segments segments;
	sigset_t ends;
	int signal, rc;

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
	free((void *)(uintptr_t)options.hosts);
	free((void *)(uintptr_t)options.token);
	free((void *)(uintptr_t)options.password);
	return 0;
}
