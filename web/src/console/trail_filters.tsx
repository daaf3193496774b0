// Searching for deeds in the audit trail, and exporting them as a table.

import { useState } from "preact/hooks";

import { Away, get, Problem } from "../base/api";
import { saveFile } from "../base/save_file";
import { Field, Notice } from "../ui/parts";
import { say } from "../ui/say";
import { noAnswer } from "../ui/texts";
import { useAsked } from "./ask";
import { named, words } from "./texts";
import {
  commandLine,
  fetchTrail,
  mostExported,
  type TrailFilter,
  trailKinds,
  trailTable,
} from "./trail_search";
import type { UserRow } from "./types";
import { nameOf } from "./who";

const once = 3_600_000;

type Props = { filter: TrailFilter; change: (change: Partial<TrailFilter>) => void };

export function TrailFilters({ filter, change }: Props) {
  const { value: operators } = useAsked("/admin/users", once, fetchOperators);
  const set = (name: keyof TrailFilter) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value });
  return (
    <div class="filters many">
      <Field name="action" label={words("trail_kind")}>
        {(attributes) => (
          <select {...attributes} value={filter.action} onChange={set("action")}>
            <option value="">{words("all")}</option>
            {trailKinds.map((kind) => (
              <option key={kind} value={kind}>
                {named("trail_kind", kind)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="actor" label={words("head_actor")}>
        {(attributes) => (
          <select {...attributes} value={filter.actor} onChange={set("actor")}>
            <option value="">{words("all")}</option>
            {operators?.map((user) => (
              <option key={user.id} value={user.id}>
                {nameOf(user)}
              </option>
            ))}
            <option value={commandLine}>{words("trail_command_line")}</option>
          </select>
        )}
      </Field>
      <Field name="subject" label={words("trail_subject")}>
        {(attributes) => (
          <input {...attributes} type="search" value={filter.subject} onChange={set("subject")} />
        )}
      </Field>
      {(["from", "to"] as const).map((name) => (
        <Field key={name} name={name} label={words(`trail_${name}`)}>
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              value={filter[name]}
              onChange={set(name)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

// Staff of today. Deeds of former staff are found by the other fields.
async function fetchOperators(): Promise<UserRow[]> {
  const pages = await Promise.all(
    ["admin", "operator", "support"].map((role) =>
      get<{ users: UserRow[] }>(`/admin/users?role=${role}&limit=100`),
    ),
  );
  return pages.flatMap(({ users }) => users);
}

export function TrailExport({ query }: { query: string }) {
  const [working, setWorking] = useState(false);
  const [trouble, setTrouble] = useState("");

  async function act() {
    setWorking(true);
    setTrouble("");
    try {
      const { entries, more } = await fetchTrail(query, get);
      saveFile("audit-trail.csv", "text/csv;charset=utf-8", [trailTable(entries)]);
      if (more) setTrouble(words("trail_cut", { n: mostExported }));
      say(words("done"));
    } catch (failure) {
      if (failure instanceof Problem) setTrouble(failure.message);
      else if (failure instanceof Away) setTrouble(noAnswer());
      else throw failure;
    } finally {
      setWorking(false);
    }
  }

  return (
    <>
      <button class="button quiet" type="button" disabled={working} onClick={() => void act()}>
        {working && <span class="spinner" aria-hidden="true" />}
        {words("spreadsheet")}
      </button>
      <div role="alert">{trouble && <Notice tone="warn" title={trouble} />}</div>
    </>
  );
}
