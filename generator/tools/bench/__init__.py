# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench`: measures and reports the cost of every strategy for a schema."""
