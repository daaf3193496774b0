// Sales on the days of a week or a month, in the operator's time zone, and which of them overlap.

import type { Sale } from "../base/types";

export const views = ["week", "month"] as const;
export type View = (typeof views)[number];

// `to` is exclusive; Infinity: no end is planned.
export type Window = { from: number; to: number };
// For one day: the sale runs on it; whether it begins and ends on it, and overlaps another one on
// it.
export type Entry = Window & { sale: Sale; begins: boolean; ends: boolean; overlaps: boolean };
export type Day = Window & { outside: boolean; entries: Entry[] };
export type Overlap = Window & { one: Sale; other: Sale };

// Days differ in length where clocks are changed, so they are never counted in hours.
const dayAfter = (at: Date, days: number) =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() + days);

// Weeks begin on Monday.
const mondayOf = (at: Date) => dayAfter(at, -((at.getDay() + 6) % 7));

// Another week or month; from the 31st to the last of a shorter month.
export function shifted(view: View, day: Date, by: number): Date {
  if (view === "week") return dayAfter(day, 7 * by);
  const month = new Date(day.getFullYear(), day.getMonth() + by, 1);
  const last = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
  return dayAfter(month, Math.min(day.getDate(), last) - 1);
}

export function periodOf(view: View, day: Date): Window {
  const first = view === "week" ? mondayOf(day) : new Date(day.getFullYear(), day.getMonth(), 1);
  const after = view === "week" ? dayAfter(first, 7) : shifted("month", first, 1);
  return { from: first.getTime(), to: after.getTime() };
}

export const windowOf = ({ starts_at, ends_at }: Sale): Window => ({
  from: Date.parse(starts_at),
  to: ends_at === null ? Infinity : Date.parse(ends_at),
});

const meet = (one: Window, other: Window) => one.from < other.to && other.from < one.to;

// Whole weeks, so that the days of a month stand below their names.
export function daysOf(view: View, day: Date, sales: Sale[]): Day[] {
  const period = periodOf(view, day);
  const overlaps = overlapsOf(sales, period);
  const days: Day[] = [];
  for (let at = mondayOf(new Date(period.from)); at.getTime() < period.to; ) {
    for (let i = 0; i < 7; i++, at = dayAfter(at, 1)) {
      const span = { from: at.getTime(), to: dayAfter(at, 1).getTime() };
      days.push({
        ...span,
        outside: !meet(span, period),
        entries: entriesOf(span, sales, overlaps),
      });
    }
  }
  return days;
}

function entriesOf(day: Window, sales: Sale[], overlaps: Overlap[]): Entry[] {
  const that = overlaps.filter((overlap) => meet(overlap, day));
  return sales
    .map((sale) => ({ sale, ...windowOf(sale) }))
    .filter((window) => meet(window, day))
    .sort((one, other) => one.from - other.from)
    .map(({ sale, from, to }) => ({
      sale,
      from,
      to,
      begins: from >= day.from,
      ends: to <= day.to,
      overlaps: that.some(({ one, other }) => one.id === sale.id || other.id === sale.id),
    }));
}

// Pairs of flash sales that run at the same time within the period, the earliest first. A standing
// sale does not count.
export function overlapsOf(sales: Sale[], period: Window): Overlap[] {
  const running = sales
    .filter(({ kind }) => kind === "flash")
    .map((sale) => ({ sale, ...windowOf(sale) }))
    .filter((window) => meet(window, period))
    .sort((one, other) => one.from - other.from);
  return running
    .flatMap((one, i) => {
      const after = running.slice(i + 1);
      const end = after.findIndex(({ from }) => from >= one.to);
      return after.slice(0, end < 0 ? undefined : end).map((other) => ({
        one: one.sale,
        other: other.sale,
        from: other.from,
        to: Math.min(one.to, other.to),
      }));
    })
    .filter((overlap) => meet(overlap, period))
    .sort((one, other) => one.from - other.from);
}

// As it stands in the page's address.
export function dayName(day: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

// Today, if the text is not a day.
export function dayNamed(name: string | null, today: Date): Date {
  const [year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(name ?? "") ?? [])
    .slice(1)
    .map(Number);
  const found = new Date(year ?? NaN, (month ?? 1) - 1, day);
  return Number.isNaN(found.getTime()) ? dayAfter(today, 0) : found;
}
