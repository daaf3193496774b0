// Whoever has ordered and leaves the page is told on every other one that the order waits.

import { useEffect, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import { clock } from "../base/server_time";
import type { Order } from "../base/types";
import { noteOrder, onUnpaidChange, type Unpaid, unpaidOrders } from "../base/unpaid";
import { Icon } from "./icon";
import { Countdown } from "./parts";
import { text } from "./texts";
import { useUser } from "./use_user";

export function UnpaidBanner() {
  const user = useUser();
  const [orders, setOrders] = useState<Unpaid[]>(look);
  useEffect(() => {
    const changed = () => setOrders(look());
    changed();
    return onUnpaidChange(changed);
  }, [user?.id]);
  useConfirmed(orders);
  const order = orders.find((each) => !isShownHere(each));
  if (!order) return null;
  return (
    <aside class="unpaid" aria-label={text("unpaid_title")}>
      <div class="wide">
        <Icon name="receipt" />
        <p>
          <strong>{text("unpaid_title")}</strong> <span class="what">{order.title}</span>{" "}
          <span class="left">
            {text("order_pay_within")}{" "}
            <Countdown to={Date.parse(order.expires_at)} onReached={() => setOrders(look())} />
          </span>
        </p>
        <a class="button small hot" href={`/order?id=${order.id}`}>
          {text("unpaid_pay")}
        </a>
      </div>
    </aside>
  );
}

const look = () => unpaidOrders(clock.now() ?? Date.now());

// It may have been paid or cancelled on another device.
function useConfirmed(orders: Unpaid[]) {
  const ids = orders.map(({ id }) => id).join();
  useEffect(() => {
    for (const id of ids.split(",").filter(Boolean)) void confirm(id);
  }, [ids]);
}

async function confirm(id: string) {
  try {
    noteOrder(await get<Order>(`/orders/${id}`));
  } catch (failure) {
    if (failure instanceof Problem && failure.code === "not_found")
      noteOrder({ id, state: "expired" } as Order);
  }
}

function isShownHere({ id, sale_id }: Unpaid): boolean {
  const here = new URLSearchParams(location.search).get("id");
  return (
    (location.pathname === "/order" && here === id) ||
    (location.pathname === "/sale" && here === sale_id) ||
    location.pathname === "/orders"
  );
}
