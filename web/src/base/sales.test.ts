import { describe, expect, it } from "vitest";

import {
  arrange,
  askAgainAfter,
  categoriesOf,
  isAbout,
  isOf,
  mostAtOnce,
  stateAt,
  untilEdge,
} from "./sales";
import { orderTitle, saleTitle } from "./titles";
import type { Sale, SaleState } from "./types";

const start = Date.parse("2026-11-11T12:00:00.000Z");
const end = start + 3_600_000;

function sale(state: SaleState, change: Partial<Sale> = {}): Sale {
  return {
    id: "1",
    kind: "flash",
    price_cents: 1,
    currency: "CNY",
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(end).toISOString(),
    state,
    stock: { total: 2, left: 2, held: 0, sold: 0 },
    limit_per_buyer: 1,
    hold_seconds: 900,
    challenge: "none",
    challenge_alternative: "none",
    gate_factor: 5,
    unpaid_limit: 3,
    name: "",
    campaign: "",
    tags: [],
    item: {
      id: "9",
      title: "x",
      description: "",
      image_url: "",
      list_price_cents: 2,
      currency: "CNY",
      category: "",
      pictures: [],
      archived: false,
    },
    ...change,
  } as Sale;
}

describe("the state of a sale by the server's clock", () => {
  it.each<[SaleState, number | null, SaleState]>([
    ["scheduled", null, "scheduled"],
    ["scheduled", start - 1, "scheduled"],
    ["scheduled", start, "open"],
    ["open", end - 1, "open"],
    ["open", end, "ended"],
    ["paused", start, "paused"],
    ["sold_out", end, "ended"],
  ])("%s at %s is %s", (told, now, expected) => {
    expect(stateAt(sale(told), now)).toBe(expected);
  });

  it("begins as sold out when there is nothing to sell", () => {
    const stock = { total: 0, left: 0, held: 0, sold: 0 };
    expect(stateAt(sale("scheduled", { stock }), start)).toBe("sold_out");
  });
});

describe("the next look at the clock", () => {
  it.each([
    [start - 5000, 1000],
    [start - 30, 30],
    [start, 1000],
    [end - 1, 1],
    [end + 1, 1000],
  ])("at %i is in %i ms", (now, wait) => {
    expect(untilEdge(sale("open"), now)).toBe(wait);
  });
});

describe("the shelves", () => {
  it("put what can be bought first, the next start first, the latest end first", () => {
    const at = (offset: number) => new Date(start + offset).toISOString();
    const sales = [
      sale("sold_out", { id: "out" }),
      sale("open", { id: "later", ends_at: at(9_000_000) }),
      sale("open", { id: "sooner" }),
      sale("scheduled", { id: "second", starts_at: at(50_000) }),
      sale("scheduled", { id: "first", starts_at: at(40_000) }),
      sale("ended", { id: "old", ends_at: at(-20_000) }),
      sale("ended", { id: "recent", ends_at: at(-10_000) }),
    ];
    const ids = (list: Sale[]) => list.map((each) => each.id);
    const shelves = arrange(sales, start);
    expect(ids(shelves.running)).toEqual(["sooner", "later", "out"]);
    expect(ids(shelves.coming)).toEqual(["first", "second"]);
    expect(ids(shelves.past)).toEqual(["recent", "old"]);
  });
});

describe("asking again", () => {
  it.each<[SaleState, number, number]>([
    ["open", start, 3000],
    ["scheduled", start - 3_600_000, 15_000],
    ["scheduled", start - 4000, 4000],
    ["scheduled", start - 10, 1000],
    ["ended", end, 60_000],
  ])("%s at %i after %i ms", (state, now, wait) => {
    expect(askAgainAfter(sale(state), now)).toBe(wait);
  });
});

describe("how many can be chosen", () => {
  it.each([
    [2, 0, 100, 2],
    [50, 0, 100, 20],
    [5, 0, 3, 3],
    [5, 0, 0, 1],
    [3, 1, 100, 2],
    [3, 1, 0, 1],
    [3, 3, 100, 0],
    [2, 3, 100, 0],
  ])("of a limit of %i by who has %i, with %i left, is %i", (limit, mine, left, expected) => {
    const stock = { total: 100, left, held: 0, sold: 100 - left };
    expect(mostAtOnce(sale("open", { limit_per_buyer: limit, stock }), mine)).toBe(expected);
  });
});

describe("looking for a sale", () => {
  const tea = { item: { title: "Celadon Tea set · 青瓷茶具", description: "Six cups" } } as Sale;
  it.each<[string, boolean]>([
    ["", true],
    ["  ", true],
    ["tea", true],
    ["cups celadon", true],
    ["青瓷", true],
    ["ＴＥＡ", true],
    ["tea coffee", false],
    ["茶壶", false],
    ["🍵", false],
  ])("%j is found: %s", (wanted, found) => {
    expect(isAbout(tea, wanted)).toBe(found);
  });
});

describe("what a sale is called", () => {
  it("is its item's title, and its own name if it has one", () => {
    const plain = sale("open");
    expect(saleTitle(plain)).toBe("x");
    expect(saleTitle({ ...plain, name: "双十一" })).toBe("x · 双十一");
    expect(orderTitle({ item: plain.item, sale_name: "双十一" })).toBe("x · 双十一");
  });

  it("is what it is found by", () => {
    const evening = sale("open", { name: "Evening 双十一" });
    expect(isAbout(evening, "evening")).toBe(true);
    expect(isAbout(evening, "双十一 X")).toBe(true);
    expect(isAbout(evening, "morning")).toBe(false);
  });
});

describe("categories", () => {
  const of = (category: string) => {
    const { item } = sale("open");
    return sale("open", { item: { ...item, category } });
  };

  it("are those of the items on sale, each once", () => {
    expect(categoriesOf([of("Tea"), of(""), of("Bikes"), of("Tea")])).toEqual(["Bikes", "Tea"]);
    expect(categoriesOf(Array.from({ length: 60 }, (_, i) => of(`c${i}`)))).toHaveLength(50);
  });

  it("choose their sales, and none chooses all", () => {
    expect(isOf(of("Tea"), "Tea")).toBe(true);
    expect(isOf(of("Tea"), "Bikes")).toBe(false);
    expect(isOf(of(""), "")).toBe(true);
  });
});
