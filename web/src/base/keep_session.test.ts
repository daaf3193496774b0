import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { askAgainAfter, keepSession } from "./keep_session";
import { currentUser } from "./session";
import { keep } from "./storage";

const start = Date.parse("2026-11-11T12:00:00Z");
const half = 30 * 60_000;

describe("the next question about a session", () => {
  it.each([
    [half, 5 * 60_000],
    [60_000, 20_000],
    [1000, 10_000],
    [-1, 10_000],
  ])("that ends in %i ms is in %i ms", (left, wait) => {
    expect(askAgainAfter(new Date(start + left).toISOString(), start)).toBe(wait);
  });
});

describe("a page that waits for a start", () => {
  // As the server does it: a session lasts half an hour after its last request.
  let endsAt = 0;
  let asked = 0;

  function answer(): Response {
    asked++;
    if (Date.now() >= endsAt)
      return new Response(JSON.stringify({ code: "unauthenticated" }), { status: 401 });
    endsAt = Date.now() + half;
    const user = { id: "1", name: "Li Na", role: "buyer" };
    return new Response(JSON.stringify({ expires_at: new Date(endsAt).toISOString(), user }), {
      status: 200,
    });
  }

  beforeEach(() => {
    vi.useFakeTimers({ now: start });
    vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: true }));
    vi.stubGlobal("window", new EventTarget());
    vi.stubGlobal("fetch", async () => answer());
    keep("sluice.user", { id: "1", name: "Li Na", role: "buyer" });
    [endsAt, asked] = [start + half, 0];
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is still logged in hours later, also when it is hidden", async () => {
    const stop = keepSession();
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(Date.now()).toBeLessThan(endsAt);
    expect(asked).toBeLessThan(3 * 60);
    expect(currentUser()).not.toBeNull();
    stop();
  });

  it("learns within minutes that its session was ended elsewhere, and asks no more", async () => {
    keepSession();
    await vi.advanceTimersByTimeAsync(1000);
    endsAt = 0;
    await vi.advanceTimersByTimeAsync(7 * 60_000);
    expect(currentUser()).toBeNull();
    const before = asked;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked).toBe(before);
  });
});
