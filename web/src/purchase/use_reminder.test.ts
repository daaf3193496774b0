import { describe, expect, it } from "vitest";

import { callsDue } from "./use_reminder";

const start = 1_000_000;

describe("the calls of a reminder", () => {
  it.each([
    [start - 600_000, start - 599_000, [], 60_000],
    [start - 60_001, start - 60_001, [], 1],
    [start - 60_001, start - 60_000, ["remind_soon"], 60_000],
    [start - 60_000, start - 59_999, [], 59_999],
    [start - 1, start, ["remind_now"], null],
    [start - 90_000, start + 5000, ["remind_soon", "remind_now"], null],
    [start, start + 1, [], null],
  ])("between %i and %i are %j, the next look in %j ms", (last, now, due, next) => {
    expect(callsDue(start, last, now)).toEqual({ due, next });
  });
});
