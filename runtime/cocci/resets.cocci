// SPDX-License-Identifier: BSD-3-Clause
//
// memset() of whole structs of counters becomes a reset, which loses nothing while others count.
//
//   spatch --in-place --sp-file resets.cocci -D WHERE -D var=NAME -D calls=CALLS FILES
//
// WHERE, NAME and CALLS are those of counters.cocci:
//
//   array             all of NAME, of x.NAME and x->NAME: CALLS_reset_all(NULL); NAME[i]: CALLS_reset(i, NULL)
//   lcore, variable   all of NAME: CALLS_global_reset(NULL)
//   columns           all of NAME: CALLS_reset_all(NULL)
//   object            x.NAME and x->NAME: CALLS_reset(&x.NAME, NULL)
//
// What is left: assignments of 0 to single counters, and what one lcore of several has counted, as a
// reset is of a whole scope; sizes are not looked at. With &last in place of NULL a reset says what
// it took. For new objects CALLS_init() is enough.

virtual array, lcore, variable, columns, object

@ depends on array @
identifier virtual.var;
expression E, i, n;
fresh identifier reset = virtual.calls ## "_reset";
fresh identifier all = virtual.calls ## "_reset_all";
@@
(
- memset(&\(var\|E.var\|E->var\)[i], 0, n)
+ reset(i, NULL)
|
- memset(\(var\|&var\|E.var\|&E.var\|E->var\|&E->var\), 0, n)
+ all(NULL)
)

@ depends on columns @
identifier virtual.var;
expression n;
fresh identifier all = virtual.calls ## "_reset_all";
@@
- memset(\(var\|&var\), 0, n)
+ all(NULL)

@ depends on lcore || variable @
identifier virtual.var;
expression n;
fresh identifier reset = virtual.calls ## "_global_reset";
@@
- memset(\(var\|&var\), 0, n)
+ reset(NULL)

@ depends on object @
identifier virtual.var;
expression E, n;
fresh identifier reset = virtual.calls ## "_reset";
@@
(
- memset(&E.var, 0, n)
+ reset(&E.var, NULL)
|
- memset(&E->var, 0, n)
+ reset(&E->var, NULL)
)
