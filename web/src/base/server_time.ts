// The one clock of the page, kept in step with the server.

import { get } from "./api";
import { ServerClock } from "./clock";

const questions = 3;
const everyMilliseconds = 60_000;

export const clock = new ServerClock();

let synchronising: Promise<void> | null = null;

// Asks a few times, so that one slow trip does not matter; several callers share one round.
export function synchronise(): Promise<void> {
  synchronising ??= ask().finally(() => (synchronising = null));
  return synchronising;
}

async function ask(): Promise<void> {
  for (let i = 0; i < questions; i++) {
    const asked = performance.now();
    try {
      const { now } = await get<{ now: string }>("/time");
      clock.learn(asked, performance.now(), Date.parse(now));
    } catch {
      return; // the pollers tell that the server is away; the clock runs on meanwhile
    }
  }
}

export function keepInStep(): void {
  void synchronise();
  setInterval(() => document.hidden || void synchronise(), everyMilliseconds);
  document.addEventListener("visibilitychange", () => document.hidden || void synchronise());
  // A device that has slept sends no event when the page stayed visible.
  setInterval(() => clock.overslept() && void synchronise(), 1000);
}
