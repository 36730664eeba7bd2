// SPDX-License-Identifier: BSD-3-Clause
// Drivers without hardware have no offloads; a capture that is received again and again is in memory.

@ no_offloads @
@@
-RTE_ETH_RX_OFFLOAD_CHECKSUM
+0

@ capture @
expression ports;
@@
 init_mem(0,
-	NB_MBUF(ports)
+	NB_MBUF(ports) + ports * CAPTURE
 )

@ room @
@@
 #include "l3fwd.h"
+#define CAPTURE 65536
