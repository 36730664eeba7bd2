// SPDX-License-Identifier: BSD-3-Clause
// Drivers without hardware have no offloads.

@ no_offloads_of_rx @
@@
-(RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_SCATTER)
+0

@ no_offloads_of_tx @
@@
-(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)
+0

@ no_mtu @
expression port, mtu;
@@
 ret = rte_eth_dev_set_mtu(port, mtu);
-if (ret < 0)
+if (ret < 0 && ret != -ENOTSUP)
 {
 ...
 }
