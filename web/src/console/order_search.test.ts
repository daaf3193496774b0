import { describe, expect, it } from "vitest";

import { readFilter, searchOf, wishOf } from "./order_search";

describe("the search among orders", () => {
  const filter = readFilter(
    "?sale=1&state=paid&buyer=2&money=late&from=2026-11-11T20:00&to=&other=3",
  );

  it("is read from the page's address and written there again", () => {
    expect(filter).toEqual({
      sale: "1",
      state: "paid",
      buyer: "2",
      money: "late",
      from: "2026-11-11T20:00",
      to: "",
    });
    expect(readFilter(searchOf(filter))).toEqual(filter);
    expect(searchOf(readFilter(""))).toBe("");
  });

  it("asks the API for what was filled in, at the operator's own time", () => {
    const wish = new URLSearchParams(wishOf(filter));
    expect([...wish.keys()]).toEqual(["sale_id", "state", "buyer", "money", "created_from"]);
    expect(wish.get("created_from")).toBe(new Date("2026-11-11T20:00").toISOString());
    expect(wishOf(readFilter(""))).toBe("");
  });
});
