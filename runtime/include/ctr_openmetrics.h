/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Serves modules to Prometheus from the process itself: OpenMetrics 1.0, or the older text format,
 * as the header `Accept` requests. Part `openmetrics` of the runtime; needs libmicrohttpd and zlib.
 *
 * One thread, a control thread of the platform with all signals blocked, serves all clients:
 * `/metrics`, and `/healthz` without authentication. The names and values are those of `ctrgen
 * export`. A scrape copies all instances in one pass, up to 64 in a read section, so the items of
 * an instance in a scrape are as consistent as one read of it; no client can prolong a read
 * section. Scrapes share the copy of a scrape that began less than 0.1 s before. There are two
 * copies: a client that is still reading when its copy is overwritten, which is at least 1 s old
 * then, loses its connection. */
#ifndef CTR_OPENMETRICS_H
#define CTR_OPENMETRICS_H

#include "ctr_module.h"

CTR_C_BEGIN

/** Options of the server. Zero-initialise, and set what differs. The struct is copied; the objects
 * that it points to must not change until ctr_openmetrics_stop(). */
struct ctr_openmetrics_options {
	const struct ctr_module *const *modules; /**< The modules to serve. */
	unsigned int num_modules;                /**< Length of `modules`. */
	const char *application;  /**< Label `application`; NULL: the name of the program. */
	uint32_t series;          /**< Most samples, shared among scopes; 0: 100,000. */
	bool all;                 /**< Include static instances that have counted nothing yet. */
	/** Maximum number of clients that receive a response, and of clients that send a request
	 * (over TLS a quarter), up to 1,000; 0: 64. Beyond that, the client that was idle longest
	 * loses its connection, or a new client gets 503. The newest is served first. */
	uint32_t connections;
	/** Time for a client to take a response, a quarter of it for a request; 0: 20,000 ms. */
	uint32_t deadline_ms;
	const char *const *hosts; /**< Names in the header `Host` besides addresses and
					`localhost`. */
	unsigned int num_hosts;   /**< Length of `hosts`. */
	const char *user;         /**< Name for basic authentication; NULL: none. */
	const char *password;     /**< Its password. */
	const char *token;        /**< Token for bearer authentication; NULL: none. */
	const char *certificate;  /**< PEM file of the certificate for TLS; NULL: no TLS. */
	const char *key;          /**< PEM file of its private key. */
	uint32_t mode;            /**< Permissions of a UNIX socket; 0: 0660. */
};

/** Start the server, after the `_init()` of the modules, which stay initialised until
 * ctr_openmetrics_stop(). One server per process; not in a child of fork(). It stores the times of
 * discontinuities, 8 octets per possible instance. Not in a read section.
 * @param address  "127.0.0.1:9464", "[::1]:9464", ":9464" for loopback, or "unix:PATH", where a
 *   socket that no process listens on is replaced; port 0: any, see ctr_openmetrics_port()
 * @param options  at least the modules
 * @return 0; -EINVAL: no module, generated code of another ABI, not an address, a user without a
 *   password, one of these or a token that is empty, or a certificate without a key; -EALREADY: it
 *   runs; -EADDRINUSE, -EACCES and others of bind(); an error of reading the files; -EPROTO:
 *   libmicrohttpd refuses (no TLS, or not a certificate); -ENOMEM, -EMFILE, -ENFILE, -EAGAIN */
int ctr_openmetrics_start(const char *address, const struct ctr_openmetrics_options *options);

/** Close all connections and stop the thread. No effect if it does not run; in a child of fork(),
 * closes the child's copy of the listening socket. One thread at a time. */
void ctr_openmetrics_stop(void);

/** The TCP port that it listens on; 0: none. */
uint16_t ctr_openmetrics_port(void);

CTR_C_END

#endif /* CTR_OPENMETRICS_H */
