# SPDX-License-Identifier: BSD-3-Clause
"""The coherence part of the cost model as a simulation of events (docs/simulation.md)."""
