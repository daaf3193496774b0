import { afterEach, describe, expect, it } from "vitest";

import { setLanguage } from "../base/i18n";
import { fieldName, valueText } from "./field_words";

afterEach(() => setLanguage("en"));

describe("the fields of the API", () => {
  it("have names in both languages, and keep their own where there is none", () => {
    expect(fieldName("limit_per_buyer")).toBe("Limit for each buyer");
    expect(fieldName("stock.left")).toBe("Left");
    expect(fieldName("buying.burst")).toBe("Buying · at once");
    expect(fieldName("request_body")).toBe("request_body");
    setLanguage("zh");
    expect(fieldName("hold_seconds")).toBe("付款时限");
  });

  it("have values as people say them", () => {
    expect(valueText("paused", true)).toBe("yes");
    expect(valueText("price_cents", 9900, "CNY")).toBe("¥99.00");
    expect(valueText("limit_per_buyer", 1200)).toBe("1,200");
    expect(valueText("ends_at", null)).toBe("Until somebody ends it");
    expect(valueText("ended_at", "2026-11-16T03:59:53.391Z")).toMatch(/2026.*UTC|2026.*GMT/);
    expect(valueText("challenge", "pow")).toBe("A short security check by your device");
    expect(valueText("challenge_alternative", "none")).toBe("No other way in");
    expect(valueText("challenge_alternative", "pow")).toBe("A security check by their device");
    expect(valueText("role", "operator")).toBe("Operator");
    expect(valueText("events", ["order.paid"])).toBe("Order paid");
    expect(valueText("tags", ["order.paid", "茶"])).toBe("order.paid, 茶");
    expect(valueText("tags", [])).toBe("–");
    expect(valueText("title", "none")).toBe("none");
    setLanguage("zh");
    expect(valueText("paused", false)).toBe("否");
  });
});
