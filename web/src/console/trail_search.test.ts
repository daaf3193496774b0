import { describe, expect, it } from "vitest";

import {
  anyDeed,
  commandLine,
  differences,
  fetchTrail,
  mostExported,
  trailKinds,
  trailQuery,
  trailTable,
} from "./trail_search";
import en from "../messages/console.en.json";
import type { TrailEntry } from "./types";

const entry: TrailEntry = {
  id: "9",
  at: "2026-11-11T12:00:00.000Z",
  actor: { kind: "user", id: "7", name: "=Li Na" },
  address: "203.0.113.9",
  request_id: "r",
  action: "sale.edit",
  subject: "247731910203654144",
  before: { limit_per_buyer: 1, stock: { total: 5 } },
  after: { limit_per_buyer: 2, stock: { total: 5 } },
};

describe("the filter of the trail", () => {
  it("asks for nothing when nothing is chosen", () => {
    expect(trailQuery(anyDeed)).toBe("");
  });

  it("names what is chosen, times as instants", () => {
    const from = new Date("2026-11-11T20:00").toISOString();
    const query = new URLSearchParams(
      trailQuery({ ...anyDeed, action: "sale", subject: " 42 ", from: "2026-11-11T20:00" }),
    );
    expect(Object.fromEntries(query)).toEqual({ action: "sale", subject: "42", from });
  });

  it("leaves out a time that cannot be read", () => {
    expect(trailQuery({ ...anyDeed, to: "soon" })).toBe("");
  });

  it("offers every kind of deed that there are words for", () => {
    const known = Object.keys(en)
      .filter((key) => key.startsWith("deed_"))
      .map((key) => key.slice("deed_".length));
    const unoffered = known.filter(
      (deed) => !trailKinds.some((kind) => deed.startsWith(`${kind}_`)),
    );
    expect(unoffered).toEqual([]);
  });
});

describe("changes", () => {
  it("are what differs, also within something else", () => {
    expect(differences(entry)).toEqual([{ name: "limit_per_buyer", before: 1, after: 2 }]);
    expect(differences({ before: null, after: { stock: { left: 3 } } })).toEqual([
      { name: "stock.left", before: undefined, after: 3 },
    ]);
  });
});

describe("the table of the trail", () => {
  it("keeps numbers as text, formulas harmless, and changes in words", () => {
    const table = trailTable([entry]);
    expect(table.startsWith("\uFEFF")).toBe(true);
    const [, line] = table.split("\r\n");
    expect(line).toContain("'=Li Na");
    expect(line).toContain('"=""247731910203654144"""');
    expect(line).toContain("1 → 2");
    expect(table.endsWith("\r\n")).toBe(true);
  });

  it("says where the command line did it", () => {
    const root: TrailEntry = {
      ...entry,
      actor: { kind: commandLine, id: null, name: "root" },
      address: "",
    };
    expect(trailTable([root])).toContain("command line");
  });
});

describe("an export of the trail", () => {
  it("goes on to the last page", async () => {
    const asked: string[] = [];
    const { entries, more } = await fetchTrail("action=sale", (path) => {
      asked.push(path);
      return Promise.resolve({ entries: [entry], next_cursor: asked.length < 3 ? "c" : null });
    });
    expect(asked).toHaveLength(3);
    expect(asked[0]).toBe("/admin/audit-trail?limit=100&action=sale");
    expect(asked[2]).toBe("/admin/audit-trail?limit=100&action=sale&cursor=c");
    expect([entries.length, more]).toEqual([3, false]);
  });

  it("has a bound, and says when it was reached", async () => {
    const page = { entries: Array<TrailEntry>(100).fill(entry), next_cursor: "c" };
    const { entries, more } = await fetchTrail("", () => Promise.resolve(page));
    expect([entries.length, more]).toEqual([mostExported, true]);
  });
});
