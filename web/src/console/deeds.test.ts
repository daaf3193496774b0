import { afterEach, describe, expect, it, vi } from "vitest";

import { fetchDeeds, marksOf } from "./deeds";
import type { TrailEntry } from "./types";

const deed = (id: number, action: string, more: Partial<TrailEntry> = {}) =>
  ({
    id: String(id),
    at: new Date(id * 1000).toISOString(),
    action,
    subject: "7",
    before: null,
    after: null,
    ...more,
  }) as TrailEntry;

describe("the marks of a sale", () => {
  it("are what was done to it, the earliest first", () => {
    const entries = [
      deed(5, "sale.end"),
      deed(4, "sale.resume"),
      deed(3, "sale.pause", { subject: "8" }),
      deed(2, "sale.pause"),
      deed(1, "sale.create"),
      deed(0, "order.refund"),
    ];
    expect(marksOf(entries, "7").map(({ at, kind }) => [at, kind])).toEqual([
      [2000, "pause"],
      [4000, "resume"],
      [5000, "end"],
    ]);
  });

  it("tell by how many units, and what was changed", () => {
    const was = { stock: { total: 5, left: 3 }, limit_per_buyer: 1, ends_at: null };
    const is = { stock: { total: 9, left: 6 }, limit_per_buyer: 3, ends_at: null };
    const [edit, restock, limits] = marksOf(
      [
        deed(3, "limits.change", { subject: "", before: { burst: 2 }, after: { burst: 9 } }),
        deed(2, "sale.restock", { before: was, after: is }),
        deed(1, "sale.edit", { before: was, after: is }),
      ],
      "7",
    );
    expect(edit!.changes).toEqual([{ field: "limit_per_buyer", before: 1, after: 3 }]);
    expect(restock!.units).toBe(4);
    expect(limits).toMatchObject({ kind: "limits", changes: [{ field: "burst", after: 9 }] });
  });
});

describe("fetching deeds", () => {
  afterEach(() => vi.unstubAllGlobals());

  function trailOf(...pages: TrailEntry[][]) {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (path: string) => {
      asked.push(path);
      const page = Number(new URL(path, "http://x").searchParams.get("cursor") ?? 0);
      const next_cursor = page + 1 < pages.length ? String(page + 1) : null;
      return new Response(JSON.stringify({ entries: pages[page], next_cursor }));
    });
    return asked;
  }

  it("goes back to the start of the sale, and not before it", async () => {
    const asked = trailOf([deed(9, "a.b"), deed(8, "a.b")], [deed(7, "a.b"), deed(2, "a.b")], []);
    expect((await fetchDeeds(5000, [])).map(({ id }) => id)).toEqual(["9", "8", "7"]);
    expect(asked).toHaveLength(2);
  });

  it("ends where it has been before", async () => {
    const asked = trailOf([deed(9, "a.b"), deed(8, "a.b")], [deed(7, "a.b")]);
    const known = [deed(8, "a.b"), deed(6, "a.b")];
    expect((await fetchDeeds(0, known)).map(({ id }) => id)).toEqual(["9", "8", "6"]);
    expect(asked).toHaveLength(1);
  });

  it("reads no endless trail", async () => {
    const asked = trailOf(...Array.from({ length: 99 }, (_, i) => [deed(500 - i, "a.b")]));
    await fetchDeeds(0, []);
    expect(asked).toHaveLength(20);
  });
});
