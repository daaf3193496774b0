import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Away, Problem } from "./api";
import { spread } from "./poll";
import { askAgain, isAway, waitAfter } from "./retry";

const problem = (status: number, seconds?: number) =>
  new Problem(
    {},
    new Response(null, { status, headers: seconds ? { "Retry-After": String(seconds) } : {} }),
  );

describe("a question that failed", () => {
  it.each([
    ["without an answer", new Away(), true],
    ["with 500", problem(500), true],
    ["with 503", problem(503), true],
    ["with 429", problem(429), false],
    ["with 403", problem(403), false],
  ])("%s: whether the server is away", (_, failure, expected) => {
    expect(isAway(failure)).toBe(expected);
  });

  it("is asked again no earlier than told, even at the shortest spread", () => {
    expect(spread(waitAfter(problem(429, 30), 0), 0)).toBe(30_000);
    expect(waitAfter(problem(429, 1), 3)).toBe(8000);
  });

  it("is asked again ever later when nothing was told", () => {
    expect([0, 1].map((failures) => waitAfter(new Away(), failures))).toEqual([1000, 2000]);
  });
});

describe("asking again", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
    vi.stubGlobal("window", new EventTarget());
    vi.spyOn(Math, "random").mockReturnValue(0.5); // waits are not spread
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  // When the first questions are asked, if they end like this: a wait, or a failure.
  async function timesOf(ends: (number | unknown)[], failed?: (failure: unknown) => number | void) {
    const times: number[] = [];
    const start = Date.now();
    const poller = askAgain(async () => {
      const end = ends[times.push(Date.now() - start) - 1];
      if (typeof end !== "number") throw end;
      return end;
    }, failed);
    while (times.length < ends.length) await vi.advanceTimersByTimeAsync(500);
    poller.stop();
    return times;
  }

  it("is ever rarer while it fails, and as before once it does not", async () => {
    const away = new Away();
    expect(await timesOf([500, away, away, away, 500, away, 0])).toEqual([
      0, 500, 1500, 3500, 7500, 8000, 9000,
    ]);
  });

  it("tells of each failure, and waits as long as it hears then", async () => {
    const heard: unknown[] = [];
    const gone = problem(404);
    const away = new Away();
    const failed = (failure: unknown) => {
      heard.push(failure);
      if (failure === gone) return 60_000;
    };
    expect(await timesOf([gone, gone, away, 0], failed)).toEqual([0, 60_000, 120_000, 121_000]);
    expect(heard).toEqual([gone, gone, away]);
  });
});
