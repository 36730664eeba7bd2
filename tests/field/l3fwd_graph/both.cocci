// SPDX-License-Identifier: BSD-3-Clause
// The lcore that prints statistics shares its processor with others: it sleeps in between.

@ sleeps @
@@
-rte_delay_ms(1E3);
+rte_delay_us_sleep(1000000);
