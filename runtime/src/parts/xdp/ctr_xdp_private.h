/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this part share. */
#ifndef CTR_XDP_PRIVATE_H
#define CTR_XDP_PRIVATE_H

#include "ctr_table.h"
#include "ctr_xdp.h"

/* Where the maps of a module are found. */
struct ctr_xdp_source {
	const struct bpf_object *object;
	const char *folder;
};

/* Print why a module is not attached; returns the error. */
int ctr_xdp_refuse(int rc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A descriptor of a map, the caller's; or -errno, which is printed. */
int ctr_xdp_open(const struct ctr_xdp_source *from, const char *name);

/* A process that has ended, or detached, was attached before. */
#define CTR_XDP_DETACHED 1u

/* Claim the mapped common part for this process; *former is what it replaces: 0 for the first one.
 * 0; -EBUSY: a process is attached, this one too; -ENOENT. */
int ctr_xdp_claim(const struct ctr_xdp *xdp, uint64_t *former);

/* Replace the claim of this process, if it has one. */
void ctr_xdp_release(const struct ctr_xdp *xdp, uint64_t to);

/* Open the maps by key of a module that is not initialised: no instance has one. `again`: a former
 * process was attached. 0 or -errno. */
int ctr_xdp_open_keys(const struct ctr_xdp *xdp, const struct ctr_xdp_source *from, bool again);

/* Undo that; idempotent. */
void ctr_xdp_close_keys(const struct ctr_xdp *xdp);

/* Whether the kernel has what ctr_xdp_settle() needs. */
bool ctr_xdp_can_settle(void);

/* Wait for the programs that run now: they may have found an index before its key was removed.
 * Nothing while ctr_xdp_next() ends what has already waited. */
void ctr_xdp_settle(const struct ctr_domain *domain);

#endif /* CTR_XDP_PRIVATE_H */
