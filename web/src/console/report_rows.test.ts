import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { setLanguage } from "../base/i18n";
import type { Sale } from "../base/types";
import { CsvReader } from "./csv_reader";
import { harmless } from "./csv_writer";
import type { Report } from "./report_figures";
import { duration, sectionsOf, tableOf } from "./report_rows";

const report = (more: Partial<Sale> = {}, refusals: Record<string, number> = {}): Report => ({
  sale: {
    id: "247922757915979776",
    item: { title: "Tea set", list_price_cents: 1, currency: "CNY" },
    price_cents: 9900,
    currency: "CNY",
    starts_at: "2026-11-11T12:00:00.000Z",
    ends_at: "2026-11-11T13:00:00.000Z",
    ...more,
  } as Sale,
  units: { total: 50, sold: 38, held: 0 },
  soldOutSeconds: 9.87,
  revenue: { kept: 376_200, refunded: 19_800, taken: 396_000 },
  funnel: {
    visits: 0,
    challenges: 0,
    passes: 0,
    attempts: 200,
    refusals,
    claims: 50,
    orders: 50,
    paid: 40,
    expired: 5,
  },
  won: 0.25,
  paid: 0.8,
  expired: 0.055,
  load: { attemptsPerSecond: 21.25, pointSeconds: 1, p99: 7.936, backlog: 3 },
});
const cellsOf = (csv: string) => new CsvReader().read(csv.replace(/^\uFEFF/, ""));
const lineOf = (csv: string, name: string) => cellsOf(csv).find(([first]) => first === name);

beforeEach(() => setLanguage("en"));
afterEach(() => setLanguage("en"));

describe("the lines of a report", () => {
  it("stand side by side, with the refusals of both sales", () => {
    const sections = sectionsOf([
      report({}, { sold_out: 3, paused: 1 }),
      report({ price_cents: 5000 }, { rate_limited: 9 }),
    ]);
    const refusals = sections.find(({ name }) => name === "Turned away")!.rows;
    expect(
      refusals.map(({ name, figures }) => [name, ...figures.map(({ shown }) => shown)]),
    ).toEqual([
      ["Too fast", "0", "9"],
      ["Sold out", "3", "0"],
      ["Paused", "1", "0"],
    ]);
    const prices = sections[0]!.rows[0]!.figures.map(({ cell }) => cell);
    expect(prices).toEqual(["99.00", "50.00"]);
  });

  it("tell a time to sell out as people read it", () => {
    expect(duration(9.87).shown).toBe("9.9 s");
    expect(duration(3725).shown).toBe("1:02:05");
    expect(duration(null).shown).toBe("Not sold out");
    setLanguage("zh");
    expect(duration(9.87).shown).toBe("9.9 秒");
  });
});

describe("the table", () => {
  it("opens in a spreadsheet: numbers are numbers, names are text, units are named", () => {
    const csv = tableOf([report({}, { sold_out: 3 })]);
    expect(csv.startsWith("\uFEFF")).toBe(true);
    expect(lineOf(csv, "Number of the sale")).toEqual([
      "Number of the sale",
      '="247922757915979776"',
    ]);
    expect(lineOf(csv, "Revenue")).toEqual(["Revenue", "3762.00"]);
    expect(lineOf(csv, "Time to sell out (s)")).toEqual(["Time to sell out (s)", "9.9"]);
    expect(lineOf(csv, "Orders that expired")).toEqual(["Orders that expired", "5.5%"]);
    expect(lineOf(csv, "Sold out")).toEqual(["Sold out", "3"]);
  });

  it("carries no formula for spreadsheets that split at semicolons", () => {
    for (const title of ["a;=1+1", 'a;"=1"', "a; @x", "=1", "a\n=1", "；=1;-1"]) {
      const cells = harmless(title).split(/[;\t\r\n]/);
      for (const cell of cells) expect(cell.replace(/^["\s]+/, "")).not.toMatch(/^[=+\-@]/);
    }
    expect(harmless("tea; green")).toBe('"tea; green"');
  });

  it("carries no formula in a title", () => {
    const item = { title: '=HYPERLINK("x","y")' } as Sale["item"];
    expect(lineOf(tableOf([report({ item })]), "Item")![1]).toBe('\'=HYPERLINK("x","y")');
  });
});
