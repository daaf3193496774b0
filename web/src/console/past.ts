// How a sale went, as the server remembers it.

import { useEffect, useState } from "preact/hooks";

import { get } from "../base/api";
import type { Funnel, History, Stats } from "./types";

export const ranges = ["hour", "month"] as const;
export type Range = (typeof ranges)[number];
const resolutions = {
  hour: { name: "second", milliseconds: 1000 },
  month: { name: "minute", milliseconds: 60_000 },
} as const;
const mostPages = 15; // a point for each of the minutes of a month, and some

// Null until the server has answered, and on a server without history. Read again when the range
// changes, when somebody begins to look back, and when the page is looked at again.
export function usePast(sale: string, range: Range, looking: boolean): Stats[] | null {
  const [told, setTold] = useState<{ range: Range; past: Stats[] } | null>(null);
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    const look = () => document.hidden || setSeen((times) => times + 1);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    let wanted = true;
    fetchPast(sale, range).then(
      (past) => wanted && setTold({ range, past }),
      () => {}, // the pollers of this page tell when the server is away
    );
    return () => (wanted = false);
  }, [sale, range, looking, seen]);
  return told?.range === range ? told.past : null;
}

async function fetchPast(sale: string, range: Range): Promise<Stats[]> {
  const { name, milliseconds } = resolutions[range];
  const points: Stats[] = [];
  let total: Funnel | undefined;
  let from = "";
  for (let page = 0; page < mostPages; page++) {
    const after: string = from && `&from=${encodeURIComponent(from)}`;
    const path = `/admin/sales/${sale}/stats/history?resolution=${name}${after}`;
    const history: History = await get<History>(path);
    points.push(...history.points);
    total = history.total;
    if (!history.next_from) break;
    from = history.next_from;
  }
  return total ? accumulated(points, total, milliseconds) : [];
}

// For each point the state of the sale at its end: its stock, and all that had happened by then.
// Both are of the same instant, so they agree. `total`: the figures of the sale at the end of the
// last point.
export function accumulated(points: Stats[], total: Funnel, milliseconds: number): Stats[] {
  let reached = total;
  const backwards = [...points].reverse().map((point) => {
    const at = new Date(Date.parse(point.at) + milliseconds).toISOString();
    const stood = { ...point, at, funnel: reached };
    reached = less(reached, point.funnel);
    return stood;
  });
  return backwards.reverse();
}

function less(funnel: Funnel, happened: Funnel): Funnel {
  const rest = structuredClone(funnel);
  for (const step of steps(rest)) rest[step] -= happened[step];
  for (const [code, count] of Object.entries(happened.refusals))
    rest.refusals[code] = (rest.refusals[code] ?? 0) - count;
  return rest;
}

type Steps = Exclude<keyof Funnel, "refusals">;

function steps(funnel: Funnel): Steps[] {
  return Object.keys(funnel).filter((name) => name !== "refusals") as Steps[];
}
