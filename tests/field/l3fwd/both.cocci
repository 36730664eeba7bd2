// SPDX-License-Identifier: BSD-3-Clause
// Drivers without hardware have no offloads.

@ no_offloads @
@@
-RTE_ETH_RX_OFFLOAD_CHECKSUM
+0
