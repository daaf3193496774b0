import { post } from "../base/api";
import { money, preciseTime } from "../base/format";
import type { Sale } from "../base/types";
import { orderTitle } from "../base/titles";
import { mount } from "../ui/page";
import { useOperates } from "../ui/use_user";
import { Empty, Skeleton, StateBadge } from "../ui/parts";
import { text } from "../ui/texts";
import { useAsked } from "./ask";
import { DeliveryOfOrder } from "./delivery";
import { Back, ConsolePage, Heading, Table } from "./frame";
import { saleName } from "./sale_name";
import { Sure } from "./sure";
import { named, words } from "./texts";
import type { OrderWithMoney, Refund } from "./types";

const orderId = (new URLSearchParams(location.search).get("id") ?? "").trim();
const refreshMilliseconds = 5000;
const once = 3_600_000;

function OrderPage() {
  const path = orderId ? `/admin/orders/${encodeURIComponent(orderId)}` : "";
  const {
    value: order,
    missing,
    away,
    refresh,
  } = useAsked<OrderWithMoney>(path, refreshMilliseconds);
  return (
    <ConsolePage title={words("order_title")} away={away}>
      <Back to="/console/orders" label={words("place_orders")} />
      {(missing || !orderId) && (
        <Empty icon="receipt" title={words("order_missing")} alone>
          <p>{words("order_missing_more")}</p>
        </Empty>
      )}
      {!missing && orderId && !order && <Skeleton height="20rem" />}
      {order && <Shown order={order} refresh={refresh} />}
    </ConsolePage>
  );
}

function Shown({ order, refresh }: { order: OrderWithMoney; refresh: () => void }) {
  const { value: sale } = useAsked<Sale>(`/sales/${order.sale_id}`, once);
  const buyer = order.buyer_name || order.buyer_phone || order.buyer_id;
  return (
    <>
      <Heading title={orderTitle(order)} lead={words("order_number", { id: order.id })}>
        <StateBadge state={order.state} />
        {order.state === "paid" && (
          <Sure
            label={words("refund")}
            title={words("refund_sure")}
            more={words("refund_sure_more", {
              price: money(order.total_cents, order.currency),
              name: buyer,
            })}
            yes={words("refund_yes")}
            hot
            act={() => post(`/admin/orders/${order.id}/refund`).then(refresh)}
          />
        )}
      </Heading>
      <section class="panel console-section">
        <dl class="facts figures">
          <dt>{words("head_sale")}</dt>
          <dd>
            <a href={`/console/sale?id=${order.sale_id}`}>
              {sale ? saleName(sale) : orderTitle(order)}
            </a>
          </dd>
          <dt>{words("head_buyer")}</dt>
          <dd>
            <a href={`/console/orders?buyer=${order.buyer_id}`}>{buyer}</a>
            {order.buyer_name && <span class="small faint below">{order.buyer_phone}</span>}
          </dd>
          <dt>{text("order_created")}</dt>
          <dd>{preciseTime(order.created_at)}</dd>
          <dt>{words("held_until")}</dt>
          <dd>{preciseTime(order.expires_at)}</dd>
          {order.paid_at && (
            <>
              <dt>{text("order_paid")}</dt>
              <dd>{preciseTime(order.paid_at)}</dd>
            </>
          )}
          <dt>{words("head_quantity")}</dt>
          <dd>{order.quantity}</dd>
          <dt>{words("head_total")}</dt>
          <dd>{money(order.total_cents, order.currency)}</dd>
        </dl>
      </section>
      <Whereto order={order} />
      <DeliveryOfOrder order={order} refresh={refresh} />
      <Charges order={order} refresh={refresh} />
      <Events order={order} />
    </>
  );
}

const contactNames = ["name", "phone", "address", "note"] as const;

function Whereto({ order: { contact } }: { order: OrderWithMoney }) {
  const told = contact ? contactNames.filter((name) => contact[name]) : [];
  if (!contact || told.length === 0) return null;
  return (
    <section class="panel console-section">
      <h2>{words("contact")}</h2>
      <dl class="facts">
        {told.map((name) => [
          <dt key={`${name}-name`}>{words(`contact_${name}`)}</dt>,
          <dd key={name} class="lines">
            {contact[name]}
          </dd>,
        ])}
      </dl>
    </section>
  );
}

type Charge = OrderWithMoney["charges"][number];

function Charges({ order: { charges }, refresh }: { order: OrderWithMoney; refresh: () => void }) {
  if (charges.length === 0) return null;
  return (
    <section class="console-section">
      <h2>{words("charges")}</h2>
      <Table
        label={words("charges")}
        heads={[words("head_when"), `>${words("head_total")}`, words("head_what"), words("refund")]}
      >
        {charges.map((charge) => (
          <tr key={charge.charge_id}>
            <td class="nowrap">{preciseTime(charge.at)}</td>
            <td class="right figures">{money(charge.amount_cents, charge.currency)}</td>
            <td>{words(charge.captures ? "charge_pays" : "charge_goes_back")}</td>
            <td>
              {charge.refund ? (
                <RefundOf charge={charge} refund={charge.refund} refresh={refresh} />
              ) : (
                "–"
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

type RefundProps = { charge: Charge; refund: Refund; refresh: () => void };

// The server refuses to note a refund that its own provider is about to send.
function RefundOf({ charge, refund, refresh }: RefundProps) {
  const operates = useOperates();
  const state = refund.by_hand ? "by_hand" : refund.state;
  return (
    <>
      {named("refund_reason", refund.reason)} · {named("refund_state", state)} · {charge.provider}{" "}
      {operates && refund.state === "owed" && (
        <Sure
          label={words("sent_back")}
          title={words("sent_back_sure")}
          more={words("sent_back_sure_more", {
            price: money(charge.amount_cents, charge.currency),
          })}
          yes={words("sent_back_yes")}
          act={() => post(`/admin/refunds/${refund.refund_id}/sent-back`).then(refresh)}
        />
      )}
    </>
  );
}

function Events({ order: { events } }: { order: OrderWithMoney }) {
  if (events.length === 0) return null;
  return (
    <section class="console-section">
      <h2>{words("provider_events")}</h2>
      <Table
        label={words("provider_events")}
        heads={[words("head_when"), words("head_what"), words("head_outcome")]}
      >
        {events.map((event) => (
          <tr key={event.event_id}>
            <td class="nowrap">{preciseTime(event.at)}</td>
            <td>{named("event", event.type)}</td>
            <td>{named("outcome", event.outcome)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

mount(OrderPage);
