#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the root folders in which tests/versions compiles and runs: a Debian for
# each supported DPDK, with both compilers, the aarch64 cross compiler, an emulator, and what
# builds Debian packages; and a fresh one each, SUITE.fresh, into which these are installed.
#
#     tests/versions/chroots.sh [FOLDER [SUITE...]]
#
# FOLDER: $CTRGEN_CHROOTS when it is left out, else ~/.cache/ctrgen/chroots.
# SUITE: bookworm (DPDK 22.11), trixie (24.11), sid (25.11); all when left out.
# Needs root, debootstrap and apt sources of Debian: packages come from where the
# machine itself takes them. About 2 GB and three minutes each; one that is finished, with all
# packages that are wanted now, is left alone.
set -euo pipefail

folder=${1:-${CTRGEN_CHROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/ctrgen/chroots}}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- bookworm trixie sid
PATH=$PATH:/usr/sbin:/sbin
native=gcc,g++,clang,git,pkg-config,libdpdk-dev,libpcap-dev,libsnmp-dev,python3,python3-venv
build=build-essential,cmake,debhelper,dh-python,lintian,meson,ninja-build,python3-click
cross=gcc-aarch64-linux-gnu,g++-aarch64-linux-gnu,libc6-dev-arm64-cross,qemu-user
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

stop() { printf 'chroots.sh: %s\n' "$*" >&2; exit 2; }

[ "$(id -u)" = 0 ] || stop 'only root can make these folders'
command -v debootstrap >/dev/null || stop 'install debootstrap'
# The archive of the first of the machine's own sources that is Debian's.
archive=$(apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
	awk '$1 == "Debian/Debian" { print $2; exit }')
[ -n "$archive" ] || stop 'apt has no source of Debian: run apt-get update, or see sources.list(5)'

# What apt was told here (time-outs, proxies, old indexes) holds in there too.
apt_settings() { apt-config dump | grep -E '^Acquire::(Check-Valid-Until|Retries|https?::)' || true; }

foreign_headers() { # DPDK for arm64, unpacked only: to compile against, not to link
	local root=$1
	chroot "$root" dpkg --add-architecture arm64
	chroot "$root" apt-get update -qq
	chroot "$root" sh -ec '
		cd /var/cache/apt
		apt-get download -qq libdpdk-dev:arm64 libbsd-dev:arm64
		mkdir -p /opt/arm64
		for package in ./*_arm64.deb; do dpkg -x "$package" /opt/arm64; done
		rm ./*_arm64.deb'
}

make_fresh() { # a Debian and nothing more
	local suite=$1 root=$2
	rm -rf --one-file-system "$root"
	debootstrap --variant=minbase "$suite" "$root" "$archive" >"$root.log" 2>&1
	apt_settings >"$root/etc/apt/apt.conf.d/90host"
	touch "$root/.complete"
}

make_root() {
	local root=$1
	if [ ! -e "$root/.complete" ]; then
		rm -rf --one-file-system "$root"
		cp -a "$root.fresh" "$root"
		rm "$root/.complete"
	fi
	chroot "$root" apt-get update -qq >>"$root.log" 2>&1
	# shellcheck disable=SC2086
	chroot "$root" apt-get install -y -qq --no-install-recommends \
		${native//,/ } ${build//,/ } ${cross//,/ } >>"$root.log" 2>&1
	[ -d "$root/opt/arm64" ] || foreign_headers "$root" >>"$root.log" 2>&1
	chroot "$root" apt-get clean
	printf '%s\n' "$wanted" >"$root/.complete"
}

mkdir -p "$folder"
failed=
wanted=$native,$build,$cross
for suite; do
	root=$folder/$suite
	if [ -e "$root.fresh/.complete" ] && [ "$(cat "$root/.complete" 2>&1)" = "$wanted" ]; then
		printf '%s: there already\n' "$root"
		continue
	fi
	# A function in a condition ignores set -e; a process of its own does not.
	if (
		set -e
		[ -e "$root.fresh/.complete" ] || make_fresh "$suite" "$root.fresh"
		make_root "$root"
	) & wait $!; then
		printf '%s: DPDK %s\n' "$root" "$(chroot "$root" pkg-config --modversion libdpdk)"
	else
		printf '%s: failed, see %s.log\n' "$root" "$root" >&2
		failed=yes
	fi
done
[ -z "$failed" ]
