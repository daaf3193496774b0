// What a failed question means for the next one.

import { Problem } from "./api";
import { backOff, leastSpread, poll, type Poller } from "./poll";

// No answer, or an error of the server: what is shown may be old. Any other refusal is an answer.
export function isAway(failure: unknown): boolean {
  return !(failure instanceof Problem) || failure.status >= 500;
}

// Something that does not exist may be made some day.
export const missingMilliseconds = 60_000;

// How long a poller waits: never less than the server asked for, however the wait is spread.
export function waitAfter(failure: unknown, failures: number): number {
  const told = failure instanceof Problem ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(backOff(failures), told / leastSpread);
}

// Polls, and asks less and less often while asking fails. `failed` is called with each failure, and
// may return after how many milliseconds to ask again.
export function askAgain(
  ask: () => Promise<number>,
  failed: (failure: unknown) => number | void = () => {},
  always?: () => boolean,
): Poller {
  let failures = 0;
  return poll(async () => {
    try {
      const wait = await ask();
      failures = 0;
      return wait;
    } catch (failure) {
      return failed(failure) ?? waitAfter(failure, failures++);
    }
  }, always);
}
