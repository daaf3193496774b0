#!/bin/sh
# publish_web.sh FROM TO: builds the pages of FROM into TO and compresses what compresses.
set -eu
"$(dirname "$0")/install_web.sh" "$1"
cd "$1"
SLUICE_PAGES="$2" npm run --silent build
find "$2" -type f \( -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.svg' -o -name '*.json' \) |
    while read -r file; do
        gzip -9 -n -k "$file"
        brotli -q 11 -k "$file"
    done
