import { describe, expect, it } from "vitest";

import document from "../../../src/api/openapi.json";
import { bounds, inWordsOfTheForm, labelOf, wrongAmount, wrongDraft, wrongWhole } from "./checks";
import { blankDraft, type Draft } from "./plan_draft";

const now = Date.parse("2026-11-11T12:00:00Z");
const good: Draft = { ...blankDraft("7"), price: "19.90", stock: "10" };
const wrongFields = (draft: Partial<Draft>, begun = false) =>
  wrongDraft({ ...good, ...draft }, "CNY", now, begun).map(({ field }) => field);

describe("what is typed into the plan of a sale", () => {
  it("may be right", () => {
    expect(wrongFields({})).toEqual([]);
    expect(wrongFields({ kind: "standing", price: "" })).toEqual([]);
    expect(wrongFields({ challenge: "pow", challenge_bits: "" })).toEqual([]);
    expect(wrongFields({ challenge: "none", challenge_bits: "99" })).toEqual([]);
  });

  it("is complained of all at once", () => {
    expect(
      wrongFields({
        price: "abc",
        stock: "",
        limit_per_buyer: "0",
        hold_seconds: "1.5",
        gate_factor: "many",
        unpaid_limit: "0",
        challenge: "pow",
        challenge_bits: "99",
        starts_at: "2026-12-01T10:00",
        ends_at: "2026-12-01T09:00",
      }),
    ).toEqual([
      "price_cents",
      "stock",
      "ends_at",
      "limit_per_buyer",
      "hold_seconds",
      "gate_factor",
      "unpaid_limit",
      "challenge_bits",
    ]);
  });

  it("is held to the bounds of the work that stands in for a picture", () => {
    const work = (challenge_alternative: Draft["challenge_alternative"]) =>
      wrongFields({ challenge: "math", challenge_alternative, challenge_bits: "99" });
    expect(work("pow")).toEqual(["challenge_bits"]);
    expect(work("none")).toEqual([]);
  });

  it("says what would be right", () => {
    expect(wrongAmount("abc", "CNY")).toBe("Enter an amount such as 19.90.");
    expect(wrongAmount("5.5", "JPY")).toBe("Enter an amount such as 1990.");
    expect(wrongAmount("", "CNY")).toBe("Fill this in.");
    expect(wrongAmount("-1", "CNY")).not.toBeNull();
    expect(wrongAmount("0", "CNY")).toBeNull();
    expect(wrongWhole("x", [1, 1000])).toBe("Enter a whole number from 1 to 1,000.");
  });

  it("has an end that is neither before its start nor past", () => {
    expect(wrongFields({ ends_at: "2020-01-01T00:00" })).toEqual(["ends_at"]);
    expect(wrongFields({ starts_at: "2020-01-01T00:00", ends_at: "2020-01-02T00:00" })).toEqual([
      "ends_at",
    ]);
    expect(wrongFields({ ends_at: "2030-01-01T00:00" })).toEqual([]);
  });

  it("of a sale that runs is only held to what may change", () => {
    expect(wrongFields({ price: "abc", stock: "", gate_factor: "0" }, true)).toEqual([
      "gate_factor",
    ]);
  });

  it("has the bounds of the API", () => {
    const { properties } = document.components.schemas.NewSale;
    for (const [name, [low, high]] of Object.entries(bounds)) {
      const { minimum, maximum } = properties[name as keyof typeof bounds];
      expect([low, high], name).toEqual([minimum, maximum]);
    }
  });
});

it("what the server complains of has the names of the form", () => {
  expect(inWordsOfTheForm("must be after starts_at")).toBe("must be after “Starts”");
  expect(inWordsOfTheForm("allow_private names it")).toBe("allow_private names it");
  expect(labelOf("list_price_cents")).toBe("List price");
  expect(labelOf("buying.per_minute")).toBe("Buying · per minute");
  expect(labelOf("something")).toBe("something");
});
