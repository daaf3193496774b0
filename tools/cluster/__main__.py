"""./dev cluster: up, status, logs, kill, stop, start, demo, down."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from . import demo
from .cluster import BROKER_NODES, MOST_NODES, WRITERS, Cluster, only_one_at_a_time
from .trouble import Trouble

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("SLUICE_CLUSTER", ROOT / "build/cluster")).resolve()


def main():
    arguments = parse()
    try:
        return arguments.carry_out(arguments) or 0
    except Trouble as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever read our lines has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; `./dev cluster status` shows what runs", file=sys.stderr)
        return 130


def parse():
    parser = argparse.ArgumentParser(
        prog="./dev cluster", description="A cluster of Sluice on this machine: nodes, Redis, MariaDB, nginx and, if "
        f"wanted, RabbitMQ, from Debian's packages, on free ports, in {shown(FOLDER)} (another folder: SLUICE_CLUSTER). It stays when the shell ends.")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    def verb(name, carry_out, text, more=""):
        made = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + "." + (" " + more if more else ""))
        made.set_defaults(carry_out=carry_out)
        return made

    made = verb("up", up, "start a new cluster", "Then it prints the address and the logins, and writes them with every "
                f"part's port, process, folder and log to {shown(FOLDER / 'cluster.json')}, for scripts.")
    made.add_argument("--nodes", type=number_of_nodes, default=3, metavar="N", help="how many nodes (default: 3)")
    made.add_argument("--broker", choices=["none", "rabbitmq"], default="none",
                      help=f"rabbitmq: nodes hand purchases to a RabbitMQ of {BROKER_NODES} nodes, and {WRITERS} more nodes, "
                      "writer-1 and writer-2, make orders of them")
    made = verb("status", status, "show each part, and whether it works", "The exit code is 0 if all of them do.")
    made.add_argument("--json", action="store_true", help="for scripts: addresses, process ids, roles, logins")
    made = verb("logs", logs, "show the end of the logs of one part, or of all")
    made.add_argument("name", nargs="?", metavar="NAME", help="node-1, redis, mariadb, nginx, rabbitmq-1, writer-1, ...")
    made.add_argument("-n", "--lines", type=int, metavar="N", help="how many (default: 200 of one part, 20 of all)")
    made.add_argument("-f", "--follow", action="store_true", help="go on as they grow, until Ctrl-C")
    for name, carry_out, text, more in [
            ("kill", kill, "end parts at once, as a crash does (SIGKILL)", "Nothing is written any more by it."),
            ("stop", stop, "end parts cleanly (SIGTERM)", "A node finishes what is under way."),
            ("start", start, "start parts again that were killed or stopped", "With the same port, folder and data.")]:
        made = verb(name, carry_out, text, more)
        made.add_argument("names", nargs="+", metavar="NAME", help="node-1, redis, mariadb, nginx, rabbitmq-1, writer-1, ...")
    made = verb("demo", run_demo, "run a sale with a crowd of buyers, all through nginx", "It shows the result with the "
                "audit, and where the console shows the sale.")
    demo.add_arguments(made)
    made = verb("down", down, "end all parts and remove their data")
    made.add_argument("--keep", action="store_true", help="leave data and logs to look at; the next `up` removes them")
    return parser.parse_args()


def number_of_nodes(text):
    if not text.isdigit() or not 1 <= int(text) <= MOST_NODES:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST_NODES}")
    return int(text)


def shown(path):
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def up(arguments):
    with only_one_at_a_time(FOLDER):
        found = Cluster.found_in(FOLDER)
        if found and found.running:
            print("The cluster runs already.")
            tell_address(found)
            missing = [part.name for part in found.parts if not found.is_running(part)]
            if missing:
                print(f"Not running: {', '.join(missing)}. `./dev cluster start NAME` starts one.")
            return 0
        began = time.monotonic()
        cluster = Cluster.made_in(FOLDER, arguments.nodes, arguments.broker == "rabbitmq")
        try:
            start_all(cluster)
        except BaseException:
            # A half of a cluster helps nobody. What there is to read is in the message, or in the logs.
            end_all(cluster)
            raise
        print(f"All parts work after {time.monotonic() - began:.0f} s.\n")
    tell_address(cluster)
    print("\n./dev cluster demo    runs a sale with a crowd\n./dev cluster down    ends it")
    return 0


def start_all(cluster):
    def tell(part, doing="starting"):
        print(f"{doing} {part.name} on port {part.port}", flush=True)

    def begin(part, doing="starting"):
        tell(part, doing)
        cluster.start(part)

    if cluster.brokers:
        # It takes its time, in which MariaDB makes its files.
        tell(cluster.brokers[0], "making and starting")
        cluster.begin(cluster.brokers[0])
    begin(cluster.mariadb, "making and starting")
    cluster.mariadb.finish()
    begin(cluster.redis)
    start_brokers(cluster, tell)
    first, *others = cluster.nodes
    first.prepare()
    print("making the tables and the logins", flush=True)
    for login, role in ((cluster.state["operator"], "admin"), (cluster.state["shopper"], "buyer")):
        first.run("user", "add", "--phone", login["phone"], "--role", role, "--password-stdin",
                  stdin=login["password"] + "\n")
    begin(first)
    cluster.share_key()
    for node in others:
        begin(node)
    begin(cluster.nginx)
    cluster.wait_until_all_work()


def start_brokers(cluster, tell):
    """The others join the first, which is on its way already."""
    first, *others = cluster.brokers or [None]
    if first:
        cluster.start(first)
    for broker in others:
        tell(broker, "making and starting")
        cluster.begin(broker)
    for broker in others:
        cluster.start(broker)


def end_all(cluster):
    for part in reversed(cluster.parts):
        if cluster.is_running(part):
            print(f"ending {part.name}", flush=True)
        cluster.end(part)


def tell_address(cluster):
    print(f"The shop is open at {cluster.nginx.url}, its console at {cluster.nginx.url}/console")
    for role in ("operator", "shopper"):
        login = cluster.state[role]
        print(f"{role.capitalize() + ':':9} phone {login['phone']}  password {login['password']}")
    print(f"For scripts: {shown(FOLDER / 'cluster.json')}")


def the_cluster():
    found = Cluster.found_in(FOLDER)
    if found is None:
        raise Trouble("There is no cluster. `./dev cluster up` starts one.")
    return found


def status(arguments):
    cluster = the_cluster()
    if arguments.json:
        print(json.dumps(cluster.status_as_json(), indent=2))
        return 0
    rows = [("NAME", "STATE", "PID", "PORT", "HEALTH")]
    all_work = True
    for part in cluster.parts:
        running = cluster.is_running(part)
        works, words = part.health() if running else (False, f"`./dev cluster start {part.name}` starts it")
        all_work = all_work and works
        pid = cluster.state["processes"][part.name]["pid"] if running else "-"
        rows.append((part.name, "running" if running else "ended", str(pid), str(part.port), words))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]))
    print(f"\n{cluster.nginx.url}")
    return 0 if all_work else 1


def logs(arguments):
    cluster = the_cluster()
    parts = [cluster.part(arguments.name)] if arguments.name else cluster.parts
    files = [file for part in parts for file in (part.log, part.folder / "access.log") if file.exists()]
    if not files:
        print("There are no logs yet.")
        return 0
    lines = arguments.lines or (200 if arguments.name else 20)
    command = ["tail", "-n", lines, *(["-F"] if arguments.follow else []), *files]
    sys.stdout.flush()
    return subprocess.run([str(word) for word in command]).returncode


def kill(arguments):
    change(arguments, "killed", lambda cluster, part: cluster.end(part, signal.SIGKILL))


def stop(arguments):
    change(arguments, "stopped", lambda cluster, part: cluster.end(part))


def start(arguments):
    def begin_broker(cluster, parts):
        # A node of the broker waits for those that went down after it, so all of them begin before one is waited for.
        for part in parts:
            if part in cluster.brokers:
                cluster.begin(part)

    change(arguments, "started", lambda cluster, part: cluster.start(part), begin_broker)


def change(arguments, done, action, first=lambda cluster, parts: None):
    with only_one_at_a_time(FOLDER):
        cluster = the_cluster()
        parts = [cluster.part(name) for name in arguments.names]
        ran = {part: cluster.is_running(part) for part in parts}
        began = time.monotonic()
        first(cluster, parts)
        for part in parts:
            action(cluster, part)
            if ran[part] == cluster.is_running(part):
                print(f"{part.name} {'runs already' if ran[part] else 'does not run'}")
            else:
                print(f"{part.name} {done} ({time.monotonic() - began:.1f} s)", flush=True)
            began = time.monotonic()


def run_demo(arguments):
    return demo.run(the_cluster(), arguments)


def down(arguments):
    with only_one_at_a_time(FOLDER):
        cluster = Cluster.found_in(FOLDER)
        if cluster is None:
            print("There is no cluster.")
            return 0
        end_all(cluster)
        if arguments.keep:
            print(f"Data and logs are in {shown(FOLDER)}.")
        else:
            shutil.rmtree(FOLDER)
            print("Everything of it has ended and is removed.")
    return 0


sys.exit(main())
