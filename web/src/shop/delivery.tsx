// How far a paid order is on its way to its buyer.

import { dateAndTime } from "../base/format";
import type { Order, OrderDelivery } from "../base/types";
import { Notice } from "../ui/parts";
import { CopyButton } from "../ui/share";
import { hasText, text } from "../ui/texts";

export function deliveryName({ state }: OrderDelivery): string {
  const key = `delivery_${state}`;
  return hasText(key) ? text(key) : state;
}

export function DeliveryOfOrder({ order: { delivery, state } }: { order: Order }) {
  if (!delivery || (state !== "paid" && state !== "refunded")) return null;
  const { carrier, number } = delivery;
  return (
    <Notice
      tone={delivery.state === "delivered" ? "good" : "plain"}
      icon={delivery.state === "delivered" ? "check" : "box"}
      title={deliveryName(delivery)}
    >
      <p class="small">{text("delivery_since", { time: dateAndTime(delivery.changed_at) })}</p>
      {(carrier || number) && (
        <p class="row delivery-number">
          <span>
            {carrier} <strong class="figures breakable">{number}</strong>
          </span>
          {number && (
            <CopyButton
              what={number}
              label={text("delivery_copy")}
              done={text("delivery_copied")}
            />
          )}
        </p>
      )}
    </Notice>
  );
}
