// Which deeds of the audit trail are asked for, and the table for exporting them.

import { zoneName } from "../base/format";
import { queryOf } from "../base/query";
import { asText, byteOrderMark, csvLine, harmless, localTime } from "./csv_writer";
import { fieldName, valueText } from "./field_words";
import { named, words } from "./texts";
import type { TrailEntry } from "./types";

export const trailKinds = [
  "sale",
  "item",
  "picture",
  "order",
  "orders",
  "holds",
  "parked_ticket",
  "lost_ticket",
  "user",
  "block",
  "limits",
  "contact",
  "webhook",
  "keys",
  "hot_copy",
  "ledger",
] as const;

export const commandLine = "command_line";

// Times as an input of that kind has them, in the operator's zone.
export type TrailFilter = {
  action: string;
  actor: string;
  subject: string;
  from: string;
  to: string;
};

export const anyDeed: TrailFilter = { action: "", actor: "", subject: "", from: "", to: "" };

export function trailQuery({ action, actor, subject, from, to }: TrailFilter): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string) => value !== "" && query.set(name, value);
  set("action", action);
  set("actor", actor);
  set("subject", subject.trim());
  set("from", instantOf(from));
  set("to", instantOf(to));
  return queryOf(query);
}

function instantOf(local: string): string {
  const at = new Date(local);
  return local === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

type Fields = Record<string, unknown> | null;
export type Difference = { name: string; before: unknown; after: unknown };

// For a creation all of its fields; for a change the fields that differ. A field within another one
// is named with a dot.
export function differences(entry: { before: Fields; after: Fields }): Difference[] {
  const [before, after] = [flat(entry.before), flat(entry.after)];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, before: before?.[name], after: after?.[name] }))
    .filter((one) => told(one.before) !== told(one.after));
}

export const currencyOf = ({ before, after }: { before: Fields; after: Fields }) =>
  String(after?.currency ?? before?.currency ?? "") || undefined;

function flat(fields: Fields): Fields {
  if (!fields) return null;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
      value && typeof value === "object" && !Array.isArray(value)
        ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner])
        : [[name, value]],
    ),
  );
}

const told = (value: unknown) => JSON.stringify(value ?? null);

export function trailTable(entries: TrailEntry[]): string {
  const heads = [
    `${words("head_when")} (${zoneName()})`,
    words("head_actor"),
    words("head_url"),
    words("head_deed"),
    words("head_subject"),
    words("head_changes"),
  ];
  return byteOrderMark + [csvLine(heads.map(harmless)), ...entries.map(lineOf)].join("");
}

function lineOf(entry: TrailEntry): string {
  const { actor } = entry;
  return csvLine([
    localTime(entry.at),
    harmless(actor.name || actor.id || ""),
    harmless(actor.kind === commandLine ? words("trail_command_line") : entry.address),
    harmless(named("deed", entry.action)),
    /^\d+$/.test(entry.subject) ? asText(entry.subject) : harmless(entry.subject),
    harmless(changesText(entry)),
  ]);
}

function changesText(entry: TrailEntry): string {
  const currency = currencyOf(entry);
  const shown = (name: string, value: unknown) => valueText(name, value, currency);
  return differences(entry)
    .map(({ name, before, after }) => {
      const parts = [
        ...(entry.before ? [shown(name, before)] : []),
        ...(entry.after ? [shown(name, after)] : []),
      ];
      return `${fieldName(name)}: ${parts.join(" → ")}`;
    })
    .join(", ");
}

type TrailPage = { entries: TrailEntry[]; next_cursor: string | null };

export const mostExported = 10_000;
const pageSize = 100;

// All of them, up to a limit. `more`: there are older ones.
export async function fetchTrail(
  query: string,
  ask: (path: string) => Promise<TrailPage>,
): Promise<{ entries: TrailEntry[]; more: boolean }> {
  const entries: TrailEntry[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor ? `&cursor=${cursor}` : "";
    const page = await ask(`/admin/audit-trail?limit=${pageSize}${query && `&${query}`}${after}`);
    entries.push(...page.entries);
    cursor = page.next_cursor;
  } while (cursor !== null && entries.length < mostExported);
  return { entries, more: cursor !== null };
}
