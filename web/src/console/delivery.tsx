// The delivery of an order, and how staff change it.

import { put } from "../base/api";
import { preciseTime } from "../base/format";
import { Field } from "../ui/parts";
import { Sure } from "./sure";
import { named, words } from "./texts";
import { type OrderWithMoney, orderDeliveryStates } from "./types";

type Props = { order: OrderWithMoney; refresh: () => void };

export function DeliveryOfOrder({ order, refresh }: Props) {
  const { delivery } = order;
  if (!delivery && order.state !== "paid") return null;
  return (
    <section class="panel console-section">
      <h2>{words("order_delivery")}</h2>
      <dl class="facts figures">
        <dt>{words("head_state")}</dt>
        <dd>{named("order_delivery", delivery?.state ?? "none")}</dd>
        {delivery && (
          <>
            <dt>{words("carrier")}</dt>
            <dd>{delivery.carrier || "–"}</dd>
            <dt>{words("tracking_number")}</dt>
            <dd class="breakable">{delivery.number || "–"}</dd>
            <dt>{words("order_delivery_changed")}</dt>
            <dd>{preciseTime(delivery.changed_at)}</dd>
          </>
        )}
      </dl>
      {order.state === "paid" && <Change order={order} refresh={refresh} />}
    </section>
  );
}

function Change({ order: { id, delivery }, refresh }: Props) {
  return (
    <Sure
      label={words("order_delivery_change")}
      title={words("order_delivery_change")}
      more={words("order_delivery_change_more")}
      yes={words("order_delivery_save")}
      act={async (given) => {
        const state = given("state");
        // Without a delivery the server takes neither.
        const way = state === "none" ? {} : { carrier: given("carrier"), number: given("number") };
        await put(`/admin/orders/${id}/delivery`, { state, ...way });
        refresh();
      }}
    >
      {(wrong) => (
        <>
          <Field name="state" label={words("head_state")} wrong={wrong("state")}>
            {(attributes) => (
              <select {...attributes}>
                {orderDeliveryStates.map((name) => (
                  <option key={name} value={name} selected={name === (delivery?.state ?? "none")}>
                    {words(`order_delivery_${name}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            name="carrier"
            label={words("carrier")}
            hint={words("carrier_hint")}
            wrong={wrong("carrier")}
          >
            {(attributes) => (
              <input {...attributes} defaultValue={delivery?.carrier ?? ""} autocomplete="off" />
            )}
          </Field>
          <Field
            name="number"
            label={words("tracking_number")}
            hint={words("tracking_number_hint")}
            wrong={wrong("number")}
          >
            {(attributes) => (
              <input {...attributes} defaultValue={delivery?.number ?? ""} autocomplete="off" />
            )}
          </Field>
        </>
      )}
    </Sure>
  );
}
