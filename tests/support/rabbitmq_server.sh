#!/usr/bin/env bash
# A private RabbitMQ node from Debian's package, in a folder of its own: no root, and no service of the
# system is touched. Runs in the foreground until it is ended, and is one process all the time, so whoever
# starts it knows its process.
#
#   rabbitmq_server.sh FOLDER PORT EPMD_PORT DISTRIBUTION_PORT [--join FOLDER] [--address A]
#                      [--password-file FILE] [LINE...]
#   rabbitmq_server.sh --epmd EPMD_PORT
#   rabbitmq_server.sh --ctl FOLDER ARGUMENT...
#
# The node listens at 127.0.0.1, or at the address A, and everything else is at 127.0.0.1 too. The user sluice
# has the password sluice, or the one in FILE; guest is not there. Each LINE is one more line of rabbitmq.conf, such as
# "listeners.ssl.1 = 127.0.0.1:5671"; "listeners.tcp = none" comes after ours and so takes the port away.
# A second start in the same folder with the same ports finds what the first one left.
#
# Erlang's nodes find each other by a small server, epmd. If nobody answers at EPMD_PORT, the node brings its
# own, which ends with the node. Nodes of one cluster share one: start it before them with --epmd, so that it
# outlives each of them. --join makes a new node a member of the cluster of the node in that folder, which has
# to be up; from the second start on the node remembers its cluster.
#
# --ctl is rabbitmqctl for the node in that folder.
set -euo pipefail

sbin=/usr/lib/rabbitmq/bin
[ -x "$sbin/rabbitmq-server" ] || { echo 'rabbitmq-server is not installed' >&2; exit 1; }

# What both the node and its tools need to know. Nothing of /etc/rabbitmq is read.
enter() { # FOLDER
    folder=$1
    # shellcheck source=/dev/null
    . "$folder/node"
    export HOME=$folder ERL_EPMD_PORT=$epmd_port ERL_EPMD_ADDRESS=127.0.0.1
    export RABBITMQ_NODENAME=$name RABBITMQ_USE_LONGNAME=false RABBITMQ_CONF_ENV_FILE=$folder/no.env
}

own_node() { # written once: a second start must have the same name
    mkdir -p "$folder"
    [ -f "$folder/node" ] || printf 'name=%s\nepmd_port=%s\n' "n$port@localhost" "$epmd_port" >"$folder/node"
    if [ ! -f "$folder/.erlang.cookie" ]; then
        if [ -n "$join" ]; then
            cp "$join/.erlang.cookie" "$folder/.erlang.cookie"
        else
            od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$folder/.erlang.cookie"
        fi
        chmod 400 "$folder/.erlang.cookie"
    fi
}

write_configuration() {
    (umask 077 && : >"$folder/rabbitmq.conf") # a password is in it
    {
        echo "listeners.tcp.1 = $address:$port"
        echo 'default_user = sluice'
        echo "default_pass = $password"
        echo 'log.file = rabbit.log'
        echo 'log.console = false'
        # The file of the raft log grows to this before it is turned over; 512 MiB otherwise.
        echo 'raft.wal_max_size_bytes = 33554432'
        echo 'vm_memory_high_watermark.absolute = 1GB'
        echo 'disk_free_limit.absolute = 20MB'
        if [ -n "$join" ]; then
            echo 'cluster_formation.peer_discovery_backend = classic_config'
            echo "cluster_formation.classic_config.nodes.1 = $(. "$join/node" && echo "$name")"
            echo "cluster_formation.classic_config.nodes.2 = $name"
        fi
        printf '%s\n' "$@"
    } >"$folder/rabbitmq.conf"
    echo '[].' >"$folder/advanced.config"
    echo '[].' >"$folder/enabled_plugins"
}

listens() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

case "${1:-}" in
    --epmd)
        exec epmd -address 127.0.0.1 -port "$2"
        ;;
    --ctl)
        enter "$2"
        shift 2
        export RABBITMQ_CTL_ERL_ARGS='+S 1:1 -kernel inet_dist_use_interface {127,0,0,1}'
        # Any port will do for the tool's own end.
        export RABBITMQ_CTL_DIST_PORT_MIN=1024 RABBITMQ_CTL_DIST_PORT_MAX=65535
        exec "$sbin/rabbitmqctl" --quiet "$@"
        ;;
esac

folder=$(realpath -m "$1") port=$2 epmd_port=$3 distribution_port=$4
shift 4
join= address=127.0.0.1 password=sluice
while [ $# -gt 0 ]; do
    case "$1" in
        --join) join=$2; shift 2 ;;
        --address) address=$2; shift 2 ;;
        --password-file) password=$(<"$2"); shift 2 ;;
        *) break ;;
    esac
done

own_node
enter "$folder"
write_configuration "$@"

# It ends with us, whatever ends us: it is a child of this process, which becomes the node.
if ! listens "$epmd_port"; then
    setpriv --pdeathsig KILL epmd -address 127.0.0.1 -port "$epmd_port" </dev/null >/dev/null 2>&1 &
fi
until listens "$epmd_port"; do sleep 0.01; done

export RABBITMQ_CONFIG_FILE=$folder/rabbitmq.conf RABBITMQ_CONFIG_FILES=$folder/no_more.conf
export RABBITMQ_ADVANCED_CONFIG_FILE=$folder/advanced.config
export RABBITMQ_ENABLED_PLUGINS_FILE=$folder/enabled_plugins
export RABBITMQ_MNESIA_BASE=$folder/data RABBITMQ_LOG_BASE=$folder/log
export RABBITMQ_GENERATED_CONFIG_DIR=$folder/generated RABBITMQ_PID_FILE=$folder/rabbitmq.pid
export RABBITMQ_DIST_PORT=$distribution_port
# Several nodes share this machine, so none binds its threads to a core, and none waits busily.
export RABBITMQ_SCHEDULER_BIND_TYPE=u RABBITMQ_MAX_NUMBER_OF_PROCESSES=65536 RABBITMQ_MAX_NUMBER_OF_ATOMS=1048576
export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 2:2 +SDcpu 1:1 +SDio 2 +A 2 -kernel inet_dist_use_interface {127,0,0,1}'
# Their script would stay as the parent of the node to turn signals into commands, unless it is told so.
export detached=yes
cd "$folder"
exec "$sbin/rabbitmq-server" </dev/null >"$folder/start.log" 2>&1
