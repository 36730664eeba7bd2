// SPDX-License-Identifier: BSD-3-Clause
//
// Adds of an application become calls of generated code. docs/migrating.md shows the way.
//
//   spatch --in-place --max-width 400 --iso-file counters.iso --macro-file macros.h \
//          --sp-file counters.cocci -D WHERE -D var=NAME -D calls=CALLS FILES
//
// CALLS is what comes before _add_: the prefix of the module and the scope (app_stats_port), for
// the global scope the prefix alone (app_stats). WHERE says what NAME is:
//
//   array     counters of NAME[i], x.NAME[i] and x->NAME[i], and of p behind p = &NAME[i], where
//             neither p nor i changes later or has its address taken; the index of the scope is i
//   lcore     the same, where i is rte_lcore_id() or a variable of it: the global scope
//   variable  counters of the only variable NAME, of NAME-> and of RTE_PER_LCORE(NAME)
//   parts     counters of structs in it, NAME.p.m and NAME->p.m: the counter is p_m
//   columns   arrays of counters in it, NAME.m[i], NAME->m[i], x.NAME.m[i] and x->NAME.m[i]
//   object    a struct in objects, x.NAME.m and x->NAME.m: the scope is embedded
//   pointer   a struct NAME, and pointers p to it, p->m: the scope is embedded
//   word      NAME is a counter itself
//   words     NAME is an array of counters
//
// No local variable, no parameter and no static variable of another file may be called NAME, except
// with object and pointer, and with array, lcore, columns and object no member of another struct
// that has counters of these names: their uses would be changed, too.
//
// All members are taken for counters of their names. With -D one -D member=m -D counter=c only m
// is, and its counter is c; the member of a word is its NAME, that of parts p_m.
//
// What is changed, where x is a counter and nobody uses what an add returns:
//
//   x += n;  x = x + n;  x++;  ++x;
//   __atomic_fetch_add  __atomic_add_fetch  __sync_fetch_and_add  __sync_add_and_fetch
//   atomic_fetch_add  atomic_fetch_add_explicit  rte_atomic_fetch_add_explicit
//   rte_atomic64_add  rte_atomic64_inc  rte_atomic64_init, and those of 32 bits; also x.cnt += n
//   reads: x  rte_atomic64_read  __atomic_load_n  atomic_load  atomic_load_explicit
//   rte_atomic_load_explicit; not of lcores, whose sum is one call
//
// What is left: addresses, assignments, x--, x -= n, adds whose value is used, what macros do, and
// functions that coccinelle does not parse. Whole structs that are set to zero are for
// resets.cocci, their types for embedded.cocci.
//
// In between, a counter is ctr_at(what it was, its name, its index). Lines are wide enough
// for that, or coccinelle would break those where something is left.

virtual array, lcore, variable, parts, columns, object, pointer, word, words, one

@ depends on array @
identifier virtual.var, m;
expression E, i;
@@
(
- var[i].m
+ ctr_at(var[i].m, m, i)
|
- E.var[i].m
+ ctr_at(E.var[i].m, m, i)
|
- E->var[i].m
+ ctr_at(E->var[i].m, m, i)
)

// A pointer to an element: neither it nor the index changes behind.
@ depends on array @
identifier virtual.var, p, m;
idexpression i;
expression e, E;
assignment operator op;
type T;
@@
(
  T *p = &\(var\|E->var\)[i];
|
  p = &\(var\|E->var\)[i];
)
  <... when != p = e
       when != p op e
       when != \(p++\|++p\|p--\|--p\|&p\)
       when != i = e
       when != i op e
       when != \(i++\|++i\|i--\|--i\|&i\)
- p->m
+ ctr_to(p->m, m, i)
  ...>

// Variables that are the lcore's own id.
@ depends on lcore @
identifier virtual.var, i;
expression e;
assignment operator op;
type T;
iterator name RTE_LCORE_FOREACH, RTE_LCORE_FOREACH_WORKER;
statement S;
@@
(
  T i = rte_lcore_id();
|
  i = rte_lcore_id()
)
  <... when != i = e
       when != i op e
       when != \(i++\|++i\|i--\|--i\|&i\)
       when != RTE_LCORE_FOREACH(i) S
       when != RTE_LCORE_FOREACH_WORKER(i) S
- var[i]
+ var[ctr_self(i)]
  ...>

@ depends on lcore @
identifier virtual.var, p, m;
expression e, i, E;
assignment operator op;
type T;
@@
(
  T *p = &\(var\|E->var\)[\(rte_lcore_id()\|ctr_self(i)\)];
|
  p = &\(var\|E->var\)[\(rte_lcore_id()\|ctr_self(i)\)]
)
  <... when != p = e
       when != p op e
       when != \(p++\|++p\|p--\|--p\|&p\)
- p->m
+ ctr_to(p->m, m)
  ...>

@ depends on array || lcore @
expression X;
expression list es;
@@
- ctr_to(X, es)
+ ctr_at(X, es)

@ depends on lcore @
identifier virtual.var, m;
expression i, E;
@@
(
- var[rte_lcore_id()].m
+ ctr_at(var[rte_lcore_id()].m, m)
|
- E.var[rte_lcore_id()].m
+ ctr_at(E.var[rte_lcore_id()].m, m)
|
- E->var[rte_lcore_id()].m
+ ctr_at(E->var[rte_lcore_id()].m, m)
|
- var[ctr_self(i)].m
+ ctr_at(var[i].m, m)
)

@ depends on lcore @
expression i;
@@
- ctr_self(i)
+ i

@ depends on variable @
identifier virtual.var, m;
@@
(
- var.m
+ ctr_at(var.m, m)
|
- var->m
+ ctr_at(var->m, m)
|
- RTE_PER_LCORE(var).m
+ ctr_at(RTE_PER_LCORE(var).m, m)
)

@ depends on parts @
identifier virtual.var, p, m;
fresh identifier whole = "" ## p ## "_" ## m;
@@
(
- var.p.m
+ ctr_at(var.p.m, whole)
|
- var->p.m
+ ctr_at(var->p.m, whole)
)

@ depends on columns @
identifier virtual.var, m;
expression E, i;
@@
(
- var.m[i]
+ ctr_at(var.m[i], m, i)
|
- var->m[i]
+ ctr_at(var->m[i], m, i)
|
- E.var.m[i]
+ ctr_at(E.var.m[i], m, i)
|
- E->var.m[i]
+ ctr_at(E->var.m[i], m, i)
)

@ depends on object @
identifier virtual.var, m;
expression E;
@@
(
- E.var.m
+ ctr_at(E.var.m, m, &E.var)
|
- E->var.m
+ ctr_at(E->var.m, m, &E->var)
)

@ depends on pointer @
identifier virtual.var, m;
struct var *p;
@@
- p->m
+ ctr_at(p->m, m, p)

@ depends on word @
identifier virtual.var;
@@
- var
+ ctr_of(var)

@ depends on words @
identifier virtual.var;
expression i;
@@
- var[i]
+ ctr_of(var, i)

@ depends on word @
identifier v;
@@
- ctr_of(v)
+ ctr_at(v, v)

@ depends on words @
identifier v;
expression i;
@@
- ctr_of(v, i)
+ ctr_at(v[i], v, i)

// One counter of them, by its name in the schema.
@ depends on one @
identifier virtual.member, m;
expression X;
expression list es;
@@
(
  ctr_at(X, member, es)
|
- ctr_at(X, m, es)
+ X
)

@ depends on one @
identifier virtual.member, virtual.counter;
expression X;
expression list es;
@@
- ctr_at(X, member, es)
+ ctr_at(X, counter, es)

@ @
expression X;
expression list es;
@@
- (ctr_at(X, es))
+ ctr_at(X, es)

// The word of rte_atomic64_t.
@ @
expression X;
expression list es;
@@
- ctr_at(X, es).cnt
+ ctr_at(X.cnt, es)

// Adds: statements, so nobody uses their value.
@ @
identifier m;
expression X, n;
expression list es;
fresh identifier add = virtual.calls ## "_add_" ## m;
fresh identifier inc = virtual.calls ## "_inc_" ## m;
@@
(
- ctr_at(X, m, es)++;
+ inc(es);
|
- (++ctr_at(X, m, es));
+ inc(es);
|
- ctr_at(X, m, es) += n;
+ add(es, n);
|
- ctr_at(X, m, es) = ctr_at(X, m, es) + n;
+ add(es, n);
|
- \(__atomic_fetch_add\|__atomic_add_fetch\|atomic_fetch_add_explicit\|rte_atomic_fetch_add_explicit\)
-  (&ctr_at(X, m, es), n, ...);
+ add(es, n);
|
- \(__sync_fetch_and_add\|__sync_add_and_fetch\|atomic_fetch_add\|rte_atomic64_add\|rte_atomic32_add\)
-  (&ctr_at(X, m, es), n);
+ add(es, n);
|
- \(rte_atomic64_inc\|rte_atomic32_inc\)(&ctr_at(X, m, es));
+ inc(es);
|
- \(rte_atomic64_init\|rte_atomic32_init\)(&ctr_at(X, m, es));
)

@ depends on !lcore @
identifier m;
expression X;
expression list es;
fresh identifier get = virtual.calls ## "_get_" ## m;
@@
(
- \(rte_atomic64_read\|rte_atomic32_read\|atomic_load\)(&ctr_at(X, m, es))
+ get(es)
|
- \(__atomic_load_n\|atomic_load_explicit\|rte_atomic_load_explicit\)(&ctr_at(X, m, es), ...)
+ get(es)
)

// What is more than a read stays as it was.
@ @
expression X, e;
expression list es, fs;
identifier f;
type T;
assignment operator aop;
@@
(
- &ctr_at(X, es)
+ &X
|
- ctr_at(X, es)
+ X
  aop e
|
- ctr_at(X, es)
+ X
  ++
|
- ctr_at(X, es)
+ X
  --
|
  ++
- ctr_at(X, es)
+ X
|
  --
- ctr_at(X, es)
+ X
|
- sizeof(ctr_at(X, es))
+ sizeof(X)
|
- *ctr_at(X, es)
+ *X
|
- ctr_at(X, es)[e]
+ X[e]
|
- ctr_at(X, es).f
+ X.f
|
- ctr_at(X, es)->f
+ X->f
|
- ctr_at(X, es)(fs)
+ X(fs)
)

@ depends on lcore @
expression X;
expression list es;
@@
- ctr_at(X, es)
+ X

@ @
identifier m;
expression X;
expression list es;
fresh identifier get = virtual.calls ## "_get_" ## m;
@@
- ctr_at(X, m, es)
+ get(es)
