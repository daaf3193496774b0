import { describe, expect, it } from "vitest";

import { remaining, spanOf, untilNextChange } from "./countdown";

describe("a countdown", () => {
  it.each([
    [-1, 0],
    [0, 0],
    [1, 1],
    [999, 1],
    [1000, 1],
    [1001, 2],
    [59_001, 60],
  ])("%i ms before the instant shows %i seconds", (milliseconds, seconds) => {
    const parts = remaining(milliseconds);
    expect(parts.minutes * 60 + parts.seconds).toBe(seconds);
  });

  it("is read in days, hours, minutes and seconds", () => {
    expect(remaining(((2 * 24 + 3) * 3600 + 4 * 60 + 5) * 1000)).toEqual({
      days: 2,
      hours: 3,
      minutes: 4,
      seconds: 5,
    });
  });

  it.each([
    [1, "00:01"],
    [125_000, "02:05"],
    [3_600_000, "1:00:00"],
    [26 * 3_600_000 + 1, "26:00:01"],
    [-5, "00:00"],
  ])("%i ms before the instant reads %s", (milliseconds, read) => {
    expect(spanOf(milliseconds)).toBe(read);
  });

  it.each([
    [1, 1],
    [1000, 1000],
    [1001, 1],
    [2500, 500],
    [0, 1000],
    [-20, 1000],
  ])("%i ms before the instant it changes in %i ms", (milliseconds, next) => {
    expect(untilNextChange(milliseconds)).toBe(next);
  });
});
