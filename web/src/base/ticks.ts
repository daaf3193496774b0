// Wakes a page at the instants at which what it shows of the time changes.

import { clock } from "./server_time";

// Until the server's time is known.
const unknownMilliseconds = 50;

// Calls `tick` with the server's time, at once and then each time after as many milliseconds as
// `untilNext` says; with null while the time is not known. Returns what ends it.
export function ticking(
  untilNext: (now: number) => number,
  tick: (now: number | null) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const run = () => {
    const now = clock.now();
    tick(now);
    if (!stopped) timer = setTimeout(run, now === null ? unknownMilliseconds : untilNext(now));
  };
  run();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

// A millisecond late, so that the second is not the one before.
export const untilNextSecond = (now: number) => 1000 - (now % 1000) + 1;
