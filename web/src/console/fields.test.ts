import { describe, expect, it } from "vitest";

import type { Sale } from "../base/types";
import { instantOf, localInput, majorUnits, minorUnits, wholeNumber } from "./fields";
import {
  blankDraft,
  bodyOf,
  draftOf,
  forgetDraft,
  keepDraft,
  keptDraft,
  opensAtOnce,
} from "./plan_draft";

describe("what is typed", () => {
  it.each([
    ["12", 12],
    [" -3 ", -3],
    ["", undefined],
    ["1.5", "1.5"],
    ["many", "many"],
  ])("%j is the whole number %j", (typed, meant) => expect(wholeNumber(typed)).toBe(meant));

  it.each([
    ["19.90", "CNY", 1990],
    ["19.9", "CNY", 1990],
    ["19", "CNY", 1900],
    ["0.07", "USD", 7],
    ["1234567.89", "USD", 123456789],
    ["500", "JPY", 500],
    ["5.5", "JPY", "5.5"],
    ["1.999", "CNY", "1.999"],
    ["cheap", "CNY", "cheap"],
    ["", "CNY", undefined],
    ["3", "no", 300],
  ])("%j in %s is %j", (typed, currency, meant) => expect(minorUnits(typed, currency)).toBe(meant));

  it("is money there and back", () => {
    expect(majorUnits(1990, "CNY")).toBe("19.90");
    expect(majorUnits(500, "JPY")).toBe("500");
  });

  it("is a time there and back", () => {
    const instant = "2026-11-11T12:00:05.000Z";
    expect(instantOf(localInput(instant))).toBe(instant);
    expect(localInput(null)).toBe("");
    expect(instantOf("")).toBeUndefined();
    expect(instantOf("soon")).toBe("soon");
  });
});

describe("an edited sale", () => {
  const sale = {
    item: { id: "7" },
    kind: "flash",
    price_cents: 1990,
    currency: "CNY",
    starts_at: "2026-11-11T12:00:00.123Z",
    ends_at: "2026-11-12T12:00:00.000Z",
    stock: { total: 10 },
    limit_per_buyer: 1,
    hold_seconds: 900,
    challenge: "none",
    challenge_bits: null,
    gate_factor: 5,
    unpaid_limit: 3,
    name: "Evening",
    campaign: "11.11",
    tags: ["tea", "gift"],
  } as unknown as Sale;

  it("sends only what was changed", () => {
    const draft = draftOf(sale, false);
    expect(bodyOf(draft, "CNY", sale)).toEqual({});
    expect(bodyOf({ ...draft, limit_per_buyer: "2" }, "CNY", sale)).toEqual({ limit_per_buyer: 2 });
  });

  it("has the way in that was chosen for those who cannot see", () => {
    const math = { ...sale, challenge: "math", challenge_alternative: "none" } as Sale;
    const draft = draftOf(math, false);
    expect(bodyOf({ ...draft, challenge_alternative: "pow" }, "CNY", math)).toEqual({
      challenge_alternative: "pow",
    });
    expect(bodyOf({ ...blankDraft("7"), challenge: "math" }, "CNY", null)).toMatchObject({
      challenge: "math",
      challenge_alternative: "pow",
    });
  });

  it("sends labels that were changed, and empty ones that were taken out", () => {
    const draft = draftOf(sale, false);
    expect(draft.tags).toBe("tea, gift");
    const changed = { ...draft, name: " ", campaign: "12.12 ", tags: "tea，礼物、 gift,tea," };
    expect(bodyOf(changed, "CNY", sale)).toEqual({
      name: "",
      campaign: "12.12",
      tags: ["tea", "礼物", "gift"],
    });
    expect(bodyOf({ ...draft, tags: "" }, "CNY", sale)).toEqual({ tags: [] });
    expect(bodyOf({ ...draft, tags: "tea,gift" }, "CNY", sale)).toEqual({});
  });

  it("has no end any more when that was taken out", () => {
    expect(bodyOf({ ...draftOf(sale, false), ends_at: "" }, "CNY", sale)).toEqual({
      ends_at: null,
    });
  });

  it("is copied without its times and its stock, which was restocked", () => {
    const body = bodyOf(draftOf(sale, true), "CNY", null);
    expect(body).toMatchObject({ item_id: "7", price_cents: 1990, campaign: "11.11" });
    expect(body.starts_at).toBeUndefined();
    expect(body.stock).toBeUndefined();
  });
});

describe("a draft", () => {
  const draft = { ...blankDraft("7"), price: "19.90" };
  const now = Date.parse("2026-11-11T12:00:00Z");

  it("is kept until it is forgotten", () => {
    keepDraft(draft);
    expect(keptDraft()).toEqual(draft);
    forgetDraft();
    expect(keptDraft()).toBeNull();
  });

  it.each([
    ["", true],
    ["2020-01-01T00:00", true],
    [localInput("2026-11-11T12:00:00Z"), true],
    [localInput("2026-11-11T12:00:01Z"), false],
  ])("that starts at %j opens at once: %j", (starts_at, expected) => {
    expect(opensAtOnce({ ...draft, starts_at }, now)).toBe(expected);
  });
});
