import { useMemo } from "preact/hooks";

import { rowTime, zoneName } from "../base/format";
import { currentLanguage } from "../base/i18n";
import { fetchSales } from "../base/sales";
import { mount } from "../ui/page";
import { useAsked, useListed } from "./ask";
import { ConsolePage, Heading, ListTable } from "./frame";
import { fieldName, valueText } from "./field_words";
import { saleName } from "./sale_name";
import { named, words } from "./texts";
import type { TrailEntry } from "./types";
import { Who } from "./who";

const once = 3_600_000;

function Trail() {
  const list = useListed<TrailEntry>("/admin/audit-trail?limit=50", "entries");
  const titles = useTitles();
  return (
    <ConsolePage title={words("place_trail")}>
      <Heading title={words("place_trail")} lead={words("trail_lead")}>
        <button class="button quiet" type="button" onClick={list.reload}>
          {words("reload")}
        </button>
      </Heading>
      <ListTable
        list={list}
        label={words("place_trail")}
        none={words("trail_none")}
        heads={[
          `${words("head_when")} (${zoneName()})`,
          words("head_actor"),
          words("head_deed"),
          words("head_subject"),
          words("head_changes"),
        ]}
        row={(entry) => <Row key={entry.id} entry={entry} titles={titles} />}
      />
    </ConsolePage>
  );
}

function Row({ entry, titles }: { entry: TrailEntry; titles: Titles }) {
  return (
    <tr>
      <td class="figures nowrap">{rowTime(entry.at)}</td>
      <td class="main-cell">
        {entry.actor.name || entry.actor.id}
        <span class="small faint">
          {entry.actor.kind === "command_line" ? words("trail_command_line") : entry.address}
        </span>
      </td>
      <td class="nowrap">{named("deed", entry.action)}</td>
      <td>
        <Subject entry={entry} titles={titles} />
      </td>
      <td>
        <Changes before={entry.before} after={entry.after} />
      </td>
    </tr>
  );
}

const pages: Record<string, string> = {
  sale: "sale",
  holds: "sale",
  item: "item",
  order: "order",
};

// A network is written with dots or colons.
const isPerson = (kind: string, subject: string) =>
  (kind === "user" || kind === "block") && /^\d+$/.test(subject);

type Titles = Record<string, Map<string, string> | undefined>;

// What sales and items are called; an order has its number.
function useTitles(): Titles {
  const { value } = useAsked("/sales", once, fetchSales);
  return useMemo(
    () => ({
      sale: new Map(value?.map((sale) => [sale.id, saleName(sale)])),
      holds: new Map(value?.map((sale) => [sale.id, saleName(sale)])),
      item: new Map(value?.map(({ item }) => [item.id, item.title])),
    }),
    [value, currentLanguage()],
  );
}

function Subject({ entry, titles }: { entry: TrailEntry; titles: Titles }) {
  const kind = entry.action.split(".")[0]!;
  const page = pages[kind];
  if (!page)
    return (
      <span class="small">
        {isPerson(kind, entry.subject) ? <Who id={entry.subject} /> : entry.subject}
      </span>
    );
  return (
    <a class="small" href={`/console/${page}?id=${encodeURIComponent(entry.subject)}`}>
      {titles[kind]?.get(entry.subject) ?? entry.subject}
    </a>
  );
}

type Fields = Record<string, unknown> | null;

// Of what was made, all that it was made with; of a change, what differs.
function Changes(entry: { before: Fields; after: Fields }) {
  const [before, after] = [flat(entry.before), flat(entry.after)];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const differing = names.filter((name) => told(before?.[name]) !== told(after?.[name]));
  const currency = String(after?.currency ?? before?.currency ?? "") || undefined;
  const shown = (name: string, value: unknown) => valueText(name, value, currency);
  if (differing.length === 0) return <span class="faint">–</span>;
  const list = (
    <dl class="changes">
      {differing.map((name) => (
        <div key={name}>
          <dt>{fieldName(name)}</dt>
          <dd>
            {before && <del>{shown(name, before[name])}</del>}
            {before && after && " → "}
            {after && <ins>{shown(name, after[name])}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (differing.length <= 4) return list;
  return (
    <details>
      <summary>{words("changes_count", { n: differing.length })}</summary>
      {list}
    </details>
  );
}

// What stands within something else is named with a dot.
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

mount(Trail);
