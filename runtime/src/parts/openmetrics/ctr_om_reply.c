/* SPDX-License-Identifier: BSD-3-Clause */
/* Responses with values: pages of a copy, which two generations of clients share. */
#include "ctr_om_server.h"

#include <zlib.h>

/* A copy with readers is for all that ask within this time. */
#define FRESH_NS UINT64_C(100000000)
/* A copy with readers is not overwritten before this time. */
#define HOLD_NS UINT64_C(1000000000)
/* Memory of a compressor: 16 KiB of history, 16 KiB of tables. */
#define WINDOW_BITS 12
#define MEMORY_LEVEL 5
/* Adds the head of gzip. */
#define GZIP 16
/* Octets that are compressed at a time, and how often for a page: others are not to wait. */
#define PLAIN 8192u
#define PACKS 4u

struct reply {
	struct ctr_om_client *client;
	struct ctr_om_server *server;
	uint32_t number; /* Of its edition. */
	struct ctr_om_cursor cursor;
	bool packed;
	bool ended;      /* Of `stream`. */
	z_stream stream;
	char plain[PLAIN];
};

/* Whether a copy has readers that began less than `ns` before. */
static bool
is_read(const struct ctr_om_edition *edition, uint64_t now_ns, uint64_t ns)
{
	return edition->number != 0 && edition->readers != 0 && now_ns - edition->taken_ns < ns;
}

int
ctr_om_renew(struct ctr_om_server *server)
{
	struct ctr_om_feed *feed = server->feed;
	int rc = 0;

	for (unsigned int i = 0; i < CTR_OM_COPIES; i++) {
		server->edition[i].number += server->edition[i].number != 0;
		server->edition[i].readers = 0;
	}
	ctr_om_model_free(&server->model);
	if (feed->refresh != NULL)
		rc = feed->refresh(feed);
	if (rc == 0)
		rc = ctr_om_model_make(&server->model, feed, server->options.all);
	server->made = rc == 0;
	return rc;
}

/* Number of the copy for a client that asks now: a new one, unless two are being read. */
static int
take_copy(struct ctr_om_server *server)
{
	const unsigned int next = (server->latest + 1) % CTR_OM_COPIES;
	const uint64_t now_ns = ctr_time_ns();
	const struct ctr_om_edition *latest = &server->edition[server->latest];
	struct ctr_om_edition *edition = &server->edition[next];
	bool changed;
	int rc = 0;

	if (is_read(latest, now_ns, FRESH_NS) || is_read(edition, now_ns, HOLD_NS))
		return (int)server->latest;
	changed = server->feed->changed != NULL && server->feed->changed(server->feed);
	if (changed && is_read(latest, now_ns, HOLD_NS))
		return (int)server->latest;
	if (changed || !server->made)
		rc = ctr_om_renew(server);
	if (rc != 0)
		return rc;
	edition->number++;
	edition->readers = 0;
	edition->taken_ns = now_ns;
	rc = ctr_om_copy(&server->model, server->feed, next, server->options.series);
	edition->seconds = (double)(ctr_time_ns() - now_ns) / 1e9;
	if (rc != 0)
		return rc;
	server->latest = next;
	return (int)next;
}

static size_t
render(struct reply *reply, char *text, size_t room)
{
	const struct ctr_om_server *server = reply->server;
	const struct ctr_om_facts facts = { &server->model, server->feed,
					    server->edition[reply->cursor.copy].seconds };

	return ctr_om_render(&facts, &reply->cursor, text, room);
}

/* Compress some pages, at most to `room` octets; 0 unless `ended`: there will be more. */
static size_t
pack(struct reply *reply, char *text, size_t room)
{
	z_stream *stream = &reply->stream;
	unsigned int i = 0;
	int rc = Z_OK;

	stream->next_out = (Bytef *)text;
	stream->avail_out = (uInt)room;
	while (stream->avail_out != 0 && !reply->ended && rc == Z_OK) {
		if (stream->avail_in == 0 && !reply->cursor.done) {
			if (i++ == PACKS)
				break;
			stream->next_in = (Bytef *)reply->plain;
			stream->avail_in = (uInt)render(reply, reply->plain, PLAIN);
		}
		rc = deflate(stream, reply->cursor.done ? Z_FINISH : Z_NO_FLUSH);
		reply->ended = rc == Z_STREAM_END;
	}
	return room - stream->avail_out;
}

static ssize_t
read_page(void *context, CTR_UNUSED uint64_t at, char *text, size_t room)
{
	struct reply *reply = context;
	struct ctr_om_server *server = reply->server;
	const uint64_t accepted_ns = reply->client->accepted_ns;
	size_t size;

	if (server->edition[reply->cursor.copy].number != reply->number)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (accepted_ns < server->turn_ns[0] || accepted_ns < server->turn_ns[1])
		return 0; /* called again in the next round */
	server->turn_ns[0] = accepted_ns;
	reply->client->page_ns = ctr_time_ns();
	size = reply->packed ? pack(reply, text, room) : render(reply, text, room);
	if (size == 0 && (!reply->packed || reply->ended))
		return MHD_CONTENT_READER_END_OF_STREAM;
	return (ssize_t)size;
}

static void
end_reply(void *context)
{
	struct reply *reply = context;
	struct ctr_om_edition *edition = &reply->server->edition[reply->cursor.copy];

	if (edition->number == reply->number && reply->number != 0)
		edition->readers--;
	if (reply->packed)
		(void)deflateEnd(&reply->stream);
	free(reply);
}

struct MHD_Response *
ctr_om_reply(struct ctr_om_client *client, bool open, bool packed)
{
	struct ctr_om_server *server = client->server;
	struct reply *reply = calloc(1, sizeof(*reply));
	struct MHD_Response *response;
	int copy;

	if (reply == NULL)
		return NULL;
	reply->client = client;
	reply->server = server;
	reply->cursor.open = open;
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, CTR_OM_PAGE / 2, read_page,
						     reply, end_reply);
	if (response == NULL) {
		free(reply);
		return NULL;
	}
	reply->packed = packed && deflateInit2(&reply->stream, 1, Z_DEFLATED, WINDOW_BITS + GZIP,
					       MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	copy = reply->packed == packed ? take_copy(server) : -ENOMEM;
	if (copy < 0) {
		MHD_destroy_response(response); /* calls end_reply() */
		return NULL;
	}
	reply->cursor.copy = (unsigned int)copy;
	reply->number = server->edition[copy].number;
	server->edition[copy].readers++;
	return response;
}
