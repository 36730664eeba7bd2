#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The compilers of tests that build as users do, by the name of the link that calls it: ccache keeps
# each object for a run of tests. As it keeps no programs, their sources are compiled one by one.
set -euo pipefail
unset CCACHE_DISABLE # of what calls this by way of ccache, as meson does
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
# Of the runtime's sources ccache reads the headers that it has seen, which are all of one folder; of
# others it reads the preprocessed text, as it would not see a header that now comes first.
cached() { # SOURCE WORD...
	case $1 in
	*runtime/src/*.c | */sync/*.c)
		export CCACHE_DEPEND=1 CCACHE_SLOPPINESS=include_file_mtime,include_file_ctime
		unset CCACHE_NODIRECT ;;
	*)
		export CCACHE_NODIRECT=1
		unset CCACHE_DEPEND ;;
	esac
	ccache "$compiler" "${@:2}"
}
if [ "$alone" ] || [ ${#sources[@]} -lt 1 ]; then
	cached "${sources[0]-}" "$@"
	exit
fi
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
depend=(-MD -MF "$made/depend") # without which CCACHE_DEPEND is nothing
if [ ! "$program" ] && [ ${#sources[@]} = 1 ]; then
	cached "${sources[0]}" "$@" "${depend[@]}"
	exit
fi
objects=()
for source in "${sources[@]}"; do
	object=$made/${#objects[@]}.o
	[ "$program" ] || object=$(basename "$source" .c).o
	objects+=("$object")
	cached "$source" "${flags[@]}" -c "$source" -o "$object" "${depend[@]}"
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
