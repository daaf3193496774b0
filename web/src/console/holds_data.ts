// What the panel of unpaid holds counts and sends, without pixels.

import type { HoldsGivenBack, HoldsOfAge } from "./types";

export type Span = { from: number; to: number; orders: number; units: number };

const mostSpans = 8;
const spanMinutes = [1, 2, 5, 10, 15, 30, 60, 120, 240];

// Ages in spans of equal length, without gaps, few enough for one look. `to` is the first minute
// after the span.
export function spansOf(ages: HoldsOfAge[]): Span[] {
  if (ages.length === 0) return [];
  const end = Math.max(...ages.map(({ minutes }) => minutes)) + 1;
  const length =
    spanMinutes.find((minutes) => end <= minutes * mostSpans) ?? Math.ceil(end / mostSpans);
  const spans = Array.from({ length: Math.ceil(end / length) }, (_, i) => ({
    from: i * length,
    to: (i + 1) * length,
    orders: 0,
    units: 0,
  }));
  for (const { minutes, orders, units } of ages) {
    const span = spans[Math.floor(minutes / length)]!;
    span.orders += orders;
    span.units += units;
  }
  return spans;
}

export type Returned = { orders: number; units: number; blocked: boolean; left: boolean };

// The server gives back this many orders at a time. `left`: some could not be given back.
export async function giveBackAll(
  send: () => Promise<HoldsGivenBack>,
  tell: (soFar: Returned) => void,
): Promise<Returned> {
  const sum: Returned = { orders: 0, units: 0, blocked: false, left: false };
  for (;;) {
    const { orders, units, blocked, more } = await send();
    sum.orders += orders;
    sum.units += units;
    sum.blocked = blocked;
    // What cannot be given back now cannot be given back by asking again either.
    sum.left = more && orders === 0;
    tell({ ...sum });
    if (!more || sum.left) return sum;
  }
}
