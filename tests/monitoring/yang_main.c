/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Writes the values of fill.h as JSON; `yang_main empty` what there is without them.
 */
#include <errno.h>
#include <stdlib.h>

#include "ctr.h"
#include "fill.h"
#include "mon_stats_yang.h"

static uint64_t *jumps;

int
main(int argc, char **argv)
{
	const struct ctr_scope *port = ctr_scope_find(&mon_stats_module, "port");
	FILE *full;

	(void)argv;
	if (mon_stats_init() != 0)
		return 2;
	if (mon_stats_yang_write(NULL) != -EINVAL || ctr_yang_write(NULL, stdout) != -EINVAL)
		return 3;
	if (argc == 1) {
		if (fill() != 0)
			return 4;
		/* Half a letter, a bell, half a pair of UTF-16, too long a zero. */
		mon_stats_set_title("\"\\ \xc3\xa9 \xc3 \a \xed\xa0\x80 \xc0\x80 \xf0\x9f\x98\x80");
		/* What an agent does: it asks for the times of discontinuities. */
		if (ctr_discontinuity_open(&mon_stats_module, port, &jumps) != 0)
			return 8;
		if (mon_stats_port_reset(1, NULL) != 0)
			return 5;
		mon_stats_port_add_frames(1, 10);
	}
	if (mon_stats_yang_write(stdout) != 0)
		return 6;
	full = fopen("/dev/full", "w");
	if (full != NULL && mon_stats_yang_write(full) != -EIO)
		return 7;
	if (full != NULL)
		fclose(full);
	if (argc == 1)
		ctr_discontinuity_close(&mon_stats_module, port, &jumps);
	mon_stats_fini();
	return 0;
}
