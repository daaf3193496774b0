#!/bin/sh
# strip_symbols.sh PROGRAM: moves its symbols into PROGRAM.debug, and notes in the program where they are.
set -eu
cd "$(dirname "$1")"
program=$(basename "$1")
objcopy --only-keep-debug "$program" "$program.debug"
chmod -x "$program.debug"
strip --strip-all "$program"
objcopy --add-gnu-debuglink="$program.debug" "$program"
