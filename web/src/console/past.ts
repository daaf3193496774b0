// How a sale went, as the server remembers it.

import { useEffect, useState } from "preact/hooks";

import { get } from "../base/api";
import type { History, Stats } from "./types";

export const ranges = ["hour", "month"] as const;
export type Range = (typeof ranges)[number];
const resolutions: Record<Range, string> = { hour: "second", month: "minute" };
const mostPages = 15; // a point for each of the minutes of a month, and some

// What was remembered, and what the sale had come to when that was asked for.
export type Past = { points: Stats[]; now: Stats };

// Null until the server has told, and on a server that does not. Asked for anew when the range is
// another, when somebody begins to look back, and when the page is looked at again.
export function usePast(sale: string, range: Range, looking: boolean): Past | null {
  const [told, setTold] = useState<{ range: Range; past: Past } | null>(null);
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

async function fetchPast(sale: string, range: Range): Promise<Past> {
  const path = `/admin/sales/${sale}/stats`;
  const points: Stats[] = [];
  let from = "";
  for (let page = 0; page < mostPages; page++) {
    const after: string = from && `&from=${encodeURIComponent(from)}`;
    const wish = `resolution=${resolutions[range]}${after}`;
    const history: History = await get<History>(`${path}/history?${wish}`);
    points.push(...history.points);
    if (!history.next_from) break;
    from = history.next_from;
  }
  return { points, now: await get<Stats>(path) };
}

// What the sale had come to at an instant: what it comes to now, less what has happened since. The
// latency and the backlog are those of the last point before it.
export function figuresAt({ points, now }: Past, at: number): Stats {
  const funnel = structuredClone(now.funnel);
  for (const point of points) {
    if (Date.parse(point.at) <= at) continue;
    for (const step of steps(funnel)) funnel[step] -= point.funnel[step];
    for (const [code, count] of Object.entries(point.funnel.refusals))
      funnel.refusals[code] = (funnel.refusals[code] ?? 0) - count;
  }
  const last = points.filter((point) => Date.parse(point.at) <= at).at(-1);
  const { stock, backlog, latency } = last ?? { ...now, backlog: 0, latency: none };
  return { at: new Date(at).toISOString(), funnel, stock, backlog, latency };
}

const none: Stats["latency"] = { p50_ms: 0, p90_ms: 0, p99_ms: 0, p999_ms: 0 };

type Steps = Exclude<keyof Stats["funnel"], "refusals">;

function steps(funnel: Stats["funnel"]): Steps[] {
  return Object.keys(funnel).filter((name) => name !== "refusals") as Steps[];
}
