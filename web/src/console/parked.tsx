// Tickets that no writer could write. Their buyers were told that they are queued, so an operator
// decides: try again, or refuse.

import { useEffect, useState } from "preact/hooks";

import { post } from "../base/api";
import { dateAndTime, number } from "../base/format";
import { Notice } from "../ui/parts";
import { useListed } from "./ask";
import { ListTable } from "./frame";
import { useSaleNames } from "./sale_name";
import { Sure } from "./sure";
import { words } from "./texts";
import type { ParkedOutcome, ParkedTicket } from "./types";
import { Who } from "./who";

// `count`: how many there are, as far as is known; the list is read again when that changes.
export function Parked({ count, changed }: { count: number | null; changed: () => void }) {
  const list = useListed<ParkedTicket>("/admin/parked-tickets?limit=50", "parked_tickets");
  const [result, setResult] = useState<ParkedOutcome | null>(null);
  useEffect(() => void (count !== null && list.rows && list.reload()), [count]);
  function done(outcome: ParkedOutcome) {
    setResult(outcome);
    list.reload();
    changed();
  }
  const names = useSaleNames();
  return (
    <section class="console-section">
      <h2>{words("parked")}</h2>
      <p class="faint">{words("parked_lead")}</p>
      <div role="status">{result && <Result {...result} />}</div>
      <ListTable
        list={list}
        label={words("parked")}
        none={words("parked_none")}
        heads={[
          words("head_ticket"),
          words("head_buyer"),
          `>${words("head_quantity")}`,
          words("head_reason"),
          `>${words("head_attempts")}`,
          words("head_parked"),
          words("head_actions"),
        ]}
        row={(ticket) => <Row key={ticket.ticket} ticket={ticket} names={names} done={done} />}
      />
    </section>
  );
}

function Result({ ticket, state, order_id }: ParkedOutcome) {
  if (state === "ordered" && order_id)
    return (
      <Notice tone="good" title={words("parked_ordered")}>
        <a href={`/console/order?id=${order_id}`}>{words("order_number", { id: order_id })}</a>
      </Notice>
    );
  return (
    <Notice title={words("parked_refused")}>
      <code class="breakable">{ticket}</code>
    </Notice>
  );
}

type RowProps = {
  ticket: ParkedTicket;
  names: Map<string, string>;
  done: (outcome: ParkedOutcome) => void;
};

function Row({ ticket: parked, names, done }: RowProps) {
  const { ticket, sale_id, buyer_id } = parked;
  const path = `/admin/parked-tickets/${encodeURIComponent(ticket)}`;
  return (
    <tr>
      <td class="main-cell">
        <code class="breakable">{ticket}</code>
        <a class="small" href={`/console/sale?id=${sale_id}`}>
          {names.get(sale_id) ?? words("parked_sale")}
        </a>
      </td>
      <td>
        <Who id={buyer_id} />
      </td>
      <td class="right figures">{number(parked.quantity)}</td>
      <td class="small breakable">{parked.reason}</td>
      <td class="right figures">{number(parked.tries)}</td>
      <td class="small faint">
        {dateAndTime(parked.parked_at)}
        <span class="below">{words("claimed_at", { time: dateAndTime(parked.claimed_at) })}</span>
      </td>
      <td>
        <div class="row tight">
          <Sure
            label={words("parked_retry")}
            title={words("parked_retry_sure")}
            more={words("parked_retry_more")}
            yes={words("parked_retry")}
            act={(_, __, key) => post<ParkedOutcome>(`${path}/retry`, { key }).then(done)}
          />
          <Sure
            look="button quiet small danger"
            label={words("parked_refuse")}
            title={words("parked_refuse_sure")}
            more={words("parked_refuse_more", { n: parked.quantity })}
            yes={words("parked_refuse")}
            hot
            act={(_, __, key) => post<ParkedOutcome>(`${path}/refuse`, { key }).then(done)}
          />
        </div>
      </td>
    </tr>
  );
}
