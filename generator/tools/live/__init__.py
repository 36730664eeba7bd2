# SPDX-License-Identifier: BSD-3-Clause
"""Reading running applications: what `ctrgen export` and `ctrgen top` stand on."""
