/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_segment_private.h"

/* The value that an enum has here for the label that it had there; 0: none, which is reported. */
static int32_t
label_now(const struct ctr_segment_adoption *adoption, const struct ctr_segment_match *match,
	  const struct ctr_segment_copied *copy, int32_t value)
{
	const struct ctr_segment_source *source = match->source;
	uint32_t i, j;

	for (i = 0; i < copy->old->num_labels; i++) {
		const struct ctr_segment_label *old = &match->labels[copy->old->first_label + i];

		for (j = 0; old->value == value && j < copy->item->num_labels; j++)
			if (strcmp(copy->item->labels[j].name,
				   ctr_segment_text(adoption->reader, old->name)) == 0)
				return copy->item->labels[j].value;
		if (old->value == value)
			ctr_segment_tell(adoption->former, CTR_SEGMENT_CHANGED,
					 source->module->name, source->scope->name,
					 copy->item->name, 0);
	}
	return 0;
}

bool
ctr_segment_translate(const struct ctr_segment_adoption *adoption,
	const struct ctr_segment_match *match, uint8_t *to)
{
	const size_t size = CTR_SEGMENT_WORDS(match->source->scope->value_size);
	const uint64_t clock_ns = ctr_segment_header(adoption->reader)->clock_ns -
				  adoption->segment->header->clock_ns;
	const uint8_t *old = adoption->old;
	uint64_t any = 0, word;
	size_t at;
	uint32_t i;

	memset(to, 0, size);
	for (i = 0; i < match->num_copies; i++) {
		const struct ctr_segment_copied *copy = &match->copy[i];
		const uint8_t *from = old + copy->from;
		int32_t value;

		if (copy->item->type == CTR_BOOL) {
			to[copy->to] = *from != 0;
		} else if (copy->item->type == CTR_ENUM) {
			memcpy(&value, from, sizeof(value));
			value = label_now(adoption, match, copy, value);
			memcpy(to + copy->to, &value, sizeof(value));
		} else if (copy->size == sizeof(word) && copy->item->type != CTR_STRING) {
			memcpy(&word, from, sizeof(word));
			/* The Unix time stays, also where the clock began again. */
			if (copy->item->type == CTR_TIMESTAMP && word != 0)
				word += clock_ns;
			memcpy(to + copy->to, &word, sizeof(word));
		} else {
			memcpy(to + copy->to, from, copy->size);
			if (copy->item->type == CTR_STRING)
				to[copy->to + copy->size - 1] = '\0';
		}
	}
	for (at = 0; at < size; at += sizeof(word)) {
		memcpy(&word, to + at, sizeof(word));
		any |= word;
	}
	return any != 0;
}

/* The counters of `to` become those of `a` less those of `b`, modulo 2^width. */
static void
subtract(const struct ctr_segment_match *match, uint8_t *to, const uint8_t *a, const uint8_t *b)
{
	uint32_t i;

	for (i = 0; i < match->num_copies; i++) {
		const uint32_t at = match->copy[i].to;
		uint64_t wide[2];
		uint32_t narrow[2];

		if (match->copy[i].width == 64) {
			memcpy(&wide[0], a + at, sizeof(wide[0]));
			memcpy(&wide[1], b + at, sizeof(wide[1]));
			wide[0] -= wide[1];
			memcpy(to + at, &wide[0], sizeof(wide[0]));
		} else if (match->copy[i].width == 32) {
			memcpy(&narrow[0], a + at, sizeof(narrow[0]));
			memcpy(&narrow[1], b + at, sizeof(narrow[1]));
			narrow[0] -= narrow[1];
			memcpy(to + at, &narrow[0], sizeof(narrow[0]));
		}
	}
}

/* Add what was counted when each view was reset, and reset it then, so that it reads what it did
 * there; at last add the rest. All is modulo 2^width, so no order of views is wrong; `views` is
 * what each reads, and that of the first what was counted at all. */
static int
add_by_views(struct ctr_segment_adoption *adoption, const struct ctr_segment_match *match,
	     const uint32_t *index, uint32_t num_views)
{
	const struct ctr_scope *scope = match->source->scope;
	const size_t each = CTR_SEGMENT_WORDS(scope->value_size);
	const uint8_t *whole = adoption->views;
	const uint8_t *before = whole; /* What the view reset before this one lacks, from whole. */
	uint32_t view;
	int rc = 0;

	for (view = 1; view < num_views && rc == 0; view++) {
		const uint8_t *reads = adoption->views + view * each;

		if (memcmp(reads, before, scope->value_size) == 0 && before == whole)
			continue; /* never reset */
		memcpy(adoption->part, whole, scope->value_size);
		subtract(match, adoption->part, before, reads);
		rc = scope->adopt(index, adoption->part);
		if (rc == 0)
			rc = scope->view_reset(view, index, NULL);
		if (rc == -EAGAIN)
			rc = 0; /* counts that are there may not belong together */
		before = reads;
	}
	memcpy(adoption->part, before, scope->value_size);
	return rc == 0 ? scope->adopt(index, adoption->part) : rc;
}

int
ctr_segment_restore_views(struct ctr_segment_adoption *adoption,
	const struct ctr_segment_match *match, uint32_t at, const uint32_t *index)
{
	const struct ctr_scope *scope = match->source->scope;
	const size_t each = CTR_SEGMENT_WORDS(scope->value_size);
	const uint32_t num = match->source->module->num_views;
	uint32_t view;

	memcpy(adoption->views + each, adoption->views, scope->value_size);
	for (view = 0; view < num; view++) {
		uint8_t *to = adoption->views + view * each;

		if (match->view[view] != UINT32_MAX &&
		    ctr_segment_read_view(adoption->reader, match->old, match->view[view], at,
					  adoption->old, NULL) == 0)
			(void)ctr_segment_translate(adoption, match, to);
		else if (view > 1)
			memcpy(to, adoption->views, scope->value_size);
	}
	return add_by_views(adoption, match, index, num);
}
