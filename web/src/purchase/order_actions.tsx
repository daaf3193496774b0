// Pay or cancel, wherever an order is shown.

import { useRef, useState } from "preact/hooks";

import { Away, post, Problem } from "../base/api";
import { DeedKey } from "../base/deed_key";
import { money } from "../base/format";
import type { Order, Payment } from "../base/types";
import { Notice } from "../ui/parts";
import { text } from "../ui/texts";

type Props = { order: Order; onChange: (order: Order) => void };

export function OrderActions({ order, onChange }: Props) {
  const [working, setWorking] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const key = useRef(new DeedKey());
  const sure = useRef<HTMLDialogElement>(null);
  if (order.state !== "pending") return null;

  async function attempt(action: () => Promise<void>) {
    setWorking(true);
    setTrouble(null);
    try {
      await action();
    } catch (failure) {
      setTrouble(wordsFor(failure));
    } finally {
      setWorking(false);
    }
  }

  const pay = () =>
    attempt(async () => {
      const payment = await key.current.use((current) =>
        post<Payment>(`/orders/${order.id}/payments`, { key: current }),
      );
      location.assign(payment.pay_url);
    });
  const cancel = () =>
    attempt(async () => {
      sure.current?.close();
      onChange(await post<Order>(`/orders/${order.id}/cancel`));
    });

  return (
    <div class="stack">
      <button class="button hot big" type="button" disabled={working} onClick={() => void pay()}>
        {text("pay", { price: money(order.total_cents, order.currency) })}
      </button>
      {trouble && <Notice tone="warn" title={trouble} />}
      <div class="row">
        <button
          class="button quiet small"
          type="button"
          disabled={working}
          onClick={() => sure.current?.showModal()}
        >
          {text("cancel_order")}
        </button>
      </div>
      <dialog ref={sure} aria-labelledby="sure-title">
        <div class="stack">
          <h2 id="sure-title">{text("cancel_sure")}</h2>
          <p class="faint">{text("cancel_sure_more")}</p>
          <div class="row">
            <button class="button quiet" type="button" onClick={() => sure.current?.close()}>
              {text("cancel_no")}
            </button>
            <button class="button hot" type="button" onClick={() => void cancel()}>
              {text("cancel_yes")}
            </button>
          </div>
        </div>
      </dialog>
    </div>
  );
}

function wordsFor(failure: unknown): string {
  if (failure instanceof Away) return text("away");
  if (!(failure instanceof Problem)) throw failure;
  // The order is ours and there, so it is the way to pay that is not.
  return failure.code === "not_found" ? text("pay_unavailable") : failure.message;
}
