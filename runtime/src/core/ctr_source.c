/* SPDX-License-Identifier: BSD-3-Clause */
/* External items, and derived items. */
#include <stdlib.h>

#include "core.h"
#include "ctr_peak.h"
#include "ctr_source.h"
#include "ctr_values.h"

bool
ctr_rates_read(struct ctr_rates *rates, uint32_t at, uint32_t which, uint64_t value,
	       uint64_t time_ns, uint64_t window_ns, uint64_t *rate)
{
	struct ctr_rate_sample *sample;
	bool known = false, back;

	ctr_control_hold(&rates->lock);
	if (rates->samples == NULL)
		rates->samples = (struct ctr_rate_sample *)calloc(
				(size_t)rates->instances * rates->num, sizeof(*rates->samples));
	if (rates->samples != NULL) {
		sample = &rates->samples[(size_t)at * rates->num + which];
		back = !sample->sampled || value < sample->value;
		if (time_ns > sample->time_ns && (back || time_ns - sample->time_ns >= window_ns)) {
			sample->rate = ctr_ratio(value - sample->value, time_ns - sample->time_ns,
						 CTR_SECOND_NS);
			sample->known = !back;
			sample->time_ns = time_ns;
			sample->value = value;
			sample->sampled = true;
		}
		known = sample->known;
		if (known)
			*rate = sample->rate;
	}
	ctr_control_release(&rates->lock);
	return known;
}

void
ctr_rates_forget(struct ctr_rates *rates, uint32_t at)
{
	struct ctr_rate_sample *sample;

	ctr_control_hold(&rates->lock);
	for (uint32_t i = 0; rates->samples != NULL && i < rates->num; i++) {
		sample = &rates->samples[(size_t)at * rates->num + i];
		memset(sample, 0, sizeof(*sample));
		sample->time_ns = ctr_time_ns();
	}
	ctr_control_release(&rates->lock);
}

void
ctr_rates_restart(struct ctr_rates *rates)
{
	if (rates->samples != NULL)
		memset(rates->samples, 0,
		       (size_t)rates->instances * rates->num * sizeof(*rates->samples));
}

void
ctr_rates_free(struct ctr_rates *rates)
{
	free(rates->samples);
	rates->samples = NULL;
}

/* ---- values of devices and of the application: words of an instance ---- */

/* The device and the provider of the values, 0: none so far; then the items. */
#define SOURCE_DEVICE 0
#define PROVIDER 1
#define ITEMS 2
/* Of an item: its last value, whether that is available now, baselines. */
#define SOURCE_LAST 0
#define AVAILABLE 1
#define BASES 2

static size_t
words_of_item(const struct ctr_sourced *sourced)
{
	return BASES + sourced->bases;
}

static size_t
words_of_instance(const struct ctr_sourced *sourced)
{
	return ITEMS + sourced->num * words_of_item(sourced);
}

/* The words of an instance; NULL before the first value. */
static uint64_t *
instance_at(const struct ctr_sourced *sourced, uint32_t at)
{
	return sourced->words != NULL ? &sourced->words[at * words_of_instance(sourced)] : NULL;
}

/* Whether devices or the application report an item. */
static bool
is_reported(const struct ctr_item *item)
{
	return item->source == CTR_DEVICE || item->source == CTR_CALLBACK;
}

/* Whether a counter decreased, except by a wrap of 32 bits. */
static bool
went_back(const struct ctr_item *item, uint64_t last, uint64_t value)
{
	return item->kind == CTR_COUNTER && value < last &&
	       (item->type != CTR_U32 || last - value < UINT64_C(1) << 31);
}

/* Whether the device or provider of the values has changed; stores the present one. */
static bool
replaced(uint64_t *word, uint64_t now)
{
	const uint64_t before = *word;

	if (now == 0)
		return false;
	*word = now;
	return before != 0 && before != now;
}

/* Whether a counter of the device decreased; counters of the application are separate. */
static bool
device_went_back(const struct ctr_sourced *sourced, const uint64_t *own,
		 const struct ctr_item *items, unsigned int count, const void *values)
{
	const uint64_t *word = own + ITEMS;

	for (unsigned int i = 0; i < count; i++) {
		if (!is_reported(&items[i]))
			continue;
		if (items[i].source == CTR_DEVICE && ctr_item_available(&items[i], values) &&
		    went_back(&items[i], word[SOURCE_LAST], ctr_item_value(&items[i], values)))
			return true;
		word += words_of_item(sourced);
	}
	return false;
}

/* Store an item; whether it has restarted, by itself or with its source. */
static bool
store_item(const struct ctr_sourced *sourced, uint64_t *word, const struct ctr_item *item,
	   const void *values, bool restarted)
{
	const bool available = ctr_item_available(item, values);
	uint64_t value = 0;

	if (available)
		value = ctr_bound(ctr_item_value(item, values), item->minimum, item->maximum);
	if (available && went_back(item, word[SOURCE_LAST], value))
		restarted = true;
	if (restarted)
		memset(word + BASES, 0, sourced->bases * sizeof(*word));
	/* While it is unavailable, a reset uses its last value. */
	if (available || restarted)
		word[SOURCE_LAST] = value;
	word[AVAILABLE] = available;
	return restarted;
}

/* Store the items of an instance that a device reports, in `values`, and those of the application,
 * in `provided`. A counter of the application restarts when it decreases. All counters of a device
 * restart when one of them decreases or the device changes, all of a provider when that changes.
 * Restarted items lose their baselines. 0; 1: an item has restarted; -ENOMEM. */
static int
keep_reported(const struct ctr_table_sources *sources, uint32_t at, const void *values,
	      const void *provided, uint64_t device)
{
	struct ctr_sourced *sourced = sources->sourced;
	const struct ctr_item *items = sources->items;
	const unsigned int count = sources->num_items;
	bool of_device, of_application, any;
	uint64_t *own, *word;
	unsigned int i;

	ctr_control_hold(&sourced->lock);
	if (sourced->words == NULL)
		sourced->words = (uint64_t *)calloc(
				(size_t)sourced->instances * words_of_instance(sourced),
				sizeof(*sourced->words));
	own = instance_at(sourced, at);
	if (own == NULL) {
		ctr_control_release(&sourced->lock);
		return -ENOMEM;
	}
	of_device = replaced(&own[SOURCE_DEVICE], device) ||
		    device_went_back(sourced, own, items, count, values);
	of_application = replaced(&own[PROVIDER], sourced->provider);
	any = of_device || of_application;
	for (i = 0, word = own + ITEMS; i < count; i++) {
		if (!is_reported(&items[i]))
			continue;
		any |= items[i].source == CTR_DEVICE ?
			       store_item(sourced, word, &items[i], values, of_device) :
			       store_item(sourced, word, &items[i], provided, of_application);
		word += words_of_item(sourced);
	}
	ctr_control_release(&sourced->lock);
	return any;
}

/* Set an item that is not stored in a struct of values. */
static void
put_source(const struct ctr_item *item, void *values, bool available, uint64_t value)
{
	const uint32_t narrow = (uint32_t)value;
	char *to = (char *)values;

	memcpy(to + item->offset, item->type == CTR_U32 ? (const void *)&narrow : &value,
	       item->size);
	*(bool *)(to + item->available) = available;
}

static void
load_item(uint64_t *word, uint32_t view, const struct ctr_item *item, bool reset, void *values)
{
	const bool available = word[AVAILABLE] != 0;

	put_source(item, values, available,
		   available ? word[SOURCE_LAST] - word[BASES + view] : 0);
	if (reset && item->kind == CTR_COUNTER)
		word[BASES + view] = word[SOURCE_LAST];
}

/* Of @p num instances from @p at on. */
static void
forget_sourced(struct ctr_sourced *sourced, uint32_t at, uint32_t num)
{
	uint64_t *own;

	ctr_control_hold(&sourced->lock);
	own = instance_at(sourced, at);
	if (own != NULL)
		memset(own, 0, num * words_of_instance(sourced) * sizeof(*own));
	ctr_control_release(&sourced->lock);
}

int
ctr_table_device_set(const struct ctr_table *table, uint32_t index, uint16_t device)
{
	if (index >= table->index_maxima[0])
		return -ERANGE;
	ctr_store32(&table->sources->devices[index], device + 1u);
	return 0;
}

void
ctr_table_provider_set(const struct ctr_table *table, void (*call)(void), void *ctx)
{
	const struct ctr_table_sources *sources = table->sources;

	ctr_control_hold(&sources->sourced->querying);
	sources->provider->call = call;
	sources->provider->ctx = ctx;
	sources->sourced->provider++;
	ctr_control_release(&sources->sourced->querying);
}

/* ---- operations for the library (ctr_table.h) ---- */

/* Query the sources; reads and resets use the result. */
static int
source_query(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_table_sources *sources = table->sources;
	struct ctr_control *control = table->domain->module->control;
	void *now = __builtin_alloca(table->value_size);
	void *provided = __builtin_alloca(table->value_size);
	uint32_t index[CTR_INDEXES_MAX] = { 0 }, device = 0, i, left = at;
	int rc;

	if (sources->sourced == NULL)
		return 0;
	rc = ctr_core_read_stored(table, at, now);
	if (rc != 0 && rc != -EAGAIN)
		return rc;
	for (i = table->num_indexes; i-- > 0; left /= table->index_maxima[i])
		index[i] = left % table->index_maxima[i];
	for (i = 0; i < sources->num_items; i++)
		if (sources->items[i].source != CTR_STORED)
			put_source(&sources->items[i], now, false, 0);
	ctr_control_hold(&sources->sourced->querying);
	if (sources->devices != NULL) {
		device = ctr_load32(&sources->devices[index[0]]);
		device = sources->device_read(sources->items, sources->num_items, sources->labels,
					      device != 0 ? device - 1 : index[0], index, now);
	}
	memcpy(provided, now, table->value_size);
	if (sources->provider != NULL && sources->provider->call != NULL &&
	    !sources->provider->busy) {
		sources->provider->busy = true;
		sources->provide(index, provided);
		sources->provider->busy = false;
	}
	rc = keep_reported(sources, at, now, provided, device);
	ctr_control_release(&sources->sourced->querying);
	if (rc <= 0)
		return rc;
	/* Its counters have restarted. */
	ctr_control_lock(control);
	ctr_control_mark(&table->state->discontinuity_ns, at);
	ctr_control_unlock(control);
	return 0;
}

static void
source_reported(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
		bool reset)
{
	const struct ctr_item *items = table->sources->items;
	struct ctr_sourced *sourced = table->sources->sourced;
	uint32_t n = 0;
	uint64_t *own;

	if (sourced == NULL)
		return;
	ctr_control_hold(&sourced->lock);
	own = instance_at(sourced, at);
	for (uint32_t i = 0; own != NULL && i < table->sources->num_items; i++)
		if (is_reported(&items[i]))
			load_item(&own[ITEMS + n++ * words_of_item(sourced)], view, &items[i],
				  reset, values);
	ctr_control_release(&sourced->lock);
}

static void
source_restart(const struct ctr_table *table, uint32_t at, bool rates)
{
	if (table->sources->rates != NULL)
		ctr_rates_forget(table->sources->rates, at);
	if (!rates && table->sources->sourced != NULL)
		forget_sourced(table->sources->sourced, at, 1);
}

static void
source_forget(const struct ctr_table *table)
{
	const struct ctr_table_sources *sources = table->sources;

	if (sources->sourced != NULL)
		forget_sourced(sources->sourced, 0, table->max);
	if (sources->rates != NULL)
		ctr_rates_restart(sources->rates);
	if (sources->provider != NULL)
		sources->provider->busy = false;
}

static void
source_free(const struct ctr_table *table)
{
	const struct ctr_table_sources *sources = table->sources;
	struct ctr_sourced *sourced = sources->sourced;

	if (sources->rates != NULL)
		ctr_rates_free(sources->rates);
	for (uint32_t i = 0; sources->devices != NULL && i < table->index_maxima[0]; i++)
		ctr_store32(&sources->devices[i], 0);
	if (sources->provider != NULL)
		ctr_table_provider_set(table, NULL, NULL);
	if (sourced != NULL) {
		free(sourced->words);
		sourced->words = NULL;
	}
}

const struct ctr_source_ops ctr_source_ops = {
	.query = source_query,
	.reported = source_reported,
	.restart = source_restart,
	.forget = source_forget,
	.free = source_free,
};
