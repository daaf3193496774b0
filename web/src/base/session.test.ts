import { describe, expect, it } from "vitest";

import { safeReturn } from "./session";

describe("the way back after logging in", () => {
  const shop = "https://shop.example";

  it.each([
    ["/sale?id=1", "/sale?id=1"],
    ["/orders", "/orders"],
    [null, "/"],
    ["", "/"],
    ["//evil.example/x", "/"],
    ["/\\evil.example", "/"],
    ["/.//evil.example/x", "/"],
    ["/..//evil.example/x", "/"],
    ["/./\\evil.example/x", "/"],
    ["/orders/..//evil.example", "/"],
    ["https://evil.example/", "/"],
    ["https://shop.example/orders", "/"],
    ["javascript:alert(1)", "/"],
    ["orders", "/"],
  ])("%j leads to %j", (target, expected) => {
    expect(safeReturn(target, shop)).toBe(expected);
  });
});
