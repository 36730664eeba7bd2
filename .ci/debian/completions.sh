#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the completions of each shell below a share folder, where Debian's shells look.
set -eu
share=$1
zsh=$share/zsh/vendor-completions/_ctrgen
completion() {
	mkdir -p "$(dirname "$2")"
	PYTHONPATH=$share/../lib/ctrgen PYTHONDONTWRITEBYTECODE=1 \
		python3 -m ctrgen completion "$1" >"$2"
}
completion bash "$share/bash-completion/completions/ctrgen"
completion fish "$share/fish/vendor_completions.d/ctrgen.fish"
completion zsh "$zsh"
# zsh loads a file at the first Tab; what click before 8.1.4 writes would answer the second one.
grep -q loadautofunc "$zsh" || sed -i 's/^compdef _ctrgen_completion ctrgen;$/_ctrgen_completion "$@"/' "$zsh"
