#!/bin/sh
# publish_web.sh FROM TO: copies the pages and compresses what compresses.
set -eu
rm -rf "$2"
mkdir -p "$2"
cp -R "$1/." "$2/"
find "$2" -type f \( -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.svg' -o -name '*.json' \) |
    while read -r file; do
        gzip -9 -n -k "$file"
        brotli -q 11 -k "$file"
    done
