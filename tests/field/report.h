/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What patches of tests/field have original and port call alike.
 */
#ifndef FIELD_REPORT_H
#define FIELD_REPORT_H

/**
 * An lcore has found nothing to do. It pauses; where lcores share processors (FIELD_SHARES in the
 * environment) it sleeps for a moment, as those that wait for each other would otherwise each wait
 * for the end of a time slice. Any thread.
 */
void field_idle(void);

#endif /* FIELD_REPORT_H */
