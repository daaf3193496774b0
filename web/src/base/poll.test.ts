import { describe, expect, it } from "vitest";

import { backOff, spread } from "./poll";

describe("waiting", () => {
  it("spreads by a quarter to either side", () => {
    expect(spread(1000, 0)).toBe(750);
    expect(spread(1000, 0.5)).toBe(1000);
    expect(spread(1000, 1)).toBe(1250);
  });

  it("doubles up to its bound", () => {
    expect([0, 1, 2, 3, 4, 100].map((n) => backOff(n))).toEqual([
      1000, 2000, 4000, 8000, 15_000, 15_000,
    ]);
  });
});
