"""A disk that fails, or loses power: the shim `faulty_disk.c` under the real server, and the images of
what a power cut would have left."""

import mmap
import random
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
NAMES = dict(enumerate(("sluice.db", "sluice.db-wal", "archive.db", "archive.db-wal", "archive.db.new",
                        "archive.db.new-wal"), 1))
WRITE, TRUNCATE, SYNC, FAILED_SYNC, REMOVE, RENAME, SYNC_FOLDER = range(1, 8)
HEAD = struct.Struct("<IIQQ")
SECTOR = 512
FOR_EVER = 2**32 - 1


class FaultyDisk:
    """The shim, built in `folder`, its record and its control."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.record = self.folder / "record"
        library = self.folder / "faulty_disk.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
        control = self.folder / "control"
        control.write_bytes(bytes(12))
        with open(control, "r+b") as file:
            self._control = mmap.mmap(file.fileno(), 12)
        self.env = {"LD_PRELOAD": str(library), "FAULTY_DISK_RECORD": str(self.record),
                    "FAULTY_DISK_CONTROL": str(control)}

    def position(self):
        """What was recorded so far: everything that happened before an answer stands before its position."""
        return self.record.stat().st_size

    def fail_syncs(self, count=FOR_EVER):
        self._set(0, count)

    def cut_writes(self, count=FOR_EVER):
        self._set(1, count)

    def fail_writes(self, count=FOR_EVER):
        self._set(2, count)

    def heal(self):
        for place in range(3):
            self._set(place, 0)

    def pending(self):
        """Whether a requested fault has still to happen."""
        return any(self._control[:])

    def _set(self, place, count):
        self._control[place * 4:place * 4 + 4] = struct.pack("<I", count)


def read_record(path):
    """(position behind it, kind, file, offset, bytes) of each call."""
    data = Path(path).read_bytes()
    at, calls = 0, []
    while at + HEAD.size <= len(data):
        kind, file, offset, length = HEAD.unpack_from(data, at)
        start = at + HEAD.size
        at = start + length
        if at > len(data):
            break
        calls.append((at, kind, file, offset, data[start:at]))
    return calls


class PowerCut:
    """The disk after a power cut at `cut`. What was flushed before is there; every other write is there, or
    missing, or torn, in any order. From `lies_from` on the disk only reported its flushes."""

    def __init__(self, base, calls, cut, seed, lies_from=None):
        self._chance = random.Random(seed)
        self._files = {file: bytearray(base.get(name, b"")) for file, name in NAMES.items()}
        self._exists = {file: name in base for file, name in NAMES.items()}
        self._unflushed = {file: [] for file in NAMES}
        self._unnamed = set()  # their new names are not known to be on disk
        for end, kind, file, offset, data in calls:
            if end > cut:
                break
            lies = lies_from is not None and end > lies_from
            self._happen(kind, file, offset, data, lies)
        for file in NAMES:
            self._lose_power(file)
        for file in self._unnamed:
            self._exists[file] = self._chance.random() < 0.5

    def _happen(self, kind, file, offset, data, lies):
        if kind == SYNC and not lies:
            self._flush(file)
        elif kind == FAILED_SYNC:
            # The kernel takes the pages for written and forgets them, whether they were or not.
            self._lose_power(file)
        elif kind == SYNC_FOLDER and not lies:
            self._unnamed.clear()
        elif kind == RENAME:
            for of in (self._files, self._exists, self._unflushed):
                of[offset], of[file] = of[file], type(of[file])()
            self._unnamed.add(offset)
        elif kind in (WRITE, TRUNCATE, REMOVE):
            self._exists[file] = True
            self._unflushed[file].append((kind, offset, data))
            if kind == REMOVE:  # of a log that was copied back and flushed before
                self._flush(file)

    def _flush(self, file):
        for call in self._unflushed[file]:
            self._apply(file, *call)
        self._unflushed[file] = []

    def _lose_power(self, file):
        calls, self._unflushed[file] = self._unflushed[file], []
        share = self._chance.choice([0.0, 0.3, 0.7, 1.0])
        if self._chance.random() < 0.5:
            self._chance.shuffle(calls)
        for kind, offset, data in calls:
            if self._chance.random() >= share:
                continue
            if kind == WRITE and self._chance.random() < 0.3:
                sectors = self._chance.randrange(0, len(data) // SECTOR + 1)
                data = data[:sectors * SECTOR]
            self._apply(file, kind, offset, data)

    def _apply(self, file, kind, offset, data):
        contents = self._files[file]
        if kind == REMOVE:
            contents.clear()
            self._exists[file] = False
            return
        self._exists[file] = True
        size = offset + len(data) if kind == WRITE else offset
        if len(contents) < size:
            contents.extend(bytes(size - len(contents)))
        if kind == WRITE:
            contents[offset:size] = data
        else:
            del contents[size:]

    def write(self, folder, others):
        """The data folder as it is found afterwards; `others` has the files that do not belong to the ledger."""
        shutil.copytree(others, folder, ignore=shutil.ignore_patterns("*.db*", "*.lock", "ledger.*"))
        for file, name in NAMES.items():
            if self._exists[file]:
                (folder / name).write_bytes(self._files[file])
        return folder


def ledger_files(data):
    return {name: (data / name).read_bytes() for name in NAMES.values() if (data / name).exists()}
