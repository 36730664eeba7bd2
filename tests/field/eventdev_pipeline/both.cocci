// SPDX-License-Identifier: BSD-3-Clause
// Where lcores share processors, a worker without events lets others run.

@ header @
@@
 #include <rte_service_component.h>
+#include "report.h"

@ idle @
@@
 if (nb_rx == 0) {
-	rte_pause();
+	field_idle();
	continue;
 }
