/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The first include of generated headers: C++ accepts casts of C up to CTR_END_DECLS. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
