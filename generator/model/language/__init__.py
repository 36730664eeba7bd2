# SPDX-License-Identifier: BSD-3-Clause
"""The schema language: pydantic models, and units; the JSON Schema is generated from them."""
