// What operators did to a sale while it ran, for the marks on its chart.

import { useEffect, useRef, useState } from "preact/hooks";

import { get } from "../base/api";
import { askAgain } from "../base/retry";
import { unchanging } from "../base/unchanged";
import type { Sale } from "../base/types";
import type { TrailEntry } from "./types";

export const markKinds = ["pause", "resume", "restock", "edit", "end", "limits"] as const;
type Kind = (typeof markKinds)[number];
export type Change = { field: string; before: unknown; after: unknown };
// `units`: by how many a restock changed the stock. `changes`: for an edit, and for the limits.
export type Mark = { id: string; at: number; kind: Kind; units?: number; changes?: Change[] };

type TrailPage = { entries: TrailEntry[]; next_cursor: string | null };

const pageSize = 50;
const mostPages = 20; // a trail of other sales' deeds is not read to its end
const againMilliseconds = 60_000; // other deeds than the sale's own: the limits

// The earliest first.
export function marksOf(entries: TrailEntry[], saleId: string): Mark[] {
  return entries
    .flatMap((entry) => markOf(entry, saleId) ?? [])
    .sort((one, other) => one.at - other.at);
}

function markOf(entry: TrailEntry, saleId: string): Mark | null {
  const common = { id: entry.id, at: Date.parse(entry.at) };
  if (entry.action === "limits.change")
    return { ...common, kind: "limits", changes: changesOf(entry) };
  const [subject, deed] = entry.action.split(".");
  if (subject !== "sale" || entry.subject !== saleId) return null;
  if (deed === "pause" || deed === "resume" || deed === "end") return { ...common, kind: deed };
  if (deed === "restock")
    return { ...common, kind: deed, units: totalOf(entry.after) - totalOf(entry.before) };
  if (deed === "edit") return { ...common, kind: deed, changes: changesOf(entry) };
  return null;
}

function totalOf(sale: TrailEntry["after"]): number {
  const stock = sale?.stock as { total?: number } | undefined;
  return stock?.total ?? 0;
}

function changesOf({ before, after }: TrailEntry): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  fields.delete("stock"); // an edit does not change it; it may have moved meanwhile
  return [...fields]
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

// The newest deeds, back to `since`, and not beyond one that is known already.
export async function fetchDeeds(
  since: number,
  known: TrailEntry[],
  ask: (path: string) => Promise<TrailPage> = get,
): Promise<TrailEntry[]> {
  const newest = known[0]?.id;
  const found: TrailEntry[] = [];
  let cursor = "";
  for (let page = 0; page < mostPages; page++) {
    const after = cursor && `&cursor=${cursor}`;
    const path = `/admin/audit-trail?limit=${pageSize}${after}`;
    const answer: TrailPage = await (page === 0 ? ask : get)(path);
    for (const entry of answer.entries) {
      if (entry.id === newest) return [...found, ...known];
      if (Date.parse(entry.at) < since) return found;
      found.push(entry);
    }
    if (!answer.next_cursor) break;
    cursor = answer.next_cursor;
  }
  return found;
}

// Asked for at once when the sale shows that an operator has changed it.
export function useMarks(sale: Sale): Mark[] {
  const [marks, setMarks] = useState<Mark[]>([]);
  const known = useRef<TrailEntry[]>([]);
  const seen = traceOf(sale);
  useEffect(() => {
    const since = Date.parse(sale.starts_at);
    const ask = unchanging<TrailPage>();
    // If it fails, the page's other questions show that to the operator.
    const { stop } = askAgain(async () => {
      const entries = await fetchDeeds(since, known.current, ask);
      if (entries[0]?.id !== known.current[0]?.id) setMarks(marksOf(entries, sale.id));
      known.current = entries;
      return againMilliseconds;
    });
    return stop;
  }, [sale.id, seen]);
  return marks;
}

// Everything that a deed changes, and nothing that a purchase changes.
function traceOf(sale: Sale): string {
  const { item: _, stock, state, now: __, ...settings } = sale;
  return JSON.stringify([settings, stock.total, state === "paused", state === "ended"]);
}
