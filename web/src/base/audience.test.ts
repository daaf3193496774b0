import { describe, expect, it } from "vitest";

import { listedOnly, standingOf } from "./audience";

const until = "2026-11-11T12:00:00.000Z";
const at = Date.parse(until);

describe("for whom a sale is", () => {
  it.each([
    ["everyone", null, at, false],
    ["listed", null, at, true],
    ["listed_first", until, at - 1, true],
    ["listed_first", until, at, false],
    ["listed_first", until, at + 1, false],
  ] as const)("%s until %s at %s", (audience, listed_until, now, only) =>
    expect(listedOnly({ audience, listed_until }, now)).toBe(only),
  );

  it("goes by the device's time while the server's is unknown", () => {
    const past = { audience: "listed_first", listed_until: "2020-01-01T00:00:00.000Z" } as const;
    expect(listedOnly(past, null)).toBe(false);
  });

  it.each([
    [false, null, "stranger"],
    [false, true, "stranger"],
    [true, null, "unknown"],
    [true, true, "listed"],
    [true, false, "not_listed"],
  ] as const)("logged in %s, listing %s", (loggedIn, listing, standing) =>
    expect(standingOf(loggedIn, listing)).toBe(standing),
  );
});
