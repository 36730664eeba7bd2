// SPDX-License-Identifier: BSD-3-Clause
// Where lcores share processors, those that find nothing to do let others run.

@ header @
@@
 #include <rte_power.h>
+#include "report.h"

@ idle_sender @
@@
 if (unlikely(nb_rx == 0)) {
	flush_all_ports(...);
+	field_idle();
	continue;
 }

@ idle_worker @
expression d, id, num;
identifier buf;
@@
-num = rte_distributor_get_pkt(d, id, buf, buf, num);
+int got;
+
+rte_distributor_request_pkt(d, id, buf, num);
+while ((got = rte_distributor_poll_pkt(d, id, buf)) < 0)
+	field_idle();
+num = got;

@ no_governors @
@@
-if (init_power_library() == 0)
-	power_lib_initialised = 1;
