"""Only the server's writer checkpoints: what another process writes beside it stays in the log."""

from process import eventually, run

PAGES = 4096 * 1000  # a checkpoint is due after a thousand pages


def written(shop):
    """In WAL mode only a checkpoint writes to the database file."""
    status = (shop.server.data / "sluice.db").stat()
    return status.st_mtime_ns, status.st_size


def test_a_command_beside_the_server_leaves_checkpoints_to_it(shop):
    shop.register()
    before = written(shop)
    shop.minted(20_000)
    log = shop.server.data / "sluice.db-wal"
    assert log.stat().st_size > PAGES, "enough for a checkpoint"
    assert written(shop) == before
    eventually(lambda: shop.register() and written(shop) != before, what="the server's own checkpoint")
    shop.audit()


def test_without_a_server_a_command_keeps_the_log_short(tmp_path):
    data = tmp_path / "data"
    assert run("migrate", "--data", data).returncode == 0
    assert run("mint", "--data", data, "--buyers", 50_000, "--out", tmp_path / "tokens").returncode == 0
    assert not (data / "sluice.db-wal").exists(), "written back by the last to close it"
    assert (data / "sluice.db").stat().st_size > PAGES
