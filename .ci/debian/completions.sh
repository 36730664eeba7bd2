#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the completions of each shell below a share folder, where Debian's shells look.
set -eu
share=$1
completion() {
	mkdir -p "$share/$(dirname "$2")"
	PYTHONPATH=$share/../lib/ctrgen PYTHONDONTWRITEBYTECODE=1 \
		python3 -m ctrgen completion "$1" >"$share/$2"
}
completion bash bash-completion/completions/ctrgen
completion fish fish/vendor_completions.d/ctrgen.fish
completion zsh zsh/vendor-completions/_ctrgen
