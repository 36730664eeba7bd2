# SPDX-License-Identifier: BSD-3-Clause
"""The MIB module of a schema: its objects, their OIDs, and the rules they must keep."""
