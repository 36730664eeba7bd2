// SPDX-License-Identifier: BSD-3-Clause
// eventdev_pipeline: workers count in variables of their own, which nobody can read before the end.

@ header @
@@
 #include <rte_service_component.h>
+#include "eventdev_pipeline_stats.h"

@ start @
@@
 if (err < 0)
	rte_panic("Invalid EAL arguments\n");
+if (eventdev_pipeline_stats_init() != 0)
+	rte_panic("Cannot count\n");

@ stop @
@@
+eventdev_pipeline_stats_fini();
 rte_eal_cleanup();

@ burst_ends @
@@
 while (!fdata->done) {
+eventdev_pipeline_stats_burst_end();
 ...
 }
+eventdev_pipeline_stats_flush();

@ passed_event @
@@
-received++;
 ...
-sent++;
+eventdev_pipeline_stats_update_passed(1, 1);

@ passed @
expression got, n;
@@
-received += got;
 ...
-sent += n;
+eventdev_pipeline_stats_update_passed(got, n);

@ received_event @
@@
-received++;
+eventdev_pipeline_stats_inc_received();

@ received @
expression n;
@@
-received += n;
+eventdev_pipeline_stats_add_received(n);

@ sent_event @
@@
-tx++;
+eventdev_pipeline_stats_inc_sent();

@ forwarded_event @
@@
-fwd++;
+eventdev_pipeline_stats_inc_forwarded();

@ forwarded @
expression n;
@@
-fwd += n;
+eventdev_pipeline_stats_add_forwarded(n);

@ variable_received @
type size;
@@
-size received = 0;

@ variable_sent @
type size;
@@
-size sent = 0;

@ variable_fwd @
type size;
@@
-size fwd = 0;

@ variable_tx @
type size;
@@
-size tx = 0;

@ printed @
expression text, lcore;
@@
(
 printf(text, lcore,
-	received, sent
+	eventdev_pipeline_stats_lcore_get_received(lcore),
+	eventdev_pipeline_stats_lcore_get_sent(lcore)
 );
|
 printf(text, lcore,
-	received, fwd, tx
+	eventdev_pipeline_stats_lcore_get_received(lcore),
+	eventdev_pipeline_stats_lcore_get_forwarded(lcore),
+	eventdev_pipeline_stats_lcore_get_sent(lcore)
 );
)
