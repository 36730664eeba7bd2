/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cycles of an add to a counter of 64 bits by the form of its address: what a compiler can choose
 * for one update. For x86-64 and arm64, with a C library and nothing else; a static binary runs on
 * other machines of its kind (forms.py).
 *
 * Argument: rounds (default 1001). In a round every form adds STEPS times, and rounds begin
 * with different forms; cycles are of a chain of dependent adds that is timed in the same round, so neither a time
 * stamp counter nor a frequency is needed. Prints `key: value` lines, an empty line, then a line
 * `address|change|instances|median|lower quartile|upper quartile` for each form.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MANY 1024u  /* Instances: their counters are in the first level cache. */
#define STEPS 4096u /* Adds of a form in a round. */
#define LCORES 128u
#define ROUNDS_MAX 100000u

struct element {
	uint64_t pkts, bytes;
};

struct instance {
	struct element all[MANY];
} __attribute__((aligned(128)));

/* Instances, in the order of packets: all the first one, or random ones. */
struct packets {
	uint32_t index[STEPS];
	struct element *element[STEPS];
};

static struct packets one, many;
/* With external linkage and opaque to the compiler: as in another file. */
struct instance words;
void *slots[LCORES + 1];
__thread uint32_t lcore;
__thread struct instance *mine;
__thread struct instance local;

#if defined(__x86_64__)
/* The change of a word at the operand `at`, in one instruction or in three. */
#define FOLDED(at, ...) __asm__ volatile("addq $1, " at : : __VA_ARGS__ : "memory", "cc")
#define APART(at, ...)                                                                          \
	do {                                                                                    \
		uint64_t value_;                                                                \
		__asm__ volatile("movq " at ", %[v]\n\taddq $1, %[v]\n\tmovq %[v], " at         \
				 : [v] "=&r"(value_) : __VA_ARGS__ : "memory", "cc");           \
	} while (0)
#define BASE(add, at) add("(%[b])", [b] "r"(at))
#define INDEXED(add, self, i) add("(%[b],%[i])", [b] "r"(self), [i] "r"((uint64_t)(i) << 4))
#define RELATIVE(add) add("words(%%rip)", "m"(words))
#define ABSOLUTE(add, i) add("words(%[i])", [i] "r"((uint64_t)(i) << 4))
#define SEGMENT(add, i) add("%%fs:local@tpoff(%[i])", [i] "r"((uint64_t)(i) << 4))
#elif defined(__aarch64__)
/* No add changes memory, except atomic ones. */
#define APART(at, ...)                                                                          \
	do {                                                                                    \
		uint64_t value_;                                                                \
		__asm__ volatile("ldr %[v], " at "\n\tadd %[v], %[v], #1\n\tstr %[v], " at      \
				 : [v] "=&r"(value_) : __VA_ARGS__ : "memory");                 \
	} while (0)
#define BASE(add, at) add("[%[b]]", [b] "r"(at))
#define INDEXED(add, self, i) add("[%[b], %[i]]", [b] "r"(self), [i] "r"((uint64_t)(i) << 4))
#else
#error "forms are known for x86-64 and arm64"
#endif

/* One register that holds the address, which the compiler does not take apart again. */
static inline struct element *
in_register(struct element *at)
{
	__asm__("" : "+r"(at));
	return at;
}

/* The instance by a table of slots, as found by the lcore id; NULL leaves. */
static inline struct instance *
by_table(void)
{
	struct instance *self = slots[(int32_t)lcore + 1];

	if (__builtin_expect(self == NULL, 0))
		abort();
	return self;
}

static inline struct instance *
by_pointer(void)
{
	if (__builtin_expect(mine == NULL, 0))
		abort();
	return mine;
}

/* A form: a loop over packets with one `step`, in which `i` is the index and `e` the element. */
#define FORM(name, step)                                                        \
	static __attribute__((noinline, aligned(64))) void name(const struct packets *p) \
	{                                                                       \
		for (uint32_t n = 0; n < STEPS; n++) {                          \
			const uint32_t i = p->index[n];                         \
			struct element *const e = p->element[n];                \
                                                                                \
			(void)i;                                                \
			(void)e;                                                \
			step;                                                   \
			__asm__ volatile("" : : "r"(i) : "memory");             \
		}                                                               \
	}
#define LEA(self, i) in_register(&(self)->all[i])
#define FORMS(kind, add)                                        \
	FORM(kind##_base, BASE(add, e))                         \
	FORM(kind##_table_indexed, INDEXED(add, by_table(), i)) \
	FORM(kind##_table_lea, BASE(add, LEA(by_table(), i)))   \
	FORM(kind##_tls_indexed, INDEXED(add, by_pointer(), i)) \
	FORM(kind##_tls_lea, BASE(add, LEA(by_pointer(), i)))   \
	FORM(kind##_fixed_lea, BASE(add, LEA(&words, i)))
#define FORMS_X86(kind, add)                       \
	FORM(kind##_relative, RELATIVE(add))       \
	FORM(kind##_absolute, ABSOLUTE(add, i))    \
	FORM(kind##_segment, SEGMENT(add, i))

FORM(empty, (void)0)
FORMS(apart, APART)
#if defined(__x86_64__)
FORMS(folded, FOLDED)
FORMS_X86(folded, FOLDED)
FORMS_X86(apart, APART)
#endif

struct form {
	const char *address, *change;
	void (*run)(const struct packets *packets);
	int only_one; /* No index. */
};

#define ROWS(kind, text)                                                               \
	{ "base: the caller has the address", text, kind##_base, 0 },                  \
	{ "table of slots, base + index", text, kind##_table_indexed, 0 },             \
	{ "table of slots, one register (lea)", text, kind##_table_lea, 0 },           \
	{ "thread-local pointer, base + index", text, kind##_tls_indexed, 0 },         \
	{ "thread-local pointer, one register (lea)", text, kind##_tls_lea, 0 },       \
	{ "fixed address, one register (lea)", text, kind##_fixed_lea, 0 }
#define ROWS_X86(kind, text)                                                           \
	{ "fixed address + index", text, kind##_absolute, 0 },                         \
	{ "thread-local instance + index (%fs:)", text, kind##_segment, 0 },           \
	{ "relative to the instruction pointer", text, kind##_relative, 1 }

static const struct form forms[] = {
	{ "the loop without it", "", empty, 0 },
#if defined(__x86_64__)
	ROWS(folded, "folded"),
	ROWS_X86(folded, "folded"),
	ROWS_X86(apart, "apart"),
#endif
	ROWS(apart, "apart"),
};

#define NUM_FORMS (sizeof(forms) / sizeof(forms[0]))
#define NUM_RUNS (2 * NUM_FORMS) /* With one instance and with MANY. */

static double *cycles[NUM_RUNS];

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ns of a cycle: each of these adds waits for the one before. */
static double
cycle_ns(void)
{
	uint64_t value = 0, begin = now_ns();
	uint32_t n;

	for (n = 0; n < STEPS; n++)
#if defined(__x86_64__)
		__asm__ volatile("addq $1, %0\n\taddq $1, %0\n\taddq $1, %0\n\taddq $1, %0"
				 : "+r"(value) : : "cc");
#else
		__asm__ volatile("add %0, %0, #1\n\tadd %0, %0, #1\n\tadd %0, %0, #1\n\tadd %0, %0, #1"
				 : "+r"(value));
#endif
	return (double)(now_ns() - begin) / (4.0 * STEPS);
}

/* ns of an add of a run, in its second pass: the first one fills caches and predictors. */
static double
run_ns(size_t run)
{
	const struct packets *packets = run % 2 ? &many : &one;
	const struct form *form = &forms[run / 2];
	uint64_t begin;

	form->run(packets);
	begin = now_ns();
	form->run(packets);
	return (double)(now_ns() - begin) / STEPS;
}

static int
by_value(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Every add of every form is in a counter: else a form is not what it is called. */
static int
check(uint64_t expected)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < MANY; i++)
		sum += words.all[i].pkts + local.all[i].pkts;
	if (sum == expected)
		return 0;
	fprintf(stderr, "forms: %" PRIu64 " adds were counted, not %" PRIu64 "\n", sum, expected);
	return 1;
}

/* The first processor, as Linux names it. */
static void
print_processor(void)
{
	static const char *const keys[] = { "cpu family", "model", "model name", "CPU implementer",
					    "CPU part" };
	FILE *file = fopen("/proc/cpuinfo", "r");
	const char *comma = "";
	char line[512];
	size_t i;

	printf("processor: ");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL && line[0] != '\n') {
		const size_t length = strcspn(line, "\t:\n");
		const char *value = strchr(line, ':');

		for (i = 0; value != NULL && i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (strlen(keys[i]) != length || strncmp(line, keys[i], length) != 0)
				continue;
			printf("%s%s%.*s", comma, keys[i], (int)strcspn(value + 1, "\n"), value + 1);
			comma = ", ";
		}
	}
	if (file != NULL)
		fclose(file);
	printf("\ncompiler: gcc %s\n", __VERSION__);
}

int
main(int argc, char **argv)
{
	const uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1001;
	uint32_t state = 1, round, n;
	uint64_t expected = 0;
	size_t run;

	if (rounds == 0 || rounds > ROUNDS_MAX)
		return 2;
	slots[lcore + 1] = mine = &words;
	for (n = 0; n < STEPS; n++) {
		state = state * 1664525u + 1013904223u;
		many.index[n] = state >> 22;
		many.element[n] = &words.all[many.index[n]];
		one.element[n] = &words.all[0];
	}
	for (run = 0; run < NUM_RUNS; run++) {
		cycles[run] = malloc(rounds * sizeof(double));
		if (cycles[run] == NULL)
			return 1;
	}
	for (round = 0; round < rounds; round++) {
		for (n = 0; n < NUM_RUNS; n++) {
			run = (n + round) % NUM_RUNS;
			if (run % 2 && forms[run / 2].only_one)
				continue;
			cycles[run][round] = run_ns(run) / cycle_ns();
			expected += forms[run / 2].run == empty ? 0 : 2 * STEPS;
		}
	}
	if (check(expected) != 0)
		return 1;
	print_processor();
	printf("rounds: %" PRIu32 "\n\n", rounds);
	for (run = 0; run < NUM_RUNS; run++) {
		const struct form *form = &forms[run / 2];

		if (run % 2 && form->only_one)
			continue;
		qsort(cycles[run], rounds, sizeof(double), by_value);
		printf("%s|%s|%u|%.2f|%.2f|%.2f\n", form->address, form->change,
		       run % 2 ? MANY : 1u, cycles[run][rounds / 2], cycles[run][rounds / 4],
		       cycles[run][rounds * 3 / 4]);
	}
	return 0;
}
