/* SPDX-License-Identifier: BSD-3-Clause */
/* The storage of a module in maps of the kernel. The common part is mapped over the variable that
 * generated code accesses; copies are mapped read-only, as slots by CPU. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ctr_strategy.h"
#include "ctr_xdp_private.h"

extern const struct ctr_strategy ctr_strategy_per_core_seqcount;

/* The number of copies of a domain; negative: an error. libbpf keeps the number, so there is none
 * where map_array() has succeeded. */
static int
copies_of(const struct ctr_domain *domain)
{
	return domain->most_cpus != 0 ? (int)domain->most_cpus : libbpf_num_possible_cpus();
}

static size_t
mapped_size(const struct ctr_slots *slots, uint32_t copies)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (slots->size * copies + page - 1) / page * page;
}

/* ---- maps ---- */

/* Whether a map is what the module expects; sets its id. */
static int
check_map(int fd, const char *name, size_t size, int copies, uint32_t *id)
{
	struct bpf_map_info info = { 0 };
	uint32_t length = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &length) != 0)
		return ctr_xdp_refuse(-errno, "cannot query the map '%s': %s", name, strerror(errno));
	*id = info.id;
	if (info.type != BPF_MAP_TYPE_ARRAY || info.value_size != size)
		return ctr_xdp_refuse(-EPROTO,
				      "the map '%s' has values of %u bytes, and the module of %zu: build "
				      "both from one schema",
				      name, info.value_size, size);
	if ((info.map_flags & BPF_F_MMAPABLE) == 0)
		return ctr_xdp_refuse(-EOPNOTSUPP, "the map '%s' cannot be mapped: that needs Linux 5.5",
				      name);
	if (copies < 0)
		return ctr_xdp_refuse(copies, "cannot read the number of possible CPUs");
	if (info.max_entries < (uint32_t)copies)
		return ctr_xdp_refuse(-E2BIG,
				      "the map '%s' has %u entries for %d possible CPUs: call the module's "
				      "xdp_prepare() function before the load, or compile the program with "
				      "-DCTR_XDP_CPUS=%d",
				      name, info.max_entries, copies, copies);
	if ((uint32_t)copies > CTR_MAX_LCORE)
		return ctr_xdp_refuse(-E2BIG, "there are %d possible CPUs, and room for %u", copies,
				      CTR_MAX_LCORE);
	return 0;
}

/* Whether a loaded program uses a map; one that cannot be queried may. */
static bool
uses_map(const struct bpf_program *program, uint32_t map)
{
	struct bpf_prog_info info = { 0 };
	uint32_t ids[64] = { 0 }, length = sizeof(info), i;

	info.map_ids = (uint64_t)(uintptr_t)ids;
	info.nr_map_ids = sizeof(ids) / sizeof(ids[0]);
	if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &length) != 0 ||
	    info.nr_map_ids > sizeof(ids) / sizeof(ids[0]))
		return true;
	for (i = 0; i < info.nr_map_ids && ids[i] != map; i++)
		;
	return i < info.nr_map_ids;
}

/* Whether a program may sleep: ctr_xdp_settle() does not wait for it. */
static bool
may_sleep(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);
	const size_t length = strcspn(section, "/");

	return bpf_program__type(program) == BPF_PROG_TYPE_SYSCALL ||
	       (bpf_program__flags(program) & BPF_F_SLEEPABLE) != 0 ||
	       (length > 2 && memcmp(section + length - 2, ".s", 2) == 0);
}

static bool
has_dynamic(const struct ctr_domain *domain)
{
	uint32_t i;

	for (i = 0; i < domain->num_tables && !domain->tables[i]->dynamic; i++)
		;
	return i < domain->num_tables;
}

/* Whether programs may count in a domain. Those of XDP and tc run in softirqs: they exclude each
 * other on a CPU. */
static int
check_programs(const struct ctr_domain *domain, const struct bpf_object *object, uint32_t id,
	       const char *name)
{
	const bool by_cpu = domain->most_cpus == 0, dynamic = has_dynamic(domain);
	struct bpf_program *program = NULL;

	while ((program = bpf_object__next_program(object, program)) != NULL) {
		const bool sleeps = dynamic && may_sleep(program);
		const enum bpf_prog_type type = bpf_program__type(program);
		const bool nests = by_cpu && type != BPF_PROG_TYPE_XDP &&
				   type != BPF_PROG_TYPE_SCHED_CLS &&
				   type != BPF_PROG_TYPE_SCHED_ACT;

		if ((!sleeps && !nests) || bpf_program__fd(program) < 0 || !uses_map(program, id))
			continue;
		if (sleeps)
			return ctr_xdp_refuse(
				-EOPNOTSUPP,
				"'%s' may sleep, and an instance in '%s' end under it: no program "
				"that counts in dynamic scopes may",
				bpf_program__name(program), name);
		return ctr_xdp_refuse(-EOPNOTSUPP,
				      "another program may interrupt '%s' on its CPU, and a count in "
				      "'%s' be lost: use the strategy shared_atomic",
				      bpf_program__name(program), name);
	}
	return 0;
}

/* Map the copies of a domain, or for NULL the common part over the variable of the module. */
static int
map_array(const struct ctr_xdp *xdp, const struct ctr_domain *domain,
	  const struct ctr_xdp_source *from, const char *name)
{
	const int copies = domain != NULL ? copies_of(domain) : 1, fd = ctr_xdp_open(from, name);
	const struct ctr_module_state *module = xdp->module;
	const size_t size = domain != NULL ? domain->slots->size : module->common_size;
	uint32_t id = 0;
	void *memory;
	int rc;

	if (fd < 0)
		return fd;
	rc = check_map(fd, name, size, copies, &id);
	if (rc == 0 && domain != NULL && from->object != NULL)
		rc = check_programs(domain, from->object, id, name);
	if (rc == 0) {
		if (domain != NULL)
			memory = mmap(NULL, mapped_size(domain->slots, (uint32_t)copies), PROT_READ,
				      MAP_SHARED, fd, 0);
		else
			memory = mmap(module->common, size, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_FIXED, fd, 0);
		if (memory == MAP_FAILED)
			rc = ctr_xdp_refuse(-errno, "cannot map '%s': %s", name, strerror(errno));
		else if (domain != NULL)
			domain->slots->memory = memory;
	}
	(void)close(fd);
	return rc;
}

/* ---- the strategy ---- */

static int
xdp_open(const struct ctr_domain *domain)
{
	if (domain->slots == NULL)
		return 0;
	if (domain->slots->memory == NULL)
		return ctr_xdp_refuse(-ENODEV,
				      "the module is not attached: call its xdp_attach() function");
	domain->slots->cpus = (uint32_t)copies_of(domain);
	return 0;
}

/* Zeros of this process replace what is mapped. */
static void
detach_common(const struct ctr_module_state *module)
{
	(void)mmap(module->common, module->common_size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* What the claim of this process becomes: that of before, where an attach fails. */
static __thread uint64_t ends_as = CTR_XDP_DETACHED;

static void
xdp_close(const struct ctr_domain *domain)
{
	const int copies = copies_of(domain);

	ctr_xdp_release((const struct ctr_xdp *)domain->own, ends_as);
	detach_common(domain->module);
	ctr_xdp_close_keys((const struct ctr_xdp *)domain->own);
	if (domain->slots == NULL || domain->slots->memory == NULL)
		return;
	(void)munmap(domain->slots->memory, mapped_size(domain->slots, (uint32_t)copies));
	domain->slots->memory = NULL;
}

/* A child of fork() counts for itself: what it forgets is not the kernel's. */
static void
xdp_reinit(const struct ctr_domain *domain)
{
	struct ctr_slots *slots = domain->slots;

	detach_common(domain->module);
	ctr_xdp_close_keys((const struct ctr_xdp *)domain->own);
	if (slots != NULL && slots->memory != NULL)
		(void)mmap(slots->memory, mapped_size(slots, slots->cpus), PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

const struct ctr_strategy ctr_strategy_xdp = {
	.drain_orphans = ctr_xdp_settle,
	.open = xdp_open,
	.close = xdp_close,
	.reinit = xdp_reinit,
};

/* Copies that begin with the sequence counter of a CPU: reads are those of per_core_seqcount. */
static void
xdp_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
	 struct ctr_read_ctx *reading)
{
	ctr_strategy_per_core_seqcount.load(table, copy, at, n, values, rc, reading);
}

static int
xdp_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	return ctr_strategy_per_core_seqcount.gather(table, at, base, values);
}

static int
xdp_words(const struct ctr_table *table, uint32_t at, void *values)
{
	return ctr_strategy_per_core_seqcount.words(table, at, values);
}

const struct ctr_strategy ctr_strategy_xdp_seqcount = {
	.load = xdp_load,
	.gather = xdp_gather,
	.words = xdp_words,
	.drain_orphans = ctr_xdp_settle,
	.open = xdp_open,
	.close = xdp_close,
	.reinit = xdp_reinit,
};

/* ---- counts of a former process ---- */

/* Subtract values from the words of a copy. */
static void
xdp_subtract(const struct ctr_table *table, const char *values, char *to)
{
	const struct ctr_run *run;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (uint32_t i = 0; i < run->num; i++) {
			const size_t step = (size_t)i * (run->bits / 8u);
			const char *value = values + run->value + step;
			void *word = to + run->data + step;

			if (run->bits == 64)
				ctr_atomic_sub64((uint64_t *)word,
						 *(const uint64_t *)(const void *)value);
			else
				ctr_atomic_add32((uint32_t *)word,
						 -*(const uint32_t *)(const void *)value);
		}
	}
}

/* Begin at 0: the copy of this process has what the others have, negative; read as reads are. Where
 * an update was in progress for too long, its first epoch is not whole. */
static void
begin_at_zero(const struct ctr_domain *domain)
{
	char *own = (char *)domain->slots->slot[CTR_NON_LCORE];
	uint32_t view;

	for (uint32_t table = 0; table < domain->num_tables; table++) {
		const struct ctr_table *of = domain->tables[table];
		char *values = (char *)__builtin_alloca(of->value_size);

		for (uint32_t at = 0; at < of->max && of->data.size != 0; at++) {
			struct ctr_read_ctx reading;
			int rc = 0;

			memset(values, 0, of->value_size);
			ctr_read_ctx_init(&reading, domain->module->control);
			for (uint32_t copy = 0; copy < domain->slots->cpus; copy++) {
				void *from = domain->slots->slot[copy];

				if (domain->strategy->load != NULL)
					domain->strategy->load(of, from, at, 1, values, &rc,
							       &reading);
				else
					ctr_load_plain(of, from, at, 1, values);
			}
			xdp_subtract(of, values, (char *)ctr_element(of, &of->data, own, at));
			for (view = 0; rc != 0 && of->torn != NULL && view < of->bases; view++)
				ctr_bit_set(of->torn + (size_t)view * ((of->max + 63) / 64), at);
		}
	}
}

/* ---- the module ---- */

/* No instance of a dynamic scope exists yet, whatever a former process has left. */
static int
forget_instances(const struct ctr_module_state *module)
{
	bool dynamic = false;

	for (uint32_t i = 0; i < module->num_tables; i++) {
		const struct ctr_table *table = module->tables[i];

		dynamic |= table->dynamic;
		for (uint32_t word = 0; table->dynamic && word < (table->max + 63) / 64; word++)
			ctr_store64(&table->live[word], 0);
	}
	if (dynamic && !ctr_xdp_can_settle())
		return ctr_xdp_refuse(-EOPNOTSUPP, "dynamic scopes need MEMBARRIER_CMD_GLOBAL, which the "
						   "kernel does not have (with nohz_full)");
	return 0;
}

/* Attach with the common part claimed. */
static int
attach_claimed(const struct ctr_xdp *xdp, const struct ctr_xdp_source *from, bool again)
{
	const struct ctr_module_state *module = xdp->module;
	int rc = forget_instances(module);

	if (rc == 0)
		rc = ctr_xdp_open_keys(xdp, from, again);
	for (uint32_t i = 0; i < module->num_domains && rc == 0; i++)
		if (xdp->maps[i] != NULL)
			rc = map_array(xdp, module->domains[i], from, xdp->maps[i]);
	if (rc == 0)
		rc = ctr_module_init(module);
	for (uint32_t i = 0; i < module->num_domains && rc == 0 && again; i++)
		if (xdp->maps[i] != NULL)
			begin_at_zero(module->domains[i]);
	return rc;
}

int
ctr_xdp_attach(const struct ctr_xdp *xdp, const struct bpf_object *object, const char *folder)
{
	const struct ctr_module_state *module = xdp->module;
	const struct ctr_xdp_source from = { object, folder };
	int rc;

	if (module->ready->set)
		return -EALREADY;
	rc = map_array(xdp, NULL, &from, xdp->common);
	if (rc == 0)
		rc = ctr_xdp_claim(xdp, &ends_as);
	if (rc == 0) {
		rc = attach_claimed(xdp, &from, ends_as != 0);
		if (rc != 0)
			ctr_module_fini(module);
	} else {
		detach_common(module);
	}
	ends_as = CTR_XDP_DETACHED;
	return rc;
}

int
ctr_xdp_prepare(const struct ctr_xdp *xdp, struct bpf_object *object)
{
	const struct ctr_module_state *module = xdp->module;
	int rc = 0;

	for (uint32_t i = 0; i < module->num_domains && rc == 0; i++) {
		const int copies = copies_of(module->domains[i]);
		struct bpf_map *map;

		if (xdp->maps[i] == NULL)
			continue;
		map = bpf_object__find_map_by_name(object, xdp->maps[i]);
		if (map == NULL)
			return ctr_xdp_refuse(-ENOENT, "the object has no map '%s'", xdp->maps[i]);
		rc = copies < 0 ? copies : bpf_map__set_max_entries(map, (uint32_t)copies);
	}
	return rc;
}
