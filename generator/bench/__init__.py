# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench`: measures what every strategy costs for a schema, and reports it."""
