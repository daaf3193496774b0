import { describe, expect, it } from "vitest";

import type { Sale } from "../base/types";
import { dayName, dayNamed, daysOf, overlapsOf, periodOf, shifted } from "./schedule";

const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute);
const sale = (id: string, from: Date, to: Date | null, kind = "flash") =>
  ({
    id,
    kind,
    starts_at: from.toISOString(),
    ends_at: to?.toISOString() ?? null,
  }) as Sale;
const always = { from: -Infinity, to: Infinity };
const pairs = (sales: Sale[], period = always) =>
  overlapsOf(sales, period).map(({ one, other }) => one.id + other.id);

describe("the days of a calendar", () => {
  it("are a week from Monday, or whole weeks around a month", () => {
    const week = daysOf("week", at(18), []);
    expect(week.map(({ from }) => dayName(new Date(from)))).toEqual([
      "2026-11-16",
      "2026-11-17",
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
      "2026-11-21",
      "2026-11-22",
    ]);
    const month = daysOf("month", at(18), []);
    expect(month).toHaveLength(42);
    expect(month.filter(({ outside }) => !outside)).toHaveLength(30);
    expect(month.every(({ to }, i) => to === (month[i + 1]?.from ?? to))).toBe(true);
  });

  it("go to the next and the last, and from the 31st to the last of a shorter month", () => {
    expect(dayName(shifted("week", at(30), 1))).toBe("2026-12-07");
    expect(dayName(shifted("month", new Date(2026, 9, 31), 1))).toBe("2026-11-30");
    expect(dayName(shifted("month", new Date(2026, 0, 15), -1))).toBe("2025-12-15");
    expect(periodOf("month", at(18))).toEqual({
      from: at(1).getTime(),
      to: new Date(2026, 11, 1).getTime(),
    });
  });

  it("say of each sale whether it begins and ends there", () => {
    const night = sale("a", at(17, 22), at(19, 2));
    const entries = daysOf("week", at(18), [night, sale("b", at(18, 9), null)]).map((day) =>
      day.entries.map(({ sale: { id }, begins, ends }) => [id, begins, ends]),
    );
    expect(entries.slice(1, 4)).toEqual([
      [["a", true, false]],
      [
        ["a", false, false],
        ["b", true, false],
      ],
      [
        ["a", false, true],
        ["b", false, false],
      ],
    ]);
  });

  it("end at midnight without a trace in the next day", () => {
    const days = daysOf("week", at(18), [sale("a", at(17), at(18))]);
    expect(days[1]!.entries).toHaveLength(1);
    expect(days[2]!.entries).toHaveLength(0);
  });

  it("are named in the address, and today for anything else", () => {
    const today = at(18, 15);
    expect(dayName(dayNamed("2026-02-03", today))).toBe("2026-02-03");
    for (const wrong of [null, "", "tomorrow", "2026-2-3"])
      expect(dayName(dayNamed(wrong, today))).toBe("2026-11-18");
  });
});

describe("overlaps", () => {
  it("are sales at the same time; one that begins when another ends is none", () => {
    const [a, b, c] = [
      sale("a", at(18, 10), at(18, 12)),
      sale("b", at(18, 11), at(18, 13)),
      sale("c", at(18, 12), at(18, 14)),
    ];
    expect(pairs([c, a, b])).toEqual(["ab", "bc"]);
    expect(overlapsOf([a, b], always)[0]).toMatchObject({
      from: at(18, 11).getTime(),
      to: at(18, 12).getTime(),
    });
  });

  it("leave out standing sales, and count one without an end", () => {
    const open = sale("o", at(10), null);
    const standing = sale("s", at(1), null, "standing");
    expect(pairs([standing, open, sale("a", at(18, 10), at(18, 12))])).toEqual(["oa"]);
  });

  it("are those of the period, and marked on their day only", () => {
    const long = sale("l", at(16), at(20));
    const short = sale("s", at(18, 10), at(18, 11));
    const days = daysOf("week", at(18), [long, short]);
    const marked = days.map(({ entries }) => entries.filter(({ overlaps }) => overlaps).length);
    expect(marked).toEqual([0, 0, 2, 0, 0, 0, 0]);
    expect(pairs([long, short], periodOf("week", at(25)))).toEqual([]);
  });
});
