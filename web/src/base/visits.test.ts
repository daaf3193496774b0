import { beforeEach, describe, expect, it, vi } from "vitest";

import { noteVisit } from "./visits";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});

const noon = Date.parse("2026-11-11T12:00:00Z");
const day = 86_400_000;
let told: string[] = [];
const tell = (sale: string) => Promise.resolve(told.push(sale));
const look = (sale: string, at = noon) => noteVisit(sale, at, tell);

beforeEach(() => {
  stored.clear();
  told = [];
});

describe("a visit", () => {
  it("is told once a day for each sale", async () => {
    for (const sale of ["1", "1", "2", "1"]) await look(sale);
    expect(told).toEqual(["1", "2"]);
    await look("1", noon + day);
    await look("1", noon + day + 1000);
    expect(told).toEqual(["1", "2", "1"]);
  });

  it("that could not be told is told with the next look", async () => {
    await noteVisit("1", noon, () => Promise.reject(new Error("away")));
    await look("1");
    expect(told).toEqual(["1"]);
  });

  it("of staff is none", async () => {
    stored.set("sluice.user", JSON.stringify({ id: "7", role: "operator" }));
    await look("1");
    stored.set("sluice.user", JSON.stringify({ id: "9", role: "support" }));
    await look("1");
    stored.set("sluice.user", JSON.stringify({ id: "8", role: "buyer" }));
    await look("1");
    expect(told).toEqual(["1"]);
  });

  it("is told whatever else is stored", async () => {
    stored.set("sluice.visits", '{"day":"2026-11-11","sales":7}');
    await look("1");
    expect(told).toEqual(["1"]);
  });

  it("leaves the browser nothing but numbers of sales and the day", async () => {
    await look("1");
    expect(JSON.parse(stored.get("sluice.visits")!)).toEqual({ day: "2026-11-11", sales: ["1"] });
  });
});
