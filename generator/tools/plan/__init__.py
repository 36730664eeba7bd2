# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan`: memory and cost of every strategy for a schema and a deployment."""
