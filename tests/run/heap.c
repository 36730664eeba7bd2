/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stddef.h>

#include "harness.h"
#include "heap.h"

#define MOST 8192

void *__real_ctr_alloc(size_t size, unsigned int lcore);
void __real_ctr_free(void *memory);
void *__real_calloc(size_t n, size_t size);
void __real_free(void *memory);
void *__wrap_ctr_alloc(size_t size, unsigned int lcore);
void __wrap_ctr_free(void *memory);
void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *memory);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	void *memory;
	size_t size;
} held[MOST];
static unsigned int top, blocks, countdown;
static uint64_t bytes;
static bool failed, ended;

/* Whether the next allocation may happen. */
static bool
may_happen(void)
{
	bool may = true;

	(void)pthread_mutex_lock(&lock);
	if (countdown != 0 && --countdown == 0) {
		countdown = ended ? 1 : 0;
		failed = true;
		may = false;
	}
	(void)pthread_mutex_unlock(&lock);
	return may;
}

static void *
took(void *memory, size_t size)
{
	unsigned int at;

	if (memory == NULL)
		return NULL;
	(void)pthread_mutex_lock(&lock);
	for (at = 0; at < top && held[at].memory != NULL; at++)
		;
	CHECK(at < MOST, "more than %u blocks", MOST);
	if (at == top)
		top++;
	held[at].memory = memory;
	held[at].size = size;
	blocks++;
	bytes += size;
	(void)pthread_mutex_unlock(&lock);
	return memory;
}

static void
gave(void *memory)
{
	unsigned int at;

	(void)pthread_mutex_lock(&lock);
	for (at = 0; at < top && (memory == NULL || held[at].memory != memory); at++)
		;
	if (at < top) {
		held[at].memory = NULL;
		blocks--;
		bytes -= held[at].size;
	}
	(void)pthread_mutex_unlock(&lock);
}

void *
__wrap_ctr_alloc(size_t size, unsigned int lcore)
{
	return may_happen() ? took(__real_ctr_alloc(size, lcore), size) : NULL;
}

void
__wrap_ctr_free(void *memory)
{
	gave(memory);
	__real_ctr_free(memory);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return may_happen() ? took(__real_calloc(n, size), n * size) : NULL;
}

void
__wrap_free(void *memory)
{
	gave(memory);
	__real_free(memory);
}

unsigned int
heap_blocks(void)
{
	return blocks;
}

uint64_t
heap_bytes(void)
{
	return bytes;
}

static void
fail(unsigned int nth, bool and_on)
{
	(void)pthread_mutex_lock(&lock);
	countdown = nth;
	ended = and_on;
	failed = false;
	(void)pthread_mutex_unlock(&lock);
}

void
heap_fail(unsigned int nth)
{
	fail(nth, false);
}

void
heap_end(unsigned int nth)
{
	fail(nth, true);
}

bool
heap_failed(void)
{
	return failed;
}
