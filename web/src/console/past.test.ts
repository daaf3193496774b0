import { describe, expect, it } from "vitest";

import { figuresAt } from "./past";
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
  const past = {
    points: [figures(10, 5, {}), figures(20, 3, { sold_out: 4 }), figures(30, 1, { sold_out: 2 })],
    now: figures(40, 20, { sold_out: 6 }),
  };

  it("are today's less what happened since", () => {
    const then = figuresAt(past, 20_000);
    expect(then.funnel).toMatchObject({ orders: 19, passes: 19, refusals: { sold_out: 4 } });
    expect(figuresAt(past, 9000).funnel).toMatchObject({ orders: 11, refusals: { sold_out: 0 } });
    expect(figuresAt(past, 40_000).funnel).toEqual(past.now.funnel);
  });

  it("have the stock, the backlog and the latency of the last point before", () => {
    expect(figuresAt(past, 29_999)).toMatchObject({
      stock: { left: 80 },
      backlog: 20,
      latency: { p99_ms: 20 },
    });
  });

  it("have no latency before the first point", () => {
    expect(figuresAt(past, 1000)).toMatchObject({ backlog: 0, latency: { p99_ms: 0 } });
  });

  it("leave today's as they are", () => {
    figuresAt(past, 0);
    expect(past.now.funnel.orders).toBe(20);
    expect(past.now.funnel.refusals).toEqual({ sold_out: 6 });
  });
});
