// Who holds unpaid units of a sale, and one button to end it.

import { useRef, useState } from "preact/hooks";

import { post } from "../base/api";
import { number } from "../base/format";
import { Field, Notice, Skeleton } from "../ui/parts";
import { useAsked } from "./ask";
import { NotHere, Table } from "./frame";
import { giveBackAll, type Returned, type Span, spansOf } from "./holds_data";
import { Sure } from "./sure";
import { words } from "./texts";
import { type Bar, Bars } from "./traffic";
import type { Holds as Shown, HoldsGivenBack } from "./types";

// Only while the panel is open: the server reads all orders of the sale for it.
const holdsMilliseconds = 15_000;

type Props = { saleId: string; refresh: () => void };
type Result = { subject: string; all: Returned };

export function Holds({ saleId, refresh }: Props) {
  const [open, setOpen] = useState(false);
  const path = `/admin/sales/${saleId}/holds`;
  const asked = useAsked<Shown>(open ? path : "", holdsMilliseconds);
  const [result, setResult] = useState<Result | null>(null);
  function done(what: Result) {
    setResult(what);
    asked.refresh();
    refresh();
  }
  return (
    <section class="panel live-holds">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>{words("holds")}</h2> <span class="faint">{words("holds_lead")}</span>
        </summary>
        {open && (
          <div class="stack">
            {result && <Notice tone="good" title={resultText(result)} />}
            {asked.missing && <NotHere what={words("holds")} />}
            {!asked.missing && !asked.value && <Skeleton height="12rem" />}
            {asked.value && <Figures shown={asked.value} path={path} done={done} />}
          </div>
        )}
      </details>
    </section>
  );
}

// `path`: what is asked for the holds; `done`: units were given back.
type Giving = { path: string; done: (what: Result) => void };

function Figures({ shown, ...giving }: { shown: Shown } & Giving) {
  const spans = spansOf(shown.ages);
  return (
    <>
      <h3>{words("holds_by_age")}</h3>
      {spans.length === 0 ? (
        <p class="faint">{words("holds_nothing")}</p>
      ) : (
        <Bars bars={spans.map(barOf)} away={false} />
      )}
      <p class="small faint">{words("lapses_note")}</p>
      <h3>{words("holds_networks")}</h3>
      {shown.networks.length === 0 ? (
        <p class="faint">{words("holds_none")}</p>
      ) : (
        <Networks rows={shown.networks} {...giving} />
      )}
      <h3>{words("holds_buyers")}</h3>
      {shown.buyers.length === 0 ? (
        <p class="faint">{words("holds_none")}</p>
      ) : (
        <Buyers rows={shown.buyers} {...giving} />
      )}
    </>
  );
}

function Networks({ rows, ...giving }: { rows: Shown["networks"] } & Giving) {
  return (
    <Table
      label={words("holds_networks")}
      heads={[
        words("head_network"),
        `>${words("head_buyers")}`,
        `>${words("head_lapses")}`,
        `>${words("head_held")}`,
        words("head_actions"),
      ]}
    >
      {rows.map((row) => (
        <tr key={row.network}>
          <td class="main-cell">
            {row.network} <Blocked is={row.blocked} />
          </td>
          <td class="right figures">{number(row.buyers)}</td>
          <td class="right figures">{number(row.lapses)}</td>
          <td class="right figures">{heldText(row.pending_orders, row.pending_units)}</td>
          <td>
            <GiveBack
              subject={row.network}
              name={row.network}
              more={words("holds_network_more", { n: row.buyers })}
              row={row}
              {...giving}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Buyers({ rows, ...giving }: { rows: Shown["buyers"] } & Giving) {
  return (
    <Table
      label={words("holds_buyers")}
      heads={[
        words("head_buyer"),
        words("head_network"),
        `>${words("head_lapses")}`,
        `>${words("head_held")}`,
        `>${words("step_paid")}`,
        words("head_actions"),
      ]}
    >
      {rows.map((row) => (
        <tr key={row.buyer_id}>
          <td class="main-cell">
            {row.buyer_name || row.buyer_phone || row.buyer_id} <Blocked is={row.blocked} />
            <span class="small faint">{row.buyer_name ? row.buyer_phone : row.buyer_id}</span>
          </td>
          <td>{row.network ?? "–"}</td>
          <td class="right figures">{number(row.lapses)}</td>
          <td class="right figures">{heldText(row.pending_orders, row.pending_units)}</td>
          <td class="right figures">{number(row.paid_orders)}</td>
          <td>
            <GiveBack
              subject={row.buyer_id}
              name={row.buyer_name || row.buyer_phone || row.buyer_id}
              more={words("holds_buyer_more")}
              row={row}
              {...giving}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function barOf({ from, to, units }: Span): Bar {
  return { name: words("minutes_span", { from, to }), count: units };
}

function Blocked({ is }: { is: boolean }) {
  return is ? <span class="badge blocked">{words("blocked")}</span> : null;
}

const heldText = (orders: number, units: number) =>
  orders === 0
    ? "–"
    : `${words("orders_count", { n: orders })} · ${words("units_count", { n: units })}`;

type Row = { pending_orders: number; pending_units: number; blocked: boolean };
type GiveBackProps = Giving & {
  subject: string;
  name: string;
  more: string; // what the block does to whom
  row: Row;
};

function GiveBack(props: GiveBackProps) {
  const [soFar, setSoFar] = useState<Returned | null>(null);
  const said = useRef("");
  // The row says "blocked" as soon as the block exists. An open dialog keeps the text that the
  // operator has read.
  const working = useRef(false);
  const read = useRef(props);
  if (!working.current) read.current = props;
  const { subject, name, more, row, path, done } = read.current;
  const block = !row.blocked;
  if (!block && row.pending_orders === 0) return null;

  async function carryOut(given: (name: string) => string) {
    const body = { subject, block, ...(block && { reason: given("reason") }) };
    working.current = true;
    setSoFar(null);
    try {
      const all = await giveBackAll(
        () => post<HoldsGivenBack>(`${path}/give-back`, { body }),
        setSoFar,
      );
      const result = { subject: name, all };
      said.current = resultText(result);
      done(result);
    } finally {
      working.current = false;
    }
  }

  const held = words(row.pending_orders === 0 ? "holds_return_nothing" : "holds_return", {
    held: heldText(row.pending_orders, row.pending_units),
  });
  return (
    <Sure
      label={words(block ? "holds_block" : "holds_give_back")}
      title={words(block ? "holds_block_sure" : "holds_give_back_sure", { subject: name })}
      more={block ? `${held} ${more}` : held}
      yes={words(block ? "holds_block" : "holds_give_back")}
      hot
      done={() => said.current}
      act={carryOut}
    >
      {(wrong) => (
        <>
          {block && (
            <Field name="reason" label={words("head_reason")} wrong={wrong("reason")}>
              {(attributes) => (
                <input
                  {...attributes}
                  type="text"
                  maxLength={200}
                  defaultValue={words("holds_reason")}
                />
              )}
            </Field>
          )}
          <p class="small" role="status">
            {soFar && words("holds_so_far", { held: heldText(soFar.orders, soFar.units) })}
          </p>
        </>
      )}
    </Sure>
  );
}

function resultText({ subject, all: { orders, units, blocked, left } }: Result): string {
  const held = heldText(orders, units);
  return [
    ...(blocked ? [words("holds_blocked", { subject })] : []),
    orders === 0 ? words("holds_returned_nothing") : words("holds_returned", { held }),
    ...(left ? [words("holds_left")] : []),
  ].join(" ");
}
