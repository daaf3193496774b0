// A session ends some time after its last request. Somebody who waits on a page for the start of a
// sale sends none, so the page asks for the session from time to time, also while it is hidden.

import { askAgain } from "./retry";
import { clock } from "./server_time";
import { askForSession, currentUser } from "./session";

const leastMilliseconds = 10_000;
const mostMilliseconds = 5 * 60_000;

// Early enough that several questions may be lost before the session ends.
export function askAgainAfter(expires: string, now: number): number {
  const left = Date.parse(expires) - now;
  return Math.min(mostMilliseconds, Math.max(leastMilliseconds, left / 3));
}

// Runs until it is stopped or the session has ended: then everybody who follows the user is told.
export function keepSession(): () => void {
  if (!currentUser()) return () => {};
  const poller = askAgain(
    async () => {
      const session = await askForSession();
      if (session) return askAgainAfter(session.expires_at, clock.now() ?? Date.now());
      poller.stop();
      return mostMilliseconds;
    },
    undefined,
    () => true,
  );
  return poller.stop;
}
