# SPDX-License-Identifier: BSD-3-Clause
"""What a schema may say: pydantic models, and units; the JSON Schema comes from them."""
