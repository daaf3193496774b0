import { describe, expect, it } from "vitest";

import {
  drawnEnd,
  lookAgainAfter,
  projectedEnd,
  type Sample,
  saleRate,
  withHistory,
  withSample,
} from "./samples";
import type { Stats } from "./types";

const sample = (seconds: number, left: number, held: number): Sample => ({
  at: seconds * 1000,
  total: left + held,
  left,
  held,
  sold: 0,
});

describe("samples", () => {
  it("are at least half a second apart", () => {
    const one = withSample([], sample(0, 10, 0));
    expect(withSample(one, sample(0.4, 9, 1))).toBe(one);
    expect(withSample(one, sample(0.5, 9, 1))).toHaveLength(2);
  });

  it("are bounded, and the oldest go", () => {
    let samples: Sample[] = [];
    for (let i = 0; i < 7300; i++) samples = withSample(samples, sample(i, 10, 0));
    expect(samples).toHaveLength(7200);
    expect(samples.at(-1)!.at).toBe(7_299_000);
  });
});

describe("the history", () => {
  const point = (seconds: number, left: number) =>
    ({
      at: new Date(seconds * 1000).toISOString(),
      stock: { total: 10, left, held: 10 - left, sold: 0 },
    }) as Stats;

  it("brings the figures of each instant along", () => {
    const told = point(8, 7);
    expect(withHistory([sample(10, 5, 5)], [told])[0]!.figures).toBe(told);
  });

  it("stands before what was seen, and is not told twice", () => {
    const seen = [sample(10, 5, 5), sample(11, 4, 6)];
    const all = withHistory(seen, [point(8, 7), point(9, 6), point(10, 5)]);
    expect(all.map(({ left }) => left)).toEqual([7, 6, 5, 4]);
    expect(all.map(({ at }) => at)).toEqual([8000, 9000, 10_000, 11_000]);
  });

  it("fills in what was missed while nobody looked, and nothing else", () => {
    const seen = [sample(10, 9, 1), sample(12, 8, 2), sample(40, 3, 7), sample(41, 2, 8)];
    const told = [11, 13, 30, 40.5, 42].map((seconds) => point(seconds, 5));
    const all = withHistory(seen, told).map(({ at }) => at / 1000);
    expect(all).toEqual([10, 12, 13, 30, 40, 41]);
  });

  it("of a month is not cut", () => {
    const minutes = Array.from({ length: 43_200 }, (_, i) => point(i * 60, 5));
    expect(withHistory([sample(43_200 * 60, 5, 5)], minutes)).toHaveLength(43_201);
  });

  it("is all there is at first", () => {
    expect(withHistory([], [point(8, 7)])).toMatchObject([sample(8, 7, 3)]);
  });
});

describe("the rate of a sale", () => {
  it("is unknown at first", () => {
    expect(saleRate([])).toBeNull();
    expect(saleRate([sample(0, 10, 0), sample(1.9, 5, 5)])).toBeNull();
  });

  it("counts the last quarter of a minute only", () => {
    const samples = [sample(0, 1000, 0), sample(10, 100, 900), sample(25, 70, 930)];
    expect(saleRate(samples)).toBe(2);
  });

  it("does not take a restock for a sale, nor what came back for one", () => {
    expect(saleRate([sample(0, 10, 5), sample(5, 1010, 5)])).toBe(0);
    expect(saleRate([sample(0, 10, 5), sample(5, 15, 0)])).toBe(0);
  });
});

describe("the projection", () => {
  it("is the instant at which nothing is left", () => {
    expect(projectedEnd([sample(0, 30, 0), sample(10, 20, 10)])).toBe(30_000);
  });

  it("is none when nothing is sold, or nothing is left, or it would take days", () => {
    expect(projectedEnd([sample(0, 30, 0), sample(10, 30, 0)])).toBeNull();
    expect(projectedEnd([sample(0, 10, 0), sample(10, 0, 10)])).toBeNull();
    expect(projectedEnd([sample(0, 1e9, 0), sample(10, 1e9 - 1, 1)])).toBeNull();
  });

  it("is drawn to its end when that is near", () => {
    expect(drawnEnd([sample(0, 30, 0), sample(10, 20, 10)], 30_000)).toEqual({
      at: 30_000,
      left: 0,
    });
  });

  it("is drawn for a minute at least, and else for as long as has been seen", () => {
    expect(drawnEnd([sample(0, 30, 0), sample(10, 20, 10)], 130_000)).toEqual({
      at: 70_000,
      left: 10,
    });
    expect(drawnEnd([sample(0, 30, 0), sample(100, 20, 10)], 500_000)).toEqual({
      at: 200_000,
      left: 15,
    });
  });
});

describe("looking again", () => {
  const start = 0;
  const still = [sample(600, 50, 50), sample(610, 50, 50), sample(615, 50, 50)];
  const moving = [sample(600, 50, 50), sample(610, 48, 52), sample(615, 47, 53)];

  it("is slow while nothing moves, and quicker while something does", () => {
    expect(lookAgainAfter(still, start, null)).toBe(5000);
    expect(lookAgainAfter(moving, start, null)).toBe(2000);
    expect(lookAgainAfter(moving, start, 900_000)).toBe(2000);
  });

  it("is quick around the start and while the last of the stock goes", () => {
    expect(lookAgainAfter([], start, null)).toBe(1000);
    expect(lookAgainAfter(still, 620_000, null)).toBe(1000);
    expect(lookAgainAfter(still, 605_000, null)).toBe(1000);
    expect(lookAgainAfter(moving, start, 650_000)).toBe(1000);
  });
});
