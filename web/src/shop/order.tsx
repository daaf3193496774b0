import "./orders.css";
import "../purchase/purchase.css";

import { useEffect, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import { money, preciseTime } from "../base/format";
import { backOff, poll } from "../base/poll";
import { loginAddress, sessionEnded } from "../base/session";
import type { Order } from "../base/types";
import { OrderActions } from "../purchase/order_actions";
import { mount, Page, useUser } from "../ui/page";
import { Countdown, Empty, Notice, Picture, Skeleton, StateBadge } from "../ui/parts";
import { text } from "../ui/texts";

const orderId = new URLSearchParams(location.search).get("id") ?? "";
const pendingMilliseconds = 3000;
const settledMilliseconds = 60_000;

function OrderPage() {
  const user = useUser();
  const { order, setOrder, away, missing } = useOrder(user?.id);
  return (
    <Page title={text("order_title")} away={away}>
      {!user && (
        <Empty icon="receipt" title={text("orders_log_in")} alone>
          <a class="button" href={loginAddress()}>
            {text("log_in")}
          </a>
        </Empty>
      )}
      {user && missing && (
        <Empty icon="receipt" title={text("order_missing")} alone>
          <p>{text("order_missing_more")}</p>
          <a class="button" href="/orders">
            {text("orders_title")}
          </a>
        </Empty>
      )}
      {user && !missing && !order && <Skeleton height="20rem" />}
      {user && order && <Shown order={order} onChange={setOrder} />}
    </Page>
  );
}

function Shown({ order, onChange }: { order: Order; onChange: (order: Order) => void }) {
  const { item, state } = order;
  return (
    <article class="order">
      <div class="order-picture">
        <Picture item={item} eager />
      </div>
      <div class="order-body">
        <header>
          <StateBadge state={state} />
          <h1>{item.title}</h1>
        </header>
        <div class="stack" aria-live="polite">
          {state === "pending" ? (
            <>
              <div class="held-for">
                <span class="faint">{text("order_pay_within")}</span>
                <Countdown to={Date.parse(order.expires_at)} tiles />
              </div>
              <OrderActions order={order} onChange={onChange} />
            </>
          ) : (
            <Notice tone={state === "paid" ? "good" : "plain"} title={text(`p_ordered_${state}`)}>
              {text(`p_ordered_${state}_more`)}
            </Notice>
          )}
        </div>
        <Facts order={order} />
        <a href={`/sale?id=${order.sale_id}`}>{text("order_to_sale")}</a>
      </div>
    </article>
  );
}

function Facts({ order }: { order: Order }) {
  return (
    <dl class="facts figures">
      <dt>{text("order_number")}</dt>
      <dd>{order.id}</dd>
      <dt>{text("order_created")}</dt>
      <dd>{preciseTime(order.created_at)}</dd>
      {order.paid_at && (
        <>
          <dt>{text("order_paid")}</dt>
          <dd>{preciseTime(order.paid_at)}</dd>
        </>
      )}
      <dt>{text("order_quantity")}</dt>
      <dd>{order.quantity}</dd>
      <dt>{text("order_price")}</dt>
      <dd>{money(order.price_cents, order.currency)}</dd>
      <dt>{text("order_total")}</dt>
      <dd class="total">{money(order.total_cents, order.currency)}</dd>
    </dl>
  );
}

function useOrder(buyer: string | undefined) {
  const [order, setOrder] = useState<Order | null>(null);
  const [away, setAway] = useState(false);
  const [missing, setMissing] = useState(orderId === "");
  useEffect(() => {
    if (!buyer || orderId === "") return;
    let failures = 0;
    const poller = poll(async () => {
      try {
        const found = await get<Order>(`/orders/${encodeURIComponent(orderId)}`);
        setOrder(found);
        setAway(false);
        failures = 0;
        return found.state === "pending" ? pendingMilliseconds : settledMilliseconds;
      } catch (failure) {
        const code = failure instanceof Problem ? failure.code : "";
        if (code === "unauthenticated") sessionEnded();
        else if (code === "not_found") setMissing(true);
        else setAway(true);
        return code === "not_found" ? settledMilliseconds : backOff(failures++);
      }
    });
    return poller.stop;
  }, [buyer]);
  return { order, setOrder, away, missing };
}

mount(OrderPage);
