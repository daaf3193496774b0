import { useEffect, useState } from "preact/hooks";

import { post } from "../base/api";
import { preciseTime } from "../base/format";
import { poll } from "../base/poll";
import { Field } from "../ui/parts";
import { useListed } from "./ask";
import { ListTable } from "./frame";
import { useSaleNames } from "./sale_name";
import { Sure } from "./sure";
import { named, words } from "./texts";
import { type Delivery, deliveryStates, type Webhook } from "./types";

const refreshMilliseconds = 3000;
const pageSize = 20;

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [state, setState] = useState("");
  const wish = `limit=${pageSize}${state && `&state=${state}`}`;
  const path = `/admin/webhooks/${webhook.id}/deliveries?${wish}`;
  const list = useListed<Delivery>(path, "deliveries");
  const names = useSaleNames();
  // The first page is updated; pages further back are not, so that they can be read in peace.
  const following = list.rows !== null && list.rows.length <= pageSize;
  useEffect(() => {
    if (!following) return;
    const poller = poll(async () => {
      list.reload();
      return refreshMilliseconds;
    });
    return poller.stop;
  }, [following, state]);
  return (
    <section class="console-section">
      <h2 class="breakable">{words("deliveries_of", { url: webhook.url })}</h2>
      <div class="filters">
        <Field name="delivery-state" label={words("head_state")}>
          {(attributes) => (
            <select
              {...attributes}
              value={state}
              onChange={(event) => setState(event.currentTarget.value)}
            >
              <option value="">{words("all")}</option>
              {deliveryStates.map((name) => (
                <option key={name} value={name}>
                  {words(`delivery_${name}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ListTable
        list={list}
        label={words("deliveries")}
        none={words("deliveries_none")}
        heads={[
          words("head_what"),
          words("head_state"),
          `>${words("head_attempts")}`,
          words("head_last"),
          words("head_when"),
          words("head_actions"),
        ]}
        row={(delivery) => (
          <Row key={delivery.id} delivery={delivery} names={names} resent={list.reload} />
        )}
      />
    </section>
  );
}

type RowProps = { delivery: Delivery; names: Map<string, string>; resent: () => void };

function Row({ delivery, names, resent }: RowProps) {
  const { id, state, order_id, sale_id, next_attempt_at } = delivery;
  return (
    <tr>
      <td class="main-cell">
        {named("event", delivery.event)}
        {order_id && (
          <a class="small" href={`/console/order?id=${order_id}`}>
            {order_id}
          </a>
        )}
        {sale_id && (
          <a class="small" href={`/console/sale?id=${sale_id}`}>
            {names.get(sale_id) ?? sale_id}
          </a>
        )}
      </td>
      <td>
        <span class={`badge delivery-${state}`}>{words(`delivery_${state}`)}</span>
        {next_attempt_at && state === "pending" && (
          <span class="small faint below">
            {words("next_attempt", { time: preciseTime(next_attempt_at) })}
          </span>
        )}
      </td>
      <td class="right figures">{delivery.attempts}</td>
      <td class="small">{delivery.last_error ?? delivery.last_status ?? "–"}</td>
      <td class="small faint nowrap">{preciseTime(delivery.created_at)}</td>
      <td>
        {state !== "pending" && (
          <Sure
            label={words("resend")}
            title={words("resend_sure", { event: named("event", delivery.event) })}
            yes={words("resend")}
            act={() => post(`/admin/webhooks/deliveries/${id}/resend`).then(resent)}
          />
        )}
      </td>
    </tr>
  );
}
