import { describe, expect, it } from "vitest";

import { Away, Problem } from "./api";
import { spread } from "./poll";
import { isAway, waitAfter } from "./retry";

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
