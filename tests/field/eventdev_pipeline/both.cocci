// SPDX-License-Identifier: BSD-3-Clause
// Where lcores share processors, a worker without events lets others run, and so does one that cannot
// pass its events on yet.

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

@ full @
expression sent, got;
statement once_more;
@@
 while (sent < got && !fdata->done)
+{
+	field_idle();
	once_more
+}
