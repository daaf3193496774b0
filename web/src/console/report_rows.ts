// The lines of a report, for the page and for the table: one column for each sale.

import { dateAndTime, money, number, zoneName } from "../base/format";
import { saleTitle } from "../base/titles";
import { asText, byteOrderMark, csvLine, harmless, localTime, quoted } from "./csv_writer";
import { majorUnits } from "./fields";
import type { Report } from "./report_figures";
import { named, words, type WordsKey } from "./texts";

// `shown`: for people. `cell`: for a spreadsheet, as a number where it is one.
export type Figure = { shown: string; cell: string };
export type Row = { name: string; unit?: string | undefined; figures: Figure[] };
export type Section = { name: string; rows: Row[] };

const unknown: Figure = { shown: "–", cell: "" };

const plain = (shown: string, cell = quoted(shown)): Figure => ({ shown, cell });
const count = (value: number): Figure => plain(number(value), String(value));
const part = (value: number | null): Figure =>
  value === null ? unknown : plain(percent(value), quoted(`${Math.round(value * 10_000) / 100}%`));

const percent = (value: number) =>
  `${number(value < 0.1 ? Math.round(value * 1000) / 10 : Math.round(value * 100))}%`;

const amount = (cents: number | null, { currency }: Report["sale"]): Figure =>
  cents === null ? unknown : plain(money(cents, currency), majorUnits(cents, currency));

const time = (instant: string | null): Figure =>
  instant === null ? plain(words("no_end")) : plain(dateAndTime(instant), localTime(instant));

const milliseconds = (value: number): Figure =>
  value === 0
    ? unknown
    : plain(words("under_ms", { n: Math.round(value * 10) / 10 }), String(value));

// Tenths of a second matter for a sale that is over within seconds.
export function duration(seconds: number | null): Figure {
  if (seconds === null) return plain(words("not_sold_out"), "");
  const tenths = Math.round(seconds * 10) / 10;
  if (tenths < 60) return plain(words("span_seconds", { n: tenths }), String(tenths));
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (value: number) => String(value).padStart(2, "0");
  return plain(`${hours}:${two(minutes)}:${two(whole % 60)}`, String(tenths));
}

// `unit`: of its cells, where people see it beside the figure.
type Line = [name: WordsKey, figure: (report: Report) => Figure, unit?: "s" | "ms"];

const aboutSale: Line[] = [
  ["head_price", ({ sale }) => amount(sale.price_cents, sale)],
  ["starts", ({ sale }) => time(sale.starts_at)],
  ["ends", ({ sale }) => time(sale.ends_at)],
];

const result: Line[] = [
  ["report_units", ({ units }) => count(units.total)],
  ["report_sold", ({ units }) => count(units.sold)],
  ["report_held", ({ units }) => count(units.held)],
  ["report_sold_out", ({ soldOutSeconds }) => duration(soldOutSeconds), "s"],
  ["report_taken", ({ sale, revenue }) => amount(revenue.taken, sale)],
  ["report_refunded", ({ sale, revenue }) => amount(revenue.refunded, sale)],
  ["report_kept", ({ sale, revenue }) => amount(revenue.kept, sale)],
];

const conversion: Line[] = [
  ["step_attempts", ({ funnel }) => count(funnel.attempts)],
  ["report_won", ({ won }) => part(won)],
  ["step_orders", ({ funnel }) => count(funnel.orders)],
  ["report_paid", ({ paid }) => part(paid)],
  ["report_expired", ({ expired }) => part(expired)],
];

const load: Line[] = [
  ["report_peak", ({ load }) => (load ? perSecond(load) : unknown)],
  ["report_p99", ({ load }) => (load ? milliseconds(load.p99) : unknown), "ms"],
  ["report_backlog", ({ load }) => (load ? count(load.backlog) : unknown)],
];

function perSecond({ attemptsPerSecond, pointSeconds }: NonNullable<Report["load"]>): Figure {
  const value = Math.round(attemptsPerSecond * 10) / 10;
  const shown = number(value);
  return plain(pointSeconds > 1 ? words("report_by_minute", { n: shown }) : shown, String(value));
}

export function sectionsOf(reports: Report[]): Section[] {
  const linesOf = (lines: Line[]) =>
    lines.map(([name, figure, unit]) => ({
      name: words(name),
      unit,
      figures: reports.map(figure),
    }));
  return [
    { name: words("head_sale"), rows: linesOf(aboutSale) },
    { name: words("report_result"), rows: linesOf(result) },
    { name: words("report_conversion"), rows: linesOf(conversion) },
    { name: words("refusals"), rows: refusalsOf(reports) },
    { name: words("load"), rows: linesOf(load) },
  ];
}

// Codes of any of the sales, the most frequent first.
function refusalsOf(reports: Report[]): Row[] {
  const counts = reports.map(({ funnel }) => funnel.refusals as Record<string, number>);
  const sum = (code: string) => counts.reduce((all, some) => all + (some[code] ?? 0), 0);
  const codes = [...new Set(counts.flatMap((some) => Object.keys(some)))];
  return codes
    .sort((one, other) => sum(other) - sum(one))
    .map((code) => ({
      name: named("code", code),
      figures: counts.map((some) => count(some[code] ?? 0)),
    }));
}

// The whole report as a file, in the page's language and the operator's time zone.
export function tableOf(reports: Report[]): string {
  const line = (name: string, cells: string[]) => csvLine([quoted(name), ...cells]);
  const lines = sectionsOf(reports).flatMap(({ name, rows }) => [
    line(
      name,
      reports.map(() => ""),
    ),
    ...rows.map(({ name: figure, unit, figures }) =>
      line(
        unit ? `${figure} (${unit})` : figure,
        figures.map(({ cell }) => cell),
      ),
    ),
  ]);
  return [
    byteOrderMark,
    line(
      words("head_item"),
      reports.map(({ sale }) => harmless(saleTitle(sale))),
    ),
    line(
      words("number_of_sale"),
      reports.map(({ sale }) => asText(sale.id)),
    ),
    line(
      words("field_currency"),
      reports.map(({ sale }) => quoted(sale.currency)),
    ),
    line(
      words("report_zone"),
      reports.map(() => quoted(zoneName())),
    ),
    ...lines,
  ].join("");
}
