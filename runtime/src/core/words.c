/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

void
ctr_words_set(const struct ctr_table *table, const void *element, void *values)
{
	ctr_core_words(table, (const char *)element, (char *)values, false);
}

void
ctr_words_add(const struct ctr_table *table, const void *element, void *values)
{
	ctr_core_words(table, (const char *)element, (char *)values, true);
}
