import { useEffect, useState } from "preact/hooks";

import { money, number, rowTime, zoneName } from "../base/format";
import { saveFile } from "../base/save_file";
import { orderTitle } from "../base/titles";
import { mount } from "../ui/page";
import { useOperates } from "../ui/use_user";
import { Field, StateBadge } from "../ui/parts";
import { useListed } from "./ask";
import { BulkRefund } from "./bulk_refund";
import { ConsolePage, Heading, ListTable } from "./frame";
import { OrderFilters, wrongOf } from "./order_filters";
import { readFilter, searchOf, whomOf, wishOf } from "./order_search";
import { useSaleNames } from "./sale_name";
import { fetchSpreadsheet } from "./spreadsheet";
import { named, words } from "./texts";
import type { OrderOfBuyer } from "./types";

const pageSize = 50;

function Orders() {
  const [filter, setFilter] = useState(() => readFilter(location.search));
  // In the address, so that going back from an order finds the same list.
  useEffect(() => history.replaceState(null, "", searchOf(filter) || location.pathname), [filter]);
  const wish = wishOf(filter);
  const names = useSaleNames();
  const operates = useOperates();
  const list = useListed<OrderOfBuyer>(
    `/admin/orders?limit=${pageSize}${wish && `&${wish}`}`,
    "orders",
  );
  return (
    <ConsolePage title={words("place_orders")}>
      <Heading title={words("place_orders")} lead={words("orders_lead")}>
        {operates && list.rows && filter.state === "paid" && filter.sale !== "" && (
          <BulkRefund wish={wish} of={names.get(filter.sale)} done={list.reload} />
        )}
        {operates && list.rows && (
          <Export address={`/api/v1/admin/orders.csv${wish && `?${wish}`}`} />
        )}
      </Heading>
      <Find />
      <OrderFilters filter={filter} change={setFilter} names={names} list={list} />
      <ListTable
        list={wrongOf(list) ? { ...list, rows: [], trouble: null } : list}
        label={words("place_orders")}
        none={words("orders_none")}
        heads={[
          words("head_order"),
          words("head_state"),
          words("head_buyer"),
          `>${words("head_quantity")}`,
          `>${words("head_total")}`,
          `${words("head_when")} (${zoneName()})`,
        ]}
        row={(order) => (
          <Row
            key={order.id}
            order={order}
            narrow={() => setFilter({ ...filter, ...whomOf(order.buyer_id) })}
          />
        )}
      />
    </ConsolePage>
  );
}

// For people, who open it in a spreadsheet, and for programs.
function Export({ address }: { address: string }) {
  const [working, setWorking] = useState(false);
  const [trouble, setTrouble] = useState("");

  async function save() {
    setWorking(true);
    setTrouble("");
    try {
      const response = await fetch(address, { credentials: "same-origin" });
      if (!response.ok) setTrouble(((await response.json()) as { detail: string }).detail);
      else saveFile("orders.csv", "text/csv", [await fetchSpreadsheet(response)]);
    } catch {
      setTrouble(words("export_broke_off"));
    } finally {
      setWorking(false);
    }
  }

  return (
    <>
      <p class="small" role="alert">
        {trouble}
      </p>
      <button class="button quiet" type="button" disabled={working} onClick={() => void save()}>
        {working && <span class="spinner" aria-hidden="true" />}
        {words("spreadsheet")}
      </button>
      <a href={address} download>
        {words("csv")}
      </a>
    </>
  );
}

function Find() {
  return (
    <form class="filters" action="/console/order">
      <div class="find">
        <Field name="id" label={words("find_order")}>
          {(attributes) => <input {...attributes} type="search" required />}
        </Field>
        <button class="button quiet" type="submit">
          {words("find")}
        </button>
      </div>
    </form>
  );
}

function Row({ order, narrow }: { order: OrderOfBuyer; narrow: () => void }) {
  return (
    <tr>
      <td class="main-cell">
        <a href={`/console/order?id=${order.id}`}>{orderTitle(order)}</a>
        <span class="small faint">{order.id}</span>
      </td>
      <td>
        <StateBadge state={order.state} />
        {order.delivery && (
          <span class="small faint below">{named("order_delivery", order.delivery.state)}</span>
        )}
      </td>
      <td>
        <button class="as-link" type="button" title={words("only_this_buyer")} onClick={narrow}>
          {order.buyer_name || order.buyer_phone}
        </button>
        {order.buyer_name && <span class="small faint below">{order.buyer_phone}</span>}
      </td>
      <td class="right figures">{number(order.quantity)}</td>
      <td class="right figures">{money(order.total_cents, order.currency)}</td>
      <td class="small faint nowrap">{rowTime(order.created_at)}</td>
    </tr>
  );
}

mount(Orders);
