import { expect, it } from "vitest";

import type { Order } from "../base/types";
import { unitsOf } from "./use_mine";

const order = (sale_id: string, state: Order["state"], quantity: number) =>
  ({ sale_id, state, quantity }) as Order;

it("counts the units of a buyer's live orders in one sale", () => {
  const orders = [
    order("A", "pending", 1),
    order("A", "paid", 2),
    order("A", "expired", 4),
    order("A", "cancelled", 8),
    order("A", "refunded", 16),
    order("B", "paid", 32),
  ];
  expect(unitsOf(orders, "A")).toBe(3);
  expect(unitsOf([], "A")).toBe(0);
});
