import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ticking, untilNextSecond } from "./ticks";

const server = { offset: null as number | null };
vi.mock("./server_time", () => ({
  clock: { now: () => (server.offset === null ? null : Date.now() + server.offset) },
}));

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  server.offset = 10_300;
});

afterEach(() => void vi.useRealTimers());

describe("ticking", () => {
  it("is at once, and then whenever it should be", () => {
    const times: (number | null)[] = [];
    const stop = ticking(untilNextSecond, (now) => times.push(now));
    vi.advanceTimersByTime(2500);
    expect(times).toEqual([10_300, 11_001, 12_001]);
    stop();
    vi.advanceTimersByTime(5000);
    expect(times).toHaveLength(3);
  });

  it("finds the server's time as soon as it is known", () => {
    server.offset = null;
    const times: (number | null)[] = [];
    const stop = ticking(
      () => 1000,
      (now) => times.push(now),
    );
    vi.advanceTimersByTime(120);
    server.offset = 7000;
    vi.advanceTimersByTime(1100);
    expect(times).toEqual([null, null, null, 7150, 8150]);
    stop();
  });

  it("may be ended by its own tick", () => {
    let ticks = 0;
    const stop = ticking(
      () => 10,
      () => ++ticks === 3 && stop(),
    );
    vi.advanceTimersByTime(100);
    expect(ticks).toBe(3);
  });
});
