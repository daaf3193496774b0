import "./orders.css";

import { useEffect, useRef, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import { dateAndTime, money } from "../base/format";
import { loginAddress, sessionEnded } from "../base/session";
import type { Order, OrderPage } from "../base/types";
import { noteOrder } from "../base/unpaid";
import { orderTitle } from "../base/titles";
import { usePaying } from "../purchase/order_actions";
import { mount, Page } from "../ui/page";
import { useUser } from "../ui/use_user";
import { Countdown, Empty, Notice, Picture, Skeleton, StateBadge } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import { deliveryName } from "./delivery";
import { QueuedTickets } from "./queued_tickets";

const settledMilliseconds = 1000;

function Orders() {
  const user = useUser();
  return (
    <Page title={text("orders_title")}>
      <h1 class="orders-title">{text("orders_title")}</h1>
      {user ? <Lists key={user.id} /> : <LoggedOut />}
    </Page>
  );
}

function LoggedOut() {
  return (
    <Empty icon="receipt" title={text("orders_log_in")}>
      <a class="button" href={loginAddress()}>
        {text("log_in")}
      </a>
    </Empty>
  );
}

// A queued ticket may become an order while the page is open.
function Lists() {
  const [round, setRound] = useState(0);
  return (
    <>
      <QueuedTickets ordered={() => setRound((before) => before + 1)} />
      <List key={round} />
    </>
  );
}

function List() {
  const { orders, cursor, away, more, refresh } = useOrders();
  if (away && orders === null) {
    return (
      <Empty icon="cloud" title={noAnswer()}>
        <button class="button" type="button" onClick={more}>
          {text("try_again")}
        </button>
      </Empty>
    );
  }
  if (orders === null) return <Skeleton height="12rem" />;
  if (orders.length === 0) {
    return (
      <Empty icon="receipt" title={text("orders_none")}>
        <p>{text("orders_none_more")}</p>
        <a class="button" href="/">
          {text("all_sales")}
        </a>
      </Empty>
    );
  }
  return (
    <>
      <ul class="orders">
        {orders.map((order) => (
          <Row key={order.id} order={order} refresh={() => void refresh(order.id)} />
        ))}
      </ul>
      <div role="alert">{away && <Notice tone="bad" title={text("away_more")} />}</div>
      {cursor && (
        <button class="button quiet orders-more" type="button" onClick={more}>
          {text("more")}
        </button>
      )}
    </>
  );
}

function Row({ order, refresh }: { order: Order; refresh: () => void }) {
  return (
    <li class="order-row">
      <Picture item={order.item} />
      <div class="order-row-text">
        <h2>
          <a href={`/order?id=${order.id}`}>{orderTitle(order)}</a>
        </h2>
        <p class="small faint figures">
          {dateAndTime(order.created_at)} ·{" "}
          <span class="nowrap">
            {order.quantity} × {money(order.price_cents, order.currency)}
          </span>
        </p>
      </div>
      <div class="order-row-end">
        <strong class="figures">{money(order.total_cents, order.currency)}</strong>
        <StateBadge state={order.state} />
        {order.state === "paid" && order.delivery && (
          <span class="small faint">{deliveryName(order.delivery)}</span>
        )}
        {order.state === "pending" && (
          <span class="small faint">
            {text("order_pay_within")}{" "}
            <Countdown to={Date.parse(order.expires_at)} onReached={refresh} />
          </span>
        )}
      </div>
      {order.state === "pending" && <PayRow order={order} />}
    </li>
  );
}

function PayRow({ order }: { order: Order }) {
  const { pay, working, waits, trouble } = usePaying(order);
  return (
    <div class="order-row-pay">
      <button class="button hot small" type="button" disabled={working} onClick={pay}>
        {working && <span class="spinner" aria-hidden="true" />}
        {text("pay", { price: money(order.total_cents, order.currency) })}
        <span class="visually-hidden">: {orderTitle(order)}</span>
      </button>
      <p class="small faint" role="alert">
        {waits ? text("pay_again_more") : trouble}
      </p>
    </div>
  );
}

function useOrders() {
  const [orders, setOrders] = useState<Order[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [away, setAway] = useState(false);
  const asking = useRef(false);
  async function more() {
    if (asking.current) return;
    asking.current = true;
    const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    try {
      const page = await get<OrderPage>(`/orders?limit=20${after}`);
      page.orders.forEach(noteOrder);
      setOrders((before) => [...(before ?? []), ...page.orders]);
      setCursor(page.next_cursor);
      setAway(false);
    } catch (failure) {
      if (failure instanceof Problem && failure.code === "unauthenticated") sessionEnded();
      else setAway(true);
    } finally {
      asking.current = false;
    }
  }
  // A hold that has ended: the server knows a moment later whether it was paid in time.
  async function refresh(id: string) {
    await new Promise((done) => setTimeout(done, settledMilliseconds));
    try {
      const found = await get<Order>(`/orders/${id}`);
      noteOrder(found);
      setOrders((before) => before!.map((order) => (order.id === id ? found : order)));
    } catch {
      return; // it is shown as it was
    }
  }
  useEffect(() => void more(), []);
  return { orders, cursor, away, more: () => void more(), refresh };
}

mount(Orders);
