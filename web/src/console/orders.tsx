import { useState } from "preact/hooks";

import { dateAndTime, money, number } from "../base/format";
import { fetchSales } from "../base/sales";
import { mount } from "../ui/page";
import { Field, StateBadge } from "../ui/parts";
import { text } from "../ui/texts";
import { useAsked, useListed } from "./ask";
import { ConsolePage, Heading, ListTable } from "./frame";
import { words } from "./texts";
import type { OrderWithMoney } from "./types";

const states = ["pending", "paid", "expired", "cancelled", "refunded"] as const;
const once = 3_600_000;

function Orders() {
  const [sale, setSale] = useState(new URLSearchParams(location.search).get("sale") ?? "");
  const [state, setState] = useState("");
  const { value: sales } = useAsked("/sales", once, fetchSales);
  const filter = new URLSearchParams({ limit: "50" });
  if (sale) filter.set("sale_id", sale);
  if (state) filter.set("state", state);
  const list = useListed<OrderWithMoney>(`/admin/orders?${filter}`, "orders");
  return (
    <ConsolePage title={words("place_orders")}>
      <Heading title={words("place_orders")} lead={words("orders_lead")}>
        {list.rows && (
          <a
            class="button quiet"
            href={`/api/v1/admin/orders.csv${sale && `?sale_id=${sale}`}`}
            download
          >
            {words("csv")}
          </a>
        )}
      </Heading>
      <div class="filters">
        <Find />
        <Field name="sale" label={words("head_sale")}>
          {(attributes) => (
            <select
              {...attributes}
              value={sale}
              onChange={(event) => setSale(event.currentTarget.value)}
            >
              <option value="">{words("all")}</option>
              {sales?.map(({ id, item }) => (
                <option key={id} value={id}>
                  {item.title} · {id}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="state" label={words("head_state")}>
          {(attributes) => (
            <select
              {...attributes}
              value={state}
              onChange={(event) => setState(event.currentTarget.value)}
            >
              <option value="">{words("all")}</option>
              {states.map((name) => (
                <option key={name} value={name}>
                  {text(`state_${name}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ListTable
        list={list}
        label={words("place_orders")}
        none={words("orders_none")}
        heads={[
          words("head_order"),
          words("head_state"),
          words("head_buyer"),
          `>${words("head_quantity")}`,
          `>${words("head_total")}`,
          words("head_when"),
        ]}
        row={(order) => <Row key={order.id} order={order} />}
      />
    </ConsolePage>
  );
}

function Find() {
  return (
    <form class="find" action="/console/order">
      <Field name="id" label={words("find_order")}>
        {(attributes) => <input {...attributes} type="search" required />}
      </Field>
      <button class="button quiet" type="submit">
        {words("find")}
      </button>
    </form>
  );
}

function Row({ order }: { order: OrderWithMoney }) {
  return (
    <tr>
      <td class="main-cell">
        <a href={`/console/order?id=${order.id}`}>{order.item.title}</a>
        <span class="small faint">{order.id}</span>
      </td>
      <td>
        <StateBadge state={order.state} />
      </td>
      <td class="small">{order.buyer_id}</td>
      <td class="right figures">{number(order.quantity)}</td>
      <td class="right figures">{money(order.total_cents, order.currency)}</td>
      <td class="small faint nowrap">{dateAndTime(order.created_at)}</td>
    </tr>
  );
}

mount(Orders);
