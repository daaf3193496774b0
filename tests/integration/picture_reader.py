"""Programs that read pictures of formulas, as whoever attacks a sale would write them.

They know everything that the source tells: the forms of the digits, how they are bent, that three borders
exchange ground and ink, and the grammar of formulas. They use nothing but the standard library. Three ways to
find the symbols: by columns without ink, by connected pieces, and by templates that are slid over the picture.
"""

import base64
import math
import re
import struct
import subprocess
import zlib
from functools import lru_cache

WIDTH, HEIGHT = 320, 100
FULL = (1 << WIDTH) - 1
SIGNS = "+-*"
THICKNESS = 8.5


# What the server sends.


def pictures(tool, count, seed):
    """Formulas and their pictures. A picture is a list of rows; bit x of a row is the ink at x."""
    lines = subprocess.run([tool, "--print", str(count), str(seed)], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return [(text, rows_of(base64.b64decode(png))) for text, png in map(str.split, lines)]


def rows_of(png):
    at, packed = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            assert struct.unpack(">IIBB", body[:10]) == (WIDTH, HEIGHT, 4, 3)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, rows = zlib.decompress(packed), []
    for y in range(HEIGHT):
        line = raw[y * 161 + 1:(y + 1) * 161]
        assert raw[y * 161] == 0
        rows.append(sum(((each >> 7 & 1) | (each >> 2 & 2)) << 2 * i for i, each in enumerate(line)))
    return rows


@lru_cache(None)
def forms(tool):
    """Symbol -> its forms, each a width and strokes of points."""
    found = {}
    for line in subprocess.run([tool, "--forms"], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        head, *strokes = line.split(" ,")
        symbol, width = head.split()
        points = [list(map(float, stroke.split())) for stroke in strokes]
        found.setdefault(symbol, []).append(
            (float(width), [list(zip(each[::2], each[1::2])) for each in points]))
    return found


def is_formula(text):
    found = re.fullmatch(r"([1-9]\d?)([+*-])([1-9]\d?)([+*-])([1-9]\d?)", text)
    if not found:
        return False
    a, first, b, second, c = found.groups()
    if (first == "*") == (second == "*"):
        return False
    factors, term = ((a, b), c) if first == "*" else ((b, c), a)
    fits = all(2 <= int(each) <= 9 for each in factors) and 1 <= int(term) <= 20
    return fits and 0 <= value(text) < 60


def value(text):
    """The result of a formula, multiplication first."""
    return sum(math.prod(int(n) * (-1 if sign == "-" and i == 0 else 1)
                         for i, n in enumerate(product.split("*")))
               for sign, product in re.findall(r"([+-]?)(\d+(?:\*\d+)*)", text))


# Templates: the forms, drawn with a lean, a size and a stretch.


@lru_cache(None)
def cells(tool, symbol, form, lean, size, stretch, radius):
    """The pixels around the middle of a form that are within the radius of a stroke."""
    width, strokes = forms(tool)[symbol][form]
    turn = math.radians(lean)
    cos, sin = math.cos(turn), math.sin(turn)
    reach = [(dx, dy) for dx in range(-10, 11) for dy in range(-10, 11)
             if dx * dx + dy * dy <= radius * radius]
    on_stroke = set()
    for stroke in strokes:
        placed = [((x - width / 2) * size * stretch, (y - .5) * size) for x, y in stroke]
        placed = [(x * cos - y * sin, x * sin + y * cos) for x, y in placed]
        for (x, y), (to_x, to_y) in zip(placed, placed[1:]):
            steps = max(1, math.ceil(math.hypot(to_x - x, to_y - y)))
            on_stroke |= {(round(x + (to_x - x) * i / steps), round(y + (to_y - y) * i / steps))
                          for i in range(steps + 1)}
    return frozenset((x + dx, y + dy) for x, y in on_stroke for dx, dy in reach)


# By columns and by pieces: cut the picture first, then compare each part.

GRID_X, GRID_Y = 10, 14


def boxed(pixels):
    """Shrunk to a grid, with its proportions and its height."""
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    left, top = min(xs), min(ys)
    wide, high = max(xs) - left + 1, max(ys) - top + 1
    grid, share = [0.0] * (GRID_X * GRID_Y), GRID_X * GRID_Y / (wide * high)
    for x, y in pixels:
        grid[(y - top) * GRID_Y // high * GRID_X + (x - left) * GRID_X // wide] += share
    return [min(1, each) for each in grid], wide / high, high


@lru_cache(None)
def samples(tool):
    return [(symbol, *boxed(cells(tool, symbol, form, lean, 54, stretch, THICKNESS / 2)))
            for symbol, all_forms in forms(tool).items() for form in range(len(all_forms))
            for lean in ((-8, 0, 8) if symbol in SIGNS else (-20, -10, 0, 10, 20))
            for stretch in (.95, 1.1)]


def likeness(tool, pixels):
    grid, shape, high = boxed(pixels)
    costs = {}
    for symbol, sample, its_shape, its_height in samples(tool):
        cost = sum((a - b) ** 2 for a, b in zip(grid, sample))
        cost += 30 * abs(math.log(shape / its_shape)) + 15 * abs(math.log(high / its_height))
        costs[symbol] = min(cost, costs.get(symbol, cost))
    return costs


def sentence(tool, parts):
    """The likeliest formula with so many symbols."""
    beams = [(0, "")]
    for part in parts[:9]:
        costs = likeness(tool, part)
        beams = sorted((total + cost, text + symbol) for total, text in beams
                       for symbol, cost in costs.items())[:300]
    return next((text for _, text in beams if is_formula(text)), None)


def opened(rows):
    """Without parts that are thinner than three pixels."""
    def moved(rows):
        above, below = [0] + rows[:-1], rows[1:] + [0]
        return zip(rows, above, below)

    thin = [row & above & below & row << 1 & row >> 1 for row, above, below in moved(rows)]
    return [(row | above | below | row << 1 | row >> 1) & FULL for row, above, below in moved(thin)]


def pixels_of(rows):
    return {(x, y) for y, row in enumerate(rows) for x in range(WIDTH) if row >> x & 1}


def read_by_columns(tool, rows):
    pixels = pixels_of(opened(rows))
    parts, last = [], -9
    for x in sorted({x for x, _ in pixels}):
        if x > last + 1:
            parts.append(set())
        parts[-1] |= {(x, y) for y in range(HEIGHT) if (x, y) in pixels}
        last = x
    return sentence(tool, [part for part in parts if len(part) > 60])


def read_by_pieces(tool, rows):
    left, parts = pixels_of(opened(rows)), []
    while left:
        stack, part = [left.pop()], []
        while stack:
            x, y = stack.pop()
            part.append((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            stack += near
        parts.append(part)
    middle = lambda part: sum(x for x, _ in part) / len(part)
    merged = []
    for part in sorted((part for part in parts if len(part) > 60), key=middle):
        if merged and middle(part) - middle(merged[-1]) < 12:
            merged[-1] = merged[-1] + part
        else:
            merged.append(part)
    return sentence(tool, merged)


# Ground and ink in their places again.


def without_horizons(rows, count=3):
    """Follows the border that has an edge in most columns, inverts what is below it, and repeats that."""
    grid = [[row >> x & 1 for x in range(WIDTH)] for row in rows]
    for _ in range(count):
        path = best_path(grid)
        for x, border in enumerate(path):
            for y in range(border, HEIGHT):
                grid[y][x] ^= 1
    return [sum(bit << x for x, bit in enumerate(row)) for row in grid]


def best_path(grid, steepest=2):
    """A height for each column, so that the path misses few edges and is smooth."""
    steps = range(-steepest, steepest + 1)
    penalty = {step: .3 * abs(step) for step in steps}
    cost, came_from = [0.0] * (HEIGHT + 1), []
    for x in range(WIDTH):
        miss = [1.0] + [1.0 if grid[y][x] == grid[y - 1][x] else 0.0 for y in range(1, HEIGHT)] + [1.0]
        miss = [min(each, .9 + min(miss[max(0, y - 1)], miss[min(HEIGHT, y + 1)]))
                for y, each in enumerate(miss)]
        nearest = []
        for y in range(HEIGHT + 1):
            nearest.append(min((cost[y + step] + penalty[step], y + step)
                               for step in steps if 0 <= y + step <= HEIGHT))
        came_from.append([origin for _, origin in nearest])
        cost = [total + miss[y] for y, (total, _) in enumerate(nearest)]
    y = min(range(HEIGHT + 1), key=lambda each: cost[each])
    path = []
    for x in reversed(range(WIDTH)):
        path.append(y)
        y = came_from[x][y]
    return path[::-1]


def without_patches(rows, reach=13):
    """Takes the colour that most of the neighbourhood has as the ground."""
    sums = [[0] * (WIDTH + 1)]
    for row in rows:
        line, total = [0], 0
        for x in range(WIDTH):
            total += row >> x & 1
            line.append(total + sums[-1][x + 1])
        sums.append(line)
    out = []
    for y in range(HEIGHT):
        top, bottom, bits = max(0, y - reach), min(HEIGHT, y + reach + 1), 0
        for x in range(WIDTH):
            left, right = max(0, x - reach), min(WIDTH, x + reach + 1)
            dark = sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left]
            ground = 2 * dark > (right - left) * (bottom - top)
            bits |= (rows[y] >> x & 1 ^ ground) << x
        out.append(bits)
    return out


# By templates: no cutting. Each form is slid over the picture, and of all that fit a chain is made that is a
# formula and explains as much ink as it can.

SIDE, MIDDLE_X, MIDDLE_Y = 80, 40, 48


def as_bits(pixels):
    bits = 0
    for x, y in pixels:
        if 0 <= x + MIDDLE_X < SIDE and 0 <= y + MIDDLE_Y < 2 * MIDDLE_Y:
            bits |= 1 << (y + MIDDLE_Y) * SIDE + x + MIDDLE_X
    return bits


@lru_cache(None)
def template(tool, symbol, form, lean, size, stretch):
    """Where it must be ink, where it must not, and how far it reaches to the left and right."""
    def near(radius):
        return cells(tool, symbol, form, lean, size, stretch, radius)

    core, halo = near(THICKNESS / 2 - 1), near(THICKNESS / 2 + 5) - near(THICKNESS / 2 + 1.5)
    xs = [x for x, _ in near(THICKNESS / 2)]
    return as_bits(core), len(core), as_bits(halo), min(xs), max(xs)


class Slider:
    """Scores templates anywhere on a picture: windows of bits are compared all at once."""

    def __init__(self, tool, rows):
        self.tool = tool
        mask = (1 << SIDE) - 1
        self.windows = [sum((row << MIDDLE_X >> x & mask) << (y + MIDDLE_Y) * SIDE
                            for y, row in enumerate(rows)) for x in range(WIDTH)]

    def score(self, x, y, key):
        core, size, halo, _, _ = template(self.tool, *key)
        window = self.windows[x] >> y * SIDE
        hits = (window & core).bit_count()
        return (hits - 2 * (size - hits) - .6 * (window & halo).bit_count()) / THICKNESS

    def finds(self, symbol, most=10):
        """The best places of a symbol: score, x, y, and how it is drawn there."""
        leans = (0,) if symbol in SIGNS else (-16, 0, 16)
        seen = [(self.score(x, y, key), x, y, key)
                for form in range(len(forms(self.tool)[symbol])) for lean in leans
                for key in [(symbol, form, lean, 54, 1.05)]
                for x in range(16, WIDTH - 12, 4) for y in range(34, 70, 4)]
        chosen = []
        for each in sorted(seen, reverse=True):
            if sum(abs(each[1] - other[1]) < 7 for other in chosen) < 2:
                chosen.append(each)
            if len(chosen) == most:
                break
        return [self.refined(each) for each in chosen]

    def refined(self, best):
        for _ in range(2):
            _, x, y, (symbol, form, lean, size, stretch) = best
            most = 8 if symbol in SIGNS else 24
            near = [(x + dx, y + dy, best[3]) for dx in (-3, -2, -1, 0, 1, 2, 3)
                    for dy in (-3, -2, -1, 0, 1, 2, 3)]
            near += [(x, y, (symbol, form, other, size, stretch)) for other in range(-most, most + 1, 8)]
            near += [(x, y, (symbol, form, lean, other, wide)) for other in (48, 54, 60)
                     for wide in (.95, 1.05, 1.15)]
            tried = [(self.score(*each), *each) for each in near if 0 <= each[0] < WIDTH]
            best = max([best, *tried])
        return best


def grammar():
    """Beginning of a formula -> the symbols that may follow."""
    following = {}
    numbers = [str(n) for n in range(1, 21)]
    factors = numbers[1:9]
    for a in factors:
        for b in factors:
            for term in numbers:
                for sign in "+-":
                    for text in (f"{a}*{b}{sign}{term}", f"{term}{sign}{a}*{b}"):
                        for i in range(len(text)) if is_formula(text) else ():
                            following.setdefault(text[:i], set()).add(text[i])
    return following


FOLLOWING = grammar()


def read_by_templates(tool, rows):
    slider = Slider(tool, rows)
    found = {symbol: slider.finds(symbol) for symbol in forms(tool)}
    columns = 0
    for row in rows:
        columns |= row
    first, last = (columns & -columns).bit_length() - 1, columns.bit_length() - 1
    chains, best = [(0, "", None)], (-math.inf, None)
    for _ in range(6):
        longer = {}
        for total, text, end in chains:
            for symbol in FOLLOWING.get(text, ()):
                for score, x, _, key in found[symbol]:
                    *_, left, right = template(tool, *key)
                    gap = x + left - (first if end is None else end)
                    if end is not None and not -16 <= gap <= 9:
                        continue
                    cost = .3 * abs(gap) if end is None else .6 * max(0, -gap - 6)
                    chain = (total + score - cost, text + symbol, x + right)
                    state = (text + symbol, x)
                    longer[state] = max(longer.get(state, chain), chain)
        chains = sorted(longer.values(), reverse=True)[:300]
        ends = [(total - .3 * abs(end - last), text) for total, text, end in chains if is_formula(text)]
        best = max([best, *ends], key=lambda each: each[0])
    return best[1]
