/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The handshake between generated code and this runtime.
 *
 * Generated code compares CTR_ABI with the number it was generated for and refuses to compile on a
 * difference. The number changes whenever a declaration that generated code uses changes
 * incompatibly. */
#ifndef CTR_ABI_H
#define CTR_ABI_H

/** Number of the contract between generated code and runtime. */
#define CTR_ABI 10

#endif /* CTR_ABI_H */
