// Asks again and again, at a pace that a million visitors can share.

import { isOnline, onNetworkChange } from "./online";

// `soon` asks after about this many milliseconds instead of at the planned time.
export type Poller = { now: () => void; soon: (milliseconds: number) => void; stop: () => void };

// `ask` returns after how many milliseconds to ask again. Each wait is stretched or shortened by up
// to a quarter, so that pages that were opened in the same instant spread out. A hidden page does
// not ask; when it is looked at again, or the network is back, it asks at once. `always` returns
// whether it asks even while hidden.
export function poll(ask: () => Promise<number>, always: () => boolean = () => false): Poller {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let stopped = false;

  async function run() {
    if (asking || stopped) return;
    clearTimeout(timer);
    if (document.hidden && !always()) return;
    asking = true;
    const wait = await ask();
    asking = false;
    soon(wait);
  }

  function soon(milliseconds: number) {
    clearTimeout(timer);
    if (!stopped && !asking) timer = setTimeout(() => void run(), spread(milliseconds));
  }

  const seen = () => document.hidden || void run();
  document.addEventListener("visibilitychange", seen);
  const stopListening = onNetworkChange(() => isOnline() && void run());
  void run();
  return {
    now: () => void run(),
    soon,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
      stopListening();
    },
  };
}

export const leastSpread = 0.75;

export function spread(milliseconds: number, chance = Math.random()): number {
  return milliseconds * (leastSpread + chance / 2);
}

// The wait before the next try when the server is away: doubled each time, up to a limit.
export function backOff(failures: number, first = 1000, most = 15_000): number {
  return Math.min(most, first * 2 ** Math.min(failures, 10));
}
