import { describe, expect, it } from "vitest";

import { readFilter, searchOf, typedOf, whomOf, wishOf } from "./order_search";

describe("the search among orders", () => {
  const filter = readFilter(
    "?sale=1&state=paid&buyer=2&money=late&delivery=shipped&from=2026-11-11T20:00&to=&other=3",
  );

  it("is read from the page's address and written there again", () => {
    expect(filter).toEqual({
      sale: "1",
      state: "paid",
      buyer: "2",
      phone: "",
      name: "",
      money: "late",
      delivery: "shipped",
      from: "2026-11-11T20:00",
      to: "",
    });
    expect(readFilter(searchOf(filter))).toEqual(filter);
    expect(searchOf(readFilter(""))).toBe("");
  });

  it("asks the API for what was filled in, at the operator's own time", () => {
    const wish = new URLSearchParams(wishOf(filter));
    expect([...wish.keys()]).toEqual([
      "sale_id",
      "state",
      "buyer",
      "money",
      "delivery",
      "created_from",
    ]);
    expect(wish.get("created_from")).toBe(new Date("2026-11-11T20:00").toISOString());
    expect(wishOf(readFilter(""))).toBe("");
    expect(wishOf(readFilter("?phone=%2B8613800138000&name=Li%20Na"))).toBe(
      "phone=%2B8613800138000&buyer_name=Li%20Na",
    );
  });

  it("tells a number, a phone and a name apart", () => {
    const none = { buyer: "", phone: "", name: "" };
    expect(whomOf("")).toEqual(none);
    expect(whomOf("123456789012345678")).toEqual({ ...none, buyer: "123456789012345678" });
    for (const phone of ["13800138000", "138 0013-8000", "(138) 0013.8000"])
      expect(whomOf(phone), phone).toEqual({ ...none, phone: "13800138000" });
    expect(whomOf("+86 138 0013 8000")).toEqual({ ...none, phone: "+8613800138000" });
    expect(whomOf("+123456789012345678")).toEqual({ ...none, phone: "+123456789012345678" });
    for (const name of ["Li Na", "李娜", "•••8000", "1234", "Buyer 12345"])
      expect(whomOf(name), name).toEqual({ ...none, name });
  });

  it("shows the name of whoever was chosen, once it is known", () => {
    const chosen = readFilter("?buyer=123456789012345678");
    expect(typedOf(chosen)).toBe("123456789012345678");
    expect(typedOf(chosen, "Li Na")).toBe("Li Na");
    expect(typedOf(readFilter("?phone=13800138000"))).toBe("13800138000");
    expect(typedOf(readFilter("?name=Li"), "Li Na")).toBe("Li");
    expect(typedOf(readFilter(""), "Li Na")).toBe("");
  });
});
