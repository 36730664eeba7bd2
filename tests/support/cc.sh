#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The compilers of tests that build as users do, by the name of the link that calls it: ccache keeps
# each object for a run of tests. As it keeps no programs, their sources are compiled one by one.
set -euo pipefail
compiler=${0%/*}/real/${0##*/}
sources=() flags=() words=() value='' alone='' program=yes
for word in "$@"; do
	case $value in # of the option before
	link) words+=("$word") value='' && continue ;;
	flag) words+=("$word") flags+=("$word") value='' && continue ;;
	esac
	case $word in
	-c) program='' ;;
	-S | -E | -M* | -fsyntax-only | -x* | -###) alone=yes ;;
	-o | -L | -l | -u | -T | -z | -Xlinker) words+=("$word") value=link ;;
	-I | -D | -U | -include | -isystem | -iquote | -idirafter | -imacros | -target)
		words+=("$word") flags+=("$word") value=flag ;;
	*.c) words+=("$word") sources+=("$word") ;;
	-l* | -L* | -Wl,* | -shared | -pie | *.o | *.a | *.so | *.so.*) words+=("$word") ;;
	*) words+=("$word") flags+=("$word") ;;
	esac
done
if [ "$alone" ] || [ ${#sources[@]} -lt 1 ]; then
	exec ccache "$compiler" "$@"
fi
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
depend=(-MD -MF "$made/depend") # so that ccache preprocesses nothing
if [ ! "$program" ] && [ ${#sources[@]} = 1 ]; then
	ccache "$compiler" "$@" "${depend[@]}"
	exit
fi
objects=()
for source in "${sources[@]}"; do
	object=$made/${#objects[@]}.o
	[ "$program" ] || object=$(basename "$source" .c).o
	objects+=("$object")
	ccache "$compiler" "${flags[@]}" -c "$source" -o "$object" "${depend[@]}"
done
[ "$program" ] || exit 0
linked=()
for word in "${words[@]}"; do
	case $word in
	*.c) [ ${#objects[@]} = 0 ] || linked+=("${objects[@]}") && objects=() ;;
	*) linked+=("$word") ;;
	esac
done
"$compiler" "${linked[@]}"
