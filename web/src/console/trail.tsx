import { preciseTime } from "../base/format";
import { mount } from "../ui/page";
import { useListed } from "./ask";
import { ConsolePage, Heading, ListTable } from "./frame";
import { named, words } from "./texts";
import type { TrailEntry } from "./types";

function Trail() {
  const list = useListed<TrailEntry>("/admin/audit-trail?limit=50", "entries");
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
          words("head_when"),
          words("head_who"),
          words("head_what"),
          words("head_subject"),
          words("head_changes"),
        ]}
        row={(entry) => <Row key={entry.id} entry={entry} />}
      />
    </ConsolePage>
  );
}

function Row({ entry }: { entry: TrailEntry }) {
  return (
    <tr>
      <td class="figures nowrap">{preciseTime(entry.at)}</td>
      <td class="main-cell">
        {entry.actor.name || entry.actor.id}
        <span class="small faint">
          {entry.actor.kind === "command_line" ? words("trail_command_line") : entry.address}
        </span>
      </td>
      <td>{named("deed", entry.action)}</td>
      <td>
        <Subject entry={entry} />
      </td>
      <td>
        <Changes before={entry.before} after={entry.after} />
      </td>
    </tr>
  );
}

const pages: Record<string, string> = { sale: "sale", item: "item", order: "order" };

function Subject({ entry }: { entry: TrailEntry }) {
  const page = pages[entry.action.split(".")[0]!];
  if (!page) return <span class="small">{entry.subject}</span>;
  return (
    <a class="small" href={`/console/${page}?id=${encodeURIComponent(entry.subject)}`}>
      {entry.subject}
    </a>
  );
}

type Fields = Record<string, unknown> | null;

// Of what was made, all that it was made with; of a change, what differs.
function Changes(entry: { before: Fields; after: Fields }) {
  const [before, after] = [flat(entry.before), flat(entry.after)];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const differing = names.filter((name) => shown(before?.[name]) !== shown(after?.[name]));
  if (differing.length === 0) return <span class="faint">–</span>;
  const list = (
    <dl class="changes">
      {differing.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before && <del>{shown(before[name])}</del>}
            {before && after && " → "}
            {after && <ins>{shown(after[name])}</ins>}
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

function shown(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

mount(Trail);
