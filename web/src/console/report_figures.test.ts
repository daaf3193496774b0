import { describe, expect, it } from "vitest";

import type { Sale } from "../base/types";
import { reportOf, soldOutPoint, type Told } from "./report_figures";
import type { Funnel, Stats } from "./types";

const funnel: Funnel = {
  visits: 900,
  challenges: 0,
  passes: 50,
  attempts: 200,
  refusals: { sold_out: 120 },
  claims: 50,
  orders: 50,
  paid: 40,
  expired: 5,
};
const stats = (more: Partial<Stats> = {}): Stats => ({
  at: "2026-11-11T12:00:00.000Z",
  funnel,
  stock: { total: 50, left: 12, held: 0, sold: 38 },
  backlog: 0,
  latency: { p50_ms: 0, p90_ms: 0, p99_ms: 0, p999_ms: 0 },
  ...more,
});
const sale = {
  id: "7",
  starts_at: "2026-11-11T12:00:00.000Z",
  price_cents: 9900,
  currency: "CNY",
} as Sale;
const told = (more: Partial<Told> = {}): Told => ({
  sale,
  stats: stats(),
  points: [],
  pointSeconds: 1,
  soldOutAt: null,
  refunded: 2 * 9900,
  ...more,
});

describe("the report of a sale", () => {
  it("tells revenue as what was paid less what was refunded", () => {
    expect(reportOf(told()).revenue).toEqual({
      kept: 38 * 9900,
      refunded: 2 * 9900,
      taken: 40 * 9900,
    });
    expect(reportOf(told({ refunded: null })).revenue).toEqual({
      kept: 38 * 9900,
      refunded: null,
      taken: null,
    });
  });

  it("tells how many won, paid and let it expire, and nothing of nothing", () => {
    expect(reportOf(told())).toMatchObject({ won: 0.25, paid: 0.8, expired: 0.1 });
    const nobody = { ...funnel, attempts: 0, claims: 0, orders: 0, paid: 0, expired: 0 };
    expect(reportOf(told({ stats: stats({ funnel: nobody }) }))).toMatchObject({
      won: null,
      paid: null,
      expired: null,
    });
    // Attempts may be lost in a crash, orders are not.
    const lost = { ...funnel, attempts: 3 };
    expect(reportOf(told({ stats: stats({ funnel: lost }) })).won).toBe(1);
  });

  it("counts the time to sell out from the start", () => {
    const soldOutAt = Date.parse(sale.starts_at) + 9870;
    expect(reportOf(told({ soldOutAt })).soldOutSeconds).toBeCloseTo(9.87);
    expect(reportOf(told()).soldOutSeconds).toBeNull();
  });

  it("finds the most of each load, by the length of a point", () => {
    const point = (attempts: number, p99_ms: number, backlog: number) =>
      stats({
        funnel: { ...funnel, attempts },
        latency: { p50_ms: 1, p90_ms: 1, p99_ms, p999_ms: 9 },
        backlog,
      });
    const points = [point(60, 4, 0), point(600, 2, 7), point(30, 8, 1)];
    expect(reportOf(told({ points, pointSeconds: 60 })).load).toEqual({
      attemptsPerSecond: 10,
      pointSeconds: 60,
      p99: 8,
      backlog: 7,
    });
    expect(reportOf(told()).load).toBeNull();
  });

  it("finds the first point at whose end nothing was left", () => {
    const left = (units: number, at: string) =>
      stats({ at, stock: { total: 9, left: units, held: 9 - units, sold: 0 } });
    const points = [left(4, "a"), left(0, "b"), left(3, "c"), left(0, "d")];
    expect(soldOutPoint(points)?.at).toBe("b");
    expect(soldOutPoint([left(1, "a")])).toBeNull();
  });
});
