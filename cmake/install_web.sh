#!/bin/sh
# install_web.sh FOLDER: what building and testing the pages needs, as the lock file names it.
set -eu
cd "$1"
# npm writes this file when an installation is complete.
installed=node_modules/.package-lock.json
if [ -f "$installed" ] && [ -z "$(find package-lock.json -newer "$installed")" ]; then exit; fi
npm ci --no-audit --no-fund --loglevel=error
touch "$installed"
