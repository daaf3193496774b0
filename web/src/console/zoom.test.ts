import { describe, expect, it } from "vitest";

import type { Sample } from "./samples";
import { around, between, decisive, mostLeft, moved, scaled, vanishing, wholeOf } from "./zoom";

const sample = (seconds: number, left: number): Sample => ({
  at: seconds * 1000,
  total: 100,
  left,
  held: 100 - left,
  sold: 0,
});
const seconds = (span: { from: number; to: number } | null) =>
  span && { from: span.from / 1000, to: span.to / 1000 };
const whole = { from: 0, to: 3_600_000 };

describe("the decisive seconds", () => {
  const idle = (from: number, to: number, left: number) =>
    Array.from({ length: (to - from) / 10 + 1 }, (_, i) => sample(from + i * 10, left));
  const tenSeconds = Array.from({ length: 9 }, (_, i) => sample(1801 + i, 90 - i * 10));

  it("are those in which the stock fell, with room around them", () => {
    const samples = [...idle(0, 1800, 100), ...tenSeconds, ...idle(1810, 3600, 0)];
    const span = seconds(decisive(samples))!;
    expect(span.from).toBeGreaterThanOrEqual(1795);
    expect(span.from).toBeLessThanOrEqual(1801);
    expect(span.to).toBeGreaterThanOrEqual(1809);
    expect(span.to).toBeLessThanOrEqual(1815);
    expect(vanishing(samples)).toEqual(decisive(samples));
  });

  it("may be one step between two samples", () => {
    expect(
      seconds(decisive([sample(0, 10), sample(99, 10), sample(100, 0), sample(200, 0)])),
    ).toEqual({ from: 97, to: 102 });
  });

  it("leave out the few that went long before or after", () => {
    const samples = [
      sample(0, 100),
      sample(10, 99),
      ...idle(20, 1800, 99),
      sample(1803, 2),
      ...idle(1900, 3000, 2),
      sample(3010, 1),
    ];
    expect(seconds(decisive(samples))).toEqual({ from: 1798, to: 1805 });
  });

  it("do not take a restock or units that come back for a sale", () => {
    const samples = [
      sample(0, 0),
      sample(100, 50),
      sample(200, 50),
      sample(210, 0),
      sample(900, 0),
    ];
    expect(seconds(decisive(samples))).toEqual({ from: 197.5, to: 212.5 });
  });

  it("are unknown where nothing was sold, and no line where the sale is slow", () => {
    expect(decisive([])).toBeNull();
    expect(decisive([sample(0, 5), sample(9, 5)])).toBeNull();
    const slow = Array.from({ length: 100 }, (_, i) => sample(i * 30, 100 - i));
    expect(decisive(slow)).not.toBeNull();
    expect(vanishing(slow)).toBeNull();
  });
});

describe("the stretch that is shown", () => {
  it("shrinks around its middle, and grows to the whole", () => {
    expect(seconds(scaled(null, 0.5, whole))).toEqual({ from: 900, to: 2700 });
    expect(seconds(scaled({ from: 10_000, to: 20_000 }, 2, whole))).toEqual({ from: 5, to: 25 });
    expect(scaled({ from: 900_000, to: 2_700_000 }, 2, whole)).toBeNull();
  });

  it("goes from the whole towards what is worth seeing", () => {
    const best = { from: 3_000_000, to: 3_010_000 };
    expect(seconds(scaled(null, 0.5, whole, best))).toEqual({ from: 1800, to: 3600 });
    expect(seconds(scaled({ from: 0, to: 40_000 }, 0.5, whole, best))).toEqual({
      from: 10,
      to: 30,
    });
  });

  it("is never shorter than five seconds", () => {
    expect(seconds(scaled({ from: 10_000, to: 16_000 }, 0.5, whole))).toEqual({
      from: 10.5,
      to: 15.5,
    });
    expect(seconds(between(20_000, 20_100, whole))).toEqual({ from: 17.55, to: 22.55 });
  });

  it("stays within the sale", () => {
    expect(seconds(moved({ from: 2000, to: 12_000 }, -0.5, whole))).toEqual({ from: 0, to: 10 });
    expect(seconds(moved({ from: 3_590_000, to: 3_600_000 }, 0.5, whole))).toEqual({
      from: 3590,
      to: 3600,
    });
    expect(seconds(around(1000, whole))).toEqual({ from: 0, to: 30 });
    expect(seconds(between(50_000, 40_000, whole))).toEqual({ from: 40, to: 50 });
    expect(wholeOf([sample(1, 1)])).toBeNull();
  });

  it("is as high as the most that was left in it, also from before it began", () => {
    const samples = [sample(0, 90), sample(10, 40), sample(20, 10), sample(40, 70)];
    expect(mostLeft(samples, null)).toBe(90);
    expect(mostLeft(samples, { from: 12_000, to: 30_000 })).toBe(40);
    expect(mostLeft(samples, { from: 22_000, to: 30_000 })).toBe(10);
    expect(mostLeft([], null)).toBe(0);
  });
});
