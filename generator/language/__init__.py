# SPDX-License-Identifier: BSD-3-Clause
"""What a schema may say: pydantic models, quantities and units; the JSON Schema comes from them."""
