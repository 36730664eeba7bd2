/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CTR_PORT_POSIX
#error "this is the runtime for POSIX threads: compile it with the flags of 'ctrgen runtime --port posix --cflags'"
#endif

#define _GNU_SOURCE 1
#include <link.h>
#include <pthread.h>
#include <stdio.h>

#include "ctr_port.h"

#if defined(__GLIBC__) && !defined(__USE_GNU)
#include "_GNU_SOURCE comes too late: compile with -D_GNU_SOURCE"
#endif

/* Of the note below: its name and its type. */
#define OWNER "ctrgen"
#define POSIX_RUNTIME 1

/* The same for 32 and 64 bits, except for its name. */
typedef ElfW(Nhdr) note_header;

/* In the program if DPDK is; one that CTR_PORT_GUARD gives no advice about. */
extern const char dpdk_is_here __asm__("rte_eal_process_type") __attribute__((weak));

/* Whether this copy of the runtime is in use. Hidden, so that each copy has one of its own. */
extern uint32_t ctr_posix_in_use;
uint32_t ctr_posix_in_use __attribute__((used, visibility("hidden")));

/* A note that says where that is. A second copy of the runtime, in a library that shows none of its
 * names, is found by its note alone. */
__asm__(".pushsection .note.ctrgen, \"a\", %note\n"
	".balign 4\n"
	".long 7, 4, 1\n"
	".asciz \"" OWNER "\"\n"
	".balign 4\n"
	".long ctr_posix_in_use - .\n"
	".popsection\n");

CTR_THREAD_LOCAL unsigned int ctr_posix_lcore = CTR_LCORE_ANY;

static pthread_mutex_t claim_lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether a note is of another copy that is in use. */
static bool
is_other(const note_header *note)
{
	const char *name = (const char *)(note + 1), *at = name + 8;
	const uint32_t *flag;
	int32_t distance;

	if (note->n_type != POSIX_RUNTIME || note->n_namesz != sizeof(OWNER) ||
	    note->n_descsz != sizeof(distance) || memcmp(name, OWNER, sizeof(OWNER)) != 0)
		return false;
	memcpy(&distance, at, sizeof(distance));
	flag = (const uint32_t *)(const void *)(at + distance);
	return flag != &ctr_posix_in_use && __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

/* Octets of a part of a note. */
static size_t
padded(size_t size)
{
	return (size + 3) / 4 * 4;
}

/* Of a program or library: 1 if it has a copy that is in use and not this one. */
static int
find_copy(struct dl_phdr_info *object, CTR_UNUSED size_t size, CTR_UNUSED void *unused)
{
	for (unsigned int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		const char *at = (const char *)(uintptr_t)(object->dlpi_addr + segment->p_vaddr);
		const char *end = at + segment->p_memsz;

		if (segment->p_type != PT_NOTE || segment->p_align > 4)
			continue;
		while (at + sizeof(note_header) <= end) {
			const note_header *note = (const note_header *)(const void *)at;

			if (is_other(note))
				return 1;
			at += sizeof(*note) + padded(note->n_namesz) + padded(note->n_descsz);
		}
	}
	return 0;
}

int
ctr_posix_claim(void)
{
	int rc = 0;

	if (__atomic_load_n(&ctr_posix_in_use, __ATOMIC_ACQUIRE) != 0)
		return 0;
	(void)pthread_mutex_lock(&claim_lock);
	/* Of two copies that come at the same time, one or both see the other. */
	__atomic_store_n(&ctr_posix_in_use, 1, __ATOMIC_SEQ_CST);
	ctr_fence(__ATOMIC_SEQ_CST);
	if (dl_iterate_phdr(find_copy, NULL) != 0) {
		__atomic_store_n(&ctr_posix_in_use, 0, __ATOMIC_RELEASE);
		fprintf(stderr, "ctrgen: a library in this program has a copy of the runtime, whose "
				"threads have other lcore ids: link both to one shared runtime "
				"(pkg-config ctr-runtime-posix)\n");
		rc = -EPROTO;
	}
	(void)pthread_mutex_unlock(&claim_lock);
	return rc;
}

int
ctr_port_check(bool alone)
{
	if (alone && &dpdk_is_here != NULL) {
		fprintf(stderr, "ctrgen: DPDK with the POSIX port of the runtime: write 'ctrgen "
				"runtime --port dpdk', or -DCTR_POSIX_BESIDE_DPDK if no lcore counts\n");
		return -EPROTO;
	}
	return ctr_posix_claim();
}
