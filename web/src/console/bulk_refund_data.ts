// Refunding many orders: reads which they are, and refunds one after the other.

import { Problem } from "../base/api";
import type { OrderOfBuyer } from "./types";

type OrderPage = { orders: OrderOfBuyer[]; next_cursor: string | null };

export const mostAtOnce = 1000;
const pageSize = 100;

// `more`: there are others, for the next call.
export type Preview = { orders: OrderOfBuyer[]; units: number; cents: number; more: boolean };

export async function previewOf(
  wish: string,
  ask: (path: string) => Promise<OrderPage>,
): Promise<Preview> {
  const orders: OrderOfBuyer[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor ? `&cursor=${cursor}` : "";
    const page = await ask(`/admin/orders?limit=${pageSize}&${wish}${after}`);
    orders.push(...page.orders);
    cursor = page.next_cursor;
  } while (cursor !== null && orders.length < mostAtOnce);
  return {
    orders,
    units: orders.reduce((sum, { quantity }) => sum + quantity, 0),
    cents: orders.reduce((sum, { total_cents }) => sum + total_cents, 0),
    more: cursor !== null,
  };
}

export type Progress = { done: number; failed: number; cents: number };

type Work = {
  refund: (order: OrderOfBuyer) => Promise<unknown>;
  pause: (seconds: number) => Promise<void>;
  wanted: () => boolean;
  tell: (progress: Progress) => void;
};

// An order that is not paid any more is skipped. Any other error ends it. It may be begun again,
// because a refund that was sent twice is one refund.
export async function refundAll(orders: OrderOfBuyer[], work: Work): Promise<Progress> {
  const progress: Progress = { done: 0, failed: 0, cents: 0 };
  for (const order of orders) {
    if (!work.wanted()) break;
    if (await refundOne(order, work)) {
      progress.done++;
      progress.cents += order.total_cents;
    } else {
      progress.failed++;
    }
    work.tell({ ...progress });
  }
  return progress;
}

async function refundOne(order: OrderOfBuyer, work: Work): Promise<boolean> {
  for (;;) {
    try {
      await work.refund(order);
      return true;
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      if (failure.code === "conflict") return false;
      const { retryAfterSeconds } = failure;
      if (!retryAfterSeconds || !work.wanted()) throw failure;
      await work.pause(retryAfterSeconds);
    }
  }
}
