import { describe, expect, it } from "vitest";

import { accumulated } from "./past";
import type { Stats } from "./types";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

function figures(seconds: number, orders: number, refusals: Record<string, number>): Stats {
  const funnel = { visits: 0, challenges: 0, passes: orders, attempts: orders, claims: orders };
  return {
    at: at(seconds),
    funnel: { ...funnel, orders, paid: 0, expired: 0, refusals },
    stock: { total: 100, left: 100 - seconds, held: seconds, sold: 0 },
    backlog: seconds,
    latency: { p50_ms: seconds, p90_ms: seconds, p99_ms: seconds, p999_ms: seconds },
  };
}

describe("the figures of a past instant", () => {
  const points = [
    figures(10, 5, {}),
    figures(20, 53, { sold_out: 4 }),
    figures(30, 2, { sold_out: 2 }),
  ];
  const total = figures(0, 60, { sold_out: 6 }).funnel;
  const past = accumulated(points, total, 1000);

  it("are what had happened by the end of each point", () => {
    expect(past.map(({ funnel }) => funnel.orders)).toEqual([5, 58, 60]);
    expect(past.map(({ funnel }) => funnel.refusals.sold_out)).toEqual([0, 4, 6]);
    expect(past.map((point) => point.at)).toEqual([11, 21, 31].map(at));
  });

  it("stand beside the stock of the same point", () => {
    expect(past.map(({ stock }) => stock.left)).toEqual([90, 80, 70]);
    expect(past[1]).toMatchObject({ backlog: 20, latency: { p99_ms: 20 } });
  });

  it("begin with what happened before the history", () => {
    const earlier = accumulated(points, figures(0, 70, { sold_out: 6, busy: 3 }).funnel, 60_000);
    expect(earlier[0]!.funnel).toMatchObject({ orders: 15, refusals: { sold_out: 0, busy: 3 } });
    expect(earlier[0]!.at).toBe(at(70));
  });

  it("leave what was told as it is", () => {
    expect(total.orders).toBe(60);
    expect(points[1]!.funnel.orders).toBe(53);
    expect(accumulated([], total, 1000)).toEqual([]);
  });
});
