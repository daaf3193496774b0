import { beforeEach, describe, expect, it, vi } from "vitest";

import { forget, keep } from "./storage";
import type { Order } from "./types";
import { noteOrder, onUnpaidChange, unpaidOrders } from "./unpaid";

const now = Date.parse("2026-11-11T12:00:00Z");
const user = { id: "1", name: "Li Na", role: "buyer" };

function order(id: string, state: Order["state"], seconds = 600): Order {
  return {
    id,
    sale_id: "S",
    item: { title: `Item of ${id}` },
    state,
    total_cents: 990,
    currency: "CNY",
    expires_at: new Date(now + seconds * 1000).toISOString(),
  } as Order;
}
const ids = (at = now) => unpaidOrders(at).map(({ id }) => id);

beforeEach(() => {
  vi.stubGlobal("window", new EventTarget());
  keep("sluice.user", user);
  forget("sluice.unpaid.1");
});

describe("orders that wait for their payment", () => {
  it("are remembered until they are paid, the most urgent first", () => {
    noteOrder(order("A", "pending", 900));
    noteOrder(order("B", "pending", 300));
    noteOrder(order("A", "pending", 900));
    expect(ids()).toEqual(["B", "A"]);
    noteOrder(order("B", "paid"));
    expect(ids()).toEqual(["A"]);
  });

  it("are over at their instant", () => {
    noteOrder(order("A", "pending", 60));
    expect(ids(now + 59_999)).toEqual(["A"]);
    expect(ids(now + 60_000)).toEqual([]);
  });

  it("belong to their buyer", () => {
    noteOrder(order("A", "pending"));
    keep("sluice.user", { ...user, id: "2" });
    expect(ids()).toEqual([]);
    forget("sluice.user");
    expect(ids()).toEqual([]);
  });

  it("are told of when they change, and only then", () => {
    const heard = vi.fn();
    const stop = onUnpaidChange(heard);
    noteOrder(order("A", "pending"));
    noteOrder(order("A", "pending"));
    noteOrder(order("C", "paid"));
    expect(heard).toHaveBeenCalledTimes(1);
    stop();
  });
});
