import { useMemo, useState } from "preact/hooks";

import { rowTime, zoneName } from "../base/format";
import { currentLanguage } from "../base/i18n";
import { fetchSales } from "../base/sales";
import { mount } from "../ui/page";
import { useAsked, useListed } from "./ask";
import { ConsolePage, Heading, ListTable } from "./frame";
import { fieldName, valueText } from "./field_words";
import { saleName } from "./sale_name";
import { named, words } from "./texts";
import { TrailExport, TrailFilters } from "./trail_filters";
import { anyDeed, currencyOf, differences, trailQuery } from "./trail_search";
import type { TrailEntry } from "./types";
import { Who } from "./who";

const once = 3_600_000;

function Trail() {
  const [filter, setFilter] = useState(() => ({ ...anyDeed, subject: subjectOfAddress() }));
  const query = trailQuery(filter);
  const path = `/admin/audit-trail?limit=50${query && `&${query}`}`;
  const list = useListed<TrailEntry>(path, "entries");
  const titles = useTitles();
  return (
    <ConsolePage title={words("place_trail")}>
      <Heading title={words("place_trail")} lead={words("trail_lead")}>
        <button class="button quiet" type="button" onClick={list.reload}>
          {words("reload")}
        </button>
        <TrailExport query={query} />
      </Heading>
      <TrailFilters
        filter={filter}
        change={(change) => setFilter((before) => ({ ...before, ...change }))}
      />
      <ListTable
        list={list}
        label={words("place_trail")}
        none={words(query ? "trail_none_such" : "trail_none")}
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

const subjectOfAddress = () => new URLSearchParams(location.search).get("subject") ?? "";

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
        <Changes entry={entry} />
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
  (kind === "user" || kind === "block" || kind === "contact") && /^\d+$/.test(subject);

type Titles = Record<string, Map<string, string> | undefined>;

// Sales and items are shown by their names; an order by its number.
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

function Changes({ entry }: { entry: TrailEntry }) {
  const differing = differences(entry);
  const currency = currencyOf(entry);
  const shown = (name: string, value: unknown) => valueText(name, value, currency);
  if (differing.length === 0) return <span class="faint">–</span>;
  const list = (
    <dl class="changes">
      {differing.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{fieldName(name)}</dt>
          <dd>
            {entry.before && <del>{shown(name, before)}</del>}
            {entry.before && entry.after && " → "}
            {entry.after && <ins>{shown(name, after)}</ins>}
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

mount(Trail);
