#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command inside a root folder: enter.sh ROOT PROJECT WORK COMMAND...
#
# PROJECT (read only) and WORK are found in there under the paths that they have
# here. What is mounted is gone with the command: it has mounts of its own.
set -eu
[ "${CTRGEN_ENTERED:-}" ] || CTRGEN_ENTERED=yes exec unshare --mount --propagation private "$0" "$@"
root=$1 project=$2 work=$3
shift 3
mkdir -p "$root$project" "$root$work"
mount --bind "$project" "$root$project"
mount -o remount,ro,bind "$root$project"
mount --bind "$work" "$root$work"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
for shared in /etc/ssl/certs /etc/resolv.conf; do # for pip
	[ ! -e "$shared" ] || { [ -d "$shared" ] && mkdir -p "$root$shared"; } || touch "$root$shared"
	[ -e "$shared" ] || continue
	mount --bind "$(readlink -f "$shared")" "$root$shared"
	mount -o remount,ro,bind "$root$shared"
done
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
exec chroot "$root" "$@"
