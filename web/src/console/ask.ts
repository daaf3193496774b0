// Asks the server for something repeatedly, or page by page, for an operator.

import { useEffect, useRef, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import type { Poller } from "../base/poll";
import { askAgain, isAway, missingMilliseconds } from "../base/retry";
import { sessionEnded } from "../base/session";
import { unchanging } from "../base/unchanged";

export type Asked<Value> = {
  value: Value | null;
  // On the browser's steady clock.
  heardAt: number | null;
  // It does not exist, or this server does not have it.
  missing: boolean;
  away: boolean;
  refresh: () => void;
};

const nothing = { value: null, heardAt: null, missing: false, away: false };

// After how many milliseconds to ask again; may depend on this answer and the one before.
type Pace<Value> = number | ((value: Value, before: Value | null) => number);

// An empty path: nothing is asked.
export function useAsked<Value>(
  path: string,
  every: Pace<Value>,
  ask?: (path: string) => Promise<Value>,
): Asked<Value> {
  const poller = useRef<Poller | null>(null);
  const pace = useRef(every);
  pace.current = every;
  const [asked, setAsked] = useState<Omit<Asked<Value>, "refresh">>(nothing);
  useEffect(() => {
    setAsked(nothing);
    if (path === "") return;
    let before: Value | null = null;
    const question = ask ?? unchanging<Value>();
    poller.current = askAgain(
      async () => {
        const value = await question(path);
        setAsked({ value, heardAt: performance.now(), missing: false, away: false });
        const wait = waitOf(pace.current, value, before);
        before = value;
        return wait;
      },
      (failure) => {
        const missing = isMissing(failure);
        setAsked((before) => ({ ...before, missing, away: isAway(failure) }));
        if (missing) return missingMilliseconds;
      },
    );
    return poller.current.stop;
  }, [path]);
  return { ...asked, refresh: () => poller.current?.now() };
}

function waitOf<Value>(pace: Pace<Value>, value: Value, before: Value | null): number {
  return typeof pace === "number" ? pace : pace(value, before);
}

export type Listed<Row> = {
  rows: Row[] | null;
  more: (() => void) | null;
  missing: boolean;
  trouble: Problem | "away" | null;
  reload: () => void;
};

// A list in pages; the first page is read at once. `plural` is its name in the answer.
export function useListed<Row>(path: string, plural: string): Listed<Row> {
  const [state, setState] = useState<{
    path: string;
    rows: Row[] | null;
    cursor: string | null;
    missing: boolean;
    trouble: Problem | "away" | null;
  }>({ path: "", rows: null, cursor: null, missing: false, trouble: null });
  const latest = useRef(path);
  latest.current = path;

  async function load(before: Row[], cursor: string | null) {
    const after = cursor ? `${path.includes("?") ? "&" : "?"}cursor=${cursor}` : "";
    try {
      const answer = await get<Record<string, unknown>>(path + after);
      if (latest.current !== path) return;
      const rows = [...before, ...(answer[plural] as Row[])];
      const next = (answer.next_cursor as string | null) ?? null;
      setState({ path, rows, cursor: next, missing: false, trouble: null });
    } catch (failure) {
      if (latest.current !== path) return;
      const missing = isMissing(failure);
      const trouble = failure instanceof Problem ? failure : "away";
      const rows = before.length > 0 ? before : null;
      setState({ path, rows, cursor, missing, trouble: missing ? null : trouble });
    }
  }

  const reload = () => void load([], null);
  useEffect(() => void (path && reload()), [path]);
  const { rows, cursor } = state;
  return {
    rows: state.path === path ? rows : null,
    more: cursor ? () => void load(rows ?? [], cursor) : null,
    missing: state.missing,
    trouble: state.trouble,
    reload,
  };
}

function isMissing(failure: unknown): boolean {
  if (!(failure instanceof Problem)) return false;
  if (failure.code === "unauthenticated") sessionEnded();
  return failure.status === 404 || failure.status === 405;
}
