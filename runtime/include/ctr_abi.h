/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The handshake between generated code and this runtime: generated code does not compile with
 * another number than it was generated for. It changes with each incompatible change. */
#ifndef CTR_ABI_H
#define CTR_ABI_H

/** Number of the contract between generated code and runtime. */
#define CTR_ABI 12

#endif /* CTR_ABI_H */
