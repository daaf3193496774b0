import { useState } from "preact/hooks";

import { put } from "../base/api";
import { mount } from "../ui/page";
import { Notice, Skeleton } from "../ui/parts";
import { useAsked } from "./ask";
import { wholeNumber } from "./fields";
import { ContactFields } from "./contact_fields";
import { ConsolePage, Heading, NotHere, Table } from "./frame";
import { limitName } from "./limit_name";
import { Sure } from "./sure";
import { hasWords, words } from "./texts";
import type { LimitNumber, Limits } from "./types";

const once = 3_600_000;

// `name` has a dot where one limit has several numbers: "buying.burst".
type Row = { name: string; number: LimitNumber };

function LimitsPage() {
  const { value, missing, away, refresh } = useAsked<Limits>("/admin/limits", once);
  return (
    <ConsolePage title={words("place_limits")} away={away}>
      <Heading title={words("place_limits")} lead={words("limits_lead")} />
      {missing && <NotHere what={words("place_limits")} />}
      {!missing && !value && <Skeleton height="20rem" />}
      {value && !value.enabled && (
        <Notice tone="warn" title={words("limits_off")}>
          {words("limits_off_more")}
        </Notice>
      )}
      {value && value.exempt.length > 0 && (
        <p class="faint">{words("limits_exempt", { networks: value.exempt.join(", ") })}</p>
      )}
      {value && <Form key={JSON.stringify(value.limits)} rows={rowsOf(value)} saved={refresh} />}
      <ContactFields />
    </ConsolePage>
  );
}

function rowsOf({ limits }: Limits): Row[] {
  return Object.entries(limits).flatMap(([name, limit]) =>
    isNumber(limit)
      ? [{ name, number: limit }]
      : Object.entries(limit).map(([part, number]) => ({ name: `${name}.${part}`, number })),
  );
}

function isNumber(limit: LimitNumber | Record<string, LimitNumber>): limit is LimitNumber {
  return typeof limit.value === "number";
}

function Form({ rows, saved }: { rows: Row[]; saved: () => void }) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const changed = rows.filter(({ name, number }) => {
    const given = typed[name];
    return given !== undefined && given.trim() !== String(number.value);
  });
  const change = (name: string, value: string) =>
    setTyped((before) => ({ ...before, [name]: value }));
  return (
    <div class="console-section">
      <Table
        label={words("place_limits")}
        heads={[
          words("head_limit"),
          words("head_value"),
          words("head_source"),
          words("head_actions"),
        ]}
      >
        {rows.map((row) => (
          <Limit
            key={row.name}
            {...row}
            typed={typed[row.name]}
            change={(value) => change(row.name, value)}
            saved={saved}
          />
        ))}
      </Table>
      <Sure
        look="button"
        disabled={changed.length === 0}
        label={words("limits_save", { n: changed.length })}
        title={words("limits_save_sure")}
        more={changed
          .map(({ name, number }) => `${limitName(name)}: ${number.value} → ${typed[name]}`)
          .join("; ")}
        yes={words("save")}
        act={() =>
          put(
            "/admin/limits",
            nested(changed.map(({ name }) => [name, wholeNumber(typed[name]!) ?? ""])),
          ).then(saved)
        }
      />
    </div>
  );
}

// `typed`: what was typed instead of the present value, if anything.
type LimitProps = Row & {
  typed: string | undefined;
  change: (value: string) => void;
  saved: () => void;
};

function Limit({ name, number, typed, change, saved }: LimitProps) {
  return (
    <tr>
      <td class="main-cell">
        <label for={`limit-${name}`}>{limitName(name)}</label>
        <span class="small faint">{explanation(name)}</span>
      </td>
      <td>
        <input
          id={`limit-${name}`}
          class="figure-input"
          type="text"
          inputMode="numeric"
          value={typed ?? String(number.value)}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </td>
      <td>
        <span class={`badge source-${number.source}`}>{words(`source_${number.source}`)}</span>
      </td>
      <td>
        {number.source === "operator" && (
          <Sure
            label={words("limit_give_back")}
            title={words("limit_give_back_sure", { name: limitName(name) })}
            yes={words("limit_give_back")}
            act={() => put("/admin/limits", nested([[name, null]])).then(saved)}
          />
        )}
      </td>
    </tr>
  );
}

function nested(entries: [string, unknown][]): Record<string, unknown> {
  const body: Record<string, Record<string, unknown> | unknown> = {};
  for (const [name, value] of entries) {
    const [limit, part] = name.split(".") as [string, string?];
    if (!part) body[limit] = value;
    else body[limit] = { ...(body[limit] as object | undefined), [part]: value };
  }
  return body;
}

function explanation(name: string): string {
  const key = `about_${name.split(".")[0]}`;
  return hasWords(key) ? words(key) : "";
}

mount(LimitsPage);
