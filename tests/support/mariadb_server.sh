#!/usr/bin/env bash
# A private MariaDB from Debian's package, in a folder of its own: no root, and no service of the system
# is touched. Runs in the foreground until it is ended, so whoever starts it knows its process.
#
#   mariadb_server.sh FOLDER [PORT [OPTION...]]
#
# It listens at FOLDER/mariadb.sock and, with a port other than 0, at 127.0.0.1. The user root has no
# password. A second start in the same folder finds what the first one left.
set -euo pipefail

folder=$1
port=${2:-0}
shift $(($# < 2 ? $# : 2))
PATH=$PATH:/usr/sbin:/usr/local/sbin

options=(
    --no-defaults "--datadir=$folder/data" "--user=$(id -un)"
    # A server that starts removes the temporary tables of others from a folder that they share.
    "--tmpdir=$folder/tmp"
    --innodb-buffer-pool-size=128M --innodb-log-file-size=48M --skip-log-bin
)
mkdir -p "$folder/tmp"

if [ ! -d "$folder/data" ]; then
    rm -rf "$folder/new"
    mariadb-install-db "${options[@]/$folder\/data/$folder\/new}" --auth-root-authentication-method=normal \
        --skip-test-db >"$folder/install.log" 2>&1 || { cat "$folder/install.log" >&2; exit 1; }
    mv "$folder/new" "$folder/data"
fi

if [ "$port" = 0 ]; then network=(--skip-networking); else network=(--bind-address=127.0.0.1 "--port=$port"); fi
# The length of a socket's name is limited: it is named as seen from the folder of the data.
exec mariadbd "${options[@]}" "${network[@]}" --socket=../mariadb.sock "--pid-file=$folder/mariadb.pid" \
    "--log-error=$folder/mariadb.log" --skip-name-resolve --innodb-flush-log-at-trx-commit=1 \
    --plugin-maturity=stable "$@"
