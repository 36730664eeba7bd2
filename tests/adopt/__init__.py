# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen adopt`: what C source counts becomes a schema."""
