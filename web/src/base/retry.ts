// What a question that failed means for the next one.

import { Problem } from "./api";
import { backOff, leastSpread } from "./poll";

// No answer, or one that only tells that the server cannot: what is shown may be old. Any other no is
// an answer.
export function isAway(failure: unknown): boolean {
  return !(failure instanceof Problem) || failure.status >= 500;
}

// How long a poller waits, never shorter than the server told, however the wait is spread.
export function waitAfter(failure: unknown, failures: number): number {
  const told = failure instanceof Problem ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(backOff(failures), told / leastSpread);
}
