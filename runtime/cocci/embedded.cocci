// SPDX-License-Identifier: BSD-3-Clause
//
// A struct of counters in objects becomes the one of generated code. Run it after counters.cocci and
// resets.cocci, whose patterns know the former struct.
//
//   spatch --in-place --sp-file embedded.cocci -D tag=NAME -D calls=CALLS FILES
//
// Wherever struct NAME is a type, of members, variables, parameters and in sizeof, it is struct
// CALLS_embedded then. What is left: its definition, which can go; the header of generated code has
// to be included before.

@ @
identifier virtual.tag;
fresh identifier embedded = virtual.calls ## "_embedded";
@@
- struct tag
+ struct embedded
