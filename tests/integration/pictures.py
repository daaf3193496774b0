"""Small pictures of a few bytes, made by hand."""

import struct
import zlib

from process import ROOT


def png(width=8, height=4, color=(200, 30, 30), claimed=None):
    """One colour everywhere; with an alpha channel if the colour has four parts. `claimed`: what the head says in place
    of the truth."""
    kind = 6 if len(color) == 4 else 2
    head = struct.pack(">IIBBBBB", *(claimed or (width, height)), 8, kind, 0, 0, 0)
    rows = (b"\0" + bytes(color) * width) * height
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def seed(name):
    """One of those that the fuzzer begins with: 40 × 20, red on the left and blue on the right."""
    return (ROOT / "tests/fuzz/corpus/picture" / name).read_bytes()


def extent_of(jpeg):
    """Width and height of a JPEG."""
    at = 2
    while not 0xC0 <= jpeg[at + 1] <= 0xC2:
        at += 2 + struct.unpack(">H", jpeg[at + 2:at + 4])[0]
    height, width = struct.unpack(">HH", jpeg[at + 5:at + 9])
    return width, height
