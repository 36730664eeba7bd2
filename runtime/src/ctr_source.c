/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "ctr_port.h"
#include "ctr_source.h"

static void
take_sample(struct ctr_rate_sample *sample, uint64_t value, uint64_t time_ns)
{
	sample->time_ns = time_ns;
	sample->value = value;
	sample->sampled = true;
}

bool
ctr_rates_read(struct ctr_rates *rates, uint32_t at, uint32_t which, uint64_t value,
	       uint64_t time_ns, uint64_t window_ns, uint64_t *rate)
{
	struct ctr_rate_sample *sample;
	bool known = false;

	ctr_control_hold(&rates->lock);
	if (rates->samples == NULL)
		rates->samples = (struct ctr_rate_sample *)calloc(
				(size_t)rates->instances * rates->num, sizeof(*rates->samples));
	if (rates->samples != NULL) {
		sample = &rates->samples[(size_t)at * rates->num + which];
		if (time_ns > sample->time_ns && (!sample->sampled || value < sample->value)) {
			sample->known = false;
			take_sample(sample, value, time_ns);
		} else if (time_ns > sample->time_ns && time_ns - sample->time_ns >= window_ns) {
			sample->rate = ctr_ratio(value - sample->value, time_ns - sample->time_ns,
						 CTR_SECOND_NS);
			sample->known = true;
			take_sample(sample, value, time_ns);
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
	uint32_t i;

	ctr_control_hold(&rates->lock);
	for (i = 0; rates->samples != NULL && i < rates->num; i++) {
		sample = &rates->samples[(size_t)at * rates->num + i];
		memset(sample, 0, sizeof(*sample));
		sample->time_ns = ctr_time_ns();
	}
	ctr_control_release(&rates->lock);
}

void
ctr_rates_anew(struct ctr_rates *rates)
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
