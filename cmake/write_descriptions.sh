#!/bin/sh
# write_descriptions.sh PROGRAM FOLDER: the manual page and the completions, where a system looks for them.
set -eu
program=$1 folder=$2
mkdir -p "$folder/man/man1" "$folder/bash-completion/completions" "$folder/zsh/site-functions" "$folder/fish/vendor_completions.d"
"$program" man >"$folder/man/man1/sluice.1"
"$program" completion bash >"$folder/bash-completion/completions/sluice"
"$program" completion zsh >"$folder/zsh/site-functions/_sluice"
"$program" completion fish >"$folder/fish/vendor_completions.d/sluice.fish"
