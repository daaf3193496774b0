import { describe, expect, it } from "vitest";

import type { Sale } from "../base/types";
import { type Around, checklist } from "./checklist";

const sale = (more: Partial<Sale> = {}) =>
  ({
    item: { list_price_cents: 29_900 },
    kind: "flash",
    price_cents: 9900,
    currency: "CNY",
    starts_at: "2026-11-11T12:00:00Z",
    stock: { total: 10, left: 10, held: 0, sold: 0 },
    limit_per_buyer: 1,
    hold_seconds: 900,
    challenge: "math",
    audience: "everyone",
    listed_until: null,
    ...more,
  }) as Sale;
const well: Around = { webhooks: 1, payable: true, perSecond: 0 };
const doubtful = (more: Partial<Sale>, opensNow = false, around: Partial<Around> = {}) =>
  checklist(sale(more), opensNow, { ...well, ...around })
    .filter(({ doubt }) => doubt !== null)
    .map(({ name }) => name);

describe("the checklist before a sale is published", () => {
  it("has no doubts about an ordinary sale", () => expect(doubtful({})).toEqual([]));

  it.each<[string, Partial<Sale>, string]>([
    ["nothing to sell", { stock: { total: 0, left: 0, held: 0, sold: 0 } }, "stock"],
    ["a price above the list price", { price_cents: 30_000 }, "price"],
    ["a price with a digit too few", { price_cents: 990 }, "price"],
    ["a limit that lets one buyer take all", { limit_per_buyer: 10 }, "limit"],
    ["too little time to pay", { hold_seconds: 60 }, "hold"],
    ["units that are held for a day", { hold_seconds: 86_400 }, "hold"],
    ["a flash sale that programs can buy", { challenge: "none" }, "challenge"],
  ])("doubts %s", (_, more, name) => expect(doubtful(more)).toEqual([name]));

  it("says that there is a way in for those who cannot see", () => {
    const said = (challenge_alternative: Sale["challenge_alternative"]) =>
      checklist(sale({ challenge_alternative }), false, well).find(
        ({ name }) => name === "challenge",
      )?.value;
    expect(said("none")).toBe("A short sum in a picture");
    expect(said("pow")).toBe("A short sum in a picture, or a security check by your device");
  });

  it("doubts an opening at once, and that nobody is told", () => {
    expect(doubtful({}, true, { webhooks: 0 })).toEqual(["opens", "webhooks"]);
  });

  it("doubts a sale for listed buyers whose list is empty", () => {
    const first = { audience: "listed_first", listed_until: "2026-11-11T12:10:00Z" } as const;
    for (const meant of [{ audience: "listed" } as const, first]) {
      expect(doubtful(meant)).toEqual(["audience"]);
      expect(doubtful(meant, false, { listed: 1 })).toEqual([]);
    }
  });

  it("doubts a shop where nobody can pay", () => {
    expect(doubtful({}, false, { payable: false })).toEqual(["payment"]);
  });

  it("doubts a limit that makes a flash sale slow", () => {
    const stock = (total: number) => ({ stock: { total, left: total, held: 0, sold: 0 } });
    expect(doubtful(stock(600), false, { perSecond: 10 })).toEqual([]);
    expect(doubtful(stock(601), false, { perSecond: 10 })).toEqual(["capacity"]);
    const said = checklist(sale(stock(1200)), false, { ...well, perSecond: 10 });
    expect(said.find(({ name }) => name === "capacity")?.doubt).toContain("2 minutes");
  });

  it("does not doubt what it does not know", () => {
    const unknown = { webhooks: null, payable: null, perSecond: null };
    expect(doubtful({}, false, unknown)).toEqual([]);
  });
});
