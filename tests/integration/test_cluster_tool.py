"""./dev cluster: what it starts, what it writes for scripts, and that it ends just what it has started."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from client import Client
from process import BINARY, ROOT, eventually

sys.path.append(str(ROOT))
from tools.cluster import processes  # noqa: E402


class Tool:
    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, code=0):
        done = self._run(*arguments)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def all_work(self):
        return self._run("status").returncode == 0

    def _run(self, *arguments):
        env = {**os.environ, "SLUICE_CLUSTER": str(self.folder), "SLUICE_BINARY": str(BINARY)}
        return subprocess.run(["/usr/bin/python3", "-m", "tools.cluster", *arguments], env=env, cwd=ROOT, text=True,
                              capture_output=True, timeout=600)

    @property
    def description(self):
        return json.loads((self.folder / "cluster.json").read_text())

    @property
    def parts(self):
        return {part["name"]: part for part in self.description["parts"]}

    def client(self):
        return Client(int(self.description["url"].rpartition(":")[2]), timeout=60)


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """With a cluster of two nodes that is up."""
    tool = Tool(tmp_path_factory.mktemp("cluster") / "cluster")
    tool("up", "--nodes", "2")
    yield tool
    tool("down")


def is_alive(pid):
    return processes.identify(pid) is not None


def test_scripts_find_everything_in_one_file(tool):
    said = tool.description
    assert [(part["name"], part["kind"]) for part in said["parts"]] == [
        ("mariadb", "mariadb"), ("redis", "redis"), ("node-1", "node"), ("node-2", "node"), ("nginx", "nginx")]
    for part in said["parts"]:
        assert is_alive(part["pid"]) and Path(part["folder"]).is_dir() and Path(part["log"]).exists(), part
    assert len({part["port"] for part in said["parts"]}) == 5
    assert said["url"] == f"http://127.0.0.1:{tool.parts['nginx']['port']}" == tool.parts["nginx"]["url"]
    assert tool.parts["node-1"]["url"] == f"http://127.0.0.1:{tool.parts['node-1']['port']}"
    assert (tool.folder / "cluster.json").stat().st_mode & 0o077 == 0, "passwords are in it"


def test_the_status_for_scripts_goes_by_kinds(tool):
    said = json.loads(tool("status", "--json"))
    assert said["url"] == tool.description["url"] and said["operator"] == tool.description["operator"]
    assert said["rabbitmq"] is None
    for node in said["nodes"]:
        part = tool.parts[node["name"]]
        assert (node["url"], node["pid"]) == (part["url"], part["pid"])
        assert node["roles"] == part["roles"] == ["edge", "writer", "keeper"] and Path(node["config"]).exists()
    for kind in ("redis", "mariadb", "nginx"):
        assert (said[kind]["port"], said[kind]["pid"]) == (tool.parts[kind]["port"], tool.parts[kind]["pid"])
    assert Path(said["mariadb"]["socket"]).is_socket()


def redis_says(part, user, password_file, *words):
    password = (Path(part["folder"]) / password_file).read_text().strip()
    with socket.create_connection(("127.0.0.1", part["port"]), 30) as connection:
        connection.sendall(f"AUTH {user} {password}\r\n{' '.join(words)}\r\n".encode())
        with connection.makefile("rb") as stream:
            return stream.readline().strip(), stream.readline().strip()


def test_redis_lets_the_nodes_do_no_harm_and_the_admin_do_everything(tool):
    redis = tool.parts["redis"]
    assert redis_says(redis, "sluice", "password", "SELECT", "0") == (b"+OK", b"+OK")
    assert redis_says(redis, "sluice", "password", "FLUSHALL")[1].startswith(b"-NOPERM")
    assert redis_says(redis, "admin", "admin-password", "FLUSHALL") == (b"+OK", b"+OK")


@pytest.mark.parametrize("who, role", [("operator", "admin"), ("shopper", "buyer")])
def test_the_logins_are_good_at_every_node(tool, who, role):
    token = tool.client().post("/sessions", tool.description[who]).body["token"]
    for part in ("node-1", "node-2", "nginx"):
        session = Client(tool.parts[part]["port"], token).get("/sessions/current")
        assert (session.status, session.body["user"]["role"]) == (200, role), part


def test_a_second_up_changes_nothing(tool):
    before = tool.description
    assert "runs already" in tool("up")
    assert tool.description == before


def test_a_part_that_is_killed_is_missed_and_started_again(tool):
    before = tool.parts["node-2"]
    tool("kill", "node-2")
    assert tool.parts["node-2"]["pid"] is None and not is_alive(before["pid"])
    assert [tool.client().get("/sales").status for _ in range(10)] == [200] * 10, "the other node answers"
    assert "`./dev cluster start node-2` starts it" in tool("status", code=1)
    assert "does not run" in tool("kill", "node-2")
    tool("start", "node-2")
    after = tool.parts["node-2"]
    assert is_alive(after["pid"]) and after["pid"] != before["pid"] and after["port"] == before["port"]
    assert "runs already" in tool("start", "node-2")
    eventually(tool.all_work, 120, "all parts work")


def test_parts_end_cleanly_and_keep_their_data(tool):
    tool("stop", "nginx", "node-1", "mariadb")
    assert "runs already" in tool("up") and "Not running: mariadb, node-1, nginx" in tool("up")
    tool("start", "mariadb", "node-1", "nginx")
    eventually(tool.all_work, 120, "all parts work")
    assert tool.client().post("/sessions", tool.description["operator"]).status == 201


def test_the_demo_sells_all_units_and_no_more(tool):
    said = tool("demo", "--buyers", "60", "--units", "25")
    assert "25 units: 25 sold, 0 left" in said and "every promise holds" in said and "WRONG" not in said


def test_logs_are_shown(tool):
    assert re.search(r"^\d{4}-\d\d-\d\dT\S+ (INFO|WARN) ", tool("logs", "node-1"), re.M)
    assert all(name in tool("logs") for name in ("mariadb", "redis", "node-1", "nginx"))


@pytest.mark.parametrize("arguments, words", [
    (["kill", "node-9"], "The parts are mariadb, redis, node-1, node-2, nginx"),
    (["start", "rabbit"], "There is no rabbit")])
def test_a_name_that_does_not_exist_is_told(tool, arguments, words):
    assert words in tool(*arguments, code=1)


def test_down_ends_all_and_leaves_nothing(tmp_path):
    tool = Tool(tmp_path / "cluster")
    tool("up", "--nodes", "1")
    pids = [part["pid"] for part in tool.description["parts"]]
    tool("down")
    assert not any(is_alive(pid) for pid in pids) and not tool.folder.exists()
    assert "There is no cluster" in tool("down")
    assert "`./dev cluster up` starts one" in tool("status", code=1)


def test_a_cluster_with_a_broker(tmp_path):
    tool = Tool(tmp_path / "cluster")
    tool("up", "--nodes", "2", "--broker", "rabbitmq")
    try:
        check_broker_parts(tool)
        said = tool("demo", "--buyers", "60", "--units", "40")
        assert "40 units: 40 sold, 0 left" in said and "202" in said and "WRONG" not in said, said
        assert "0 are still queued" in said and "every promise holds" in said, said

        tool("kill", "rabbitmq-2", "writer-1")
        assert json.loads(tool("status", "--json"))["rabbitmq"]["port"] == tool.parts["rabbitmq-1"]["port"]
        assert "WRONG" not in tool("demo", "--buyers", "30", "--units", "20"), "the others go on"
        # All of them, so that each waits for those that went after it.
        tool("stop", "rabbitmq-1", "rabbitmq-3")
        tool("start", "rabbitmq-1", "rabbitmq-2", "rabbitmq-3", "writer-1")
        eventually(tool.all_work, 120, "all parts work")
        pids = [part["pid"] for part in tool.description["parts"]]
    finally:
        tool("down")
    assert not any(is_alive(pid) for pid in pids) and not tool.folder.exists()


def check_broker_parts(tool):
    kinds = [(part["name"], part["kind"]) for part in tool.description["parts"]]
    assert kinds == [("mariadb", "mariadb"), ("redis", "redis"), *((f"rabbitmq-{n}", "rabbitmq") for n in (1, 2, 3)),
                     ("node-1", "node"), ("node-2", "node"), ("writer-1", "node"), ("writer-2", "node"),
                     ("nginx", "nginx")]
    said = json.loads(tool("status", "--json"))
    assert [node["roles"] for node in said["nodes"]] == [["edge"]] * 2 + [["writer", "keeper"]] * 2
    assert [broker["pid"] for broker in said["rabbitmq"]["nodes"]] == [tool.parts[f"rabbitmq-{n}"]["pid"] for n in (1, 2, 3)]
    password = Path(tool.parts["rabbitmq-1"]["folder"]) / "password"
    assert password.stat().st_mode & 0o077 == 0, "others use this machine too"
    assert "sluice.tickets" in broker_queues(tool)
    for name in ("node-1", "writer-1"):
        assert Client(tool.parts[name]["port"]).get("/livez", api=False).status == 200
    assert Client(tool.parts["writer-1"]["port"]).get("/sales").code == "unavailable", "a writer serves nobody"


def broker_queues(tool):
    done = subprocess.run([ROOT / "tests/support/rabbitmq_server.sh", "--ctl", tool.parts["rabbitmq-3"]["folder"],
                           "list_queues", "name"], capture_output=True, text=True, timeout=120)
    return done.stdout


@pytest.fixture
def stranger():
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("changed", [{"started": -1}, {"boot": "another"}])
def test_a_process_that_only_has_the_number_is_left_alone(stranger, changed):
    identity = processes.identify(stranger.pid)
    assert processes.is_running(identity)
    processes.end({**identity, **changed}, "node-1", signal.SIGKILL)
    assert stranger.poll() is None
    processes.end(identity, "node-1", signal.SIGKILL)
    assert not processes.is_running(identity)
