import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Away, Problem } from "./api";
import { untilAnswered } from "./persist";

const problem = (status: number) => new Problem({ code: "x" }, new Response(null, { status }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// Answers each time with the next of these.
function server(...answers: unknown[]) {
  const asked = vi.fn(async () => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  return asked;
}

describe("a request that must get its answer", () => {
  it("is sent again until there is one", async () => {
    const ask = server(new Away(), problem(503), "paid");
    const waits = vi.fn();
    const answer = untilAnswered(ask, { waits, wanted: () => true });
    await vi.runAllTimersAsync();
    expect(await answer).toBe("paid");
    expect(ask).toHaveBeenCalledTimes(3);
    expect(waits).toHaveBeenCalledTimes(2);
  });

  it("is not sent again after a no", async () => {
    const ask = server(problem(409), "paid");
    await expect(untilAnswered(ask, { waits: () => {}, wanted: () => true })).rejects.toThrow();
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("is sent at once when the network is back", async () => {
    const ask = server(new Away(), new Away(), new Away(), new Away(), "paid");
    const answer = untilAnswered(ask, { waits: () => {}, wanted: () => true });
    for (let i = 0; i < 4; i++) {
      await vi.advanceTimersByTimeAsync(0);
      window.dispatchEvent(new Event("online"));
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(await answer).toBe("paid");
  });

  it("ends when nobody wants it any more", async () => {
    let wanted = true;
    const ask = server(new Away(), "paid");
    const answer = untilAnswered(ask, { waits: () => (wanted = false), wanted: () => wanted });
    const gone = expect(answer).rejects.toBeInstanceOf(Away);
    await vi.runAllTimersAsync();
    await gone;
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
