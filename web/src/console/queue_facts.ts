// What operators should know about the queue between claims and orders.

import type { Queue } from "./types";

export type Concern = {
  kind: "away" | "full" | "no_writers" | "slow" | "parked" | "unreadable";
  tone: "warn" | "bad";
};

// Longer than buyers are told to expect.
const slowSeconds = 30;

export function concernsOf(queue: Queue): Concern[] {
  const found: Concern[] = [];
  const add = (kind: Concern["kind"], tone: Concern["tone"]) => found.push({ kind, tone });
  if (queue.kind !== "none") {
    if (!queue.connected) add("away", "bad");
    if (queue.connected && queue.full) add("full", "bad");
    if (queue.connected && queue.messages > 0 && queue.writers === 0) add("no_writers", "bad");
  }
  if ((queue.oldest_seconds ?? 0) > slowSeconds) add("slow", "warn");
  if (queue.parked > 0) add("parked", "bad");
  if (queue.unreadable > 0) add("unreadable", "bad");
  return found;
}

// A waiting time, as a number and its unit.
export function secondsOf(value: number | null): { n: number; unit: "s" | "min" } | null {
  if (value === null) return null;
  return value < 120
    ? { n: Math.round(value), unit: "s" }
    : { n: Math.round(value / 60), unit: "min" };
}
