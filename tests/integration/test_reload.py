"""SIGHUP reads the configuration again, puts into force what can change, and never ends the server."""

import os
import signal

from client import Client
from process import eventually
from shop import open_shop

CONFIG = """
threads = {threads}
[limits]
enabled = {enabled}
exempt = [{exempt}]
[limits.reading]
per_minute = {per_minute}
burst = {per_minute}
[log]
level = "{level}"
"""


def configured(threads=2, enabled="true", exempt="", per_minute=600, level="info"):
    return CONFIG.format(threads=threads, enabled=enabled, exempt=exempt, per_minute=per_minute, level=level)


def reload(server, config, line):
    """Sends the signal, and waits for the log line about its result."""
    (server.folder / "sluice.toml").write_text(config)
    seen = server.log().count(line)
    os.kill(server.process.pid, signal.SIGHUP)
    eventually(lambda: server.log().count(line) > seen, what=line)
    return [row for row in server.log().splitlines() if line in row][-1]


def test_limits_and_the_log_change_without_a_restart(tmp_path):
    shop = open_shop(tmp_path, config=configured(), env={"SLUICE_LIMITS_ENABLED": "true"})
    server = shop.server
    shown = lambda: shop.operator.get("/admin/limits").body
    assert shown()["limits"]["reading"]["per_minute"]["value"] == 600
    line = reload(server, configured(per_minute=700, exempt='"127.0.0.0/8"', level="debug"), "config.reloaded")
    assert "limits.exempt, limits.reading.burst, limits.reading.per_minute, log.level" in line
    assert shown()["exempt"] == ["127.0.0.0/8"]
    assert shown()["limits"]["reading"]["per_minute"] == {"value": 700, "source": "config"}
    eventually(lambda: "http.request" in server.log(), what="a debug line")

    # What an operator has set still wins.
    assert shop.operator.put("/admin/limits", {"reading": {"per_minute": 650}}).status == 200
    reload(server, configured(per_minute=800, exempt='"127.0.0.0/8"'), "config.reloaded")
    assert shown()["limits"]["reading"]["per_minute"] == {"value": 650, "source": "operator"}
    assert shown()["limits"]["reading"]["burst"]["value"] == 800
    shop.stop()


def test_an_exemption_counts_from_the_signal_on(tmp_path):
    shop = open_shop(tmp_path, config=configured(per_minute=3), env={"SLUICE_LIMITS_ENABLED": "true"})
    client = Client(shop.server.port)
    eventually(lambda: client.get("/time").status == 429, what="the limit")
    reload(shop.server, configured(per_minute=3, exempt='"127.0.0.0/8"'), "config.reloaded")
    assert [client.get("/time").status for _ in range(100)] == [200] * 100
    client.close()
    shop.stop()


def test_what_cannot_change_is_named_each_time(start_server):
    server = start_server(config=configured())
    for _ in range(2):
        assert 'keys="threads"' in reload(server, configured(threads=3), "config.needs_restart")
    assert Client(server.port).get("/livez", api=False).status == 200


def test_a_mistake_changes_nothing_and_is_named_with_its_line(start_server):
    server = start_server(config=configured())
    line = reload(server, configured(level="loud"), "config.reload_refused")
    assert "sluice.toml:10:1" in line and "log.level" in line
    assert Client(server.port).get("/livez", api=False).status == 200
    (server.folder / "sluice.toml").unlink()
    os.kill(server.process.pid, signal.SIGHUP)
    eventually(lambda: server.log().count("config.reload_refused") == 2, what="the second refusal")
    assert Client(server.port).get("/livez", api=False).status == 200


def test_a_hundred_signals_do_no_harm(start_server):
    server = start_server(config=configured())
    for _ in range(100):
        os.kill(server.process.pid, signal.SIGHUP)
    eventually(lambda: "config.reloaded" in server.log(), what="a reload")
    assert Client(server.port).get("/livez", api=False).status == 200
