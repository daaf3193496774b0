// Orders that this browser has seen and that wait for their payment, for the banner on every page.
// They are remembered here, so that the many who have ordered nothing cost the server no question.

import { currentUser } from "./session";
import { keep, kept, onKeptElsewhere } from "./storage";
import { orderTitle } from "./titles";
import type { Order } from "./types";

export type Unpaid = Pick<Order, "id" | "sale_id" | "expires_at" | "total_cents" | "currency"> & {
  title: string;
};

const most = 10;
const listeners = new Set<() => void>();
const placeOf = (user: string) => `sluice.unpaid.${user}`;

// Called for each order that a page gets to see.
export function noteOrder(order: Order): void {
  const user = currentUser();
  if (!user) return;
  const before = remembered(user.id);
  const others = before.filter(({ id }) => id !== order.id);
  const after = order.state === "pending" ? [...others, unpaidOf(order)].slice(-most) : others;
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  keep(placeOf(user.id), after);
  for (const listener of listeners) listener();
}

// The order that is due first comes first; orders that are over are not shown.
export function unpaidOrders(now: number): Unpaid[] {
  const user = currentUser();
  if (!user) return [];
  return remembered(user.id)
    .filter(({ expires_at }) => Date.parse(expires_at) > now)
    .sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at));
}

export function onUnpaidChange(listener: () => void): () => void {
  listeners.add(listener);
  const user = currentUser();
  const stop = user ? onKeptElsewhere(placeOf(user.id), listener) : () => {};
  return () => {
    listeners.delete(listener);
    stop();
  };
}

function remembered(user: string): Unpaid[] {
  const found = kept<unknown>(placeOf(user));
  return Array.isArray(found) ? (found as Unpaid[]) : [];
}

function unpaidOf(order: Order): Unpaid {
  const { id, sale_id, expires_at, total_cents, currency, item } = order;
  return {
    id,
    sale_id,
    expires_at,
    total_cents,
    currency,
    title: item ? orderTitle(order) : id,
  };
}
