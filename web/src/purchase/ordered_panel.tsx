import { mostAtOnce } from "../base/sales";
import type { Order } from "../base/types";
import { Icon } from "../ui/icon";
import { Countdown } from "../ui/parts";
import { text } from "../ui/texts";
import { OrderActions } from "./order_actions";
import { Buy, type PanelProps } from "./purchase_panel";

export function OrderedPanel(props: PanelProps & { order: Order; limit: boolean }) {
  const { sale, saleState, driver, order, limit, mine } = props;
  const live = order.state === "pending" || order.state === "paid";
  const title = order.state === "pending" ? "p_ordered" : (`p_ordered_${order.state}` as const);
  const allowed = sale.limit_per_buyer - mine;
  const canBuy = saleState === "open" && mostAtOnce(sale, mine) > 0;
  return (
    <>
      <div class={live ? "won" : "won over"}>
        <h2>
          <Icon name={live ? "check" : "info"} />
          {text(title)}
        </h2>
        <p>{text(`${title}_more`)}</p>
        {order.state === "pending" && (
          <>
            <div class="held-for">
              <span class="faint">{text("order_pay_within")}</span>
              <Countdown to={Date.parse(order.expires_at)} tiles />
            </div>
            <OrderActions order={order} onChange={(changed) => driver.orderHeard(changed)} />
          </>
        )}
        {limit && (
          <p class="faint">
            {allowed > 0
              ? text("p_ordered_limit_some", { n: allowed, had: mine })
              : text("p_ordered_limit")}
          </p>
        )}
        <a href={`/order?id=${order.id}`}>{text("see_order")}</a>
      </div>
      {canBuy && <Buy {...props} label={text(live ? "buy_more" : "try_again")} quiet={live} />}
    </>
  );
}
