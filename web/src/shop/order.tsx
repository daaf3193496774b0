import "./orders.css";
import "../purchase/purchase.css";

import { useEffect } from "preact/hooks";

import { dateAndTime, money, preciseTime } from "../base/format";
import { loginAddress } from "../base/session";
import type { Order } from "../base/types";
import { noteOrder } from "../base/unpaid";
import { orderTitle } from "../base/titles";
import { OrderActions } from "../purchase/order_actions";
import { Icon } from "../ui/icon";
import { mount, Page } from "../ui/page";
import { useUser } from "../ui/use_user";
import { Countdown, Empty, Notice, Picture, Skeleton, StateBadge } from "../ui/parts";
import { text } from "../ui/texts";
import { useLatest } from "../ui/use_latest";
import { useStream } from "../ui/use_stream";
import { OrderContact } from "./contact_of_order";
import { DeliveryOfOrder } from "./delivery";

const orderId = new URLSearchParams(location.search).get("id") ?? "";
const paceOf = ({ state }: Order) => (state === "pending" ? 3000 : 60_000);

function OrderPage() {
  const user = useUser();
  const path = user && orderId ? `/orders/${encodeURIComponent(orderId)}` : "";
  const { value: order, away, tell, streamed, ...latest } = useLatest<Order>(path, paceOf);
  const missing = latest.missing || orderId === "";
  const stream = useStream(user?.id, order?.state === "pending", null, (news) => {
    if (news.type === "order" && news.id === orderId) tell(() => news);
  });
  useEffect(() => streamed(stream === "open"), [stream]);
  useEffect(() => void (order && noteOrder(order)), [order]);
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
      {user && order && <Shown order={order} onChange={(changed) => tell(() => changed)} />}
      {stream === "blocked" && !away && (
        <p class="small faint" role="status">
          {text("stream_blocked")}
        </p>
      )}
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
          <p class="only-printed">
            {text("receipt")} · Sluice ·{" "}
            {text("receipt_printed", { time: dateAndTime(Date.now()) })}
          </p>
          <h1>{orderTitle(order)}</h1>
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
          <DeliveryOfOrder order={order} />
        </div>
        <OrderContact order={order} />
        <Facts order={order} />
        <div class="row not-printed">
          {(state === "paid" || state === "refunded") && (
            <button class="button quiet small" type="button" onClick={() => print()}>
              <Icon name="printer" />
              {text("receipt_print")}
            </button>
          )}
          <a href={`/sale?id=${order.sale_id}`}>{text("order_to_sale")}</a>
        </div>
      </div>
    </article>
  );
}

function Facts({ order }: { order: Order }) {
  return (
    <dl class="facts figures">
      <dt class="only-printed">{text("receipt_buyer")}</dt>
      <dd class="only-printed">{useUser()?.name}</dd>
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

mount(OrderPage);
