// A reminder a minute before the start, and at the start. The wish for it survives a reload.

import { useEffect, useState } from "preact/hooks";

import { clock } from "../base/server_time";
import { forget, keep, kept } from "../base/storage";
import { saleTitle } from "../base/titles";
import type { Sale } from "../base/types";
import { say } from "../ui/say";
import { text } from "../ui/texts";
import { allowRinging, ring } from "./ring";

export type Reminding = { on: boolean; start: () => void; stop: () => void };

const calls = [
  { before: 60_000, key: "remind_soon" },
  { before: 0, key: "remind_now" },
] as const;

const longestWait = 60_000;

// The calls that became due after `last`, up to `now`; and how long until the next one, or null.
export function callsDue(starts: number, last: number, now: number) {
  const times = calls.map(({ before, key }) => ({ at: starts - before, key }));
  const due = times.filter(({ at }) => at > last && at <= now).map(({ key }) => key);
  const next = times.find(({ at }) => at > now);
  return { due, next: next ? Math.min(longestWait, next.at - now) : null };
}

export function useReminder(sale: Sale): Reminding {
  const { id, starts_at } = sale;
  const place = `sluice.reminded.${id}`;
  const [on, setOn] = useState(() => kept<boolean>(place) === true);
  useEffect(() => {
    if (!on) return;
    let timer: ReturnType<typeof setTimeout>;
    let last = clock.now() ?? Date.now();
    const look = () => {
      const now = clock.now() ?? Date.now();
      const { due, next } = callsDue(Date.parse(starts_at), last, now);
      last = now;
      // A device that slept is reminded once, by the latest.
      if (due.length > 0) call(saleTitle(sale), text(due.at(-1)!));
      if (next !== null) timer = setTimeout(look, next);
    };
    look();
    return () => clearTimeout(timer);
  }, [on, starts_at]);
  return {
    on,
    start: () => {
      keep(place, true);
      setOn(true);
      void allowRinging();
    },
    stop: () => {
      forget(place);
      setOn(false);
    },
  };
}

function call(title: string, message: string): void {
  ring(title, message);
  say(`${title}: ${message}`);
}
