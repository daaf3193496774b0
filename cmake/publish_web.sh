#!/bin/sh
# publish_web.sh FROM TO: builds the pages of FROM into TO and compresses what compresses.
set -eu
cd "$1"
# npm writes this file when an installation is complete.
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ -n "$(find package-lock.json -newer "$installed")" ]; then
    npm ci --no-audit --no-fund --loglevel=error
    touch "$installed"
fi
SLUICE_PAGES="$2" npm run --silent build -- --logLevel warn
find "$2" -type f \( -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.svg' -o -name '*.json' \) |
    while read -r file; do
        gzip -9 -n -k "$file"
        brotli -q 11 -k "$file"
    done
