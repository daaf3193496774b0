import { describe, expect, it } from "vitest";

import { giveBackAll, type Returned, spansOf } from "./holds_data";
import type { HoldsGivenBack } from "./types";

const age = (minutes: number, orders = 1, units = orders) => ({ minutes, orders, units });

describe("the ages of holds", () => {
  it("are shown by the minute as long as there are few", () => {
    expect(spansOf([])).toEqual([]);
    expect(spansOf([age(0, 2, 3), age(2)])).toEqual([
      { from: 0, to: 1, orders: 2, units: 3 },
      { from: 1, to: 2, orders: 0, units: 0 },
      { from: 2, to: 3, orders: 1, units: 1 },
    ]);
    expect(spansOf([age(7)])).toHaveLength(8);
  });

  it("are put together when there are many", () => {
    const spans = spansOf([age(0), age(1), age(8, 1, 4)]);
    expect(spans.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 8],
      [8, 10],
    ]);
    expect(spans[0]).toMatchObject({ orders: 2 });
    expect(spans[4]).toMatchObject({ orders: 1, units: 4 });
  });

  it("lose nobody, however old", () => {
    for (const oldest of [14, 59, 60, 1439, 10_000]) {
      const spans = spansOf([age(0), age(oldest)]);
      expect(spans.length, String(oldest)).toBeLessThanOrEqual(8);
      expect(spans.reduce((sum, { orders }) => sum + orders, 0)).toBe(2);
      expect(spans.at(-1)!.to).toBeGreaterThan(oldest);
    }
  });
});

describe("giving back all holds", () => {
  function answers(...given: Partial<HoldsGivenBack>[]) {
    const told: Returned[] = [];
    let asked = 0;
    const send = async () => {
      const answer = { blocked: true, orders: 0, units: 0, more: false, ...given[asked++]! };
      return answer;
    };
    return { send, told, tell: (sum: Returned) => void told.push(sum), asked: () => asked };
  }

  it("goes on while there is more, and tells how far it is", async () => {
    const server = answers(
      { orders: 2000, units: 2500, more: true },
      { orders: 2000, units: 2000, more: true },
      { orders: 7, units: 7 },
    );
    const sum = await giveBackAll(server.send, server.tell);
    expect(sum).toEqual({ orders: 4007, units: 4507, blocked: true, left: false });
    expect(server.told.map(({ orders }) => orders)).toEqual([2000, 4000, 4007]);
  });

  it("ends when nothing is held", async () => {
    const server = answers({ blocked: false });
    expect(await giveBackAll(server.send, server.tell)).toMatchObject({ orders: 0, left: false });
    expect(server.asked()).toBe(1);
  });

  it("does not ask for ever for what cannot be given back", async () => {
    const server = answers({ orders: 5, units: 5, more: true }, { more: true });
    expect(await giveBackAll(server.send, server.tell)).toMatchObject({ orders: 5, left: true });
    expect(server.asked()).toBe(2);
  });

  it("stops at a failure, with what was told so far", async () => {
    const { told, tell } = answers();
    let first = true;
    const send = async () => {
      if (!first) throw new Error("no answer");
      first = false;
      return { blocked: true, orders: 3, units: 3, more: true };
    };
    await expect(giveBackAll(send, tell)).rejects.toThrow("no answer");
    expect(told).toEqual([{ orders: 3, units: 3, blocked: true, left: false }]);
  });
});
