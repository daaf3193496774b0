"""Backups on a schedule, of the real program while it sells."""

import os
import re
import stat

from process import eventually, run
from test_archive import Past, archive, rows
from test_restore import Load, audit_holds

OFTEN = '[backup]\nevery = "1s"\nkeep = 3\n'


def proven(shop, folder=None):
    folder = folder or shop.server.data / "backups"
    return sorted(folder.glob("sluice-*Z.db")) if folder.exists() else []


def age(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    found = re.search(r"^sluice_backup_age_seconds (\S+)", page, re.M)
    return found and float(found[1].replace("Inf", "inf"))


def part(shop):
    answer = shop.visitor.get("/readyz", api=False)
    assert answer.status == 200, answer.body
    return next((part for part in answer.body["parts"] if part["name"] == "backup"), None)


def test_they_are_off_unless_asked_for(shop):
    assert age(shop) is None and part(shop) is None
    assert not (shop.server.data / "backups").exists()


def test_they_are_taken_while_the_shop_sells_and_can_be_restored(start_shop, tmp_path):
    shop = start_shop(config=OFTEN)
    sale = shop.sale(stock=50_000, gate_factor=10_000)["id"]
    with Load(shop, sale) as load:
        first = eventually(lambda: proven(shop), 20, "a backup")[0]
        eventually(lambda: proven(shop)[-1] > first and load.count() > 100, 20, "another one")
    eventually(lambda: first not in proven(shop), 30, "the oldest to be removed")
    assert len(proven(shop)) <= 3
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in proven(shop))
    assert stat.S_IMODE((shop.server.data / "backups").stat().st_mode) == 0o700
    assert 0 <= age(shop) < 20 and part(shop)["detail"] == ""
    threads = {open(f"/proc/{shop.server.process.pid}/task/{task}/comm").read().strip()
               for task in os.listdir(f"/proc/{shop.server.process.pid}/task")}
    assert "backup" in threads
    shop.stop()
    restored = tmp_path / "restored"
    done = run("restore", "--data", restored, proven(shop)[-1])
    assert done.returncode == 0, done.stderr
    audit_holds(restored)


def test_a_kill_in_the_middle_leaves_nothing_that_passes_for_a_backup(start_shop, tmp_path):
    shop = start_shop(config=OFTEN)
    shop.minted(20_000)  # something to copy
    folder = shop.server.data / "backups"
    for _ in range(5):
        eventually(lambda: folder.exists() and [name for name in os.listdir(folder) if "unchecked" in name],
                   30, "a backup under way")
        shop.kill()
        for number, file in enumerate(proven(shop)):
            data = tmp_path / f"of-{file.name}-{number}"
            if not data.exists():
                done = run("restore", "--data", data, file)
                assert done.returncode == 0, done.stderr
        shop.server.start()
    before = proven(shop)
    eventually(lambda: proven(shop)[-1:] > before[-1:], 30, "a new one")
    eventually(lambda: not [name for name in os.listdir(folder) if ".partial" in name], 30, "no leftovers")


def test_a_failure_is_told_and_the_shop_stays_open(start_shop, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("not a folder")
    shop = start_shop(config=f'[backup]\nevery = "1s"\nfolder = "{blocked}"\n')
    told = eventually(lambda: part(shop)["detail"], 10, "the failure")
    assert str(blocked) in told and part(shop)["ready"] is True
    assert "backup.failed" in shop.server.log()
    assert age(shop) == float("inf")
    blocked.unlink()
    eventually(lambda: proven(shop, blocked), 20, "a backup, once there is room")
    eventually(lambda: part(shop)["detail"] == "", 5, "good news")


def test_a_restart_keeps_to_the_schedule(start_shop):
    shop = start_shop(config='[backup]\nevery = "1h"\n')
    [first] = eventually(lambda: proven(shop), 20, "the first, at once")
    shop.restart()
    eventually(lambda: age(shop) is not None and age(shop) < 60, 5, "its age, known again")
    assert proven(shop) == [first], "the next is due in an hour"


def test_an_archived_sale_is_in_them(start_shop, tmp_path):
    shop = start_shop(config='[backup]\nevery = "1s"\nkeep = 2\n')
    past = Past(shop)
    folder = shop.server.data / "backups"
    assert archive(shop).returncode == 0
    first = eventually(lambda: [file for file in proven(shop) if (folder / f"{file.name}.archive").exists()],
                       20, "a proven backup with the archive")[0]
    eventually(lambda: first not in proven(shop), 30, "the oldest to be removed")
    eventually(lambda: len(proven(shop)) == 2 and len(os.listdir(folder)) == 4, 10, "pairs only")
    assert 0 <= age(shop) < 20 and part(shop)["detail"] == ""
    shop.stop()
    newest = proven(shop)[-1]
    assert not [name for name in os.listdir(folder) if "un" in name]
    data = tmp_path / "restored"
    done = run("restore", "--data", data, newest)
    assert done.returncode == 0, done.stderr
    audit_holds(data)
    assert rows(data, "orders", past.sale, archived=True) == 3
