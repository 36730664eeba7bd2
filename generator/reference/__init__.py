# SPDX-License-Identifier: BSD-3-Clause
"""Reference pages and listings, made from the models."""
