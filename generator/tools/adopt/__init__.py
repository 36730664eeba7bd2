# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen adopt`: what an application counts now, as the beginning of a schema."""
