/* SPDX-License-Identifier: BSD-3-Clause */
/** @file One instance behind a spin lock, a write buffer for each lcore. */
#define HAND_BUFFER 1024

struct hand_op {
	uint64_t *word;
	uint64_t operand;
};

struct hand_buffer {
	uint32_t used;
	struct hand_op op[HAND_BUFFER];
} CTR_CACHE_ALIGNED;

static struct hand_stats hand_stats;
static struct hand_buffer hand_buffer[CTR_MAX_LCORE];

static __attribute__((noinline)) void
hand_flush(struct hand_buffer *buffer)
{
	uint32_t i;

	hand_lock(&hand_stats.lock);
	for (i = 0; i < buffer->used; i++)
		hand_add(buffer->op[i].word, buffer->op[i].operand);
	hand_unlock(&hand_stats.lock);
	buffer->used = 0;
}

static inline void
hand_append(struct hand_buffer *buffer, uint64_t *word, uint64_t operand)
{
	buffer->op[buffer->used].word = word;
	buffer->op[buffer->used].operand = operand;
	buffer->used++;
}

static inline void
hand_update(uint32_t session, uint16_t size)
{
	struct hand_buffer *buffer = &hand_buffer[ctr_lcore_id()];

	/* Half full, as the soft threshold of the generated code: alone, the lock is free. */
	if (buffer->used + 4 > HAND_BUFFER / 2)
		hand_flush(buffer);
	hand_append(buffer, &hand_stats.total_pkts, 1);
	hand_append(buffer, &hand_stats.total_bytes, size);
	hand_append(buffer, &hand_stats.session[session].pkts, 1);
	hand_append(buffer, &hand_stats.session[session].bytes, size);
}
