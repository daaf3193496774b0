import { describe, expect, it } from "vitest";

import { Problem } from "../base/api";
import { mostAtOnce, previewOf, refundAll, type Progress } from "./bulk_refund_data";
import type { OrderOfBuyer } from "./types";

const order = (id: string, quantity = 1) =>
  ({ id, quantity, total_cents: 9900 * quantity }) as OrderOfBuyer;

function problem(code: string, status: number, retryAfter = ""): Problem {
  const headers = new Headers(retryAfter ? { "Retry-After": retryAfter } : {});
  return new Problem({ code }, { status, headers, statusText: "" } as Response);
}

function work(refund: (id: string) => void) {
  const told: Progress[] = [];
  const pauses: number[] = [];
  return {
    told,
    pauses,
    wanted: () => true,
    refund: async ({ id }: OrderOfBuyer) => refund(id),
    pause: async (seconds: number) => void pauses.push(seconds),
    tell: (progress: Progress) => void told.push(progress),
  };
}

describe("the preview of many refunds", () => {
  it("adds up all pages", async () => {
    const asked: string[] = [];
    const preview = await previewOf("state=paid", (path) => {
      asked.push(path);
      const last = asked.length === 2;
      return Promise.resolve({ orders: [order("1", 2)], next_cursor: last ? null : "c" });
    });
    expect(asked[1]).toBe("/admin/orders?limit=100&state=paid&cursor=c");
    expect(preview).toMatchObject({ units: 4, cents: 39_600, more: false });
  });

  it("has a bound, and says so", async () => {
    const orders = Array.from({ length: 100 }, (_, i) => order(String(i)));
    const preview = await previewOf("", () => Promise.resolve({ orders, next_cursor: "c" }));
    expect([preview.orders.length, preview.more]).toEqual([mostAtOnce, true]);
  });
});

describe("refunding many orders", () => {
  it("goes through all, passes over what is not paid any more, and tells how far it is", async () => {
    const doing = work((id) => {
      if (id === "2") throw problem("conflict", 409);
    });
    const result = await refundAll([order("1"), order("2"), order("3")], doing);
    expect(result).toEqual({ done: 2, failed: 1, cents: 19_800 });
    expect(doing.told).toHaveLength(3);
  });

  it("waits as long as it is told when it is too fast, and tries the same again", async () => {
    let tries = 0;
    const doing = work(() => {
      if (tries++ === 0) throw problem("rate_limited", 429, "3");
    });
    expect(await refundAll([order("1")], doing)).toMatchObject({ done: 1 });
    expect(doing.pauses).toEqual([3]);
  });

  it("ends when it is not allowed, or nobody answers", async () => {
    const forbidden = work(() => {
      throw problem("forbidden", 403);
    });
    await expect(refundAll([order("1")], forbidden)).rejects.toBeInstanceOf(Problem);
    const away = work(() => {
      throw new Error("away");
    });
    await expect(refundAll([order("1")], away)).rejects.toThrow("away");
  });

  it("stops when the operator stops it", async () => {
    const doing = work(() => {});
    let left = 1;
    const stopped = { ...doing, wanted: () => left-- > 0 };
    expect(await refundAll([order("1"), order("2")], stopped)).toMatchObject({ done: 1 });
  });
});
